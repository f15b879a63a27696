<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

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
