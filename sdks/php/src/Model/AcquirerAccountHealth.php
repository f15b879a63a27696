<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AcquirerAccountHealth
{
    public function __construct(
        /**
         * `open`: no payments after repeated failures; `half_open`: one trial call is allowed
         * @var 'closed'|'half_open'|'open'
         */
        public string $circuit,
        /** Time at which the circuit opened; null while it is closed */
        public ?\DateTimeImmutable $circuit_since,
        /** The last call without a response from the acquirer */
        public ?AcquirerAccountHealthLastFailure $last_failure,
        /** Calls that the figures cover, at most 500 */
        public int $calls,
        /** Share of calls with a response, 0 to 1; null before the first */
        public int|float|null $success_rate,
        /** Median duration of a call; null before the first */
        public int|float|null $median_ms,
        public int $calls_last_minute,
        /** Limit of calls; null without one */
        public ?int $calls_per_minute,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            circuit: $data['circuit'],
            circuit_since: isset($data['circuit_since']) ? new \DateTimeImmutable($data['circuit_since']) : null,
            last_failure: isset($data['last_failure']) ? AcquirerAccountHealthLastFailure::fromArray($data['last_failure']) : null,
            calls: $data['calls'],
            success_rate: $data['success_rate'] ?? null,
            median_ms: $data['median_ms'] ?? null,
            calls_last_minute: $data['calls_last_minute'],
            calls_per_minute: $data['calls_per_minute'] ?? null,
        );
    }
}
