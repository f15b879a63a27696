<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class CallbackEndpoint
{
    public function __construct(
        public ?string $url,
        /** Time of the first failure since the last success, later by periods without attempts */
        public ?\DateTimeImmutable $failing_since,
        /** null while it is enabled */
        public ?\DateTimeImmutable $disabled_at,
        /**
         * `gone`: the endpoint returned 410; `no_success`: nothing was delivered for five days
         * @var 'gone'|'no_success'|null
         */
        public ?string $disabled_reason,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            url: $data['url'] ?? null,
            failing_since: isset($data['failing_since']) ? new \DateTimeImmutable($data['failing_since']) : null,
            disabled_at: isset($data['disabled_at']) ? new \DateTimeImmutable($data['disabled_at']) : null,
            disabled_reason: $data['disabled_reason'] ?? null,
        );
    }
}
