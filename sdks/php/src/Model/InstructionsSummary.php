<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class InstructionsSummary
{
    public function __construct(
        public int $number,
        public string $payment_method,
        /** Bank or wallet selected by the buyer */
        public ?string $choice,
        /**
         * `issued`: shown to the buyer, not paid yet; `paid`: payment received; `refused`: declined by the
         * bank or acquirer; `withdrawn`: the buyer chose another method, or the transaction was canceled;
         * `expired`: not paid in time
         */
        public string $state,
        /** Payment reference at the buyer’s bank */
        public ?string $reference,
        public ?\DateTimeImmutable $expires_at,
        /** Lowest number of confirmations among deposits that await confirmations; null if there are none */
        public ?int $confirmations,
        /**
         * True if funds can still arrive after these instructions ended; they then confirm the transaction
         * late
         */
        public bool $late_payments,
        public \DateTimeImmutable $created_at,
        /** True while a crypto deposit awaits your approval, in the review of crypto transactions */
        public ?bool $in_review = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            number: $data['number'],
            payment_method: $data['payment_method'],
            choice: $data['choice'] ?? null,
            state: $data['state'],
            reference: $data['reference'] ?? null,
            expires_at: isset($data['expires_at']) ? new \DateTimeImmutable($data['expires_at']) : null,
            confirmations: $data['confirmations'] ?? null,
            in_review: $data['in_review'] ?? null,
            late_payments: $data['late_payments'],
            created_at: new \DateTimeImmutable($data['created_at']),
        );
    }
}
