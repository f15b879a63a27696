<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/**
 * Payer details entered with that card, or the `payer` of the request. Masked without the scope
 * `approval:write`
 */
final readonly class TransactionListItemPayer
{
    public function __construct(
        public ?string $name,
        public ?string $email,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            name: $data['name'] ?? null,
            email: $data['email'] ?? null,
        );
    }
}
