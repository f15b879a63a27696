<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class WithdrawalWallet
{
    public function __construct(
        public string $address,
        /** In the smallest unit */
        public string $amount,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            address: $data['address'],
            amount: $data['amount'],
        );
    }
}
