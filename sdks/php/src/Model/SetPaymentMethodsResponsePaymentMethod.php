<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class SetPaymentMethodsResponsePaymentMethod
{
    public function __construct(
        public string $payment_method,
        public string $currency,
        /** @var 'enable'|'disable' */
        public string $status,
        public int|float|null $fee_fix = null,
        public int|float|null $fee_percent = null,
        /** Reason why an enabled method cannot be used yet: no acquirer supports it */
        public ?string $message = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            payment_method: $data['payment_method'],
            currency: $data['currency'],
            status: $data['status'],
            fee_fix: $data['fee_fix'] ?? null,
            fee_percent: $data['fee_percent'] ?? null,
            message: $data['message'] ?? null,
        );
    }
}
