<?php

// Generated from the OpenAPI document by `npm run generate`: change src/api, not this file.

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
