<?php

// Generated from the OpenAPI document by `npm run generate`: change src/api, not this file.

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
