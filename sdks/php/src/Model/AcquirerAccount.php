<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AcquirerAccount
{
    public function __construct(
        /** Identifies the account, in its webhook URL too */
        public string $id,
        public string $acquirer,
        public string $name,
        /** true if all merchants use it */
        public bool $shared,
        /** false: no new payments; open payments, refunds and webhooks continue */
        public bool $enabled,
        /** @var list<AcquirerAccountRoute> */
        public array $routes,
        /**
         * Fields of the credentials; `value` is null for secrets
         * @var list<AcquirerAccountCredential>
         */
        public array $credentials,
        public \DateTimeImmutable $credentials_updated_at,
        /** Webhook URL to enter in the acquirer’s dashboard */
        public string $webhook_url,
        /** Figures of the process that responded, since its start; null if the account is not connected */
        public ?AcquirerAccountHealth $health,
        public AcquirerAccountNotifications $notifications,
        /** Open disputes of your payments */
        public int $open_disputes,
        public \DateTimeImmutable $created_at,
        public \DateTimeImmutable $updated_at,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            acquirer: $data['acquirer'],
            name: $data['name'],
            shared: $data['shared'],
            enabled: $data['enabled'],
            routes: array_map(AcquirerAccountRoute::fromArray(...), $data['routes']),
            credentials: array_map(AcquirerAccountCredential::fromArray(...), $data['credentials']),
            credentials_updated_at: new \DateTimeImmutable($data['credentials_updated_at']),
            webhook_url: $data['webhook_url'],
            health: isset($data['health']) ? AcquirerAccountHealth::fromArray($data['health']) : null,
            notifications: AcquirerAccountNotifications::fromArray($data['notifications']),
            open_disputes: $data['open_disputes'],
            created_at: new \DateTimeImmutable($data['created_at']),
            updated_at: new \DateTimeImmutable($data['updated_at']),
        );
    }
}
