import type { Clock } from '../elements/clock.ts';
import type { Answer } from './ask.ts';
import { StateFollower } from './state-follower.ts';

/** A state that the server decides. */
export interface ToldState {
  /** ISO 8601, UTC. */
  serverTime: string;
  /** Time until the next poll; null if the state is final. */
  pollAfterMs: number | null;
}

/** A page's view of that state. */
export interface ToldView<State extends ToldState> {
  readonly state: State;
  readonly isOffline: boolean;
}

/** Poll interval if the server sets none or is unreachable. */
export const ASK_AGAIN_AFTER_MS = 2000;

/**
 * Holds the view of a page whose state the server decides. It polls while the state can change and there are no live
 * updates. Subscribers receive each new view.
 */
export abstract class StateStore<State extends ToldState, View extends ToldView<State>> {
  readonly clock: Clock;
  #view: View;
  readonly #listeners = new Set<(view: View) => void>();
  readonly #follower: StateFollower;
  #question: Promise<boolean> | null = null;
  /** Counts the page's own actions. Responses to polls from before an action are outdated. */
  #deeds = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #isTold = false;

  constructor(view: View, clock: Clock, random: () => number) {
    this.clock = clock;
    this.#view = view;
    this.#follower = new StateFollower({ clock, random, ask: () => void this.refresh() });
  }

  /** The state can still change. */
  abstract readonly mayChange: boolean;

  /** False while the page runs an action, whose response contains the next state. */
  abstract readonly takesNews: boolean;

  /** Reads the state. */
  abstract refresh(): Promise<void>;

  protected abstract read(): Promise<Answer<State>>;

  /** Time until the next poll; null for none. */
  protected abstract askAgainAfterMs(): number | null;

  get view(): View {
    return this.#view;
  }

  /** Calls `listener` with each new view. Returns a function that unsubscribes. */
  subscribe(listener: (view: View) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts polling at the interval that the state needs. */
  start() {
    this.#follower.follow(this.askAgainAfterMs(), true);
  }

  /** For the stream: true while live updates arrive, during which the store does not poll. */
  get isTold(): boolean {
    return this.#isTold;
  }

  set isTold(isTold: boolean) {
    if (isTold === this.#isTold) return;
    this.#isTold = isTold;
    this.start();
  }

  /** For the stream: applies a state from a live update. Pending polls are older and discarded. */
  take(state: State) {
    this.#outdate();
    this.adopt(state);
  }

  /** Stops polling while the page is hidden. */
  pause() {
    this.#follower.pause();
  }

  /** The page is visible, restored from the back/forward cache, or online again: reads the state. */
  async resume() {
    this.#follower.resume();
    await this.refresh();
  }

  /** When the latest answered poll was sent. Its response cannot contain later changes. */
  get askedAtMs(): number {
    return this.#askedAtMs;
  }

  /** Changes the view. */
  patch(change: Partial<View>) {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener(this.#view);
  }

  /** Marks the start of an action, which makes earlier polls outdated. */
  beginDeed(change: Partial<View>) {
    this.#outdate();
    this.#follower.follow(null, true);
    this.patch(change);
  }

  #outdate() {
    this.#deeds++;
    this.#question = null;
  }

  /** Applies a state of the server and related changes of the view. After a change, the next poll comes sooner. */
  adopt(state: State, change: Partial<View> = {}, isNews = true) {
    this.patch({ state, isOffline: false, ...change });
    this.#follower.follow(this.askAgainAfterMs(), isNews);
  }

  /** Polls the state, one request at a time; false if it could not be read. */
  ask(): Promise<boolean> {
    this.#question ??= this.#askOnce(this.#deeds);
    return this.#question;
  }

  async #askOnce(deeds: number): Promise<boolean> {
    const askedAtMs = this.clock.now();
    const answer = await this.read();
    if (deeds !== this.#deeds) return false;
    this.#question = null;
    if (answer.kind !== 'done') {
      this.patch({ isOffline: answer.kind === 'lost' } as Partial<View>);
      this.#follower.follow(this.askAgainAfterMs(), false);
      return false;
    }
    this.#askedAtMs = askedAtMs;
    this.adopt(answer.body);
    return true;
  }
}
