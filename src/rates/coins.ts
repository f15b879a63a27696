import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
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

/** US dollars per coin on `TABLE_DATE`. */
const usdPerCoin: Readonly<Record<CryptoCurrencyCode, string>> = {
  btc: '98000',
  eth: '3150',
  usdt: '1',
  usdc: '1',
  ltc: '95',
};

const TABLE_DATE = '2026-11-02';

/** Coin rates from the bundled table, converted through US dollars. */
export function createTableCoinRates(rates: RateSource): CoinRates {
  const at = parseMoment(TABLE_DATE)?.at ?? 0;
  return {
    rate: (code, currency) => ({ rate: productOf(usdPerCoin[code], rates.rate('USD', currency)), source: 'table', at }),
  };
}
