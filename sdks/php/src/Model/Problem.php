<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Problem
{
    public function __construct(
        public string $type,
        public string $title,
        public int $status,
        public string $detail,
        /**
         * Stable; programs should branch on it. Later releases may add codes.
         * @var ProblemCode::*
         */
        public string $code,
        /** True if the same request may succeed later */
        public bool $retryable,
        public string $request_id,
        /** @var list<FieldProblem>|null */
        public ?array $errors = null,
        /**
         * The rate limit that was exceeded
         * @var 'token'|'oauth_client'|'oauth_address'|'page'|'page_state'|'submit_address'|'submit_card'|'sign_in_address'|'sign_in_user'|'email_merchant'|'email_address'|'webhook_test'|'exports'|'callback_url'|'webhook_endpoints'|'withdrawal_destination'|null
         */
        public ?string $limit = null,
        /** For the payment page: a proof-of-work challenge to solve instead of waiting */
        public ?ProofChallenge $challenge = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            type: $data['type'],
            title: $data['title'],
            status: $data['status'],
            detail: $data['detail'],
            code: $data['code'],
            errors: isset($data['errors']) ? array_map(FieldProblem::fromArray(...), $data['errors']) : null,
            limit: $data['limit'] ?? null,
            challenge: isset($data['challenge']) ? ProofChallenge::fromArray($data['challenge']) : null,
            retryable: $data['retryable'],
            request_id: $data['request_id'],
        );
    }
}
