<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Callback
{
    public function __construct(
        /** The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint */
        public string $id,
        /** The header `webhook-id`: the `id` of the event, and the same for every endpoint that receives it */
        public string $webhook_id,
        /** `we_…`, or `callback-url` for the endpoint of that preference */
        public string $endpoint_id,
        /** Its description, or else the host of its URL, or else its ID */
        public string $endpoint_name,
        public string $type,
        /**
         * Your reference; the `id` for deposits without an invoice and for withdrawals; the currency for a
         * changed destination; `callback-url` for a changed URL; the ID of a changed endpoint
         */
        public string $transaction_id,
        /** Sequence number of the event within its transaction */
        public int $sequence,
        /**
         * Status of the transaction or withdrawal after the event; null for notices, and without the scope
         * `transaction:read`
         */
        public ?string $status,
        /** Its status before the event; null like `status`, and in the first */
        public ?string $previous_status,
        /**
         * The change, as in the `timeline`, such as `12.50 USD refunded`; null if there is none, and without
         * the scope `transaction:read`
         */
        public ?string $detail,
        /** URL that receives a notice of a changed endpoint or destination; null for the endpoint’s current URL */
        public ?string $url,
        /**
         * `pending`: not delivered yet; `delivered`: the endpoint responded with a 2xx status; `failed`: all
         * delivery attempts failed; redeliver it to try again
         * @var 'pending'|'delivered'|'failed'
         */
        public string $state,
        public int $attempts_made,
        /** Result of the last attempt; null before the first */
        public ?CallbackLastAttempt $last_attempt,
        /** null if no attempt is scheduled, or if an earlier webhook must be delivered first */
        public ?\DateTimeImmutable $next_attempt_at,
        public \DateTimeImmutable $created_at,
        public ?\DateTimeImmutable $finished_at,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            webhook_id: $data['webhook_id'],
            endpoint_id: $data['endpoint_id'],
            endpoint_name: $data['endpoint_name'],
            type: $data['type'],
            transaction_id: $data['transaction_id'],
            sequence: $data['sequence'],
            status: $data['status'] ?? null,
            previous_status: $data['previous_status'] ?? null,
            detail: $data['detail'] ?? null,
            url: $data['url'] ?? null,
            state: $data['state'],
            attempts_made: $data['attempts_made'],
            last_attempt: isset($data['last_attempt']) ? CallbackLastAttempt::fromArray($data['last_attempt']) : null,
            next_attempt_at: isset($data['next_attempt_at']) ? new \DateTimeImmutable($data['next_attempt_at']) : null,
            created_at: new \DateTimeImmutable($data['created_at']),
            finished_at: isset($data['finished_at']) ? new \DateTimeImmutable($data['finished_at']) : null,
        );
    }
}
