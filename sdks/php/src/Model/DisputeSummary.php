<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class DisputeSummary
{
    public function __construct(
        public int $number,
        /**
         * `inquiry`: the bank requests information before a chargeback; `needs_response`: the bank charged the
         * amount back; respond through your acquirer before `respond_by`; `under_review`: the bank is
         * reviewing the dispute; `won`: you keep the amount; a second chargeback can follow; `lost`: the buyer
         * keeps the amount
         * @var 'inquiry'|'needs_response'|'under_review'|'won'|'lost'
         */
        public string $state,
        public int|float $amount,
        public string $currency,
        /** The acquirer’s reference for the dispute; of the charge until the acquirer reports one */
        public string $reference,
        /** Reason code of the card network */
        public ?string $reason_code,
        public ?string $reason,
        /** Deadline for a response */
        public ?\DateTimeImmutable $respond_by,
        public \DateTimeImmutable $created_at,
        public \DateTimeImmutable $updated_at,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            number: $data['number'],
            state: $data['state'],
            amount: $data['amount'],
            currency: $data['currency'],
            reference: $data['reference'],
            reason_code: $data['reason_code'] ?? null,
            reason: $data['reason'] ?? null,
            respond_by: isset($data['respond_by']) ? new \DateTimeImmutable($data['respond_by']) : null,
            created_at: new \DateTimeImmutable($data['created_at']),
            updated_at: new \DateTimeImmutable($data['updated_at']),
        );
    }
}
