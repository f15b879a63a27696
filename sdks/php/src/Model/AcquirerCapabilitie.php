<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AcquirerCapabilitie
{
    public function __construct(
        public string $payment_method,
        /**
         * ISO 3166-1 alpha-3; null for every country of the method
         * @var list<string>|null
         */
        public ?array $countries,
        /**
         * ISO 4217; null for every currency of the method
         * @var list<string>|null
         */
        public ?array $currencies,
        /** @var 'none'|'full'|'partial' */
        public string $refunds,
        /**
         * Payer details that the acquirer requires; the payment page asks for them
         * @var list<string>
         */
        public array $payer_fields,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            payment_method: $data['payment_method'],
            countries: $data['countries'] ?? null,
            currencies: $data['currencies'] ?? null,
            refunds: $data['refunds'],
            payer_fields: $data['payer_fields'],
        );
    }
}
