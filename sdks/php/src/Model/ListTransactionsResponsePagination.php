<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListTransactionsResponsePagination
{
    public function __construct(
        public ?int $page,
        public int $per_page,
        /** Number of matching rows, counted up to 10,000 */
        public int $total,
        /** True if there are more rows than were counted */
        public bool $total_capped,
        public int $pages,
        /** Cursor of the next page; null on the last page */
        public ?string $next_cursor,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            page: $data['page'] ?? null,
            per_page: $data['per_page'],
            total: $data['total'],
            total_capped: $data['total_capped'],
            pages: $data['pages'],
            next_cursor: $data['next_cursor'] ?? null,
        );
    }
}
