import { Problem } from '../api/problem-error.ts';
import type { RatesResponse } from '../api/rates.ts';
import { type CryptoCurrencyCode, cryptoCurrencyCodes } from '../shared/crypto-currency.ts';
import { type CurrencyCode, currencyCodes } from '../shared/currencies.ts';
import { formatInstant } from '../shared/time.ts';
import { createCoinRates, requireCurrencyRate } from './convert.ts';
import { coinPair, coinQuoteCurrencies, fiatPair, isExpected, type Pair } from './pairs.ts';
import type { Rate, ReadPair } from './port.ts';

/** Lists the prices of all coins and other currencies that have had a rate, in a currency. */
export function listRates(read: ReadPair, currency: CurrencyCode): RatesResponse {
  const coins = createCoinRates(read);
  return {
    currency,
    rates: [
      ...cryptoCurrencyCodes.map((code) =>
        describeRate(read, code, coinPairsOf(code, currency), () => coins.rate(code, currency)),
      ),
      ...currencyCodes
        .filter((code) => code !== currency && isListed(read, code))
        .map((code) =>
          describeRate(read, code, [...fiatPairsOf(code), ...fiatPairsOf(currency)], () =>
            requireCurrencyRate(read, code, currency),
          ),
        ),
    ],
  };
}

/** A currency outside the method catalog is listed only after its first rate. */
function isListed(read: ReadPair, code: CurrencyCode): boolean {
  return fiatPairsOf(code).every((pair) => isExpected(pair, read(pair).rate));
}

function coinPairsOf(code: CryptoCurrencyCode, currency: CurrencyCode): Pair[] {
  const direct = coinQuoteCurrencies.find((each) => each === currency);
  return direct ? [coinPair(code, direct)] : [coinPair(code, 'USD'), ...fiatPairsOf(currency)];
}

function fiatPairsOf(code: CurrencyCode): Pair[] {
  return code === 'USD' ? [] : [fiatPair(code)];
}

function describeRate(
  read: ReadPair,
  code: CryptoCurrencyCode | CurrencyCode,
  used: readonly Pair[],
  rateOf: () => Rate,
): RatesResponse['rates'][number] {
  const quotes = used.flatMap((pair) =>
    read(pair).quotes.map(({ source, rate, at }) => ({ source, pair, rate, at: formatInstant(at) })),
  );
  try {
    const { rate, at } = rateOf();
    return { code, rate, at: formatInstant(at), quotes, unavailable: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { code, rate: null, at: null, quotes, unavailable: error.message };
  }
}
