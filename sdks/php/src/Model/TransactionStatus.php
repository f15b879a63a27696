<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/**
 * `transaction_status_pending`: created, or ready for another attempt after a decline;
 * `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment
 * is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without
 * payment; `reason` states the cause
 */
final class TransactionStatus
{
    public const PENDING = 'transaction_status_pending';
    public const WAITING = 'transaction_status_waiting';
    public const CONFIRMED = 'transaction_status_confirmed';
    public const FAILED = 'transaction_status_failed';
}
