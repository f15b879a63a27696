<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListCryptoTransactionsResponse
{
    public function __construct(
        /** @var list<CryptoTransaction> */
        public array $transactions,
        public ?string $next_cursor,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            transactions: array_map(CryptoTransaction::fromArray(...), $data['transactions']),
            next_cursor: $data['next_cursor'] ?? null,
        );
    }
}
