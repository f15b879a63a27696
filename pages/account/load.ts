import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PaylatchError } from '../../client/error.ts';
import { asProblem } from './problems.ts';

/**
 * Data that an element fetches when it is shown. The last value stays while it is fetched again, and where that fails.
 */
export class Load<T> implements ReactiveController {
  value: T | null = null;
  problem: PaylatchError | null = null;
  isLoading = false;
  /** When `value` came, in milliseconds since the epoch. */
  loadedAt: number | null = null;
  readonly #host: ReactiveControllerHost;
  readonly #fetch: (signal: AbortSignal) => Promise<T>;
  #running: AbortController | null = null;
  /** The last that was begun, until it is over in whatever way. */
  #current: Promise<void> | null = null;

  /** The host runs it by itself. */
  readonly #isManual: boolean;

  constructor(host: ReactiveControllerHost, fetch: (signal: AbortSignal) => Promise<T>, isManual = false) {
    this.#host = host;
    this.#fetch = fetch;
    this.#isManual = isManual;
    host.addController(this);
  }

  hostConnected(): void {
    if (!this.#isManual) void this.run();
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

/** The rows of a list so far. */
export interface Rows<Row> {
  rows: readonly Row[];
  hasMore: boolean;
}

type Page<Row> = readonly [rows: readonly Row[], next: string | null];

/** Reads `pages` pages of a list, or all if there are fewer. */
export async function readPages<Row>(
  pages: number,
  readPage: (from: { cursor?: string }) => Promise<Page<Row>>,
): Promise<Rows<Row>> {
  let [rows, next] = await readPage({});
  for (let page = 1; page < pages && next !== null; page++) {
    const [more, after] = await readPage({ cursor: next });
    [rows, next] = [[...rows, ...more], after];
  }
  return { rows, hasMore: next !== null };
}

/** A list of which the reader asks for more and more pages; all of them are read again together. */
export class ListLoad<Row> extends Load<Rows<Row>> {
  #pages = 1;

  constructor(
    host: ReactiveControllerHost,
    readPage: (from: { cursor?: string }, signal: AbortSignal) => Promise<Page<Row>>,
  ) {
    super(host, async (signal) => await readPages(this.#pages, async (from) => await readPage(from, signal)));
  }

  async more(): Promise<void> {
    this.#pages++;
    await this.run();
  }

  /** Reads the first page only: for another filter. */
  first(): void {
    this.#pages = 1;
  }

  override async restart(): Promise<void> {
    this.first();
    await super.restart();
  }
}
