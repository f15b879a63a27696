<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final class TokenScope
{
    public const LINK_WRITE = 'link:write';
    public const TRANSACTION_READ = 'transaction:read';
    public const CARD_SUBMIT = 'card:submit';
    public const INVOICE_WRITE = 'invoice:write';
    public const APPROVAL_WRITE = 'approval:write';
    public const WITHDRAWAL_WRITE = 'withdrawal:write';
    public const PREFERENCE_READ = 'preference:read';
    public const PREFERENCE_WRITE = 'preference:write';
    public const CALLBACK_READ = 'callback:read';
    public const CALLBACK_SEND = 'callback:send';
    public const CALLBACK_MANAGE = 'callback:manage';
    public const TOKEN_MANAGE = 'token:manage';
    public const TEAM_MANAGE = 'team:manage';
    public const PAYER_ERASE = 'payer:erase';
    public const AUDIT_READ = 'audit:read';
    public const ACQUIRER_MANAGE = 'acquirer:manage';
}
