<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/** The last 100 deliveries, by state */
final readonly class WebhookEndpointRecent
{
    public function __construct(
        public int $delivered,
        public int $failed,
        public int $pending,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            delivered: $data['delivered'],
            failed: $data['failed'],
            pending: $data['pending'],
        );
    }
}
