<?php

// Generated from the OpenAPI document by `npm run generate`: change src/api, not this file.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class TestEventData
{
    public function __construct(
        /** Your merchant ID. Reject webhooks with a different one */
        public int $merchant_id,
        public string $message,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            merchant_id: $data['merchant_id'],
            message: $data['message'],
        );
    }
}
