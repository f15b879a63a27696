import { type Instant, MICROS_PER_MS } from '../../src/shared/time.ts';
import type { Clock } from '../../src/system/clock.ts';

/** A clock that only the test advances, except for a microsecond per reading. */
export class SimulatedClock implements Clock {
  #now: Instant;

  constructor(start = '2026-11-21T09:00:00Z') {
    this.#now = Date.parse(start) * MICROS_PER_MS;
  }

  now(): Instant {
    this.#now += 1;
    return this.#now;
  }

  advance(duration: Instant): void {
    this.#now += duration;
  }
}
