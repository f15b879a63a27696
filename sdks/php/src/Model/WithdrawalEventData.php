<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class WithdrawalEventData
{
    public function __construct(
        public string $id,
        /**
         * A cryptocurrency of `GET /v1/currencies`
         * @var CryptoCurrencyCode::*
         */
        public string $code,
        /**
         * `sweep`: automatic; `refund`: of a rejected transaction; `manual`: requested by a manager; `gas`:
         * the operator’s ether for the fee of another withdrawal
         * @var 'sweep'|'refund'|'manual'|'gas'
         */
        public string $purpose,
        /**
         * `waiting`: not sent yet; `waitsFor` states the cause; `to_sign`: to be signed outside Paylatch,
         * where the keys are; `sent`: broadcast, not enough confirmations yet; `confirmed`: reached
         * `min-confirmation-{CODE}` confirmations; `failed`: no funds moved; `failure` states the cause
         * @var WithdrawalStatus::*
         */
        public string $status,
        /**
         * Canceled by a manager after its transaction was signed: a replacement is in progress. It becomes
         * `failed` if the replacement is mined, `confirmed` if it was too late
         */
        public bool $cancelling,
        /** null if it awaits only confirmations */
        public ?WithdrawalWait $waitsFor,
        /** Failure reason */
        public ?string $failure,
        /**
         * End of the hold on a withdrawal to a new destination, which can be canceled until then; null if it
         * is not held
         */
        public ?\DateTimeImmutable $heldUntil,
        public string $destination,
        /** Amount withdrawn from the wallets, in the smallest unit */
        public string $spent,
        /**
         * Amount that the destination receives; null until its transaction exists. For a canceling
         * replacement: the amount that returns to the wallet
         */
        public ?string $amount,
        /** Maximum fee, in the smallest unit of `feeCode` */
        public ?string $fee,
        /**
         * Fee paid in its block, in the smallest unit of `feeCode`; null until then. On Ethereum, the unused
         * part of `fee` stays in the wallet for its next withdrawal
         */
        public ?string $feePaid,
        /** Part of `spent` that was missing because it was spent outside the service */
        public string $writtenOff,
        /**
         * `eth` for tokens; otherwise the fee is deducted from the amount
         * @var CryptoCurrencyCode::*
         */
        public string $feeCode,
        public ?string $feeRate,
        /** Fee rate limit; null for none */
        public ?string $limit,
        /** Hash of the last transaction, or of the mined one */
        public ?string $txHash,
        /**
         * Hashes of all its transactions, of which at most one is mined
         * @var list<string>
         */
        public array $txHashes,
        public int $confirmations,
        /** Confirmations after which it is `confirmed` */
        public int $minConfirmations,
        /**
         * Amount withdrawn from each wallet
         * @var list<WithdrawalEventDataWallet>
         */
        public array $wallets,
        /** `id` of the refunded crypto transaction */
        public ?string $transactionId,
        /** For `gas`: `id` of the withdrawal that needs it */
        public ?string $withdrawalId,
        /** Requester: `token 2` or `person 3`; null for automatic withdrawals */
        public ?string $requestedBy,
        /** Current name of the user; null for tokens and automatic withdrawals, and in events and webhooks */
        public ?string $requestedByName,
        public \DateTimeImmutable $createdAt,
        public \DateTimeImmutable $updatedAt,
        /** Your merchant ID. Reject webhooks with a different one */
        public int $merchant_id,
        /**
         * null in the first
         * @var 'waiting'|'to_sign'|'sent'|'confirmed'|'failed'|null
         */
        public ?string $previous_status,
        /**
         * Number of the event within the withdrawal, from 1. An endpoint that receives only some event types
         * sees gaps: do not wait for missing numbers
         */
        public int $sequence,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            code: $data['code'],
            purpose: $data['purpose'],
            status: $data['status'],
            cancelling: $data['cancelling'],
            waitsFor: isset($data['waitsFor']) ? WithdrawalWait::fromArray($data['waitsFor']) : null,
            failure: $data['failure'] ?? null,
            heldUntil: isset($data['heldUntil']) ? new \DateTimeImmutable($data['heldUntil']) : null,
            destination: $data['destination'],
            spent: $data['spent'],
            amount: $data['amount'] ?? null,
            fee: $data['fee'] ?? null,
            feePaid: $data['feePaid'] ?? null,
            writtenOff: $data['writtenOff'],
            feeCode: $data['feeCode'],
            feeRate: $data['feeRate'] ?? null,
            limit: $data['limit'] ?? null,
            txHash: $data['txHash'] ?? null,
            txHashes: $data['txHashes'],
            confirmations: $data['confirmations'],
            minConfirmations: $data['minConfirmations'],
            wallets: array_map(WithdrawalEventDataWallet::fromArray(...), $data['wallets']),
            transactionId: $data['transactionId'] ?? null,
            withdrawalId: $data['withdrawalId'] ?? null,
            requestedBy: $data['requestedBy'] ?? null,
            requestedByName: $data['requestedByName'] ?? null,
            createdAt: new \DateTimeImmutable($data['createdAt']),
            updatedAt: new \DateTimeImmutable($data['updatedAt']),
            merchant_id: $data['merchant_id'],
            previous_status: $data['previous_status'] ?? null,
            sequence: $data['sequence'],
        );
    }
}
