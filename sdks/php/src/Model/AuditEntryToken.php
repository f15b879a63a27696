<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AuditEntryToken
{
    public function __construct(
        public int $id,
        public string $name,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            name: $data['name'],
        );
    }
}
