<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class StatisticsHour
{
    public function __construct(
        public int $hour,
        public int $count,
        public int $paid_count,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            hour: $data['hour'],
            count: $data['count'],
            paid_count: $data['paid_count'],
        );
    }
}
