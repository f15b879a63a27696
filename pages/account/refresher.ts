import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { LiveUpdate } from './live.ts';

export interface RefreshOptions {
  /** For how long news gather before it is read. */
  afterMs: number;
  /** Whether it has been read at all. */
  hasRead: () => boolean;
  read: () => Promise<unknown>;
}

/** How much longer than reading takes it rests at least, where news do not end. */
const REST_FACTOR = 4;

/**
 * Reads again after news: once for all that come within a while, and once more for those that come meanwhile.
 * However many there are, it goes on, and never reads twice at a time.
 */
export class Refresher implements ReactiveController {
  readonly #options: RefreshOptions;
  #isConnected = false;
  #timer = 0;
  #isReading = false;
  /** Whether there were news while it was read. */
  #isStale = false;

  constructor(host: ReactiveControllerHost, options: RefreshOptions) {
    this.#options = options;
    host.addController(this);
  }

  hostConnected(): void {
    this.#isConnected = true;
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  /** What is only on its way when somebody begins to listen is new enough: nothing is fetched twice for that. */
  handleUpdate({ type }: LiveUpdate): void {
    if (type === 'signed_out' || (type === 'listening' && !this.#options.hasRead())) return;
    this.schedule();
  }

  schedule(): void {
    if (this.#isReading) this.#isStale = true;
    else this.#scheduleRead(this.#options.afterMs);
  }

  #scheduleRead(delayMs: number) {
    if (!this.#isConnected || this.#timer !== 0) return;
    this.#timer = window.setTimeout(() => void this.#read(), delayMs);
  }

  async #read() {
    this.#timer = 0;
    this.#isReading = true;
    this.#isStale = false;
    const startedAt = performance.now();
    // What does not come says so where it stands.
    await this.#options.read().catch(() => {});
    this.#isReading = false;
    const restMs = (performance.now() - startedAt) * REST_FACTOR;
    if (this.#isStale) this.#scheduleRead(Math.max(this.#options.afterMs, restMs));
  }
}
