import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type AccountProblem, asProblem } from './api.ts';

/**
 * Something that a page has to fetch before it can show it. What was there stays while it is fetched again,
 * and where that fails.
 */
export class Load<T> implements ReactiveController {
  value: T | null = null;
  problem: AccountProblem | null = null;
  isLoading = false;
  /** When `value` came, in milliseconds since the epoch. */
  loadedAt: number | null = null;
  readonly #host: ReactiveControllerHost;
  readonly #fetch: (signal: AbortSignal) => Promise<T>;
  #running: AbortController | null = null;
  /** The last that was begun, until it is over in whatever way. */
  #current: Promise<void> | null = null;

  constructor(host: ReactiveControllerHost, fetch: (signal: AbortSignal) => Promise<T>) {
    this.#host = host;
    this.#fetch = fetch;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#running?.abort();
  }

  /** Begins anew, with nothing on screen: for another address or another choice. */
  async restart(): Promise<void> {
    this.value = null;
    await this.run();
  }

  /** Fetches; the last one that was asked for counts. */
  async run(): Promise<void> {
    this.#current = this.#run();
    await this.#current;
  }

  /** Fetches again what may have changed. What is on its way comes first: it may be from before that. */
  async refresh(): Promise<void> {
    let waitedFor: Promise<void> | null = null;
    while (waitedFor !== this.#current) {
      waitedFor = this.#current;
      await waitedFor;
    }
    await this.run();
  }

  async #run(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.isLoading = true;
    this.#host.requestUpdate();
    try {
      const value = await this.#fetch(running.signal);
      if (running.signal.aborted) return;
      this.#take(value);
    } catch (error) {
      if (running.signal.aborted) return;
      this.problem = asProblem(error);
    }
    this.isLoading = false;
    this.#host.requestUpdate();
  }

  /** Takes what a change was answered with; what is on its way is from before that, and goes nowhere. */
  set(value: T): void {
    this.#running?.abort();
    this.isLoading = false;
    this.#take(value);
  }

  #take(value: T) {
    this.value = value;
    this.problem = null;
    this.loadedAt = Date.now();
    this.#host.requestUpdate();
  }
}
