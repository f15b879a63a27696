<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class WithdrawalDestinationChangeEvent implements ListEventsResponseEvent
{
    public function __construct(
        /** @var 'crypto.withdrawal.destination_changed' */
        public string $type,
        public \DateTimeImmutable $timestamp,
        public WithdrawalDestinationChangeEventData $data,
        /** The `webhook-id` of its webhook */
        public string $id,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            type: $data['type'],
            timestamp: new \DateTimeImmutable($data['timestamp']),
            data: WithdrawalDestinationChangeEventData::fromArray($data['data']),
            id: $data['id'],
        );
    }
}
