import Big from 'big.js';
import { roundRate } from '../shared/rate-arithmetic.ts';
import { formatInstant, type Instant, MINUTE } from '../shared/time.ts';
import type { SourceQuote, Unavailable } from './port.ts';

/** Limits of combined rates. */
export interface RateLimits {
  /** Maximum age of a quote, and of a usable rate. */
  maxAge: Instant;
  /** Number of agreeing sources that a rate needs. */
  minSources: number;
  /** Maximum deviation of a quote from the median, in percent. */
  maxDeviationPercent: number;
  /** Maximum change from the last rate, in percent. */
  maxJumpPercent: number;
}

/** The last good rate of a pair. */
interface LastRate {
  rate: string;
  at: Instant;
}

/** A rate that is rejected because it moved too far from the last one. */
export interface Jump {
  rate: string;
  /** When the sources reported it first. */
  since: Instant;
}

/** `jump`: the rejected rate, for the reason `jump`. */
export type Combined =
  | { kind: 'rate'; rate: string; at: Instant; quotes: readonly SourceQuote[] }
  | { kind: 'unavailable'; reason: Unavailable['reason']; detail: string; jump?: Jump };

/** A jump is accepted after the sources have agreed on it for this long. */
export const JUMP_HOLD: Instant = 15 * MINUTE;

/**
 * Combines the quotes of a pair, one for each source, into their median. Old quotes and outliers are ignored. The pair
 * is unavailable if too few quotes remain, or if the median jumps: neither one faulty source nor a fault shared by all
 * may set a price. `jump` is the one that was rejected before; null without one.
 */
export function combineQuotes(
  quotes: readonly SourceQuote[],
  { last, jump, now }: { last: LastRate | null; jump: Jump | null; now: Instant },
  limits: RateLimits,
): Combined {
  const { maxAge, minSources, maxDeviationPercent, maxJumpPercent } = limits;
  // A source's clock may be ahead.
  const fresh = quotes
    .map((quote) => ({ ...quote, at: Math.min(quote.at, now) }))
    .filter(({ at }) => now - at <= maxAge)
    .toSorted((one, other) => new Big(one.rate).cmp(other.rate) || (one.source < other.source ? -1 : 1));
  if (fresh.length < minSources) return tooFewSources(fresh, quotes, minSources);

  const middle = fresh[(fresh.length - 1) >> 1]?.rate ?? '1';
  const agreeing = fresh.filter(({ rate }) => !deviates(rate, middle, maxDeviationPercent));
  // An even split between sources has no majority, so neither half is trusted.
  if (agreeing.length < minSources || agreeing.length * 2 <= fresh.length) {
    const listed = fresh.map(({ source, rate }) => `${source} ${rate}`).join(', ');
    const detail = `The sources differ by more than ${maxDeviationPercent}%: ${listed}.`;
    return { kind: 'unavailable', reason: 'sources_disagree', detail };
  }

  const rate = median(agreeing.map((quote) => quote.rate));
  const isRecent = last !== null && now - last.at <= maxAge;
  const isSameJump = jump !== null && !deviates(rate, jump.rate, maxJumpPercent);
  const isConfirmed = isSameJump && now - jump.since >= JUMP_HOLD;
  if (isRecent && !isConfirmed && deviates(rate, last.rate, maxJumpPercent)) {
    const detail = `The rate moved by more than ${maxJumpPercent}%: from ${last.rate} at ${formatInstant(last.at)} to ${rate}.`;
    return { kind: 'unavailable', reason: 'jump', detail, jump: isSameJump ? jump : { rate, since: now } };
  }
  return { kind: 'rate', rate, at: Math.min(...agreeing.map(({ at }) => at)), quotes: agreeing };
}

function tooFewSources(fresh: readonly SourceQuote[], quotes: readonly SourceQuote[], minSources: number): Combined {
  const old = quotes.length - fresh.length;
  const names = fresh.map(({ source }) => source).join(', ') || 'none';
  const detail = `Too few sources have a current rate: ${names}; ${minSources} are required${old > 0 ? `, and ${old} more have only an old rate` : ''}.`;
  return { kind: 'unavailable', reason: 'too_few_sources', detail };
}

/** The middle of sorted rates; the mean of the two middle ones if their number is even. */
function median(sorted: readonly string[]): string {
  const [low = '0', high = '0'] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return roundRate(new Big(low).plus(high).div(2));
}

function deviates(rate: string, from: string, percent: number): boolean {
  return new Big(rate).minus(from).abs().times(100).gt(new Big(from).times(percent));
}
