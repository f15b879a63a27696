<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class LinkCreatedValue
{
    public function __construct(
        /** Payment link for the buyer; single use */
        public string $link,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            link: $data['link'],
        );
    }
}
