<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListEventsResponse
{
    public function __construct(
        /** @var list<ListEventsResponseEvent> */
        public array $events,
        /** Cursor for the next request; null before the first event */
        public ?string $next,
        /** True if more events are available now */
        public bool $has_more,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            events: array_map(static fn($each) => Unknown::listEventsResponseEvent($each), $data['events']),
            next: $data['next'] ?? null,
            has_more: $data['has_more'],
        );
    }
}
