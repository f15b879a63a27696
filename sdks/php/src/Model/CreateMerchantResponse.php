<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CreateMerchantResponse
{
    public function __construct(
        public Merchant $merchant,
        /** Shown only once */
        public string $callback_secret,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            merchant: Merchant::fromArray($data['merchant']),
            callback_secret: $data['callback_secret'],
        );
    }
}
