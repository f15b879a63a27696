<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class TransactionEvent implements ListEventsResponseEvent, ListTransactionEventsResponseEvent
{
    public function __construct(
        /** @var 'fiat.transaction.updated' */
        public string $type,
        public \DateTimeImmutable $timestamp,
        public TransactionEventData $data,
        /** The `webhook-id` of its webhook */
        public string $id,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            type: $data['type'],
            timestamp: new \DateTimeImmutable($data['timestamp']),
            data: TransactionEventData::fromArray($data['data']),
            id: $data['id'],
        );
    }
}
