<?php

// Generated from the OpenAPI document by `npm run generate`: change src/api, not this file.

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
