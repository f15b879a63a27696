<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CryptoTransactionExchangeRate
{
    public function __construct(
        public string $currency,
        /** Price of one whole coin in `currency` */
        public string $exchangeRate,
        /** The amount in `currency` */
        public string $currencyAmount,
        /**
         * A cryptocurrency of `GET /v1/currencies`
         * @var CryptoCurrencyCode::*
         */
        public string $code,
        public string $source,
        public \DateTimeImmutable $at,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            currency: $data['currency'],
            exchangeRate: $data['exchangeRate'],
            currencyAmount: $data['currencyAmount'],
            code: $data['code'],
            source: $data['source'],
            at: new \DateTimeImmutable($data['at']),
        );
    }
}
