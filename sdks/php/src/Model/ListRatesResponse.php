<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListRatesResponse
{
    public function __construct(
        public string $currency,
        /** @var list<ExchangeRate> */
        public array $rates,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            currency: $data['currency'],
            rates: array_map(ExchangeRate::fromArray(...), $data['rates']),
        );
    }
}
