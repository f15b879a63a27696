<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class StatisticsTotalPaidInAdditionalCurrency
{
    public function __construct(
        /** The preference `additional-currency` */
        public string $currency,
        /** Amount received for paid transactions, each at its stored rate, rounded once */
        public int|float $amount,
        /**
         * Paid transactions that are excluded from these amounts, because they were created with another
         * additional currency or without a rate to it
         */
        public int $excluded_count,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            currency: $data['currency'],
            amount: $data['amount'],
            excluded_count: $data['excluded_count'],
        );
    }
}
