<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/** Currently pending reviews and failures, regardless of the period; each counted up to 1000 */
final readonly class StatisticsWaiting
{
    public function __construct(
        /** Crypto transactions that are `approved_required` */
        public int $crypto_reviews,
        /** Transactions with received funds awaiting review: `awaiting_review` of the list */
        public int $payment_reviews,
        /** Webhooks whose attempts all failed */
        public int $failed_callbacks,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            crypto_reviews: $data['crypto_reviews'],
            payment_reviews: $data['payment_reviews'],
            failed_callbacks: $data['failed_callbacks'],
        );
    }
}
