<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class GetCallbackKeysResponseKey
{
    public function __construct(
        /** @var 'ed25519' */
        public string $type,
        /** `whpk_` and 32 bytes in base64 */
        public string $public_key,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            type: $data['type'],
            public_key: $data['public_key'],
        );
    }
}
