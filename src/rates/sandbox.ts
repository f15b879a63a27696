import { crossRate, productOf } from '../shared/rate-arithmetic.ts';
import { cryptoCurrencies, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { CurrencyCode } from '../shared/currencies.ts';
import { sandboxUsdPrices } from '../shared/sandbox-prices.ts';
import { SANDBOX_RATES_DATE, SANDBOX_RATES_SOURCE } from '../shared/sandbox-rates.ts';
import { parseMoment } from '../shared/time.ts';
import { codesOf, isCoinPair } from './pairs.ts';
import type { ReadPair } from './port.ts';

const at = parseMoment(SANDBOX_RATES_DATE)?.at ?? 0;

/** The sandbox's rates: a table with a date. They are not real prices, and tests can rely on them. */
export const readSandboxPair: ReadPair = (pair) => {
  const { base, quote } = codesOf(pair);
  const rate = isCoinPair(pair)
    ? productOf(
        cryptoCurrencies[base.toLowerCase() as CryptoCurrencyCode].usdPrice,
        crossRate(sandboxUsdPrices.USD, sandboxUsdPrices[quote]),
      )
    : sandboxUsdPrices[base as CurrencyCode];
  return { pair, rate, at, quotes: [{ pair, rate, at, source: SANDBOX_RATES_SOURCE }], unavailable: null };
};
