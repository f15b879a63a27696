import type { Runner } from '../database/engine.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Metrics } from '../system/metrics.ts';
import type { RateLimits } from './combine.ts';
import { codesOf, isCoinPair, isExpected, type Pair, pairs } from './pairs.ts';
import type { PairRate, ReadPair } from './port.ts';
import type { StoredPairRate } from './schema.ts';
import { readRates } from './store.ts';

/** Limits of coins, and of currencies. */
export interface LimitsByKind {
  coins: RateLimits;
  currencies: RateLimits;
}

export function limitsOf(limits: LimitsByKind, pair: Pair): RateLimits {
  return isCoinPair(pair) ? limits.coins : limits.currencies;
}

/** Rates of a process in memory, so that pricing waits neither for the network nor for the database. */
export interface LiveRates {
  read: ReadPair;
  /** Reads the rates that this or another process has stored. */
  load(reader: Runner): Promise<void>;
}

export function createLiveRates(options: { clock: Clock; metrics: Metrics; limits: LimitsByKind }): LiveRates {
  const { clock, metrics, limits } = options;
  let stored: ReadonlyMap<Pair, StoredPairRate> = new Map();
  return {
    read: (pair) => toPairRate(pair, stored.get(pair), limitsOf(limits, pair).maxAge, clock.now()),
    async load(reader) {
      stored = await readRates(reader);
      for (const pair of pairs) {
        const rate = stored.get(pair);
        const labels = codesOf(pair);
        if (!isExpected(pair, rate?.rate ?? null)) continue;
        if (rate?.at) metrics.rateTime.set(labels, Math.floor(rate.at / 1_000_000));
        metrics.rateUnavailable.set(labels, rate && rate.reason === null ? 0 : 1);
      }
    },
  };
}

function toPairRate(pair: Pair, stored: StoredPairRate | undefined, maxAge: Instant, now: Instant): PairRate {
  if (!stored) {
    const detail = 'No source has returned a rate yet.';
    return { pair, rate: null, at: null, quotes: [], unavailable: { reason: 'no_rate', detail, since: null } };
  }
  const { rate, at, quotes, reason, detail, unavailableSince } = stored;
  if (reason !== null)
    return { pair, rate, at, quotes, unavailable: { reason, detail: detail ?? '', since: unavailableSince } };
  // The limit holds even if no process refreshes rates.
  if (at !== null && now - at > maxAge) {
    const old = `The last rate is from ${formatInstant(at)}, which is too old.`;
    return { pair, rate, at, quotes, unavailable: { reason: 'too_old', detail: old, since: at + maxAge } };
  }
  return { pair, rate, at, quotes, unavailable: null };
}
