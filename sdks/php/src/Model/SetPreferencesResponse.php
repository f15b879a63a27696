<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class SetPreferencesResponse
{
    public function __construct(
        /** @var list<Preference> */
        public array $merchantPreferences,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            merchantPreferences: array_map(Preference::fromArray(...), $data['merchantPreferences']),
        );
    }
}
