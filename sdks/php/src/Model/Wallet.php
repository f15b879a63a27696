<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Wallet
{
    public function __construct(
        public string $walletAddress,
        /** @var 'btc'|'eth'|'usdt'|'usdc'|'ltc' */
        public string $code,
        /** @var 'static'|'revolver'|'user' */
        public string $walletType,
        /**
         * `assigned`: assigned to an invoice, or in use; `free`: a `revolver` wallet between two invoices; can
         * be assigned again after `reusableAt`; `rotated`: not used for new invoices; open invoices can still
         * be paid; `retired`: deposits to it are not credited
         * @var 'assigned'|'free'|'rotated'|'retired'
         */
        public string $state,
        /**
         * On-chain balance in its currency, in the smallest unit, as of the last scanned block. Deposits in
         * other currencies are not included
         */
        public string $balance,
        /** The balance by state; the parts add up to it */
        public BalanceParts $parts,
        /** Detected but not in a block; not part of the balance */
        public string $incoming,
        /** Time at which a free wallet can be assigned again */
        public ?\DateTimeImmutable $reusableAt,
        public \DateTimeImmutable $createdAt,
        public ?\DateTimeImmutable $retiredAt,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            walletAddress: $data['walletAddress'],
            code: $data['code'],
            walletType: $data['walletType'],
            state: $data['state'],
            balance: $data['balance'],
            parts: BalanceParts::fromArray($data['parts']),
            incoming: $data['incoming'],
            reusableAt: isset($data['reusableAt']) ? new \DateTimeImmutable($data['reusableAt']) : null,
            createdAt: new \DateTimeImmutable($data['createdAt']),
            retiredAt: isset($data['retiredAt']) ? new \DateTimeImmutable($data['retiredAt']) : null,
        );
    }
}
