import type { StateStore, ToldState, ToldView } from './state-store.ts';

/** The part of an `EventSource` that is used. */
export type StreamSource = Pick<EventSource, 'readyState' | 'close'> & {
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
};

const CLOSED = 2;
/** Some proxies keep back an answer until it has ended, which this one does not. */
const FIRST_WITHIN_MS = 6_000;
/** Two heartbeats of the server and some: a connection can die without a word. */
const BEAT_WITHIN_MS = 60_000;
/** The browser opens anew what has ended, after the pause of up to 8 seconds that the server asked for. */
const AGAIN_WITHIN_MS = 20_000;

/**
 * Hears from the server what becomes of a state, for as long as the page is seen and something can
 * change. While that works the store asks nothing; where it does not, the store asks as it always
 * could, and the stream is tried again when the page comes back.
 */
export class StateStream<State extends ToldState, View extends ToldView<State>> {
  readonly #store: StateStore<State, View>;
  readonly #open: () => StreamSource;
  #source: StreamSource | null = null;
  #isWanted = false;
  /** The stream does not work here and now. */
  #isGivenUp = false;
  #callOff = () => {};
  /** When news came that could not be shown, because the page was busy; null when there was none. */
  #missedAtMs: number | null = null;

  constructor(store: StateStore<State, View>, open: () => StreamSource) {
    this.#store = store;
    this.#open = open;
    store.subscribe(() => this.#see());
  }

  /** The page is seen and online. */
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
    // What was asked after the news came has it in its answer.
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
      // Whatever comes of it is seen, and then another stream is opened.
      this.#ask();
    });
    this.#store.isTold = true;
  }

  #take(state: State) {
    if (!this.#store.takesNews) {
      // The answer to what the page is doing is the news; what it does not tell is asked for afterwards.
      this.#missedAtMs = this.#store.clock.now();
      this.#ask();
    } else if (state.serverTime < this.#store.view.state.serverTime) {
      // Overtaken on its way, or told by a process whose clock is behind: a question settles it.
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

/** Follows the state of a page by a stream while the page is seen. `path` is the page's own, `/p/ID`. */
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
  // A page with an open connection is not kept in the browser's memory.
  addEventListener('pagehide', () => stream.pause());
  addEventListener('pageshow', follow);
  addEventListener('online', follow);
  addEventListener('offline', follow);
}
