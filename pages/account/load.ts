import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PaylatchError } from '../../client/error.ts';
import { toProblem } from './problems.ts';

/**
 * Data that an element fetches when it is shown. The last value stays while it is fetched again, and where that fails.
 */
export class Loader<T> implements ReactiveController {
  value: T | null = null;
  problem: PaylatchError | null = null;
  isLoading = false;
  /** When `value` came, in milliseconds since the epoch. */
  loadedAt: number | null = null;
  readonly #host: ReactiveControllerHost;
  readonly #fetch: (signal: AbortSignal) => Promise<T>;
  #abortController: AbortController | null = null;
  /** The last that was begun, until it is over in whatever way. */
  #currentRun: Promise<void> | null = null;

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
    this.#abortController?.abort();
  }

  /** Begins anew, with nothing on screen: for another address or another choice. */
  async restart(): Promise<void> {
    this.value = null;
    await this.run();
  }

  /** Fetches; the last one that was asked for counts. */
  async run(): Promise<void> {
    this.#currentRun = this.#run();
    await this.#currentRun;
  }

  /** Fetches again what may have changed. What is on its way comes first: it may be from before that. */
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

  /** Takes what a change was answered with; what is on its way is from before that, and goes nowhere. */
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

/** The rows of a list so far. */
export interface ListRows<Row> {
  rows: readonly Row[];
  hasMore: boolean;
}

type Page<Row> = readonly [rows: readonly Row[], next: string | null];

/** Reads `pages` pages of a list, or all if there are fewer. */
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

/** A list of which the reader asks for more and more pages; all of them are read again together. */
export class ListLoader<Row> extends Loader<ListRows<Row>> {
  #pages = 1;

  constructor(
    host: ReactiveControllerHost,
    readPage: (page: { cursor?: string }, signal: AbortSignal) => Promise<Page<Row>>,
  ) {
    super(host, async (signal) => await readPages(this.#pages, async (page) => await readPage(page, signal)));
  }

  async pageRows(): Promise<void> {
    this.#pages++;
    await this.run();
  }

  /** Reads the first page only: for another filter. */
  resetPages(): void {
    this.#pages = 1;
  }

  override async restart(): Promise<void> {
    this.resetPages();
    await super.restart();
  }
}
