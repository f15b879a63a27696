<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class InvitePersonResponse
{
    public function __construct(
        public Invitation $invitation,
        /** Shown only once; valid for seven days */
        public string $link,
        /** True if the service also emails the link */
        public bool $is_emailed,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            invitation: Invitation::fromArray($data['invitation']),
            link: $data['link'],
            is_emailed: $data['is_emailed'],
        );
    }
}
