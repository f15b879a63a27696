<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class PendingPreference
{
    public function __construct(
        /** Value in effect until then; null for none */
        public bool|int|float|string|null $current_value,
        /** Time at which `value` takes effect */
        public \DateTimeImmutable $effective_at,
        /**
         * Reason for the delay
         * @var 'new_destination'
         */
        public string $reason,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            current_value: $data['current_value'] ?? null,
            effective_at: new \DateTimeImmutable($data['effective_at']),
            reason: $data['reason'],
        );
    }
}
