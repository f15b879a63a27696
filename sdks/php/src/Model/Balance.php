<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Balance
{
    public function __construct(
        /** @var 'btc'|'eth'|'usdt'|'usdc'|'ltc' */
        public string $code,
        /** On-chain balance of all wallets of this currency, as of the last scanned block */
        public string $balance,
        /** The balance by state; the parts add up to it */
        public BalanceParts $parts,
        /** Detected but not in a block; not part of the balance */
        public string $incoming,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            code: $data['code'],
            balance: $data['balance'],
            parts: BalanceParts::fromArray($data['parts']),
            incoming: $data['incoming'],
        );
    }
}
