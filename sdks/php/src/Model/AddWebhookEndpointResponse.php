<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AddWebhookEndpointResponse
{
    public function __construct(
        /** `we_…`, or `callback-url` for the endpoint of that preference */
        public string $id,
        public string $url,
        public ?string $description,
        /**
         * null for all
         * @var list<string>|null
         */
        public ?array $event_types,
        /** True for the endpoint of `callback-url`, which only that preference changes */
        public bool $from_preferences,
        /**
         * `enabled`: receives webhooks; `disabled`: receives nothing; new webhooks stay `pending`
         * @var 'enabled'|'disabled'
         */
        public string $status,
        /**
         * `merchant`: you disabled it; `gone`: it returned 410; `no_success`: nothing was delivered for five
         * days
         * @var 'merchant'|'gone'|'no_success'|null
         */
        public ?string $disabled_reason,
        public ?\DateTimeImmutable $disabled_at,
        /** Time of the first failure since the last success, later by periods without attempts */
        public ?\DateTimeImmutable $failing_since,
        /** Among the recent deliveries */
        public ?\DateTimeImmutable $last_delivered_at,
        /** The last failed attempt; null after a success */
        public ?\DateTimeImmutable $last_failed_at,
        /** The last 100 deliveries, by state */
        public AddWebhookEndpointResponseRecent $recent,
        /** null for the endpoint of `callback-url` */
        public ?\DateTimeImmutable $created_at,
        public ?\DateTimeImmutable $updated_at,
        /** Signs the webhooks of this endpoint; shown only once */
        public string $secret,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            url: $data['url'],
            description: $data['description'] ?? null,
            event_types: $data['event_types'] ?? null,
            from_preferences: $data['from_preferences'],
            status: $data['status'],
            disabled_reason: $data['disabled_reason'] ?? null,
            disabled_at: isset($data['disabled_at']) ? new \DateTimeImmutable($data['disabled_at']) : null,
            failing_since: isset($data['failing_since']) ? new \DateTimeImmutable($data['failing_since']) : null,
            last_delivered_at: isset($data['last_delivered_at']) ? new \DateTimeImmutable($data['last_delivered_at']) : null,
            last_failed_at: isset($data['last_failed_at']) ? new \DateTimeImmutable($data['last_failed_at']) : null,
            recent: AddWebhookEndpointResponseRecent::fromArray($data['recent']),
            created_at: isset($data['created_at']) ? new \DateTimeImmutable($data['created_at']) : null,
            updated_at: isset($data['updated_at']) ? new \DateTimeImmutable($data['updated_at']) : null,
            secret: $data['secret'],
        );
    }
}
