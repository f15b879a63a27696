import { HOUR, type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Random } from '../system/random.ts';

/** The backoff before each further attempt; after the last one the webhook is kept as failed. */
const backoffs: readonly Instant[] = [
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
 * The backoff after the nth failed attempt (from 1), or null when there is no further one. With a jitter of ±20 %, so
 * that endpoints which failed together are not all retried together. `Retry-After` counts up to an hour.
 */
export function backoffAfter(attemptsMade: number, random: Random, retryAfter: Instant | null): Instant | null {
  const backoff = backoffs[attemptsMade - 1];
  if (backoff === undefined) return null;
  const [byte = 0] = random.bytes(1);
  const spread = Math.round(backoff * (0.8 + (0.4 * byte) / 255));
  return Math.max(spread, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER));
}

/** RFC 9110 section 10.2.3: seconds, or a date; null for anything else. */
export function parseRetryAfter(header: string | null, now: Instant): Instant | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date * 1000 - now);
}
