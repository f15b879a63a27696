<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListMerchantsResponse
{
    public function __construct(
        /** @var list<Merchant> */
        public array $merchants,
        public ?string $next_cursor,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            merchants: array_map(Merchant::fromArray(...), $data['merchants']),
            next_cursor: $data['next_cursor'] ?? null,
        );
    }
}
