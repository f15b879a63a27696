<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListPaymentMethodsResponsePaymentMethod
{
    public function __construct(
        public string $payment_method,
        public string $currency,
        /** @var 'enable'|'disable' */
        public string $status,
        /** Instructions to enable a disabled method */
        public ?string $message = null,
        /** Fixed fee of an enabled method, in the currency’s decimals */
        public int|float|null $fee_fix = null,
        /** Fee as a percentage of the amount */
        public int|float|null $fee_percent = null,
        /** True if payments with this method support `capture: "manual"`; absent otherwise */
        public ?bool $manual_capture = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            payment_method: $data['payment_method'],
            currency: $data['currency'],
            status: $data['status'],
            message: $data['message'] ?? null,
            fee_fix: $data['fee_fix'] ?? null,
            fee_percent: $data['fee_percent'] ?? null,
            manual_capture: $data['manual_capture'] ?? null,
        );
    }
}
