<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/** The last review decision; absent before the first */
final readonly class TransactionEventDataDecision
{
    public function __construct(
        /** Stable ID: `token 2` or `person 3` */
        public string $by,
        /** Current name of the user; null for tokens, and always null in events and webhooks */
        public ?string $by_name,
        public \DateTimeImmutable $at,
        public ?string $reason,
        public bool $is_approved,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            by: $data['by'],
            by_name: $data['by_name'] ?? null,
            at: new \DateTimeImmutable($data['at']),
            reason: $data['reason'] ?? null,
            is_approved: $data['is_approved'],
        );
    }
}
