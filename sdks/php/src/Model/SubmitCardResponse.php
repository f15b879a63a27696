<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class SubmitCardResponse
{
    public function __construct(
        /** @var '3ds_redirect'|'confirmed'|'authorized'|'declined'|'processing' */
        public string $response_type,
        public string $message,
        /** Redirect the payer here for the challenge */
        public ?string $redirect_url = null,
        public ?string $transaction_id = null,
        /** @var 'transaction_status_pending'|'transaction_status_waiting'|'transaction_status_confirmed'|'transaction_status_failed'|null */
        public ?string $status = null,
        public ?SubmitCardResponseDecline $decline = null,
        /** Remaining payment attempts */
        public ?int $attempts_left = null,
        /** Milliseconds to wait before you read the transaction for the outcome; do not charge again */
        public ?int $poll_after_ms = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            response_type: $data['response_type'],
            redirect_url: $data['redirect_url'] ?? null,
            message: $data['message'],
            transaction_id: $data['transaction_id'] ?? null,
            status: $data['status'] ?? null,
            decline: isset($data['decline']) ? SubmitCardResponseDecline::fromArray($data['decline']) : null,
            attempts_left: $data['attempts_left'] ?? null,
            poll_after_ms: $data['poll_after_ms'] ?? null,
        );
    }
}
