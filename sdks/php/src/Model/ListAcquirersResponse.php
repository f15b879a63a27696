<?php

// Generated from the OpenAPI document by `npm run generate`: change src/api, not this file.

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
