import { type Instant, MICROS_PER_MS } from '../shared/time.ts';

/** Where every part of the service gets the time from, so that tests can pass time by. */
export interface Clock {
  /** The present moment; two calls never give the same one, so that it also orders. */
  now(): Instant;
}

/** The machine's clock. It never runs backwards within a process, even when the machine's is set back. */
export function systemClock(): Clock {
  let last = 0;
  return {
    now() {
      last = Math.max(last + 1, Date.now() * MICROS_PER_MS);
      return last;
    },
  };
}
