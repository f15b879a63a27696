import { Problem } from '../api/problem-error.ts';
import { crossRate, productOf } from '../shared/rate-arithmetic.ts';
import type { CurrencyCode } from '../shared/currencies.ts';
import { coinPair, coinQuoteCurrencies, fiatPair } from './pairs.ts';
import type { CoinRates, CurrencyRates, PairRate, Rate, ReadPair } from './port.ts';

/** Prices of coins: their own market in US dollars and euros, otherwise through US dollars. */
export function createCoinRates(read: ReadPair): CoinRates {
  return {
    rate(code, currency) {
      const direct = coinQuoteCurrencies.find((each) => each === currency);
      if (direct) return requireUsable(read(coinPair(code, direct)));
      const coin = requireUsable(read(coinPair(code, 'USD')));
      const fromDollar = requireCurrencyRate(read, 'USD', currency);
      return derivedRate(productOf(coin.rate, fromDollar.rate), [coin, fromDollar]);
    },
  };
}

/** Rates between currencies, through US dollars. */
export function createCurrencyRates(read: ReadPair): CurrencyRates {
  return {
    rate(from, to) {
      if (from === to) return { rate: '1', source: null, at: null };
      return convert(from, to, (currency) => requireKnown(read(fiatPair(currency))));
    },
  };
}

/** The rate between two different currencies, within the limits; throws the problem `rate_unavailable` otherwise. */
export function requireCurrencyRate(read: ReadPair, from: CurrencyCode, to: CurrencyCode): Rate {
  return convert(from, to, (currency) => requireUsable(read(fiatPair(currency))));
}

function convert(
  from: CurrencyCode,
  to: CurrencyCode,
  inDollars: (currency: Exclude<CurrencyCode, 'USD'>) => Rate,
): Rate {
  const [one, other] = [from, to].map((currency) => (currency === 'USD' ? null : inDollars(currency)));
  const used = [one, other].filter((rate) => rate !== null && rate !== undefined);
  return derivedRate(crossRate(one?.rate ?? '1', other?.rate ?? '1'), used);
}

/** A pair's rate within its limits. */
function requireUsable(pairRate: PairRate): Rate {
  if (pairRate.unavailable) throw unavailableProblem(pairRate);
  return requireKnown(pairRate);
}

/** A pair's last good rate, even past its limits: the caller shows its time. */
function requireKnown(pairRate: PairRate): Rate {
  const { rate, at, quotes } = pairRate;
  if (rate === null || at === null) throw unavailableProblem(pairRate);
  return { rate, source: namesOf(quotes.map(({ source }) => source)), at };
}

function unavailableProblem({ pair, unavailable }: PairRate): Problem {
  return new Problem('rate_unavailable', `The exchange rate ${pair} is unavailable. ${unavailable?.detail ?? ''}`, {
    headers: { 'Retry-After': '60' },
  });
}

/** A rate derived from others, with all of their sources and the oldest time. */
function derivedRate(rate: string, used: readonly Rate[]): Rate {
  return {
    rate,
    source: namesOf(used.flatMap(({ source }) => source.split(', '))),
    at: Math.min(...used.map(({ at }) => at)),
  };
}

function namesOf(sources: readonly string[]): string {
  return [...new Set(sources)].toSorted().join(', ');
}
