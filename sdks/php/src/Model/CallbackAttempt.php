<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CallbackAttempt
{
    public function __construct(
        public int $number,
        public \DateTimeImmutable $at,
        /** null if no `callback-url` was set */
        public ?string $url,
        public int $duration_ms,
        /** HTTP status of the response; null if there was none */
        public ?int $status,
        public ?string $error,
        /** The first 1024 characters of the response body */
        public ?string $response_body,
        /**
         * The headers that we sent, without the signature
         * @var list<CallbackAttemptRequestHeader>
         */
        public array $request_headers,
        /**
         * The headers of the response, without credentials; null if there was no response
         * @var list<CallbackAttemptResponseHeader>|null
         */
        public ?array $response_headers,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            number: $data['number'],
            at: new \DateTimeImmutable($data['at']),
            url: $data['url'] ?? null,
            duration_ms: $data['duration_ms'],
            status: $data['status'] ?? null,
            error: $data['error'] ?? null,
            response_body: $data['response_body'] ?? null,
            request_headers: array_map(CallbackAttemptRequestHeader::fromArray(...), $data['request_headers']),
            response_headers: isset($data['response_headers']) ? array_map(CallbackAttemptResponseHeader::fromArray(...), $data['response_headers']) : null,
        );
    }
}
