<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class StatisticsDay
{
    public function __construct(
        public string $date,
        public int $count,
        public int $paid_count,
        /** Amount received for paid transactions, in the additional currency */
        public int|float $paid_amount,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            date: $data['date'],
            count: $data['count'],
            paid_count: $data['paid_count'],
            paid_amount: $data['paid_amount'],
        );
    }
}
