<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AuditEntry
{
    public function __construct(
        public int $id,
        public \DateTimeImmutable $at,
        public ?AuditEntryPerson $person,
        /** Actor other than a user: `token 12`, or `command line` with the operating system’s user name */
        public ?string $actor,
        /** The access token that is the `actor`, with its name, which may be empty; null for other actors */
        public ?AuditEntryToken $token,
        /** ID of an operation, or an account action such as `sign_in` */
        public string $action,
        /** Object of the action */
        public ?string $subject,
        public mixed $before,
        public mixed $after,
        /** `done`, or the problem code; `started` if the process ended before the outcome was known */
        public string $outcome,
        public string $address,
        public string $userAgent,
        public string $requestId,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            at: new \DateTimeImmutable($data['at']),
            person: isset($data['person']) ? AuditEntryPerson::fromArray($data['person']) : null,
            actor: $data['actor'] ?? null,
            token: isset($data['token']) ? AuditEntryToken::fromArray($data['token']) : null,
            action: $data['action'],
            subject: $data['subject'] ?? null,
            before: $data['before'],
            after: $data['after'],
            outcome: $data['outcome'],
            address: $data['address'],
            userAgent: $data['userAgent'],
            requestId: $data['requestId'],
        );
    }
}
