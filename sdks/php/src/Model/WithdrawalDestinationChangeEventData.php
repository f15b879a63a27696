<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class WithdrawalDestinationChangeEventData
{
    public function __construct(
        /**
         * A cryptocurrency of `GET /v1/currencies`
         * @var CryptoCurrencyCode::*
         */
        public string $code,
        /** null if automatic withdrawals were turned off */
        public ?string $destination,
        public ?string $previousDestination,
        public \DateTimeImmutable $effectiveAt,
        public string $requestedBy,
        public \DateTimeImmutable $createdAt,
        /** Your merchant ID. Reject webhooks with a different one */
        public int $merchant_id,
        public mixed $previous_status,
        public int|float $sequence,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            code: $data['code'],
            destination: $data['destination'] ?? null,
            previousDestination: $data['previousDestination'] ?? null,
            effectiveAt: new \DateTimeImmutable($data['effectiveAt']),
            requestedBy: $data['requestedBy'],
            createdAt: new \DateTimeImmutable($data['createdAt']),
            merchant_id: $data['merchant_id'],
            previous_status: $data['previous_status'] ?? null,
            sequence: $data['sequence'],
        );
    }
}
