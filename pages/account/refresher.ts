import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { LiveUpdate } from './live.ts';

export interface RefreshOptions {
  /** Period within which live updates are coalesced into one read. */
  afterMs: number;
  /** True once the data has been read. */
  hasRead: () => boolean;
  read: () => Promise<unknown>;
}

/** Minimum pause between reads, as a multiple of the duration of a read. */
const PAUSE_FACTOR = 4;

/**
 * Reads again after live updates: once for all updates within the delay, and once more for updates during the read.
 * Never runs two reads at the same time.
 */
export class Refresher implements ReactiveController {
  readonly #options: RefreshOptions;
  #isConnected = false;
  #timer = 0;
  #isReading = false;
  /** True if an update arrived during the read. */
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

  /** Ignores `connected` before the first read, which is recent enough. */
  handleUpdate({ type }: LiveUpdate): void {
    if (type === 'signed_out' || (type === 'connected' && !this.#options.hasRead())) return;
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
    // The view of the data shows the problem.
    await this.#options.read().catch(() => {});
    this.#isReading = false;
    const pauseMs = (performance.now() - startedAt) * PAUSE_FACTOR;
    if (this.#isStale) this.#scheduleRead(Math.max(this.#options.afterMs, pauseMs));
  }
}
