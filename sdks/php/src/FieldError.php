<?php

declare(strict_types=1);

namespace Paylatch;

/** An invalid field of a request. */
final readonly class FieldError
{
    public function __construct(public string $pointer, public string $code, public string $detail) {}
}
