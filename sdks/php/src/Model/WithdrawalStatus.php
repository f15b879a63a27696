<?php

// Generated from the OpenAPI document by `npm run generate`: change src/api, not this file.

declare(strict_types=1);

namespace Paylatch\Model;

final class WithdrawalStatus
{
    public const WAITING = 'waiting';
    public const TO_SIGN = 'to_sign';
    public const SENT = 'sent';
    public const CONFIRMED = 'confirmed';
    public const FAILED = 'failed';
}
