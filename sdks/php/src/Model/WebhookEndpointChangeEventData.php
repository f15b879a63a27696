<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class WebhookEndpointChangeEventData
{
    public function __construct(
        /** Your merchant ID. Reject webhooks with a different one */
        public int $merchant_id,
        public string $endpoint_id,
        /** @var 'added'|'updated'|'removed' */
        public string $change,
        /** Origin of the URL (no path or query); null: removed */
        public ?string $url,
        /** Origin of the previous URL; null: added */
        public ?string $previous_url,
        /**
         * null: removed
         * @var 'enabled'|'disabled'|null
         */
        public ?string $status,
        /**
         * null: all
         * @var list<string>|null
         */
        public ?array $event_types,
        /** Requester: `token 7` or `person 3` */
        public string $requested_by,
        public \DateTimeImmutable $created_at,
        public mixed $previous_status,
        public int|float $sequence,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            merchant_id: $data['merchant_id'],
            endpoint_id: $data['endpoint_id'],
            change: $data['change'],
            url: $data['url'] ?? null,
            previous_url: $data['previous_url'] ?? null,
            status: $data['status'] ?? null,
            event_types: $data['event_types'] ?? null,
            requested_by: $data['requested_by'],
            created_at: new \DateTimeImmutable($data['created_at']),
            previous_status: $data['previous_status'] ?? null,
            sequence: $data['sequence'],
        );
    }
}
