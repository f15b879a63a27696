import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../shared/time.ts';

/**
 * Backoff between polls of a pending refund, capture or void. Then daily, and each poll logs an error for the operator.
 */
export const pollBackoff: readonly Instant[] = [
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  6 * HOUR,
  ...Array.from({ length: 30 }, () => DAY),
];
