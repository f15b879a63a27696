/** Something of the merchant's has changed; `again` where it is not told what. */
export interface News {
  /** As events of the API name it, `transaction.confirmed`; or `again`. */
  type: string;
  id: string | null;
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
    source.addEventListener('open', () => {
      this.#stopPolling?.();
      this.#stopPolling = null;
      if (this.#hasMissed) this.#tell({ type: 'again', id: null });
      this.#hasMissed = false;
    });
    source.addEventListener('state', (event) => {
      if (hasNews((event as MessageEvent<string>).data)) this.#tell({ type: 'again', id: null });
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
      this.#tell({ type: 'again', id: null });
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

/** The first state of a stream only says that it is open; `changes` rises with each event of the merchant after it. */
function hasNews(data: string): boolean {
  try {
    const { changes, isSignedIn } = JSON.parse(data) as { changes?: unknown; isSignedIn?: unknown };
    return isSignedIn === false || (typeof changes === 'number' && changes > 0);
  } catch {
    return false;
  }
}
