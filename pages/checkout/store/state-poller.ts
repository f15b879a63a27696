import type { Clock } from '../elements/clock.ts';

const MAX_DELAY_MS = 30_000;
const BACKOFF_FACTOR = 1.4;
/** 20% in either direction, so that many waiting pages don't poll in step. */
const JITTER = 0.2;

/** Polls the state while it can change, one request at a time, with backoff. */
export class StatePoller {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #poll: () => void;
  #cancelTimer = () => {};
  #pollAfterMs: number | null = null;
  #pollCount = 0;
  #isPaused = false;

  constructor({ clock, random, poll }: { clock: Clock; random: () => number; poll: () => void }) {
    this.#clock = clock;
    this.#random = random;
    this.#poll = poll;
  }

  /** Schedules the next poll after `pollAfterMs`, with backoff; null stops polling. `isChange` resets the backoff. */
  schedule(pollAfterMs: number | null, isChange: boolean) {
    if (isChange || this.#pollAfterMs === null) this.#pollCount = 0;
    this.#pollAfterMs = pollAfterMs;
    this.#setTimer();
  }

  /** Hidden pages don't poll. */
  pause() {
    this.#isPaused = true;
    this.#cancelTimer();
  }

  resume() {
    this.#isPaused = false;
    this.#pollCount = 0;
    this.#setTimer();
  }

  #setTimer() {
    this.#cancelTimer();
    if (this.#pollAfterMs === null || this.#isPaused) return;
    const delay = Math.min(MAX_DELAY_MS, this.#pollAfterMs * BACKOFF_FACTOR ** this.#pollCount);
    const delayWithJitter = delay * (1 - JITTER + 2 * JITTER * this.#random());
    this.#cancelTimer = this.#clock.after(delayWithJitter, () => {
      this.#pollCount++;
      this.#poll();
    });
  }
}
