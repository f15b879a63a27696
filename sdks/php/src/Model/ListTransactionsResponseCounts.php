<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/**
 * With `counts=true`: transactions by status, and those awaiting review, that match all filters but
 * `status`, `reason`, `authorization_status` and `awaiting_review`; each counted up to 10,000
 */
final readonly class ListTransactionsResponseCounts
{
    public function __construct(
        public int $pending,
        public int $waiting,
        public int $confirmed,
        public int $failed,
        public int $awaiting_review,
        /** Authorized payments awaiting capture; included in `waiting` */
        public int $authorized,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            pending: $data['pending'],
            waiting: $data['waiting'],
            confirmed: $data['confirmed'],
            failed: $data['failed'],
            awaiting_review: $data['awaiting_review'],
            authorized: $data['authorized'],
        );
    }
}
