<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class BalanceParts
{
    public function __construct(
        /** Credited: counted toward transactions, with enough confirmations */
        public string $credited,
        /** Being sent by a withdrawal that is not in a block yet */
        public string $sending,
        /** Credited after `minConfirmations` confirmations */
        public string $confirming,
        /** Awaiting review: `approved_required` */
        public string $in_review,
        /** Received after the wallet was retired; never credited */
        public string $unattributed,
        /** Rejected: to be refunded, or held until a manager withdraws it */
        public string $rejected,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            credited: $data['credited'],
            sending: $data['sending'],
            confirming: $data['confirming'],
            in_review: $data['in_review'],
            unattributed: $data['unattributed'],
            rejected: $data['rejected'],
        );
    }
}
