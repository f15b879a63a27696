<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/**
 * `waiting`: not sent yet; `waitsFor` states the cause; `to_sign`: to be signed outside Paylatch,
 * where the keys are; `sent`: broadcast, not enough confirmations yet; `confirmed`: reached
 * `min-confirmation-{CODE}` confirmations; `failed`: no funds moved; `failure` states the cause
 */
final class WithdrawalStatus
{
    public const WAITING = 'waiting';
    public const TO_SIGN = 'to_sign';
    public const SENT = 'sent';
    public const CONFIRMED = 'confirmed';
    public const FAILED = 'failed';
}
