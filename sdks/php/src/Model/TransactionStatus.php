<?php

// Generated from the OpenAPI document by `npm run generate`: change src/api, not this file.

declare(strict_types=1);

namespace Paylatch\Model;

final class TransactionStatus
{
    public const TRANSACTION_STATUS_PENDING = 'transaction_status_pending';
    public const TRANSACTION_STATUS_WAITING = 'transaction_status_waiting';
    public const TRANSACTION_STATUS_CONFIRMED = 'transaction_status_confirmed';
    public const TRANSACTION_STATUS_FAILED = 'transaction_status_failed';
}
