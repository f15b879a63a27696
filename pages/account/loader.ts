import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PaylatchError } from '../../client/error.ts';
import { toProblem } from './problems.ts';

/** Fetches data when its element is connected. The last value remains during a refetch and after a failed one. */
export class Loader<T> implements ReactiveController {
  value: T | null = null;
  problem: PaylatchError | null = null;
  isLoading = false;
  /** Time when `value` was loaded, in milliseconds since the epoch. */
  loadedAt: number | null = null;
  readonly #host: ReactiveControllerHost;
  readonly #fetch: (signal: AbortSignal) => Promise<T>;
  #abortController: AbortController | null = null;
  /** The latest run, until it succeeds, fails or is aborted. */
  #currentRun: Promise<void> | null = null;

  /** The host calls `run()`; connecting does not. */
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
    this.#abortController?.abort();
  }

  /** Discards the value and loads again, for another URL or filter. */
  async restart(): Promise<void> {
    this.value = null;
    await this.run();
  }

  /** Loads the data; a later run replaces this one. */
  async run(): Promise<void> {
    this.#currentRun = this.#run();
    await this.#currentRun;
  }

  /** Loads again after a change. Waits for the current run first, which may have read the state before the change. */
  async refresh(): Promise<void> {
    let awaitedRun: Promise<void> | null = null;
    while (awaitedRun !== this.#currentRun) {
      awaitedRun = this.#currentRun;
      await awaitedRun;
    }
    await this.run();
  }

  async #run(): Promise<void> {
    this.#abortController?.abort();
    const abortController = new AbortController();
    this.#abortController = abortController;
    this.isLoading = true;
    this.#host.requestUpdate();
    try {
      const value = await this.#fetch(abortController.signal);
      if (abortController.signal.aborted) return;
      this.#setValue(value);
    } catch (error) {
      if (abortController.signal.aborted) return;
      this.problem = toProblem(error);
    }
    this.isLoading = false;
    this.#host.requestUpdate();
  }

  /** Sets the value from the response to a change, and aborts the current run, which may be older. */
  set(value: T): void {
    this.#abortController?.abort();
    this.isLoading = false;
    this.#setValue(value);
  }

  #setValue(value: T) {
    this.value = value;
    this.problem = null;
    this.loadedAt = Date.now();
    this.#host.requestUpdate();
  }
}

/** The loaded rows of a list. */
export interface ListRows<Row> {
  rows: readonly Row[];
  hasMore: boolean;
}

type Page<Row> = readonly [rows: readonly Row[], next: string | null];

/** Reads up to `pages` pages of a list. */
export async function readPages<Row>(
  pages: number,
  readPage: (page: { cursor?: string }) => Promise<Page<Row>>,
): Promise<ListRows<Row>> {
  let [rows, cursor] = await readPage({});
  for (let page = 1; page < pages && cursor !== null; page++) {
    const [pageRows, nextCursor] = await readPage({ cursor });
    [rows, cursor] = [[...rows, ...pageRows], nextCursor];
  }
  return { rows, hasMore: cursor !== null };
}

/** Loads a paginated list. A refresh reads all loaded pages again. */
export class ListLoader<Row> extends Loader<ListRows<Row>> {
  #pages = 1;

  constructor(
    host: ReactiveControllerHost,
    readPage: (page: { cursor?: string }, signal: AbortSignal) => Promise<Page<Row>>,
  ) {
    super(host, async (signal) => await readPages(this.#pages, async (page) => await readPage(page, signal)));
  }

  async loadMore(): Promise<void> {
    this.#pages++;
    await this.run();
  }

  /** Returns to the first page, for another filter. */
  resetPages(): void {
    this.#pages = 1;
  }

  override async restart(): Promise<void> {
    this.resetPages();
    await super.restart();
  }
}
