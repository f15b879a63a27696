import { cryptoCurrencyCodes, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { type CurrencyCode, currencyCodes } from '../shared/currencies.ts';
import catalog from '../shared/method-catalog.json' with { type: 'json' };

/** Currencies in which coins have their own market price. Prices in other currencies are converted from US dollars. */
export const coinQuoteCurrencies = ['USD', 'EUR'] as const;
type CoinQuoteCurrency = (typeof coinQuoteCurrencies)[number];

type CoinPair = `${Uppercase<CryptoCurrencyCode>}/${CoinQuoteCurrency}`;
type FiatPair = `${Exclude<CurrencyCode, 'USD'>}/USD`;

/** A pair with its own rate: `BTC/EUR` is the price of one bitcoin in euros. */
export type Pair = CoinPair | FiatPair;

export function coinPair(code: CryptoCurrencyCode, currency: CoinQuoteCurrency): CoinPair {
  return `${code.toUpperCase() as Uppercase<CryptoCurrencyCode>}/${currency}`;
}

export function fiatPair(currency: Exclude<CurrencyCode, 'USD'>): FiatPair {
  return `${currency}/USD`;
}

/** Every coin in US dollars and euros. */
export const coinPairs: readonly Pair[] = cryptoCurrencyCodes.flatMap((code) =>
  coinQuoteCurrencies.map((currency) => coinPair(code, currency)),
);

/** Every currency in US dollars. */
export const fiatPairs: readonly Pair[] = currencyCodes.flatMap((code) => (code === 'USD' ? [] : [fiatPair(code)]));

export const pairs: readonly Pair[] = [...coinPairs, ...fiatPairs];

/** True for a price of a coin, which moves by the minute. */
export function isCoinPair(pair: Pair): boolean {
  return coinPairs.includes(pair);
}

const catalogCurrencies = new Set(catalog.methods.flatMap(({ currencies }) => currencies));

/**
 * True for a pair that is reported while it has no rate: a coin, or a currency of the method catalog. Sources may have no
 * rate for such a currency, or disagree on it, so another pair is reported only after it has had a rate.
 */
export function isExpected(pair: Pair, rate: string | null): boolean {
  return rate !== null || isCoinPair(pair) || catalogCurrencies.has(codesOf(pair).base);
}

/** Separates a pair into its two codes. */
export function codesOf(pair: Pair): { base: string; quote: CoinQuoteCurrency } {
  const [base = '', quote] = pair.split('/');
  return { base, quote: quote as CoinQuoteCurrency };
}
