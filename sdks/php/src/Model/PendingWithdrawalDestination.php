<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class PendingWithdrawalDestination
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
        /**
         * Reason for the delay: a new destination waits `WITHDRAWAL_DESTINATION_DELAY_HOURS`
         * @var 'new_destination'
         */
        public string $reason,
        /** Current name of the user; null for a token */
        public ?string $requestedByName,
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
            reason: $data['reason'],
            requestedByName: $data['requestedByName'] ?? null,
        );
    }
}
