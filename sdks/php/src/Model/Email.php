<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Email
{
    public function __construct(
        public int $id,
        /** @var 'receipt'|'refund'|'underpayment'|'payment_link'|'invitation'|'review_waiting'|'endpoint_disabled'|'destination_changed' */
        public string $kind,
        public string $recipient,
        /** Your reference for the payment; null if the email has none */
        public ?string $transaction_id,
        /**
         * `waiting`: not accepted by the mail server yet; `sent`: accepted by the mail server; `failed`: could
         * not be sent
         * @var 'waiting'|'sent'|'failed'
         */
        public string $state,
        public int $attempts,
        public \DateTimeImmutable $created_at,
        /** Time at which it was sent or failed */
        public ?\DateTimeImmutable $finished_at,
        /** Reason of the last failed attempt */
        public ?string $error,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            kind: $data['kind'],
            recipient: $data['recipient'],
            transaction_id: $data['transaction_id'] ?? null,
            state: $data['state'],
            attempts: $data['attempts'],
            created_at: new \DateTimeImmutable($data['created_at']),
            finished_at: isset($data['finished_at']) ? new \DateTimeImmutable($data['finished_at']) : null,
            error: $data['error'] ?? null,
        );
    }
}
