<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class RefundSummary
{
    public function __construct(
        public int $number,
        public int|float $amount,
        /**
         * `pending`: requested; the acquirer has not reported the outcome yet; `succeeded`: refunded;
         * `failed`: not refunded; `failure` states the cause
         * @var 'pending'|'succeeded'|'failed'
         */
        public string $state,
        public \DateTimeImmutable $created_at,
        public \DateTimeImmutable $updated_at,
        public ?RefundSummaryFailure $failure = null,
        /** Refunded outside the service, not through the acquirer */
        public ?bool $out_of_band = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            number: $data['number'],
            amount: $data['amount'],
            state: $data['state'],
            failure: isset($data['failure']) ? RefundSummaryFailure::fromArray($data['failure']) : null,
            out_of_band: $data['out_of_band'] ?? null,
            created_at: new \DateTimeImmutable($data['created_at']),
            updated_at: new \DateTimeImmutable($data['updated_at']),
        );
    }
}
