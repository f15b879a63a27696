<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AttemptSummary
{
    public function __construct(
        public int $number,
        /**
         * `submitting`: being sent to the acquirer; `challenge`: waiting for the buyer to complete the 3-D
         * Secure challenge; `unknown`: the acquirer has not reported the outcome yet; `approved`: charged, or
         * authorized with `capture: "manual"`; `declined`: not charged; `decline` states the cause;
         * `duplicate`: a second approval, which is being reversed; `reversed`: no longer charged: a reversed
         * duplicate, or a voided or expired authorization
         */
        public string $state,
        public ?string $brand,
        public string $first6,
        public string $last4,
        public bool $three_d_secure,
        public \DateTimeImmutable $created_at,
        /** Acquirer of the attempt, such as `Adyen`; absent if its account was removed */
        public ?string $acquirer_name = null,
        /** The acquirer’s reference of the charge, such as Adyen’s PSP reference; absent if none was reported */
        public ?string $acquirer_reference = null,
        public ?AttemptSummaryDecline $decline = null,
        public ?ChargeDetails $charge_details = null,
        /** Entered with this card; absent from webhooks, and without the scope `approval:write` */
        public ?AttemptSummaryPayer $payer = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            number: $data['number'],
            state: $data['state'],
            brand: $data['brand'] ?? null,
            first6: $data['first6'],
            last4: $data['last4'],
            three_d_secure: $data['three_d_secure'],
            acquirer_name: $data['acquirer_name'] ?? null,
            acquirer_reference: $data['acquirer_reference'] ?? null,
            decline: isset($data['decline']) ? AttemptSummaryDecline::fromArray($data['decline']) : null,
            charge_details: isset($data['charge_details']) ? ChargeDetails::fromArray($data['charge_details']) : null,
            payer: isset($data['payer']) ? AttemptSummaryPayer::fromArray($data['payer']) : null,
            created_at: new \DateTimeImmutable($data['created_at']),
        );
    }
}
