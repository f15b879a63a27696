import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { CurrencyCode } from '../shared/currencies.ts';
import type { Instant } from '../shared/time.ts';
import type { Pair } from './pairs.ts';

/** Fetches a URL and returns the body of a successful response. Rejects after a timeout. */
export type FetchText = (url: string) => Promise<string>;

/** The rate of a pair at one source. */
export interface Quote {
  pair: Pair;
  /** A decimal: units of the quote currency for one of the base currency. */
  rate: string;
  /** Time of the rate at the source; of the response if the source does not report it. */
  at: Instant;
}

/** A quote and its source's name. */
export interface SourceQuote extends Quote {
  source: string;
}

/** A public source of exchange rates. */
export interface RateSource {
  /** Name in settings, responses and logs. */
  name: string;
  /** Sources of coins have live market prices, sources of currencies mostly daily reference rates. */
  kind: 'coins' | 'currencies';
  /** Time between two requests. */
  interval: Instant;
  /** Fetches the current quotes. Pairs that the source does not quote are omitted. */
  fetchQuotes(fetchText: FetchText, now: Instant): Promise<Quote[]>;
}

/** Reasons why a pair has no usable rate. */
export const unavailableReasons = ['no_rate', 'too_few_sources', 'sources_disagree', 'jump', 'too_old'] as const;

/** Reason why a pair has no usable rate. */
export interface Unavailable {
  reason: (typeof unavailableReasons)[number];
  /** A sentence for the caller. */
  detail: string;
  since: Instant | null;
}

/** The last good rate of a pair, and whether it can be used now. */
export interface PairRate {
  pair: Pair;
  /** Null before the first. */
  rate: string | null;
  /** Time of the oldest quote in it. */
  at: Instant | null;
  /** The quotes that it combines. */
  quotes: readonly SourceQuote[];
  /** Null while the rate can be used. */
  unavailable: Unavailable | null;
}

/** Reads the rate of a pair from memory. */
export type ReadPair = (pair: Pair) => PairRate;

/** A rate with its origin. */
export interface Rate {
  /** A decimal. */
  rate: string;
  /** Names of its sources, separated by commas. */
  source: string;
  at: Instant;
}

/** Prices of coins. */
export interface CoinRates {
  /** The price of one whole coin. Throws the problem `rate_unavailable` if there is none within the limits. */
  rate(code: CryptoCurrencyCode, currency: CurrencyCode): Rate;
}

/** Rates between currencies, for information: no charged amount depends on them. */
export interface CurrencyRates {
  /**
   * Units of `to` for one unit of `from`. Past its limits, the last good rate is returned with its time. Source and
   * time are null between equal currencies. Throws the problem `rate_unavailable` if there has never been a rate.
   */
  rate(from: CurrencyCode, to: CurrencyCode): { rate: string; source: string | null; at: Instant | null };
}
