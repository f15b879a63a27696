import type { Clock } from '../elements/clock.ts';
import type { Answer } from './ask.ts';
import { StateFollower } from './state-follower.ts';

/** A state that the server decides, as it tells it. */
export interface ToldState {
  /** ISO 8601, UTC. */
  serverTime: string;
  /** How long to wait before it is asked for again; null when nothing can change any more. */
  pollAfterMs: number | null;
}

/** What a page shows of it. */
export interface ToldView<State extends ToldState> {
  readonly state: State;
  readonly isOffline: boolean;
}

/** How long to wait between questions when the server does not say, or cannot be reached. */
export const ASK_AGAIN_AFTER_MS = 2000;

/**
 * Holds the one view of a page whose state the server decides: asks for the state for as long as it may
 * change, unless it is told of changes, and shows each new view to whoever has subscribed.
 */
export abstract class StateStore<State extends ToldState, View extends ToldView<State>> {
  readonly clock: Clock;
  #view: View;
  readonly #listeners = new Set<(view: View) => void>();
  readonly #follower: StateFollower;
  #question: Promise<boolean> | null = null;
  /** Counts what this page has done: an answer to a question from before is out of date. */
  #deeds = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #isTold = false;

  constructor(view: View, clock: Clock, random: () => number) {
    this.clock = clock;
    this.#view = view;
    this.#follower = new StateFollower({ clock, random, ask: () => void this.refresh() });
  }

  /** Whether something can still happen that the page has to show. */
  abstract readonly mayChange: boolean;

  /** False while the page does something itself, whose answer will be the news. */
  abstract readonly takesNews: boolean;

  /** Looks what has happened. */
  abstract refresh(): Promise<void>;

  protected abstract read(): Promise<Answer<State>>;

  /** How long the next question waits; null where none is asked. */
  protected abstract askAgainAfterMs(): number | null;

  get view(): View {
    return this.#view;
  }

  /** Calls `listener` with each new view; the answer ends it. */
  subscribe(listener: (view: View) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins to follow the state, as often as it now needs. */
  start() {
    this.#follower.follow(this.askAgainAfterMs(), true);
  }

  /** For the stream: while the server tells of changes by itself, nothing is asked. */
  get isTold(): boolean {
    return this.#isTold;
  }

  set isTold(isTold: boolean) {
    if (isTold === this.#isTold) return;
    this.#isTold = isTold;
    this.start();
  }

  /** For the stream: takes a state that the server has told; questions that are still open are from before it. */
  take(state: State) {
    this.#outdate();
    this.adopt(state);
  }

  /** The page was hidden: it asks nothing until it is back. */
  pause() {
    this.#follower.pause();
  }

  /** The page is seen again, is back from the browser's memory, or online: what has happened meanwhile? */
  async resume() {
    this.#follower.resume();
    await this.refresh();
  }

  /** When the latest answered question was asked: what has happened since is not in its answer. */
  get askedAtMs(): number {
    return this.#askedAtMs;
  }

  /** Changes the view. */
  patch(change: Partial<View>) {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener(this.#view);
  }

  /** Marks the begin of something that makes earlier questions out of date. */
  beginDeed(change: Partial<View>) {
    this.#outdate();
    this.#follower.follow(null, true);
    this.patch(change);
  }

  #outdate() {
    this.#deeds++;
    this.#question = null;
  }

  /** Takes a state of the server, together with what it changes in the view; after news the next question comes sooner. */
  adopt(state: State, change: Partial<View> = {}, isNews = true) {
    this.patch({ state, isOffline: false, ...change });
    this.#follower.follow(this.askAgainAfterMs(), isNews);
  }

  /** Asks the server for the state, one question at a time; false when it could not be had. */
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
