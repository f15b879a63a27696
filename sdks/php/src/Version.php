<?php

// Generated from package.json by `npm run generate`: change package.json, not this file.

declare(strict_types=1);

namespace Paylatch;

final class Version
{
    public const VERSION = '0.2.0';
}
