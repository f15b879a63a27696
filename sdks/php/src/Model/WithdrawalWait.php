<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class WithdrawalWait
{
    public function __construct(
        /**
         * `queued`: its transaction is created next, or after another withdrawal of the wallet; `fee_limit`:
         * the network fee is above a limit; `fee_estimate`: independent estimates of the network fee disagree;
         * `amount_too_small`: the fee is too large a part of the amount; `gas`: ether for the fee of a token
         * transfer is being sent, or the gas wallet has too little; `broadcasting`: created and about to be
         * broadcast; `rejected`: the node rejects it, and it is retried; `new_destination`: the destination is
         * new, and it is held until `heldUntil`; `rate`: there is no current exchange rate to compare its fee
         * with
         * @var 'queued'|'fee_limit'|'fee_estimate'|'amount_too_small'|'gas'|'broadcasting'|'rejected'|'new_destination'|'rate'
         */
        public string $reason,
        /** Explanation */
        public string $detail,
        /** Current network fee rate, in the unit of `feeRate` */
        public ?string $feeNow,
        /** `max-fee-limit-auto-withdrawal-{CODE}`, or the operator’s limit if it is lower */
        public ?string $limit,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            reason: $data['reason'],
            detail: $data['detail'],
            feeNow: $data['feeNow'] ?? null,
            limit: $data['limit'] ?? null,
        );
    }
}
