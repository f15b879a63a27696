<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CreatedAccessToken
{
    public function __construct(
        /** Identifies the token in decisions and the audit log: `token 7` */
        public int $id,
        public string $name,
        /** @var 'merchant'|'manager' */
        public string $role,
        /** @var list<TokenScope::*> */
        public array $scopes,
        public \DateTimeImmutable $created_at,
        /**
         * `person 3` or `token 7`; the user if it was created with one of their tokens. It is revoked when
         * they leave. null for the command line and OAuth clients
         */
        public ?string $created_by,
        /** Current name of the user; null for other creators */
        public ?string $created_by_name,
        /** To the minute; null if it was never used */
        public ?\DateTimeImmutable $last_used_at,
        /** null if it is valid until revoked */
        public ?\DateTimeImmutable $expires_at,
        /** The token; shown only once */
        public string $access_token,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            name: $data['name'],
            role: $data['role'],
            scopes: $data['scopes'],
            created_at: new \DateTimeImmutable($data['created_at']),
            created_by: $data['created_by'] ?? null,
            created_by_name: $data['created_by_name'] ?? null,
            last_used_at: isset($data['last_used_at']) ? new \DateTimeImmutable($data['last_used_at']) : null,
            expires_at: isset($data['expires_at']) ? new \DateTimeImmutable($data['expires_at']) : null,
            access_token: $data['access_token'],
        );
    }
}
