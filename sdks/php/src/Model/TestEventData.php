<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

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
