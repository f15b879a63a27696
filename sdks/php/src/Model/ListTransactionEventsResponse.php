<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListTransactionEventsResponse
{
    public function __construct(
        /** @var list<ListTransactionEventsResponseEvent> */
        public array $events,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            events: array_map(static fn($each) => Unknown::listTransactionEventsResponseEvent($each), $data['events']),
        );
    }
}
