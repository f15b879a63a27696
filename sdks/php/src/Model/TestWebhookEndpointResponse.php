<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class TestWebhookEndpointResponse
{
    public function __construct(
        /** True if the response was 2xx */
        public bool $delivered,
        public string $url,
        public int $duration_ms,
        public ?int $status,
        public ?string $error,
        public ?string $response_body,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            delivered: $data['delivered'],
            url: $data['url'],
            duration_ms: $data['duration_ms'],
            status: $data['status'] ?? null,
            error: $data['error'] ?? null,
            response_body: $data['response_body'] ?? null,
        );
    }
}
