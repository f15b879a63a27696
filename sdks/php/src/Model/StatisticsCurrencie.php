<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class StatisticsCurrencie
{
    public function __construct(
        public string $currency,
        public int $count,
        public int $paid_count,
        /** Amount received for paid transactions */
        public int|float $paid_amount,
        /** Refunds that succeeded or are pending */
        public int|float $refunded_amount,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            currency: $data['currency'],
            count: $data['count'],
            paid_count: $data['paid_count'],
            paid_amount: $data['paid_amount'],
            refunded_amount: $data['refunded_amount'],
        );
    }
}
