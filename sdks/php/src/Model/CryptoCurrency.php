<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CryptoCurrency
{
    public function __construct(
        /**
         * A cryptocurrency of `GET /v1/currencies`
         * @var CryptoCurrencyCode::*
         */
        public string $code,
        public string $name,
        public string $chain,
        /** Decimals of a whole coin; amounts are whole numbers of 10^-decimals */
        public int $decimals,
        /** Minimum amount of an invoice */
        public string $minAmount,
        public int $minConfirmations,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            code: $data['code'],
            name: $data['name'],
            chain: $data['chain'],
            decimals: $data['decimals'],
            minAmount: $data['minAmount'],
            minConfirmations: $data['minConfirmations'],
        );
    }
}
