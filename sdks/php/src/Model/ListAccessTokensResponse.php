<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListAccessTokensResponse
{
    public function __construct(
        /** @var list<AccessToken> */
        public array $tokens,
        public ?string $next_cursor,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            tokens: array_map(AccessToken::fromArray(...), $data['tokens']),
            next_cursor: $data['next_cursor'] ?? null,
        );
    }
}
