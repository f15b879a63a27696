<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ReusableLinkCustomAmount
{
    public function __construct(
        public int|float $minimum,
        public int|float $maximum,
        public int|float|null $suggested,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            minimum: $data['minimum'],
            maximum: $data['maximum'],
            suggested: $data['suggested'] ?? null,
        );
    }
}
