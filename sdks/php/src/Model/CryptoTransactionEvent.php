<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CryptoTransactionEvent implements ListEventsResponseEvent
{
    public function __construct(
        /** @var 'crypto.transaction.created'|'crypto.transaction.updated' */
        public string $type,
        public \DateTimeImmutable $timestamp,
        public CryptoTransactionEventData $data,
        /** The `webhook-id` of its webhook */
        public string $id,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            type: $data['type'],
            timestamp: new \DateTimeImmutable($data['timestamp']),
            data: CryptoTransactionEventData::fromArray($data['data']),
            id: $data['id'],
        );
    }
}
