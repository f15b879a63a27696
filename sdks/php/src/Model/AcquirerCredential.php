<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AcquirerCredential
{
    public function __construct(
        public string $name,
        public string $label,
        /** Location of the value in the acquirer’s dashboard, or its purpose */
        public string $hint,
        /** true if the value is never returned */
        public bool $secret,
        public bool $optional,
        /**
         * Accepted values; null if any text is accepted
         * @var list<string>|null
         */
        public ?array $options,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            name: $data['name'],
            label: $data['label'],
            hint: $data['hint'],
            secret: $data['secret'],
            optional: $data['optional'],
            options: $data['options'] ?? null,
        );
    }
}
