<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class RefundOptions
{
    public function __construct(
        /** Maximum amount that can be refunded through the acquirers */
        public int|float $maximum,
        /** True if any amount up to `maximum` can be refunded; otherwise only the full `maximum` */
        public bool $partial,
        /**
         * The error code for amounts above `maximum`; absent if everything can be refunded
         * @var 'refund_not_supported'|'partial_refund_not_supported'|'acquirer_account_missing'|null
         */
        public ?string $refusal = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            maximum: $data['maximum'],
            partial: $data['partial'],
            refusal: $data['refusal'] ?? null,
        );
    }
}
