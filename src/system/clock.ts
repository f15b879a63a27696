import { type Instant, MICROS_PER_MS } from '../shared/time.ts';

/** The service's only source of time; tests pass their own. */
export interface Clock {
  /** The current time. Each call returns a later value than the last, so values also order events. */
  now(): Instant;
}

/**
 * The system clock. It never runs backwards within a process. If the system time is set back, it runs at half speed
 * until the system time has caught up. If it stopped instead, no work would become due until then.
 */
export function systemClock({ wallMs = () => Date.now(), elapsedMs = () => performance.now() } = {}): Clock {
  let last = 0;
  let readMs = elapsedMs();
  return {
    now() {
      const sinceMs = elapsedMs() - readMs;
      readMs += sinceMs;
      const slowed = last + Math.max(1, Math.floor((sinceMs * MICROS_PER_MS) / 2));
      const wall = wallMs() * MICROS_PER_MS;
      last = wall > last ? wall : slowed;
      return last;
    },
  };
}
