<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CustomFormCreated implements CreateTransactionResponse, RenewTransactionResponse
{
    public function __construct(
        /** @var 'custom_form' */
        public string $type,
        /** Amount to show to the payer */
        public int|float $amount_charged,
        public string $currency,
        /** US dollars for one unit of the currency; 0 if there has never been a rate */
        public int|float $ex_rate,
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
        /** Lets a browser submit this transaction for 30 minutes */
        public string $client_token,
        /** `src` of a `<pay-form>` */
        public string $embed_url,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            type: $data['type'],
            amount_charged: $data['amount_charged'],
            currency: $data['currency'],
            ex_rate: $data['ex_rate'],
            transaction_id: $data['transaction_id'],
            status: $data['status'],
            expires_at: new \DateTimeImmutable($data['expires_at']),
            client_token: $data['client_token'],
            embed_url: $data['embed_url'],
        );
    }
}
