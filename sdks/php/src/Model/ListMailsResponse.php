<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListMailsResponse
{
    public function __construct(
        /** False: the service sends no email */
        public bool $is_set_up,
        /** @var list<Mail> */
        public array $mails,
        public ?string $next_cursor,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            is_set_up: $data['is_set_up'],
            mails: array_map(Mail::fromArray(...), $data['mails']),
            next_cursor: $data['next_cursor'] ?? null,
        );
    }
}
