<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class TimelineEntry
{
    public function __construct(
        public int $sequence,
        public string $type,
        public \DateTimeImmutable $at,
        /** @var TransactionStatus::* */
        public string $status,
        public ?string $detail = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            sequence: $data['sequence'],
            type: $data['type'],
            at: new \DateTimeImmutable($data['at']),
            status: $data['status'],
            detail: $data['detail'] ?? null,
        );
    }
}
