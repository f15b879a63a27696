<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class RateQuote
{
    public function __construct(
        /** `sandbox-table` for the fixed table of the sandbox, whose rates are not real prices */
        public string $source,
        /** `BTC/USD` is the price of one bitcoin in US dollars */
        public string $pair,
        public string $rate,
        /** Time reported by the source, or the time of the response if the source reports none */
        public \DateTimeImmutable $at,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            source: $data['source'],
            pair: $data['pair'],
            rate: $data['rate'],
            at: new \DateTimeImmutable($data['at']),
        );
    }
}
