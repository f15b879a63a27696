<?php

// Generated from the OpenAPI document by `npm run generate`: change src/api, not this file.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class WebhookEndpointChangeEvent implements ListEventsResponseEvent
{
    public function __construct(
        /** @var 'callback.endpoint_changed' */
        public string $type,
        public \DateTimeImmutable $timestamp,
        public WebhookEndpointChangeEventData $data,
        /** The `webhook-id` of its webhook */
        public string $id,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            type: $data['type'],
            timestamp: new \DateTimeImmutable($data['timestamp']),
            data: WebhookEndpointChangeEventData::fromArray($data['data']),
            id: $data['id'],
        );
    }
}
