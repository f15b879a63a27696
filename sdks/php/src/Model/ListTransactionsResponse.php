<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListTransactionsResponse
{
    public function __construct(
        /** @var list<TransactionListItem> */
        public array $transactions,
        public ListTransactionsResponsePagination $pagination,
        /**
         * With `counts=true`: transactions by status, and those awaiting review, that match all filters but
         * `status`, `reason`, `authorization_status` and `awaiting_review`; each counted up to 10,000
         */
        public ?ListTransactionsResponseCounts $counts = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            transactions: array_map(TransactionListItem::fromArray(...), $data['transactions']),
            pagination: ListTransactionsResponsePagination::fromArray($data['pagination']),
            counts: isset($data['counts']) ? ListTransactionsResponseCounts::fromArray($data['counts']) : null,
        );
    }
}
