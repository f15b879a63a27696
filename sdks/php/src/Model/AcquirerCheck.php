<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class AcquirerCheck
{
    public function __construct(
        /**
         * `failed`: the acquirer rejected the credentials; `unreachable`: no valid response
         * @var 'ok'|'failed'|'unreachable'
         */
        public string $result,
        /** One sentence about the result */
        public string $detail,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            result: $data['result'],
            detail: $data['detail'],
        );
    }
}
