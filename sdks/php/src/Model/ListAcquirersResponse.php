<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListAcquirersResponse
{
    public function __construct(
        /** @var list<Acquirer> */
        public array $acquirers,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            acquirers: array_map(Acquirer::fromArray(...), $data['acquirers']),
        );
    }
}
