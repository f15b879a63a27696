<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CryptoPayment
{
    public function __construct(
        /** Empty for ether sent by a contract, which is detected by balance */
        public string $txHash,
        /** In the smallest unit */
        public string $amount,
        /** 0 until it is in a block; null if it was dropped */
        public ?int $confirmations,
        /**
         * `accepted`: counts toward its transaction, automatically or after review; `pending`: awaiting
         * review; `rejected`: rejected after review; never credited
         * @var 'accepted'|'pending'|'rejected'
         */
        public string $decision,
        /**
         * Time at which the deposit was found to be spent outside the service, which removed it from the
         * wallet’s balance; null otherwise
         */
        public ?\DateTimeImmutable $writtenOffAt,
        public \DateTimeImmutable $seenAt,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            txHash: $data['txHash'],
            amount: $data['amount'],
            confirmations: $data['confirmations'] ?? null,
            decision: $data['decision'],
            writtenOffAt: isset($data['writtenOffAt']) ? new \DateTimeImmutable($data['writtenOffAt']) : null,
            seenAt: new \DateTimeImmutable($data['seenAt']),
        );
    }
}
