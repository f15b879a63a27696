<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class LinkCreated implements CreateTransactionResponse, RenewTransactionResponse
{
    public function __construct(
        /** @var 'link' */
        public string $type,
        /** US dollars for one unit of the currency; 0 if there has never been a rate */
        public int|float $ex_rate,
        public LinkCreatedValue $value,
        public string $transaction_id,
        /**
         * `transaction_status_pending`: created, or ready for another attempt after a decline;
         * `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment
         * is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without
         * payment; `reason` states the cause
         * @var TransactionStatus::*
         */
        public string $status,
        public \DateTimeImmutable $expires_at,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            type: $data['type'],
            ex_rate: $data['ex_rate'],
            value: LinkCreatedValue::fromArray($data['value']),
            transaction_id: $data['transaction_id'],
            status: $data['status'],
            expires_at: new \DateTimeImmutable($data['expires_at']),
        );
    }
}
