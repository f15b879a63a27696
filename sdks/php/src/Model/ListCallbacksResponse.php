<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ListCallbacksResponse
{
    public function __construct(
        /** @var list<Callback> */
        public array $callbacks,
        public ?string $next_cursor,
        public CallbackEndpoint $endpoint,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            callbacks: array_map(Callback::fromArray(...), $data['callbacks']),
            next_cursor: $data['next_cursor'] ?? null,
            endpoint: CallbackEndpoint::fromArray($data['endpoint']),
        );
    }
}
