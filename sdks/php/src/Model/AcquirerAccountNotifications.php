<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AcquirerAccountNotifications
{
    public function __construct(
        /** null without one in the last 60 days */
        public ?\DateTimeImmutable $last_received_at,
        /** Webhooks received but not processed yet; at most 1,000 are counted */
        public int $pending,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            last_received_at: isset($data['last_received_at']) ? new \DateTimeImmutable($data['last_received_at']) : null,
            pending: $data['pending'],
        );
    }
}
