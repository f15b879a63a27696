import { cryptoCurrencies, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { CurrencyCode } from '../api/currency.ts';
import { parseMoment, type Instant } from '../shared/time.ts';
import type { RateSource } from './table.ts';
import { productOf } from '../shared/rate-arithmetic.ts';

/** What one whole coin is, where that is known. */
export interface CoinRate {
  /** Units of the currency, as a decimal. */
  rate: string;
  source: string;
  at: Instant;
}

/** Where rates of coins come from. */
export interface CoinRates {
  rate(code: CryptoCurrencyCode, currency: CurrencyCode): CoinRate;
}

/** The date of the coins' prices. */
const TABLE_DATE = '2026-11-02';

/** The dated table that ships with the service, through US dollars. */
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
