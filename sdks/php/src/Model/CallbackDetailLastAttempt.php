<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CallbackDetailLastAttempt
{
    public function __construct(
        public \DateTimeImmutable $at,
        /** HTTP status of the response; null if there was none */
        public ?int $status,
        public ?string $error,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            at: new \DateTimeImmutable($data['at']),
            status: $data['status'] ?? null,
            error: $data['error'] ?? null,
        );
    }
}
