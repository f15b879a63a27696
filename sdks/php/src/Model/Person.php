<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Person
{
    public function __construct(
        public int $id,
        public string $email,
        public string $name,
        /** @var 'owner'|'operator'|'viewer' */
        public string $role,
        public \DateTimeImmutable $joinedAt,
        public ?\DateTimeImmutable $lastSeenAt,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            email: $data['email'],
            name: $data['name'],
            role: $data['role'],
            joinedAt: new \DateTimeImmutable($data['joinedAt']),
            lastSeenAt: isset($data['lastSeenAt']) ? new \DateTimeImmutable($data['lastSeenAt']) : null,
        );
    }
}
