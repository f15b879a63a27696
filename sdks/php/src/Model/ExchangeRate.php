<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ExchangeRate
{
    public function __construct(
        /** Cryptocurrency or currency */
        public string $code,
        /** Price of one whole unit, a decimal; null while unavailable */
        public ?string $rate,
        /** Time of the oldest quote in the rate; null while unavailable */
        public ?\DateTimeImmutable $at,
        /**
         * Quotes whose median is the rate. Some rates are calculated from two pairs
         * @var list<RateQuote>
         */
        public array $quotes,
        /** Reason why no rate is within the limits; null otherwise */
        public ?string $unavailable,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            code: $data['code'],
            rate: $data['rate'] ?? null,
            at: isset($data['at']) ? new \DateTimeImmutable($data['at']) : null,
            quotes: array_map(RateQuote::fromArray(...), $data['quotes']),
            unavailable: $data['unavailable'] ?? null,
        );
    }
}
