import { DAY, HOUR, type Instant, MINUTE } from '../../shared/time.ts';

/** Poll interval of open instructions and pending confirmations, in case a notification is lost. */
export const POLL_INTERVAL: Instant = 5 * MINUTE;

/**
 * Backoff between polls of closed instructions: buyers pay late and twice, and notifications can be lost. After about a
 * week, only the acquirer's notifications report further receipts.
 */
const closedPollBackoff: readonly Instant[] = [10 * MINUTE, HOUR, 6 * HOUR, ...Array.from({ length: 7 }, () => DAY)];

/** Returns the next poll of closed instructions after `checksMade` polls; null after the last. */
export function nextClosedPollAt(now: Instant, checksMade: number): Instant | null {
  const backoff = closedPollBackoff[checksMade];
  return backoff === undefined ? null : now + backoff;
}
