<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class RotateWalletResponse
{
    public function __construct(
        public Wallet $wallet,
        /** For a `user` wallet: the new address of its invoice */
        public ?string $replacedBy,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            wallet: Wallet::fromArray($data['wallet']),
            replacedBy: $data['replacedBy'] ?? null,
        );
    }
}
