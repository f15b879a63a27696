<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/** Reason for the last rejected capture or void */
final readonly class AuthorizationFailure
{
    public function __construct(
        public string $code,
        public string $detail,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            code: $data['code'],
            detail: $data['detail'],
        );
    }
}
