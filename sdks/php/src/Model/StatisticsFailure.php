<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class StatisticsFailure
{
    public function __construct(
        /** The `reason` of the transaction; for `declined` and `expired` the code of its last decline, if any */
        public string $reason,
        public int $count,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            reason: $data['reason'],
            count: $data['count'],
        );
    }
}
