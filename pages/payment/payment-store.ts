import type { PageDocument, PageState } from '../../src/contract/page-state.ts';
import type { Clock } from '../elements/clock.ts';
import { firstView, type PageView, timeMatters, timesOf } from './page-view.ts';
import type { PaymentApi } from './payment-api.ts';
import { type BeginMethodRequest, carryOut, type PageRequest } from './requests.ts';
import { StateFollower } from './state-follower.ts';

/** Everything outside the page that the store needs; replaced in tests. */
export interface PageWorld {
  clock: Clock;
  random(): number;
  api: PaymentApi;
  /** Takes the browser to another page; a page in a frame has nowhere to go. */
  leave?(address: string): void;
  /** Begins a method that is no card; there where such methods are offered. */
  beginMethod?(store: PaymentStore, request: BeginMethodRequest): Promise<void>;
  /** Shows the bank's confirmation without leaving; without this the browser goes there. */
  showChallenge?(address: string): void;
}

/** How long to wait between questions when the server does not say, or cannot be reached. */
const ASK_AGAIN_AFTER_MS = 2000;
/** With the follower's growth these are questions about 2, 5 and 10 seconds after an answer was lost. */
const ASK_AFTER_LOSS_MS = 2300;
/** How long something that seemed to have come to nothing may still arrive: longer than a request lives. */
const WATCHED_FOR_MS = 120_000;

/**
 * Holds the one view of the link page. Requests come in, the state comes back from the server, and
 * whoever has subscribed is shown each new view. How a request is carried out stands in
 * `requests.ts`, how a phase is shown in `phase-displays.ts`.
 */
export class PaymentStore {
  readonly world: PageWorld;
  #view: PageView;
  readonly #listeners = new Set<(view: PageView) => void>();
  readonly #follower: StateFollower;
  #question: Promise<boolean> | null = null;
  /** Counts what this page has done: an answer to a question from before is out of date. */
  #deeds = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #watchedUntilMs = Number.NEGATIVE_INFINITY;
  #isTold = false;

  /**
   * `readAtMs` is the moment of the world's clock at which the server's state was fresh, `drawn` what
   * the page was drawn for besides.
   */
  constructor(
    state: PageState,
    world: PageWorld,
    readAtMs = world.clock.now(),
    drawn: Partial<Pick<PageDocument, 'submitted' | 'isBack'>> = {},
  ) {
    this.world = world;
    this.#view = firstView(state, readAtMs, drawn);
    this.#follower = new StateFollower({
      clock: world.clock,
      random: () => world.random(),
      ask: () => void this.dispatch({ type: 'refresh' }),
    });
  }

  get view(): PageView {
    return this.#view;
  }

  /** Calls `listener` with each new view; the answer ends it. */
  subscribe(listener: (view: PageView) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispatch(request: PageRequest): Promise<void> {
    return carryOut(this, request);
  }

  /** Begins to follow the payment, as often as it now needs. */
  start() {
    this.#follower.follow(this.#askAgainAfterMs, true);
  }

  /** For requests: goes on asking for a while although nothing seems to be under way. */
  watch() {
    this.#watchedUntilMs = this.world.clock.now() + WATCHED_FOR_MS;
    this.start();
  }

  /** How long the next question waits; null in a phase that cannot change by itself. */
  get #askAgainAfterMs(): number | null {
    const { state, activity, isOffline, deadlineMs } = this.#view;
    // What was lost on its way is asked for all the same: nobody tells of what has not arrived.
    if (this.#isTold && activity !== 'asking' && !isOffline) return null;
    if (state.pollAfterMs !== null) return state.pollAfterMs;
    if (activity === 'asking') return ASK_AFTER_LOSS_MS;
    const nowMs = this.world.clock.now();
    const mayEnd = timeMatters(state) && (deadlineMs <= nowMs || nowMs < this.#watchedUntilMs);
    return mayEnd || isOffline ? ASK_AGAIN_AFTER_MS : null;
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
  take(state: PageState) {
    this.#deeds++;
    this.#question = null;
    this.adopt(state);
  }

  /** The page was hidden: it asks nothing until it is back. */
  pause() {
    this.#follower.pause();
  }

  /** The page is seen again, is back from the browser's memory, or online: what has happened meanwhile? */
  async resume() {
    this.#follower.resume();
    if (this.#view.activity === 'leaving') this.patch({ activity: 'idle' });
    await this.dispatch({ type: 'refresh' });
  }

  /** The server's time now, for what must not depend on the phone's own. */
  readonly serverNowMs = (): number => this.world.clock.now() + this.#view.serverAheadMs;

  /** When the latest answered question was asked: what has happened since is not in its answer. */
  get askedAtMs(): number {
    return this.#askedAtMs;
  }

  /** For requests: changes the view. */
  patch(change: Partial<PageView>) {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener(this.#view);
  }

  /** For requests: marks the begin of something that makes earlier questions out of date. */
  beginDeed(change: Partial<PageView>) {
    this.#deeds++;
    this.#question = null;
    this.#follower.follow(null, true);
    this.patch(change);
  }

  /** For requests: takes a state of the server, together with what it changes in the view. */
  adopt(state: PageState, change: Partial<PageView> = {}) {
    const before = this.#view.state;
    const isNewPhase = before.phase !== state.phase;
    const isNews = isNewPhase || before.attemptsLeft !== state.attemptsLeft || before.begun?.code !== state.begun?.code;
    this.patch({
      state,
      isOffline: false,
      ...timesOf(state, this.world.clock.now()),
      ...(isNews ? { problem: null, fieldProblems: [] } : {}),
      ...(isNewPhase && state.phase === 'paid' ? { sawPayment: true } : {}),
      ...change,
    });
    this.#follower.follow(this.#askAgainAfterMs, isNews);
  }

  /** For requests: asks the server for the state, one question at a time; false when it could not be had. */
  ask(): Promise<boolean> {
    this.#question ??= this.#askOnce(this.#deeds);
    return this.#question;
  }

  async #askOnce(deeds: number): Promise<boolean> {
    const askedAtMs = this.world.clock.now();
    const answer = await this.world.api.readState();
    if (deeds !== this.#deeds) return false;
    this.#question = null;
    if (answer.kind !== 'done') {
      this.patch({ isOffline: answer.kind === 'lost' });
      this.#follower.follow(this.#askAgainAfterMs, false);
      return false;
    }
    this.#askedAtMs = askedAtMs;
    this.adopt(answer.body);
    return true;
  }
}
