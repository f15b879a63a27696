/**
 * Something of the merchant's has changed; `again`: something may have, for nobody listened meanwhile;
 * `listening`: somebody listens from now on, so that what was read before may be old;
 * `signed_out`: the session is over, and nobody listens any more.
 */
export interface News {
  type: 'changed' | 'again' | 'listening' | 'signed_out';
}

/** As `GET /v1/events/stream` tells it. */
interface LiveState {
  isSignedIn: boolean;
  /** How often something has happened since the stream was opened. */
  changes: number;
}

/** What is outside; replaced in tests. */
export interface LiveWorld {
  open(url: string): EventSource;
  after(delayMs: number, act: () => void): () => void;
  page: Pick<Document, 'addEventListener' | 'visibilityState'>;
}

const POLL_MS = 15_000;
const CLOSED = 2;

/**
 * Hears what happens for one merchant while its pages are looked at. Where no stream comes through, it asks
 * listeners to look for themselves.
 */
export class Live {
  readonly #world: LiveWorld;
  readonly #listeners = new Set<(news: News) => void>();
  #merchant: number | null = null;
  #source: EventSource | null = null;
  #stopPolling: (() => void) | null = null;
  #hasMissed = false;

  constructor(world: LiveWorld) {
    this.#world = world;
    world.page.addEventListener('visibilitychange', () => {
      if (world.page.visibilityState === 'hidden') this.#pause();
      else this.#connect();
    });
  }

  /** Begins to listen for a merchant, or for nobody. */
  follow(merchant: number | null): void {
    if (merchant === this.#merchant) return;
    this.#close();
    this.#hasMissed = false;
    this.#merchant = merchant;
    this.#connect();
  }

  /** The answer ends it. */
  subscribe(listener: (news: News) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Who looks again takes what was missed with it. */
  #pause() {
    if (this.#merchant === null) return;
    this.#hasMissed = true;
    this.#close();
  }

  #close() {
    this.#source?.close();
    this.#source = null;
    this.#stopPolling?.();
    this.#stopPolling = null;
  }

  #connect() {
    if (this.#merchant === null || this.#source !== null || this.#world.page.visibilityState === 'hidden') return;
    const source = this.#world.open(`/v1/events/stream?merchant=${this.#merchant}`);
    this.#source = source;
    let known = 0;
    source.addEventListener('open', () => {
      known = 0;
      this.#stopPolling?.();
      this.#stopPolling = null;
      this.#tell({ type: this.#hasMissed ? 'again' : 'listening' });
      this.#hasMissed = false;
    });
    source.addEventListener('state', (event) => {
      const { isSignedIn, changes } = JSON.parse((event as MessageEvent<string>).data) as LiveState;
      if (!isSignedIn) {
        this.follow(null);
        this.#tell({ type: 'signed_out' });
      } else if (changes !== known) this.#tell({ type: 'changed' });
      known = changes;
    });
    source.addEventListener('error', () => {
      if (source !== this.#source) return;
      this.#hasMissed = true;
      this.#poll();
    });
  }

  #poll() {
    this.#stopPolling ??= this.#world.after(POLL_MS, () => {
      this.#stopPolling = null;
      this.#tell({ type: 'again' });
      if (this.#source?.readyState === CLOSED) {
        this.#source = null;
        this.#connect();
      }
      this.#poll();
    });
  }

  #tell(news: News) {
    for (const listener of this.#listeners) listener(news);
  }
}
