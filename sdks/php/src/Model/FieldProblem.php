<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class FieldProblem
{
    public function __construct(
        /** A JSON pointer (RFC 6901) into the body, or ?name for a query parameter */
        public string $pointer,
        public string $code,
        public string $detail,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            pointer: $data['pointer'],
            code: $data['code'],
            detail: $data['detail'],
        );
    }
}
