<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ErasePayerResponse
{
    public function __construct(
        /** Number of payments whose payer’s data was erased */
        public int $transactions,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            transactions: $data['transactions'],
        );
    }
}
