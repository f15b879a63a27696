<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListCurrenciesResponse
{
    public function __construct(
        /** @var list<CryptoCurrency> */
        public array $currencies,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            currencies: array_map(CryptoCurrency::fromArray(...), $data['currencies']),
        );
    }
}
