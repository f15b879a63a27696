<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/** A cryptocurrency of `GET /v1/currencies` */
final class CryptoCurrencyCode
{
    public const BTC = 'btc';
    public const ETH = 'eth';
    public const USDT = 'usdt';
    public const USDC = 'usdc';
    public const LTC = 'ltc';
}
