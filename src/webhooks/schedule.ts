import { HOUR, type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Random } from '../system/random.ts';

/** Backoff before each retry: 12 attempts within about three days. Then the webhook is marked as failed. */
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
 * Returns the backoff after the nth failed attempt (from 1); null after the last. A jitter of ±20% spreads the retries
 * of endpoints that failed together. `Retry-After` is respected up to an hour.
 */
export function backoffAfter(attemptCount: number, random: Random, retryAfter: Instant | null): Instant | null {
  const backoff = backoffs[attemptCount - 1];
  if (backoff === undefined) return null;
  const [byte = 0] = random.bytes(1);
  const jittered = Math.round(backoff * (0.8 + (0.4 * byte) / 255));
  return Math.max(jittered, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER));
}

/** Parses `Retry-After` (RFC 9110, section 10.2.3): seconds or a date. Returns null for anything else. */
export function parseRetryAfter(header: string | null, now: Instant): Instant | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date * 1000 - now);
}
