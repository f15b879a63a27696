<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListReusableLinksResponse
{
    public function __construct(
        /**
         * Newest first
         * @var list<ReusableLink>
         */
        public array $reusable_links,
        public ?string $next_cursor,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            reusable_links: array_map(ReusableLink::fromArray(...), $data['reusable_links']),
            next_cursor: $data['next_cursor'] ?? null,
        );
    }
}
