<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Invitation
{
    public function __construct(
        public int $id,
        public string $email,
        /** @var 'owner'|'operator'|'viewer'|'manager' */
        public string $role,
        public \DateTimeImmutable $expiresAt,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            email: $data['email'],
            role: $data['role'],
            expiresAt: new \DateTimeImmutable($data['expiresAt']),
        );
    }
}
