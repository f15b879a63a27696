<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/**
 * `pending`: no deposit detected yet; `waiting`: deposit detected, not enough confirmations yet;
 * `confirmed`: the deposit reached `min-confirmation-{CODE}` confirmations; `complete`: credited, less
 * `processing-fee-{CODE}`; `approved_required`: awaiting review: approve or reject it; `refunding`:
 * rejected with a refund address; the funds are being sent there; `refunded`: the refund is confirmed;
 * `failed`: ended without payment, or rejected without a refund address
 */
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
