<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class LineItem
{
    public function __construct(
        public string $name,
        /** Unit price, in the currency’s decimals; negative for a discount */
        public int|float $unit_amount,
        /** 1 by default */
        public ?int $quantity = null,
        /** An https:// URL of a square image, which the buyer’s browser loads without a referrer */
        public ?string $image_url = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            name: $data['name'],
            quantity: $data['quantity'] ?? null,
            unit_amount: $data['unit_amount'],
            image_url: $data['image_url'] ?? null,
        );
    }
}
