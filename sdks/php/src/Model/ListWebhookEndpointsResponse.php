<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListWebhookEndpointsResponse
{
    public function __construct(
        /**
         * The endpoint of `callback-url` first, then added ones, oldest first
         * @var list<WebhookEndpoint>
         */
        public array $endpoints,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            endpoints: array_map(WebhookEndpoint::fromArray(...), $data['endpoints']),
        );
    }
}
