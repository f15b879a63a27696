<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final class TransactionStatus
{
    public const PENDING = 'transaction_status_pending';
    public const WAITING = 'transaction_status_waiting';
    public const CONFIRMED = 'transaction_status_confirmed';
    public const FAILED = 'transaction_status_failed';
}
