<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class PreferenceKey
{
    public function __construct(
        public string $key,
        /** Description */
        public string $meaning,
        /**
         * Value type. An `amount` is a whole number of the smallest unit of `code`, as a string
         * (`wallet-rotate-amount-{CODE}` as a number up to 9007199254740991). A list is a string with a JSON
         * array
         * @var 'boolean'|'integer'|'decimal'|'amount'|'choice'|'text'|'url'|'contact'|'country_list'|'origin_list'|'color'|'address'
         */
        public string $type,
        /** Value while it is unset; null for none */
        public bool|int|float|string|null $default,
        /**
         * Scope required to set it
         * @var 'preference:write'|'withdrawal:write'|'transaction:read'
         */
        public string $scope,
        /** True if only a manager of the service can set it */
        public bool $manager_only,
        /** Current value; null while it is unset */
        public bool|int|float|string|null $value,
        /** Pending change; null if `value` is in effect */
        public ?PendingPreference $pending,
        public ?\DateTimeImmutable $updated_at,
        /** Actor that set it, such as `token 7`; null while it is unset, for the command line, and if unknown */
        public ?string $updated_by,
        /** The currency of an `amount` or an `address` */
        public ?string $code = null,
        /**
         * Values of a `choice`
         * @var list<string>|null
         */
        public ?array $choices = null,
        public int|float|null $minimum = null,
        public int|float|null $maximum = null,
        /** Maximum number of characters */
        public ?int $max_length = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            key: $data['key'],
            meaning: $data['meaning'],
            type: $data['type'],
            code: $data['code'] ?? null,
            choices: $data['choices'] ?? null,
            minimum: $data['minimum'] ?? null,
            maximum: $data['maximum'] ?? null,
            max_length: $data['max_length'] ?? null,
            default: $data['default'] ?? null,
            scope: $data['scope'],
            manager_only: $data['manager_only'],
            value: $data['value'] ?? null,
            pending: isset($data['pending']) ? PendingPreference::fromArray($data['pending']) : null,
            updated_at: isset($data['updated_at']) ? new \DateTimeImmutable($data['updated_at']) : null,
            updated_by: $data['updated_by'] ?? null,
        );
    }
}
