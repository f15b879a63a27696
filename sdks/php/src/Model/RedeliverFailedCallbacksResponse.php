<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class RedeliverFailedCallbacksResponse
{
    public function __construct(
        /** Number of failed webhooks that are pending again */
        public int $redelivered,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            redelivered: $data['redelivered'],
        );
    }
}
