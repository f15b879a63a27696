import { DAY, HOUR, type Instant, MINUTE } from '../../shared/time.ts';

/** How often a provider is asked about what is open, or on its way, and may have been forgotten to be told. */
export const POLL_INTERVAL: Instant = 5 * MINUTE;

/**
 * Pauses between questions about what is over: buyers pay late and twice, and the provider's word of it
 * can be lost as any other. A week and some; after that the provider's own word is all there is.
 */
const closedPollBackoff: readonly Instant[] = [10 * MINUTE, HOUR, 6 * HOUR, ...Array.from({ length: 7 }, () => DAY)];

/** When to ask about what is over, after it has been asked about `checksMade` times since; null for no more. */
export function nextClosedPollAt(now: Instant, checksMade: number): Instant | null {
  const pause = closedPollBackoff[checksMade];
  return pause === undefined ? null : now + pause;
}
