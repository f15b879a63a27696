<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListWithdrawalsResponse
{
    public function __construct(
        /** @var list<Withdrawal> */
        public array $withdrawals,
        /**
         * Destinations of automatic withdrawals that are not in effect yet, regardless of the filters
         * @var list<PendingWithdrawalDestination>
         */
        public array $pendingDestinations,
        public ?string $next_cursor,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            withdrawals: array_map(Withdrawal::fromArray(...), $data['withdrawals']),
            pendingDestinations: array_map(PendingWithdrawalDestination::fromArray(...), $data['pendingDestinations']),
            next_cursor: $data['next_cursor'] ?? null,
        );
    }
}
