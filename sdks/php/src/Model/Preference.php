<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Preference
{
    public function __construct(
        public string $key,
        public bool|int|float|string|null $value,
        public \DateTimeImmutable $created_at,
        public \DateTimeImmutable $updated_at,
        /** Present until `value` takes effect */
        public ?PendingPreference $pending = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            key: $data['key'],
            value: $data['value'] ?? null,
            created_at: new \DateTimeImmutable($data['created_at']),
            updated_at: new \DateTimeImmutable($data['updated_at']),
            pending: isset($data['pending']) ? PendingPreference::fromArray($data['pending']) : null,
        );
    }
}
