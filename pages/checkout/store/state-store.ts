import type { Clock } from '../elements/clock.ts';
import type { RequestResult } from './request-json.ts';
import { StatePoller } from './state-poller.ts';

/** A state that the server determines. */
export interface PolledState {
  /** ISO 8601, UTC. */
  serverTime: string;
  /** Time until the next poll; null if the state is final. */
  pollAfterMs: number | null;
}

/** A page's view of that state. */
export interface StateView<State extends PolledState> {
  readonly state: State;
  readonly isOffline: boolean;
}

/** Poll interval if the server sets none or is unreachable. */
export const DEFAULT_POLL_MS = 2000;

/**
 * Holds the view of a page whose state the server determines. It polls while the state can change and there are no live
 * updates. Subscribers receive each new view.
 */
export abstract class StateStore<State extends PolledState, View extends StateView<State>> {
  readonly clock: Clock;
  #view: View;
  readonly #listeners = new Set<(view: View) => void>();
  readonly #poller: StatePoller;
  #pendingPoll: Promise<boolean> | null = null;
  /** Counts the page's own actions. Responses to polls from before an action are outdated. */
  #actionCount = 0;
  #polledAtMs = Number.NEGATIVE_INFINITY;
  #isLive = false;

  constructor(view: View, clock: Clock, random: () => number) {
    this.clock = clock;
    this.#view = view;
    this.#poller = new StatePoller({ clock, random, poll: () => void this.refresh() });
  }

  /** False while the page runs an action, whose response contains the next state. */
  abstract readonly canUpdate: boolean;

  /** Reads the state. */
  abstract refresh(): Promise<void>;

  protected abstract fetchState(): Promise<RequestResult<State>>;

  /** Time until the next poll; null for none. */
  protected abstract nextPollMs(): number | null;

  get view(): View {
    return this.#view;
  }

  /** The state can still change. */
  get canChange(): boolean {
    return this.view.state.pollAfterMs !== null;
  }

  /** Calls `listener` with each new view. Returns a function that unsubscribes. */
  subscribe(listener: (view: View) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts polling at the interval that the state needs. */
  start() {
    this.#poller.schedule(this.nextPollMs(), true);
  }

  /** For the stream: true while live updates arrive, during which the store does not poll. */
  get isLive(): boolean {
    return this.#isLive;
  }

  set isLive(isLive: boolean) {
    if (isLive === this.#isLive) return;
    this.#isLive = isLive;
    this.start();
  }

  /** For the stream: applies a state from a live update. Pending polls are older and discarded. */
  push(state: State) {
    this.#discardPendingPoll();
    this.apply(state);
  }

  /** Stops polling while the page is hidden. */
  pause() {
    this.#poller.pause();
  }

  /** The page is visible, restored from the back/forward cache, or online again: reads the state. */
  async resume() {
    this.#poller.resume();
    await this.refresh();
  }

  /** Time when the latest poll with a response was sent. Its response cannot contain later changes. */
  get polledAtMs(): number {
    return this.#polledAtMs;
  }

  /** Changes the view. */
  patch(change: Partial<View>) {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener(this.#view);
  }

  /** Marks the start of an action, which makes earlier polls outdated. */
  startAction(change: Partial<View>) {
    this.#discardPendingPoll();
    this.#poller.schedule(null, true);
    this.patch(change);
  }

  #discardPendingPoll() {
    this.#actionCount++;
    this.#pendingPoll = null;
  }

  /** Applies a state from the server and the related view changes. After a change, the next poll runs sooner. */
  apply(state: State, change: Partial<View> = {}, isChange = true) {
    this.patch({ state, isOffline: false, ...change });
    this.#poller.schedule(this.nextPollMs(), isChange);
  }

  /** Polls the state, one request at a time; false if it could not be read. */
  poll(): Promise<boolean> {
    this.#pendingPoll ??= this.#pollOnce(this.#actionCount);
    return this.#pendingPoll;
  }

  async #pollOnce(actionCount: number): Promise<boolean> {
    const polledAtMs = this.clock.now();
    const result = await this.fetchState();
    if (actionCount !== this.#actionCount) return false;
    this.#pendingPoll = null;
    if (result.kind !== 'done') {
      this.patch({ isOffline: result.kind === 'lost' } as Partial<View>);
      this.#poller.schedule(this.nextPollMs(), false);
      return false;
    }
    this.#polledAtMs = polledAtMs;
    this.apply(result.body);
    return true;
  }
}
