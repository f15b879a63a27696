import { type PageDocument, type PageState } from '../../../src/api/page-state.ts';
import type { Clock } from '../elements/clock.ts';
import { firstView, type PageView, canExpire, localTimes } from './page-view.ts';
import type { PaymentApi } from './payment-api.ts';
import { type StartMethodRequest, handleRequest, type PageRequest } from './requests.ts';
import { DEFAULT_POLL_MS, StateStore } from './state-store.ts';

/** Dependencies of the store; tests replace them. */
export interface PageEnvironment {
  clock: Clock;
  random(): number;
  api: PaymentApi;
  /** Navigates the browser. Pages in a frame cannot navigate. */
  navigate?(url: string): void;
  /** Starts a non-card method. Set if the page offers such methods. */
  startMethod?(store: PaymentStore, request: StartMethodRequest): Promise<void>;
  /** Returns true if displayed data has expired without an update from the server. Set with `startMethod`. */
  isStale?(store: PaymentStore): boolean;
  /** Shows the 3-D Secure challenge in a frame. Otherwise the browser navigates to it. */
  showChallenge?(url: string): unknown;
}

/** With the poller's backoff, polls run about 2, 5 and 10 seconds after a lost response. */
const LOST_SUBMIT_POLL_MS = 2300;
/** Time in which a request that seemed lost may still arrive: longer than the lifetime of a request. */
const LATE_ARRIVAL_MS = 120_000;

/**
 * Holds the view of the link page. It sends requests, applies the server's state, and notifies subscribers of each new
 * view. `requests.ts` handles the requests, `phase-displays.ts` defines the display of each phase.
 */
export class PaymentStore extends StateStore<PageState, PageView> {
  readonly env: PageEnvironment;
  #pollUntilMs = Number.NEGATIVE_INFINITY;

  /**
   * `readAtMs` is the time on the clock at which the server created `state`. `documentValues` contains the initial values of
   * the server-rendered page.
   */
  constructor(
    state: PageState,
    env: PageEnvironment,
    readAtMs = env.clock.now(),
    documentValues: Partial<Pick<PageDocument, 'submitted' | 'isReturning'>> = {},
  ) {
    super(firstView(state, readAtMs, documentValues), env.clock, () => env.random());
    this.env = env;
  }

  dispatch(request: PageRequest): Promise<void> {
    return handleRequest(this, request);
  }

  refresh(): Promise<void> {
    return this.dispatch({ type: 'refresh' });
  }

  get canUpdate(): boolean {
    const { activity } = this.view;
    return activity === 'idle' || activity === 'requesting';
  }

  protected fetchState() {
    return this.env.api.readState();
  }

  /** For requests: keeps polling for a while although no change is expected. */
  keepPolling() {
    this.#pollUntilMs = this.clock.now() + LATE_ARRIVAL_MS;
    this.start();
  }

  protected nextPollMs(): number | null {
    const { state, activity, isOffline, deadlineMs } = this.view;
    // The server sends no update about a request that never arrived, so lost requests are polled.
    if (activity === 'polling') return LOST_SUBMIT_POLL_MS;
    if (isOffline || this.env.isStale?.(this)) return DEFAULT_POLL_MS;
    if (this.isLive) return null;
    const nowMs = this.clock.now();
    const mayExpire = canExpire(state) && (deadlineMs <= nowMs || nowMs < this.#pollUntilMs);
    return mayExpire ? DEFAULT_POLL_MS : state.pollAfterMs;
  }

  override async resume() {
    if (this.view.activity === 'leaving') this.patch({ activity: 'idle' });
    await super.resume();
  }

  /** Current server time. Use it for everything that must not depend on the device's clock. */
  readonly serverNowMs = (): number => this.clock.now() + this.view.clockOffsetMs;

  /** For requests: applies a state from the server and the related view changes. */
  override apply(state: PageState, change: Partial<PageView> = {}) {
    const { state: before, selectedMethod } = this.view;
    const isChange = progressOf(before) !== progressOf(state);
    super.apply(
      state,
      {
        ...localTimes(state, this.clock.now()),
        ...(isChange && {
          problem: null,
          fieldProblems: [],
          selectedMethod: state.ended?.code === selectedMethod ? state.selectedMethod : selectedMethod,
        }),
        ...(before.phase !== state.phase && /paid|failed/.test(state.phase) && { sawOutcome: true }),
        ...change,
      },
      isChange,
    );
  }
}

/** Differs after every step of the payment. */
function progressOf({ phase, started, ended, attemptsLeft }: PageState): string {
  return String([phase, started?.code, ended?.code, attemptsLeft]);
}
