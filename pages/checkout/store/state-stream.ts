import type { StateStore, ToldState, ToldView } from './state-store.ts';

/** The members of `EventSource` that are used. */
export type StreamSource = Pick<EventSource, 'readyState' | 'close'> & {
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
};

const CLOSED = 2;
/** Some proxies buffer a response until it ends, and this one does not end. */
const FIRST_WITHIN_MS = 6_000;
/** Two heartbeat intervals and a margin: a connection can die silently. */
const BEAT_WITHIN_MS = 60_000;
/** The browser reconnects by itself, after the server's delay of up to 8 seconds. */
const AGAIN_WITHIN_MS = 20_000;

/**
 * Live updates of a state (SSE), while the page is visible and the state can change. While they work, the store does
 * not poll. If they fail, the store polls, and the stream is retried when the page becomes visible again.
 */
export class StateStream<State extends ToldState, View extends ToldView<State>> {
  readonly #store: StateStore<State, View>;
  readonly #open: () => StreamSource;
  #source: StreamSource | null = null;
  #isWanted = false;
  /** The stream has failed since the page became visible. */
  #isGivenUp = false;
  #callOff = () => {};
  /** When an update arrived during an action of the page and could not be shown; null for none. */
  #missedAtMs: number | null = null;

  constructor(store: StateStore<State, View>, open: () => StreamSource) {
    this.#store = store;
    this.#open = open;
    store.subscribe(() => this.#see());
  }

  /** The page is visible and online. */
  resume() {
    this.#isWanted = true;
    this.#isGivenUp = false;
    this.#see();
  }

  /** The page is hidden or offline. */
  pause() {
    this.#isWanted = false;
    this.#close();
  }

  #see() {
    if (!this.#isWanted || this.#isGivenUp || !this.#store.mayChange) this.#close();
    else if (!this.#source) this.#begin();
    if (this.#missedAtMs === null || !this.#store.takesNews) return;
    // Polls sent after the update already include it.
    const isKnown = this.#store.askedAtMs > this.#missedAtMs;
    this.#missedAtMs = null;
    if (!isKnown) this.#ask();
  }

  #begin() {
    const source = this.#open();
    this.#source = source;
    this.#expect(FIRST_WITHIN_MS, () => this.#giveUp());
    const on = (type: string, act: (event: MessageEvent<string>) => void) =>
      source.addEventListener(type, (event) => {
        if (this.#source === source) act(event);
      });
    on('state', ({ data }) => {
      this.#isAlive();
      this.#take(JSON.parse(data) as State);
    });
    on('beat', () => this.#isAlive());
    on('error', () => {
      if (source.readyState === CLOSED) this.#giveUp();
      else if (this.#store.isTold) {
        this.#store.isTold = false;
        this.#expect(AGAIN_WITHIN_MS, () => this.#giveUp());
      }
    });
  }

  #isAlive() {
    this.#expect(BEAT_WITHIN_MS, () => {
      this.#close();
      // The poll updates the view, which opens another stream.
      this.#ask();
    });
    this.#store.isTold = true;
  }

  #take(state: State) {
    if (!this.#store.takesNews) {
      // The response to the current action comes first. Anything it misses is polled afterwards.
      this.#missedAtMs = this.#store.clock.now();
      this.#ask();
    } else if (state.serverTime < this.#store.view.state.serverTime) {
      // Overtaken on its way, or sent by a server whose clock is behind: a poll decides.
      this.#ask();
    } else {
      this.#store.take(state);
    }
  }

  #ask() {
    void this.#store.refresh();
  }

  #giveUp() {
    this.#isGivenUp = true;
    this.#close();
  }

  #close() {
    this.#callOff();
    this.#source?.close();
    this.#source = null;
    this.#store.isTold = false;
  }

  #expect(withinMs: number, otherwise: () => void) {
    this.#callOff();
    this.#callOff = this.#store.clock.after(withinMs, otherwise);
  }
}

/** Streams the state of a page while it is visible. `path` is the page's path, `/p/ID`. */
export function streamStates<State extends ToldState, View extends ToldView<State>>(
  store: StateStore<State, View>,
  path: string,
) {
  if (!('EventSource' in globalThis)) return;
  const stream = new StateStream(store, () => new EventSource(`${path}/events`));
  const follow = () => {
    if (document.hidden || !navigator.onLine) stream.pause();
    else stream.resume();
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  // Browsers don't cache a page with an open connection for back/forward navigation.
  addEventListener('pagehide', () => stream.pause());
  addEventListener('pageshow', follow);
  addEventListener('online', follow);
  addEventListener('offline', follow);
}
