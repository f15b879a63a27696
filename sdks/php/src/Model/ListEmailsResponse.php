<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListEmailsResponse
{
    public function __construct(
        /** False: the service sends no email */
        public bool $is_set_up,
        /** @var list<Email> */
        public array $emails,
        public ?string $next_cursor,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            is_set_up: $data['is_set_up'],
            emails: array_map(Email::fromArray(...), $data['emails']),
            next_cursor: $data['next_cursor'] ?? null,
        );
    }
}
