<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListPreferenceKeysResponse
{
    public function __construct(
        /** @var list<PreferenceKey> */
        public array $keys,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            keys: array_map(PreferenceKey::fromArray(...), $data['keys']),
        );
    }
}
