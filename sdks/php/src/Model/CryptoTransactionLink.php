<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CryptoTransactionLink
{
    public function __construct(
        public string $self,
        /** Payment page for the payer */
        public string $payment,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            self: $data['self'],
            payment: $data['payment'],
        );
    }
}
