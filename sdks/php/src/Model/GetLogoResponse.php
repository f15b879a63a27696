<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class GetLogoResponse
{
    public function __construct(
        /** null: no logo is uploaded */
        public ?Logo $logo,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            logo: isset($data['logo']) ? Logo::fromArray($data['logo']) : null,
        );
    }
}
