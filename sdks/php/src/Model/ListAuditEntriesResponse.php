<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListAuditEntriesResponse
{
    public function __construct(
        /** @var list<AuditEntry> */
        public array $entries,
        public ?string $next_cursor,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            entries: array_map(AuditEntry::fromArray(...), $data['entries']),
            next_cursor: $data['next_cursor'] ?? null,
        );
    }
}
