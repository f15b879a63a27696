<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Authorization
{
    public function __construct(
        /**
         * `authorized`: the amount is reserved on the card until `expires_at`; `capture_pending`: a capture
         * was requested; the acquirer has not reported the outcome yet; `captured`: `captured_amount` was
         * captured; `void_pending`: a void was requested; the acquirer has not reported the outcome yet;
         * `voided`: you released the amount; `expired`: not captured in time, so the amount was released
         * @var 'authorized'|'capture_pending'|'captured'|'void_pending'|'voided'|'expired'
         */
        public string $status,
        /** Authorized amount */
        public int|float $amount,
        /** Captured amount; the requested one while a capture is pending */
        public int|float $captured_amount,
        public \DateTimeImmutable $created_at,
        /** If not captured by then, the amount is released */
        public \DateTimeImmutable $expires_at,
        /** Reason for the last rejected capture or void */
        public ?AuthorizationFailure $failure = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            status: $data['status'],
            amount: $data['amount'],
            captured_amount: $data['captured_amount'],
            failure: isset($data['failure']) ? AuthorizationFailure::fromArray($data['failure']) : null,
            created_at: new \DateTimeImmutable($data['created_at']),
            expires_at: new \DateTimeImmutable($data['expires_at']),
        );
    }
}
