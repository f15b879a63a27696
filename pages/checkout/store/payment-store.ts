import { mayChange } from '../../../src/shared/page-phase.ts';
import { type PageDocument, type PageState } from '../../../src/api/page-state.ts';
import type { Clock } from '../elements/clock.ts';
import { firstView, type PageView, timeMatters, timesOf } from './page-view.ts';
import type { PaymentApi } from './payment-api.ts';
import { type BeginMethodRequest, carryOut, type PageRequest } from './requests.ts';
import { ASK_AGAIN_AFTER_MS, StateStore } from './state-store.ts';

/** Dependencies of the store; tests replace them. */
export interface PageWorld {
  clock: Clock;
  random(): number;
  api: PaymentApi;
  /** Navigates the browser. Pages in a frame cannot navigate. */
  leave?(address: string): void;
  /** Starts a non-card method. Set if the page offers such methods. */
  beginMethod?(store: PaymentStore, request: BeginMethodRequest): Promise<void>;
  /** Returns true if displayed data has expired without an update from the server. Set with `beginMethod`. */
  isStale?(store: PaymentStore): boolean;
  /** Shows the 3-D Secure challenge in a frame. Otherwise the browser navigates to it. */
  showChallenge?(address: string): void;
}

/** With the poller's backoff, polls run about 2, 5 and 10 seconds after a lost response. */
const ASK_AFTER_LOSS_MS = 2300;
/** How long a request that seemed lost may still arrive: longer than the lifetime of a request. */
const WATCHED_FOR_MS = 120_000;

/**
 * Holds the view of the link page. Requests go in, the server's state comes back, and subscribers receive each new
 * view. `requests.ts` handles the requests, `phase-displays.ts` defines how a phase looks.
 */
export class PaymentStore extends StateStore<PageState, PageView> {
  readonly world: PageWorld;
  #watchedUntilMs = Number.NEGATIVE_INFINITY;

  /**
   * `readAtMs` is the time on the clock at which the server created `state`. `drawn` contains the initial values of
   * the server-rendered page.
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

  /** For requests: keeps polling for a while although no change is expected. */
  watch() {
    this.#watchedUntilMs = this.clock.now() + WATCHED_FOR_MS;
    this.start();
  }

  protected askAgainAfterMs(): number | null {
    const { state, activity, isOffline, deadlineMs } = this.view;
    const isStale = this.world.isStale?.(this);
    // The server sends no update about a request that never arrived, so lost requests are polled.
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

  /** Current server time. Use it for everything that must not depend on the device's clock. */
  readonly serverNowMs = (): number => this.clock.now() + this.view.serverAheadMs;

  /** For requests: applies a state of the server and related changes of the view. */
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
