import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { News } from './live.ts';

export interface Refreshed {
  /** For how long news gather before it is read. */
  afterMs: number;
  /** Whether it has been read at all. */
  hasRead: () => boolean;
  read: () => Promise<unknown>;
}

/** How much longer than reading takes it rests at least, where news do not end. */
const REST = 4;

/**
 * Reads again after news: once for all that come within a while, and once more for those that come meanwhile.
 * However many there are, it goes on, and never reads twice at a time.
 */
export class Refresher implements ReactiveController {
  readonly #refreshed: Refreshed;
  #isThere = false;
  #timer = 0;
  #isReading = false;
  /** Whether there were news while it was read. */
  #isStale = false;

  constructor(host: ReactiveControllerHost, refreshed: Refreshed) {
    this.#refreshed = refreshed;
    host.addController(this);
  }

  hostConnected(): void {
    this.#isThere = true;
  }

  hostDisconnected(): void {
    this.#isThere = false;
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  /** What is only on its way when somebody begins to listen is new enough: nothing is fetched twice for that. */
  heard({ type }: News): void {
    if (type === 'signed_out' || (type === 'listening' && !this.#refreshed.hasRead())) return;
    this.soon();
  }

  soon(): void {
    if (this.#isReading) this.#isStale = true;
    else this.#readAfter(this.#refreshed.afterMs);
  }

  #readAfter(delayMs: number) {
    if (!this.#isThere || this.#timer !== 0) return;
    this.#timer = window.setTimeout(() => void this.#read(), delayMs);
  }

  async #read() {
    this.#timer = 0;
    this.#isReading = true;
    this.#isStale = false;
    const began = performance.now();
    // What does not come says so where it stands.
    await this.#refreshed.read().catch(() => {});
    this.#isReading = false;
    const restMs = (performance.now() - began) * REST;
    if (this.#isStale) this.#readAfter(Math.max(this.#refreshed.afterMs, restMs));
  }
}
