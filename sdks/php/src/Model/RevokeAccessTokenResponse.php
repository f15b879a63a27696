<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class RevokeAccessTokenResponse
{
    public function __construct(
        /** Identifies the token in decisions and the audit log: `token 7` */
        public int $id,
        public \DateTimeImmutable $revoked_at,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            revoked_at: new \DateTimeImmutable($data['revoked_at']),
        );
    }
}
