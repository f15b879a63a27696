import type { Clock } from '../elements/clock.ts';

const LONGEST_WAIT_MS = 30_000;
const GROWTH = 1.4;
/** 20% in either direction, so that many waiting pages don't poll in step. */
const JITTER = 0.2;

/** Polls the state while it can change, one request at a time, with backoff. */
export class StateFollower {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #ask: () => void;
  #cancel = () => {};
  #pollAfterMs: number | null = null;
  #asked = 0;
  #isPaused = false;

  constructor({ clock, random, ask }: { clock: Clock; random: () => number; ask: () => void }) {
    this.#clock = clock;
    this.#random = random;
    this.#ask = ask;
  }

  /** Schedules the next poll after `pollAfterMs`, with backoff; null stops polling. `isNews` resets the backoff. */
  follow(pollAfterMs: number | null, isNews: boolean) {
    if (isNews || this.#pollAfterMs === null) this.#asked = 0;
    this.#pollAfterMs = pollAfterMs;
    this.#schedule();
  }

  /** Hidden pages don't poll. */
  pause() {
    this.#isPaused = true;
    this.#cancel();
  }

  resume() {
    this.#isPaused = false;
    this.#asked = 0;
    this.#schedule();
  }

  #schedule() {
    this.#cancel();
    if (this.#pollAfterMs === null || this.#isPaused) return;
    const wait = Math.min(LONGEST_WAIT_MS, this.#pollAfterMs * GROWTH ** this.#asked);
    const jittered = wait * (1 - JITTER + 2 * JITTER * this.#random());
    this.#cancel = this.#clock.after(jittered, () => {
      this.#asked++;
      this.#ask();
    });
  }
}
