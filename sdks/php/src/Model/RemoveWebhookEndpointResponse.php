<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class RemoveWebhookEndpointResponse
{
    public function __construct(
        /** `we_…`, or `callback-url` for the endpoint of that preference */
        public string $id,
        public \DateTimeImmutable $removed_at,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            removed_at: new \DateTimeImmutable($data['removed_at']),
        );
    }
}
