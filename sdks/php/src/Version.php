<?php

// Generated from package.json by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch;

final class Version
{
    public const VERSION = '0.2.0';
}
