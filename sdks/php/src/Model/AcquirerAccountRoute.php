<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AcquirerAccountRoute
{
    public function __construct(
        public string $payment_method,
        /** ISO 3166-1 alpha-3, or `*` for every country */
        public string $country,
        /** ISO 4217, or `*` for every currency */
        public string $currency,
        /** The account with the lowest number is tried first */
        public int $priority,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            payment_method: $data['payment_method'],
            country: $data['country'],
            currency: $data['currency'],
            priority: $data['priority'],
        );
    }
}
