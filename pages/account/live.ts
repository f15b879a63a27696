/**
 * Something of the merchant's has changed; `again`: something may have, for nobody listened meanwhile;
 * `listening`: somebody listens from now on, so that what was read before may be old;
 * `signed_out`: the session is over, and nobody listens any more.
 */
export interface LiveUpdate {
  type: 'changed' | 'again' | 'listening' | 'signed_out';
}

/** As `GET /v1/events/stream` tells it. */
interface LiveState {
  isSignedIn: boolean;
  /** How often something has happened since the stream was opened. */
  changes: number;
}

/** What is outside; replaced in tests. */
export interface LiveEnvironment {
  openStream(url: string): EventSource;
  schedule(delayMs: number, callback: () => void): () => void;
  page: Pick<Document, 'addEventListener' | 'visibilityState'>;
}

const POLL_MS = 15_000;
const CLOSED = 2;

/**
 * Hears what happens for one merchant while its pages are looked at. Where no stream comes through, it asks
 * listeners to look for themselves.
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

  /** Begins to listen for a merchant, or for nobody. */
  switchMerchant(merchant: number | null): void {
    if (merchant === this.#merchant) return;
    this.#close();
    this.#hasMissedUpdates = false;
    this.#merchant = merchant;
    this.#connect();
  }

  /** The answer ends it. */
  subscribe(listener: (update: LiveUpdate) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Who looks again takes what was missed with it. */
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
      this.#notify({ type: this.#hasMissedUpdates ? 'again' : 'listening' });
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
      this.#notify({ type: 'again' });
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
