import { type Instant, MICROS_PER_MS } from '../shared/time.ts';

/** The service's only source of time; tests pass their own. */
export interface Clock {
  /** The current time. Each call returns a later value than the last, so values also order events. */
  now(): Instant;
}

/** The system clock. It never runs backwards within a process, even when the system time is set back. */
export function systemClock(): Clock {
  let last = 0;
  return {
    now() {
      last = Math.max(last + 1, Date.now() * MICROS_PER_MS);
      return last;
    },
  };
}
