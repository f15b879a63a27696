<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListWalletsResponse
{
    public function __construct(
        /** @var list<Wallet> */
        public array $wallets,
        public ?string $next_cursor,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            wallets: array_map(Wallet::fromArray(...), $data['wallets']),
            next_cursor: $data['next_cursor'] ?? null,
        );
    }
}
