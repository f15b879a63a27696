<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListPaymentMethodsResponse
{
    public function __construct(
        /** @var list<ListPaymentMethodsResponsePaymentMethod> */
        public array $payment_methods,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            payment_methods: array_map(ListPaymentMethodsResponsePaymentMethod::fromArray(...), $data['payment_methods']),
        );
    }
}
