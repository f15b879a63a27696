<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/** The card that was charged, or the last one attempted; absent if there was none */
final readonly class TransactionListItemCard
{
    public function __construct(
        public ?string $brand,
        public string $last4,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            brand: $data['brand'] ?? null,
            last4: $data['last4'],
        );
    }
}
