<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListBalancesResponse
{
    public function __construct(
        /** @var list<Balance> */
        public array $balances,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            balances: array_map(Balance::fromArray(...), $data['balances']),
        );
    }
}
