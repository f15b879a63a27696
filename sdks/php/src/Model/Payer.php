<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Payer
{
    public function __construct(
        public ?string $first_name = null,
        public ?string $last_name = null,
        /**
         * ISO 3166-1 alpha-2
         * @var string|null
         */
        public ?string $country = null,
        /** State, province or region of the billing address */
        public ?string $state = null,
        public ?string $city = null,
        public ?string $postcode = null,
        /** Street address for billing */
        public ?string $address = null,
        /** With the country code; spaces, periods, hyphens and parentheses are allowed */
        public ?string $phone = null,
        public ?string $email = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            first_name: $data['first_name'] ?? null,
            last_name: $data['last_name'] ?? null,
            country: $data['country'] ?? null,
            state: $data['state'] ?? null,
            city: $data['city'] ?? null,
            postcode: $data['postcode'] ?? null,
            address: $data['address'] ?? null,
            phone: $data['phone'] ?? null,
            email: $data['email'] ?? null,
        );
    }
}
