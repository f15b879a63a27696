<?php

declare(strict_types=1);

namespace Paylatch;

/** Marks a parameter that is not sent, where null is sent as null. */
enum Omit
{
    case Value;
}
