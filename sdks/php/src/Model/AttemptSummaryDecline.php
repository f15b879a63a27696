<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AttemptSummaryDecline
{
    public function __construct(
        public string $code,
        /** Decline code of the card network, if any */
        public ?string $network_code,
        /** True if the payment can be retried */
        public bool $retryable,
        /**
         * Advice for the buyer; with `do_not_retry`, the network forbids another attempt with this card
         * @var 'use_other_card'|'check_details'|'try_later'|'do_not_retry'
         */
        public string $advice,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            code: $data['code'],
            network_code: $data['network_code'] ?? null,
            retryable: $data['retryable'],
            advice: $data['advice'],
        );
    }
}
