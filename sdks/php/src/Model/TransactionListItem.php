<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class TransactionListItem
{
    public function __construct(
        public int $id,
        public int $merchant_id,
        public int|float $amount,
        public int|float $amount_charged,
        public string $transaction_id,
        public string $currency,
        /**
         * `transaction_status_pending`: created, or ready for another attempt after a decline;
         * `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment
         * is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without
         * payment; `reason` states the cause
         * @var TransactionStatus::*
         */
        public string $status,
        public string $description,
        public string $additional_currency,
        public int|float $rate_merchant_final,
        public \DateTimeImmutable $created_at,
        public string $payment_method,
        public \DateTimeImmutable $updated_at,
        public int|float $amount_received,
        /** The amount received, less refunds that succeeded or are pending */
        public int|float $amount_kept,
        /** @var 'expired'|'declined'|'cancelled'|'underpaid'|'overpaid'|'rejected'|'reversed'|null */
        public ?string $reason = null,
        public ?string $reusable_link_id = null,
        /** @var 'authorized'|'capture_pending'|'captured'|'void_pending'|'voided'|'expired'|null */
        public ?string $authorization_status = null,
        /**
         * Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500
         * characters. Payers never see it
         * @var array<string, string>|null
         */
        public ?array $metadata = null,
        /** The card that was charged, or the last one attempted; absent if there was none */
        public ?TransactionListItemCard $card = null,
        /**
         * Payer details entered with that card, or the `payer` of the request. Masked without the scope
         * `approval:write`
         */
        public ?TransactionListItemPayer $payer = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            merchant_id: $data['merchant_id'],
            amount: $data['amount'],
            amount_charged: $data['amount_charged'],
            transaction_id: $data['transaction_id'],
            currency: $data['currency'],
            status: $data['status'],
            description: $data['description'],
            additional_currency: $data['additional_currency'],
            rate_merchant_final: $data['rate_merchant_final'],
            created_at: new \DateTimeImmutable($data['created_at']),
            payment_method: $data['payment_method'],
            updated_at: new \DateTimeImmutable($data['updated_at']),
            reason: $data['reason'] ?? null,
            reusable_link_id: $data['reusable_link_id'] ?? null,
            authorization_status: $data['authorization_status'] ?? null,
            metadata: $data['metadata'] ?? null,
            amount_received: $data['amount_received'],
            amount_kept: $data['amount_kept'],
            card: isset($data['card']) ? TransactionListItemCard::fromArray($data['card']) : null,
            payer: isset($data['payer']) ? TransactionListItemPayer::fromArray($data['payer']) : null,
        );
    }
}
