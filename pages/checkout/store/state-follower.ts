import type { Clock } from '../elements/clock.ts';

const LONGEST_WAIT_MS = 30_000;
const GROWTH = 1.4;
/** A fifth up or down, so that many waiting pages do not ask in step. */
const JITTER = 0.2;

/** Asks for the state again and again, one question at a time, for as long as something can change. */
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

  /** Asks next after `pollAfterMs`, longer with each time in a row; null ends the row. `isNews` begins it anew. */
  follow(pollAfterMs: number | null, isNews: boolean) {
    if (isNews || this.#pollAfterMs === null) this.#asked = 0;
    this.#pollAfterMs = pollAfterMs;
    this.#schedule();
  }

  /** A hidden page asks nothing. */
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
