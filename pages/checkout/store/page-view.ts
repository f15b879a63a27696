import type { PagePhase } from '../../../src/shared/page-phase.ts';
import type { StartedMethod, OfferedMethod, PageDocument, PageState } from '../../../src/api/page-state.ts';
import type { Amount } from '../elements/i18n.ts';
import type { FieldProblem } from '../../../src/api/problem.ts';

/**
 * Current activity of the page:
 * - `requesting`: waiting for the merchant's page to allow the payment
 * - `starting`: requesting the instructions of the selected method
 * - `polling`: a submit got no response, and its outcome is polled
 * - `leaving`: the browser is navigating to another page
 */
type PageActivity = 'idle' | 'requesting' | 'submitting' | 'starting' | 'polling' | 'abandoning' | 'leaving';

/** A key under `problems` whose text explains why an action failed. */
type PageProblem =
  | 'no_connection'
  | 'not_received'
  | 'rate_limited'
  | 'amount_changed'
  | 'try_again'
  | 'method_unavailable'
  | 'abandon_failed';

/** State of the link page: the server's state and the page's own. */
export interface PageView {
  readonly state: PageState;
  readonly activity: PageActivity;
  readonly isOffline: boolean;
  readonly problem: PageProblem | null;
  readonly fieldProblems: readonly FieldProblem[];
  /** Open method. The buyer's selection takes precedence over the server's. */
  readonly selectedMethod: string;
  /**
   * The buyer saw the payment succeed or fail on this page, or succeed before returning to it. Otherwise a paid link
   * only states that it is paid.
   */
  readonly sawOutcome: boolean;
  /** Expiry of the link, on the page's clock. */
  readonly deadlineMs: number;
  /** Server time minus the page's clock. */
  readonly clockOffsetMs: number;
  /** Time when the response to the latest submit was lost, on the page's clock. Only valid in activity `polling`. */
  readonly lostAtMs: number;
}

/** Returns true if the payment can still expire. */
export function canExpire({ phase }: PageState): boolean {
  return phase === 'ready' || phase === 'challenge';
}

/** Phase to display. While an outcome is polled, the payment must not appear failed. */
export function displayedPhase(view: PageView): PagePhase {
  return view.activity === 'polling' ? 'checking' : view.state.phase;
}

/** The first view of a page, at `nowMs` of its clock. */
export function firstView(
  state: PageState,
  nowMs: number,
  { submitted = null, isReturning = false }: Partial<Pick<PageDocument, 'submitted' | 'isReturning'>> = {},
): PageView {
  return {
    state,
    activity: 'idle',
    isOffline: false,
    problem: submitted?.problem ?? null,
    fieldProblems: submitted?.fieldProblems ?? [],
    selectedMethod: state.methods.find(({ code }) => code === submitted?.method)?.code ?? state.selectedMethod,
    sawOutcome: isReturning && state.phase === 'paid',
    lostAtMs: nowMs,
    ...localTimes(state, nowMs),
  };
}

/** Converts the server's times to the page's clock, which shows `nowMs` at the server's `serverTime`. */
export function localTimes(state: PageState, nowMs: number): Pick<PageView, 'deadlineMs' | 'clockOffsetMs'> {
  const serverNowMs = Date.parse(state.serverTime);
  return { deadlineMs: nowMs + Date.parse(state.expiresAt) - serverNowMs, clockOffsetMs: serverNowMs - nowMs };
}

/** The open method; null if there is none or it is no longer available. */
export function openMethod({ state, selectedMethod }: PageView): OfferedMethod | null {
  return state.methods.find(({ code }) => code === selectedMethod) ?? null;
}

/** The card method, if it is offered. */
export function cardMethod({ methods }: PageState): OfferedMethod | undefined {
  return methods.find(({ action }) => action === 'card');
}

/** Amount to pay now: the remainder, or the amount including the open method's fee. */
export function amountToPay(view: PageView): Amount {
  const { received, amount, phase } = view.state;
  const { currency } = amount;
  if (phase !== 'ready') return amount;
  return { value: received?.left ?? openMethod(view)?.amount ?? amount.value, currency };
}

/** Payment instructions of the open method. */
export function openInstructions({ state, selectedMethod }: PageView): StartedMethod | null {
  return state.started?.code === selectedMethod ? state.started : null;
}
