<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final class CryptoStatus
{
    public const PENDING = 'pending';
    public const WAITING = 'waiting';
    public const CONFIRMED = 'confirmed';
    public const COMPLETE = 'complete';
    public const APPROVED_REQUIRED = 'approved_required';
    public const REFUNDING = 'refunding';
    public const REFUNDED = 'refunded';
    public const FAILED = 'failed';
}
