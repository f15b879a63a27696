import { cryptoCurrencies, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { CurrencyCode } from '../api/currency.ts';
import { parseMoment, type Instant } from '../shared/time.ts';
import type { RateSource } from './table.ts';
import { productOf } from '../shared/rate-arithmetic.ts';

/** Exchange rate of one whole coin. */
export interface CoinRate {
  /** Units of the currency per coin, as a decimal. */
  rate: string;
  source: string;
  at: Instant;
}

/** Source of coin rates. */
export interface CoinRates {
  rate(code: CryptoCurrencyCode, currency: CurrencyCode): CoinRate;
}

/** Date of the coins' prices. */
const TABLE_DATE = '2026-11-02';

/** Coin rates from the bundled prices, converted through US dollars. */
export function createTableCoinRates(rates: RateSource): CoinRates {
  const at = parseMoment(TABLE_DATE)?.at ?? 0;
  return {
    rate: (code, currency) => ({
      rate: productOf(cryptoCurrencies[code].usdPrice, rates.rate('USD', currency)),
      source: 'table',
      at,
    }),
  };
}
