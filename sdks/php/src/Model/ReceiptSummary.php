<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ReceiptSummary
{
    public function __construct(
        /** The acquirer’s ID of the receipt; for a crypto deposit it begins with the transaction hash */
        public string $reference,
        public int|float $amount,
        /** `number` of the instructions by which it was received */
        public int $instructions_number,
        public \DateTimeImmutable $received_at,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            reference: $data['reference'],
            amount: $data['amount'],
            instructions_number: $data['instructions_number'],
            received_at: new \DateTimeImmutable($data['received_at']),
        );
    }
}
