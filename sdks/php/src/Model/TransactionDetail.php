<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class TransactionDetail
{
    public function __construct(
        public string $transaction_id,
        public \DateTimeImmutable $created_at,
        public \DateTimeImmutable $updated_at,
        public \DateTimeImmutable $expires_at,
        /** Amount of the transaction */
        public int|float $amount,
        /** Amount that the buyer pays */
        public int|float $amount_charged,
        /** Net amount after the fee */
        public int|float $amount_delivered,
        /** Amount received */
        public int|float $amount_received,
        /** The amount refunded so far */
        public int|float $refunded_amount,
        public string $currency,
        /** ISO 3166-1 alpha-3 */
        public string $country,
        public string $descriptions,
        public string $payment_method,
        /**
         * `transaction_status_pending`: created, or ready for another attempt after a decline;
         * `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment
         * is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without
         * payment; `reason` states the cause
         * @var TransactionStatus::*
         */
        public string $status,
        /**
         * Fee added to the amount or deducted from it
         * @var 'forward_without_fee'|'forward_with_fee'
         */
        public string $type_of_fee_calculate,
        /** Payment link for the buyer; single use */
        public string $link,
        public int|float $merchant_fee_fix,
        public int|float $merchant_fee_percent,
        /**
         * The preference `additional-currency` at creation, or the currency of the payment if there was no
         * rate between them
         */
        public string $additional_currency,
        /** Price of one unit of `currency` in `additional_currency` */
        public int|float $rate,
        /** `rate` less your percentage fee */
        public int|float $rate_merchant_final,
        /**
         * Card payment attempts
         * @var list<AttemptSummary>
         */
        public array $attempts,
        /**
         * The payment instructions shown to the buyer, with their status
         * @var list<InstructionsSummary>
         */
        public array $instructions,
        /**
         * Receipts of funds by instructions
         * @var list<ReceiptSummary>
         */
        public array $receipts,
        /**
         * Refunds, with their status
         * @var list<RefundSummary>
         */
        public array $refunds,
        /**
         * Disputes and chargebacks, with their status
         * @var list<DisputeSummary>
         */
        public array $disputes,
        /**
         * Currently available actions. `refund_out_of_band` and `reject_out_of_band`: only with `out_of_band`,
         * because the acquirer cannot refund
         * @var list<'cancel'|'capture'|'void'|'accept'|'reject'|'reject_out_of_band'|'renew'|'refund'|'refund_out_of_band'>
         */
        public array $available_actions,
        /**
         * Events of the transaction, in order
         * @var list<TimelineEntry>
         */
        public array $timeline,
        /**
         * Purchased items, as sent when the transaction was created
         * @var list<LineItem>|null
         */
        public ?array $line_items = null,
        /**
         * Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500
         * characters. Payers never see it
         * @var array<string, string>|null
         */
        public ?array $metadata = null,
        /** Initial language of the payment page; absent if the browser’s language is used */
        public ?string $locale = null,
        /** The reusable link that created the transaction */
        public ?string $reusable_link_id = null,
        /**
         * Failure reason
         * @var 'expired'|'declined'|'cancelled'|'underpaid'|'overpaid'|'rejected'|'reversed'|null
         */
        public ?string $reason = null,
        /**
         * Absent: captured automatically
         * @var 'manual'|null
         */
        public ?string $capture = null,
        /** With `capture: "manual"`, once a payment was authorized. The status is `waiting` until the capture */
        public ?Authorization $authorization = null,
        /** True if the funds arrived after the transaction failed */
        public ?bool $late = null,
        /** The last review decision; absent before the first */
        public ?TransactionDetailDecision $decision = null,
        /**
         * Details of the payer that you provided when you created the transaction; absent from webhooks, and
         * without the scope `approval:write`
         */
        public ?Payer $payer = null,
        /**
         * Sources of `rate`, separated by commas; `sandbox-table` for the fixed table of the sandbox. Absent
         * if the currencies are the same, or the transaction is older than this field
         */
        public ?string $rate_source = null,
        /** Time of the oldest quote in `rate`. Absent whenever `rate_source` is */
        public ?\DateTimeImmutable $rate_at = null,
        /** Detected country of the buyer (ISO 3166-1 alpha-2); absent if unknown */
        public ?string $buyer_country = null,
        /** Source of the country: `address` (IP database) or `header` (the operator’s proxy) */
        public ?string $buyer_country_source = null,
        /** Network of the buyer’s IP address: a /24 of IPv4, a /48 of IPv6 */
        public ?string $buyer_network = null,
        /**
         * Only in the response to a refund: `number` of each refund that the request created
         * @var list<int>|null
         */
        public ?array $requested_refunds = null,
        /** Absent while nothing can be refunded */
        public ?RefundOptions $refund_options = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            transaction_id: $data['transaction_id'],
            created_at: new \DateTimeImmutable($data['created_at']),
            updated_at: new \DateTimeImmutable($data['updated_at']),
            expires_at: new \DateTimeImmutable($data['expires_at']),
            amount: $data['amount'],
            amount_charged: $data['amount_charged'],
            amount_delivered: $data['amount_delivered'],
            amount_received: $data['amount_received'],
            refunded_amount: $data['refunded_amount'],
            currency: $data['currency'],
            country: $data['country'],
            descriptions: $data['descriptions'],
            line_items: isset($data['line_items']) ? array_map(LineItem::fromArray(...), $data['line_items']) : null,
            metadata: $data['metadata'] ?? null,
            locale: $data['locale'] ?? null,
            reusable_link_id: $data['reusable_link_id'] ?? null,
            payment_method: $data['payment_method'],
            status: $data['status'],
            reason: $data['reason'] ?? null,
            capture: $data['capture'] ?? null,
            authorization: isset($data['authorization']) ? Authorization::fromArray($data['authorization']) : null,
            late: $data['late'] ?? null,
            decision: isset($data['decision']) ? TransactionDetailDecision::fromArray($data['decision']) : null,
            type_of_fee_calculate: $data['type_of_fee_calculate'],
            payer: isset($data['payer']) ? Payer::fromArray($data['payer']) : null,
            link: $data['link'],
            merchant_fee_fix: $data['merchant_fee_fix'],
            merchant_fee_percent: $data['merchant_fee_percent'],
            additional_currency: $data['additional_currency'],
            rate: $data['rate'],
            rate_merchant_final: $data['rate_merchant_final'],
            rate_source: $data['rate_source'] ?? null,
            rate_at: isset($data['rate_at']) ? new \DateTimeImmutable($data['rate_at']) : null,
            buyer_country: $data['buyer_country'] ?? null,
            buyer_country_source: $data['buyer_country_source'] ?? null,
            buyer_network: $data['buyer_network'] ?? null,
            attempts: array_map(AttemptSummary::fromArray(...), $data['attempts']),
            instructions: array_map(InstructionsSummary::fromArray(...), $data['instructions']),
            receipts: array_map(ReceiptSummary::fromArray(...), $data['receipts']),
            refunds: array_map(RefundSummary::fromArray(...), $data['refunds']),
            requested_refunds: $data['requested_refunds'] ?? null,
            disputes: array_map(DisputeSummary::fromArray(...), $data['disputes']),
            available_actions: $data['available_actions'],
            refund_options: isset($data['refund_options']) ? RefundOptions::fromArray($data['refund_options']) : null,
            timeline: array_map(TimelineEntry::fromArray(...), $data['timeline']),
        );
    }
}
