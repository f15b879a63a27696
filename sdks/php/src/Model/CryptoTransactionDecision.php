<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CryptoTransactionDecision
{
    public function __construct(
        /** Stable ID: `token 2` or `person 3` */
        public string $by,
        /** Current name of the user; null for tokens, and always null in events and webhooks */
        public ?string $byName,
        public \DateTimeImmutable $at,
        public ?string $reason,
        public bool $isApproved,
        public ?string $refundAddress,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            by: $data['by'],
            byName: $data['byName'] ?? null,
            at: new \DateTimeImmutable($data['at']),
            reason: $data['reason'] ?? null,
            isApproved: $data['isApproved'],
            refundAddress: $data['refundAddress'] ?? null,
        );
    }
}
