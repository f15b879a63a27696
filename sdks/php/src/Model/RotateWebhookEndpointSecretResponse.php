<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class RotateWebhookEndpointSecretResponse
{
    public function __construct(
        /** The new secret; shown only once */
        public string $secret,
        /** Until then every webhook is also signed with the old secret */
        public \DateTimeImmutable $previous_valid_until,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            secret: $data['secret'],
            previous_valid_until: new \DateTimeImmutable($data['previous_valid_until']),
        );
    }
}
