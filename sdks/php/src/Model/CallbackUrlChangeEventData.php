<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CallbackUrlChangeEventData
{
    public function __construct(
        /** Your merchant ID. Reject webhooks with a different one */
        public int $merchant_id,
        /** Origin of the new URL (no path or query, which may contain a secret); null: removed */
        public ?string $url,
        /** Origin of the previous URL; null: none was set */
        public ?string $previous_url,
        /** Requester: `token 7` or `person 3` */
        public string $requested_by,
        public \DateTimeImmutable $created_at,
        public mixed $previous_status,
        public int|float $sequence,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            merchant_id: $data['merchant_id'],
            url: $data['url'] ?? null,
            previous_url: $data['previous_url'] ?? null,
            requested_by: $data['requested_by'],
            created_at: new \DateTimeImmutable($data['created_at']),
            previous_status: $data['previous_status'] ?? null,
            sequence: $data['sequence'],
        );
    }
}
