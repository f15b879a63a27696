<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CryptoTransactionEventData
{
    public function __construct(
        public string $id,
        /** null for deposits without an invoice */
        public ?string $txId,
        /**
         * Invoice type; `invoice_type_default` as resolved at creation
         * @var 'static'|'revolver'|'user'
         */
        public string $type,
        /**
         * A cryptocurrency of `GET /v1/currencies`
         * @var CryptoCurrencyCode::*
         */
        public string $code,
        /** Requested amount; null if any amount is accepted */
        public ?string $amountRequired,
        public ?string $amountRequiredUnit,
        public string $walletAddress,
        /** @var 'static'|'revolver'|'user' */
        public string $walletType,
        /** Payment URI for wallet apps: BIP 21 or EIP-681 */
        public string $uri,
        /**
         * `pending`: no deposit detected yet; `waiting`: deposit detected, not enough confirmations yet;
         * `confirmed`: the deposit reached `min-confirmation-{CODE}` confirmations; `complete`: credited, less
         * `processing-fee-{CODE}`; `approved_required`: awaiting review: approve or reject it; `refunding`:
         * rejected with a refund address; the funds are being sent there; `refunded`: the refund is confirmed;
         * `failed`: ended without payment, or rejected without a refund address
         * @var CryptoStatus::*
         */
        public string $status,
        /**
         * Conditions in addition to the status
         * @var list<'underpaid'|'overpaid'|'late'|'duplicate'|'wrong_wallet'|'below_minimum'|'replaced'|'unattributed'>
         */
        public array $labels,
        /** Amount detected, confirmed or not */
        public string $amount,
        /** The same in whole coins */
        public string $amountUnit,
        /** Amount still due */
        public string $amountDue,
        /** Lowest number of confirmations among its deposits */
        public int $confirmations,
        /** Confirmations required of a deposit */
        public int $minConfirmations,
        /** @var list<CryptoPayment> */
        public array $payments,
        public int|float $processingFeePercent,
        /** Fee on the credited amount */
        public string $processingFee,
        public ?CryptoTransactionEventDataExchangeRate $exchangeRate,
        public CryptoTransactionEventDataLink $link,
        /** `transaction_id` of the payment link that it pays, if any */
        public ?string $fiatTransactionId,
        public ?string $comment,
        /** Description shown to the payer */
        public ?string $description,
        /** URL of your page to which the payer returns */
        public ?string $returnUrl,
        /** `txId` of the invoice that the deposit was probably meant for */
        public ?string $probableTxId,
        /** The review decision, if any */
        public ?CryptoTransactionEventDataDecision $decision,
        /**
         * Currently available actions; `withdraw` for managers only
         * @var list<'approve'|'reject'|'withdraw'>
         */
        public array $availableActions,
        public \DateTimeImmutable $createdAt,
        public \DateTimeImmutable $updatedAt,
        /** null if it does not expire */
        public ?\DateTimeImmutable $expiredAt,
        /** Your merchant ID. Reject webhooks with a different one */
        public int $merchant_id,
        /**
         * null in the first
         * @var 'pending'|'waiting'|'confirmed'|'complete'|'approved_required'|'refunding'|'refunded'|'failed'|null
         */
        public ?string $previous_status,
        /**
         * Number of the event within the transaction, from 1. An endpoint that receives only some event types
         * sees gaps: do not wait for missing numbers
         */
        public int $sequence,
        /**
         * Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500
         * characters. Payers never see it
         * @var array<string, string>|null
         */
        public ?array $metadata = null,
        /** Initial language of the invoice page; absent if the browser’s language is used */
        public ?string $locale = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            txId: $data['txId'] ?? null,
            type: $data['type'],
            code: $data['code'],
            amountRequired: $data['amountRequired'] ?? null,
            amountRequiredUnit: $data['amountRequiredUnit'] ?? null,
            walletAddress: $data['walletAddress'],
            walletType: $data['walletType'],
            uri: $data['uri'],
            status: $data['status'],
            labels: $data['labels'],
            amount: $data['amount'],
            amountUnit: $data['amountUnit'],
            amountDue: $data['amountDue'],
            confirmations: $data['confirmations'],
            minConfirmations: $data['minConfirmations'],
            payments: array_map(CryptoPayment::fromArray(...), $data['payments']),
            processingFeePercent: $data['processingFeePercent'],
            processingFee: $data['processingFee'],
            exchangeRate: isset($data['exchangeRate']) ? CryptoTransactionEventDataExchangeRate::fromArray($data['exchangeRate']) : null,
            link: CryptoTransactionEventDataLink::fromArray($data['link']),
            fiatTransactionId: $data['fiatTransactionId'] ?? null,
            comment: $data['comment'] ?? null,
            description: $data['description'] ?? null,
            returnUrl: $data['returnUrl'] ?? null,
            metadata: $data['metadata'] ?? null,
            locale: $data['locale'] ?? null,
            probableTxId: $data['probableTxId'] ?? null,
            decision: isset($data['decision']) ? CryptoTransactionEventDataDecision::fromArray($data['decision']) : null,
            availableActions: $data['availableActions'],
            createdAt: new \DateTimeImmutable($data['createdAt']),
            updatedAt: new \DateTimeImmutable($data['updatedAt']),
            expiredAt: isset($data['expiredAt']) ? new \DateTimeImmutable($data['expiredAt']) : null,
            merchant_id: $data['merchant_id'],
            previous_status: $data['previous_status'] ?? null,
            sequence: $data['sequence'],
        );
    }
}
