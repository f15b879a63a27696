/** Something of the merchant's has changed; `again` where something may have, for nobody listened meanwhile. */
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
    source.addEventListener('news', (event) => {
      const news = newsIn((event as MessageEvent<string>).data);
      if (news) this.#tell(news);
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

function newsIn(data: string): News | null {
  try {
    const { type, id } = JSON.parse(data) as { type?: unknown; id?: unknown };
    if (typeof type !== 'string') return null;
    return { type, id: typeof id === 'string' || typeof id === 'number' ? String(id) : null };
  } catch {
    return null;
  }
}
