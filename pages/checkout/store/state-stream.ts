import type { StateStore, PolledState, StateView } from './state-store.ts';

/** The members of `EventSource` that are used. */
export type StreamSource = Pick<EventSource, 'readyState' | 'close'> & {
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
};

const CLOSED = 2;
/** Some proxies buffer a response until it ends, and this one does not end. */
const FIRST_EVENT_TIMEOUT_MS = 6_000;
/** Two heartbeat intervals and a margin: a connection can die silently. */
const HEARTBEAT_TIMEOUT_MS = 60_000;
/** The browser reconnects automatically, after the server's delay of up to 8 seconds. */
const RECONNECT_TIMEOUT_MS = 20_000;

/**
 * Live updates of a state (SSE), while the page is visible and the state can change. While they work, the store does
 * not poll. If they fail, the store polls, and the stream is retried when the page becomes visible again.
 */
export class StateStream<State extends PolledState, View extends StateView<State>> {
  readonly #store: StateStore<State, View>;
  readonly #open: () => StreamSource;
  #source: StreamSource | null = null;
  #isActive = false;
  /** The stream has failed since the page became visible. */
  #hasFailed = false;
  #cancelTimeout = () => {};
  /** Arrival time of an update that could not be shown during an action of the page; null for none. */
  #missedUpdateAtMs: number | null = null;

  constructor(store: StateStore<State, View>, open: () => StreamSource) {
    this.#store = store;
    this.#open = open;
    store.subscribe(() => this.#update());
  }

  /** The page is visible and online. */
  resume() {
    this.#isActive = true;
    this.#hasFailed = false;
    this.#update();
  }

  /** The page is hidden or offline. */
  pause() {
    this.#isActive = false;
    this.#close();
  }

  #update() {
    if (!this.#isActive || this.#hasFailed || !this.#store.canChange) this.#close();
    else if (!this.#source) this.#connect();
    if (this.#missedUpdateAtMs === null || !this.#store.canUpdate) return;
    // Polls sent after the update already include it.
    const isIncluded = this.#store.polledAtMs > this.#missedUpdateAtMs;
    this.#missedUpdateAtMs = null;
    if (!isIncluded) this.#poll();
  }

  #connect() {
    const source = this.#open();
    this.#source = source;
    this.#startTimeout(FIRST_EVENT_TIMEOUT_MS, () => this.#fail());
    const on = (type: string, act: (event: MessageEvent<string>) => void) =>
      source.addEventListener(type, (event) => {
        if (this.#source === source) act(event);
      });
    on('state', ({ data }) => {
      this.#onHeartbeat();
      this.#onState(JSON.parse(data) as State);
    });
    on('beat', () => this.#onHeartbeat());
    on('error', () => {
      if (source.readyState === CLOSED) this.#fail();
      else if (this.#store.isLive) {
        this.#store.isLive = false;
        this.#startTimeout(RECONNECT_TIMEOUT_MS, () => this.#fail());
      }
    });
  }

  #onHeartbeat() {
    this.#startTimeout(HEARTBEAT_TIMEOUT_MS, () => {
      this.#close();
      // The poll updates the view, which opens another stream.
      this.#poll();
    });
    this.#store.isLive = true;
  }

  #onState(state: State) {
    if (!this.#store.canUpdate) {
      // The response to the current action comes first. Anything it misses is polled afterward.
      this.#missedUpdateAtMs = this.#store.clock.now();
      this.#poll();
    } else if (state.serverTime < this.#store.view.state.serverTime) {
      // Arrived late, or sent by a server whose clock is behind: poll the current state.
      this.#poll();
    } else {
      this.#store.push(state);
    }
  }

  #poll() {
    void this.#store.refresh();
  }

  #fail() {
    this.#hasFailed = true;
    this.#close();
  }

  #close() {
    this.#cancelTimeout();
    this.#source?.close();
    this.#source = null;
    this.#store.isLive = false;
  }

  #startTimeout(timeoutMs: number, onTimeout: () => void) {
    this.#cancelTimeout();
    this.#cancelTimeout = this.#store.clock.after(timeoutMs, onTimeout);
  }
}

/** Streams the state of a page while it is visible. `path` is the page's path, `/p/ID`. */
export function streamStates<State extends PolledState, View extends StateView<State>>(
  store: StateStore<State, View>,
  path: string,
) {
  if (!('EventSource' in globalThis)) return;
  const stream = new StateStream(store, () => new EventSource(`${path}/events`));
  const update = () => {
    if (document.hidden || !navigator.onLine) stream.pause();
    else stream.resume();
  };
  update();
  document.addEventListener('visibilitychange', update);
  // Browsers don't cache a page with an open connection for back/forward navigation.
  addEventListener('pagehide', () => stream.pause());
  addEventListener('pageshow', update);
  addEventListener('online', update);
  addEventListener('offline', update);
}
