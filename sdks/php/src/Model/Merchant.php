<?php

// Generated from the OpenAPI document by `npm run generate`: change src/api, not this file.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Merchant
{
    public function __construct(
        public int $id,
        public string $name,
        public \DateTimeImmutable $createdAt,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            name: $data['name'],
            createdAt: new \DateTimeImmutable($data['createdAt']),
        );
    }
}
