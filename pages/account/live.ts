/**
 * - `changed`: data of the merchant changed
 * - `missed`: changes may have been missed while the stream was down
 * - `connected`: the stream opened; data from before may be stale
 * - `signed_out`: the session ended, and the stream with it
 */
export interface LiveUpdate {
  type: 'changed' | 'missed' | 'connected' | 'signed_out';
}

/** A `state` event of `GET /v1/events/stream`. */
interface LiveState {
  isSignedIn: boolean;
  /** Number of changes since the stream was opened. */
  changes: number;
}

/** Browser APIs; replaced in tests. */
export interface LiveEnvironment {
  openStream(url: string): EventSource;
  schedule(delayMs: number, callback: () => void): () => void;
  page: Pick<Document, 'addEventListener' | 'visibilityState'>;
}

const POLL_MS = 15_000;
const CLOSED = 2;

/**
 * Live updates (SSE) of one merchant while the page is visible. While the stream is down, a timer notifies
 * listeners instead.
 */
export class LiveUpdates {
  readonly #environment: LiveEnvironment;
  readonly #listeners = new Set<(update: LiveUpdate) => void>();
  #merchant: number | null = null;
  #source: EventSource | null = null;
  #stopPolling: (() => void) | null = null;
  #hasMissedUpdates = false;

  constructor(environment: LiveEnvironment) {
    this.#environment = environment;
    environment.page.addEventListener('visibilitychange', () => {
      if (environment.page.visibilityState === 'hidden') this.#disconnect();
      else this.#connect();
    });
  }

  /** Connects to the stream of a merchant; null disconnects. */
  switchMerchant(merchant: number | null): void {
    if (merchant === this.#merchant) return;
    this.#close();
    this.#hasMissedUpdates = false;
    this.#merchant = merchant;
    this.#connect();
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: (update: LiveUpdate) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Disconnects a hidden page; reconnecting reports missed changes. */
  #disconnect() {
    if (this.#merchant === null) return;
    this.#hasMissedUpdates = true;
    this.#close();
  }

  #close() {
    this.#source?.close();
    this.#source = null;
    this.#stopPolling?.();
    this.#stopPolling = null;
  }

  #connect() {
    if (this.#merchant === null || this.#source !== null || this.#environment.page.visibilityState === 'hidden') return;
    const source = this.#environment.openStream(`/v1/events/stream?merchant=${this.#merchant}`);
    this.#source = source;
    let lastChanges = 0;
    source.addEventListener('open', () => {
      lastChanges = 0;
      this.#stopPolling?.();
      this.#stopPolling = null;
      this.#notify({ type: this.#hasMissedUpdates ? 'missed' : 'connected' });
      this.#hasMissedUpdates = false;
    });
    source.addEventListener('state', (event) => {
      const { isSignedIn, changes } = JSON.parse((event as MessageEvent<string>).data) as LiveState;
      if (!isSignedIn) {
        this.switchMerchant(null);
        this.#notify({ type: 'signed_out' });
      } else if (changes !== lastChanges) this.#notify({ type: 'changed' });
      lastChanges = changes;
    });
    source.addEventListener('error', () => {
      if (source !== this.#source) return;
      this.#hasMissedUpdates = true;
      this.#poll();
    });
  }

  #poll() {
    this.#stopPolling ??= this.#environment.schedule(POLL_MS, () => {
      this.#stopPolling = null;
      this.#notify({ type: 'missed' });
      if (this.#source?.readyState === CLOSED) {
        this.#source = null;
        this.#connect();
      }
      this.#poll();
    });
  }

  #notify(update: LiveUpdate) {
    for (const listener of this.#listeners) listener(update);
  }
}
