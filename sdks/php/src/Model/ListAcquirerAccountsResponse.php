<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListAcquirerAccountsResponse
{
    public function __construct(
        /** @var list<AcquirerAccount> */
        public array $accounts,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            accounts: array_map(AcquirerAccount::fromArray(...), $data['accounts']),
        );
    }
}
