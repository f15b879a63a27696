import { mayChange } from '../../../src/shared/page-phase.ts';
import { type PageDocument, type PageState } from '../../../src/api/page-state.ts';
import type { Clock } from '../elements/clock.ts';
import { firstView, type PageView, timeMatters, timesOf } from './page-view.ts';
import type { PaymentApi } from './payment-api.ts';
import { type BeginMethodRequest, carryOut, type PageRequest } from './requests.ts';
import { ASK_AGAIN_AFTER_MS, StateStore } from './state-store.ts';

/** Everything outside the page that the store needs; replaced in tests. */
export interface PageWorld {
  clock: Clock;
  random(): number;
  api: PaymentApi;
  /** Takes the browser to another page; a page in a frame has nowhere to go. */
  leave?(address: string): void;
  /** Begins a method that is no card; there where such methods are offered. */
  beginMethod?(store: PaymentStore, request: BeginMethodRequest): Promise<void>;
  /** Whether something that is shown holds no more, and nobody tells; there where such methods are offered. */
  isStale?(store: PaymentStore): boolean;
  /** Shows the bank's confirmation without leaving; without this the browser goes there. */
  showChallenge?(address: string): void;
}

/** With the follower's growth these are questions about 2, 5 and 10 seconds after an answer was lost. */
const ASK_AFTER_LOSS_MS = 2300;
/** How long something that seemed to have come to nothing may still arrive: longer than a request lives. */
const WATCHED_FOR_MS = 120_000;

/**
 * Holds the one view of the link page. Requests come in, the state comes back from the server, and
 * whoever has subscribed is shown each new view. How a request is carried out stands in
 * `requests.ts`, how a phase is shown in `phase-displays.ts`.
 */
export class PaymentStore extends StateStore<PageState, PageView> {
  readonly world: PageWorld;
  #watchedUntilMs = Number.NEGATIVE_INFINITY;

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
    super(firstView(state, readAtMs, drawn), world.clock, () => world.random());
    this.world = world;
  }

  dispatch(request: PageRequest): Promise<void> {
    return carryOut(this, request);
  }

  refresh(): Promise<void> {
    return this.dispatch({ type: 'refresh' });
  }

  get mayChange(): boolean {
    return mayChange(this.view.state);
  }

  get takesNews(): boolean {
    const { activity } = this.view;
    return activity === 'idle' || activity === 'permitting';
  }

  protected read() {
    return this.world.api.readState();
  }

  /** For requests: goes on asking for a while although nothing seems to be under way. */
  watch() {
    this.#watchedUntilMs = this.clock.now() + WATCHED_FOR_MS;
    this.start();
  }

  protected askAgainAfterMs(): number | null {
    const { state, activity, isOffline, deadlineMs } = this.view;
    const isStale = this.world.isStale?.(this);
    // What was lost on its way is asked for all the same: nobody tells of what has not arrived.
    if (this.isTold && activity !== 'asking' && !isOffline && !isStale) return null;
    if (state.pollAfterMs !== null) return state.pollAfterMs;
    if (activity === 'asking') return ASK_AFTER_LOSS_MS;
    const nowMs = this.clock.now();
    const mayEnd = timeMatters(state) && (deadlineMs <= nowMs || nowMs < this.#watchedUntilMs);
    return mayEnd || isOffline || isStale ? ASK_AGAIN_AFTER_MS : null;
  }

  override async resume() {
    if (this.view.activity === 'leaving') this.patch({ activity: 'idle' });
    await super.resume();
  }

  /** The server's time now, for what must not depend on the phone's own. */
  readonly serverNowMs = (): number => this.clock.now() + this.view.serverAheadMs;

  /** For requests: takes a state of the server, together with what it changes in the view. */
  override adopt(state: PageState, change: Partial<PageView> = {}) {
    const before = this.view.state;
    const isNewPhase = before.phase !== state.phase;
    const isNews = isNewPhase || before.attemptsLeft !== state.attemptsLeft || before.begun?.code !== state.begun?.code;
    super.adopt(
      state,
      {
        ...timesOf(state, this.clock.now()),
        ...(isNews && { problem: null, fieldProblems: [] }),
        ...(isNewPhase && state.phase === 'paid' && { sawPayment: true }),
        ...change,
      },
      isNews,
    );
  }
}
