<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class TimelineEntry
{
    public function __construct(
        public int $sequence,
        public string $type,
        public \DateTimeImmutable $at,
        /**
         * `transaction_status_pending`: created, or ready for another attempt after a decline;
         * `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment
         * is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without
         * payment; `reason` states the cause
         * @var TransactionStatus::*
         */
        public string $status,
        public ?string $detail = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            sequence: $data['sequence'],
            type: $data['type'],
            at: new \DateTimeImmutable($data['at']),
            status: $data['status'],
            detail: $data['detail'] ?? null,
        );
    }
}
