<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AcquirerAccountHealthLastFailure
{
    public function __construct(
        public \DateTimeImmutable $at,
        public string $call,
        /** @var 'failed'|'timeout' */
        public string $reason,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            at: new \DateTimeImmutable($data['at']),
            call: $data['call'],
            reason: $data['reason'],
        );
    }
}
