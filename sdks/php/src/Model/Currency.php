<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/** ISO 4217 */
final class Currency
{
    public const ARS = 'ARS';
    public const AUD = 'AUD';
    public const BDT = 'BDT';
    public const BRL = 'BRL';
    public const EUR = 'EUR';
    public const IDR = 'IDR';
    public const INR = 'INR';
    public const KES = 'KES';
    public const MXN = 'MXN';
    public const MYR = 'MYR';
    public const NGN = 'NGN';
    public const NZD = 'NZD';
    public const PHP = 'PHP';
    public const THB = 'THB';
    public const USD = 'USD';
    public const VND = 'VND';
}
