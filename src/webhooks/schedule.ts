import { HOUR, type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Random } from '../system/random.ts';

/** Pauses before each further attempt; after the last one the callback is kept as failed. */
const pauses: readonly Instant[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

const MAX_RETRY_AFTER = HOUR;

/**
 * The pause after the nth failed attempt (from 1), or null when there is no further one. Spread by
 * ±20 %, so that receivers which failed together are not all asked again together. A receiver's own
 * `Retry-After` is heeded up to an hour.
 */
export function pauseAfter(attemptsMade: number, random: Random, retryAfter: Instant | null): Instant | null {
  const pause = pauses[attemptsMade - 1];
  if (pause === undefined) return null;
  const [byte = 0] = random.bytes(1);
  const spread = Math.round(pause * (0.8 + (0.4 * byte) / 255));
  return Math.max(spread, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER));
}

/** RFC 9110 section 10.2.3: seconds, or a date; null when the header says neither. */
export function parseRetryAfter(header: string | null, now: Instant): Instant | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date * 1000 - now);
}
