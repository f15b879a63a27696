<?php

// Generated from the OpenAPI document by `npm run generate`: change src/api, not this file.

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
