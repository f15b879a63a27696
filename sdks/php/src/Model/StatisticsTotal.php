<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class StatisticsTotal
{
    public function __construct(
        public int $count,
        /** `transaction_status_confirmed` */
        public int $paid_count,
        public int $failed_count,
        /** Neither paid nor failed */
        public int $open_count,
        /**
         * Share of paid transactions among paid and failed ones, from 0 to 1 with four decimals; null if there
         * are none
         */
        public int|float|null $paid_share,
        public StatisticsTotalPaidInAdditionalCurrency $paid_in_additional_currency,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            count: $data['count'],
            paid_count: $data['paid_count'],
            failed_count: $data['failed_count'],
            open_count: $data['open_count'],
            paid_share: $data['paid_share'] ?? null,
            paid_in_additional_currency: StatisticsTotalPaidInAdditionalCurrency::fromArray($data['paid_in_additional_currency']),
        );
    }
}
