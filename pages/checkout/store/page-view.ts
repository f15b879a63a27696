import type { PagePhase } from '../../../src/shared/page-phase.ts';
import type { BegunMethod, OfferedMethod, PageDocument, PageState } from '../../../src/api/page-state.ts';
import type { Amount } from '../elements/text.ts';
import type { FieldProblem } from '../../../src/api/problem.ts';

/**
 * What the page is doing:
 * - `permitting`: the merchant's page around this one is asked whether the payment may go on
 * - `beginning`: the method that the buyer has chosen is asked for what they need
 * - `asking`: a submit got no answer; what became of it is being asked
 * - `leaving`: the browser is on its way to another page
 */
export type PageActivity = 'idle' | 'permitting' | 'submitting' | 'beginning' | 'asking' | 'abandoning' | 'leaving';

/** A text under `problems` that says why something was not done. */
export type PageProblem =
  | 'no_connection'
  | 'not_received'
  | 'rate_limited'
  | 'try_again'
  | 'method_unavailable'
  | 'abandon_failed';

/** Everything that the link page shows: the server's state, and what only this page knows. */
export interface PageView {
  readonly state: PageState;
  readonly activity: PageActivity;
  readonly isOffline: boolean;
  readonly problem: PageProblem | null;
  readonly fieldProblems: readonly FieldProblem[];
  /** The open method; the buyer's choice stands over the server's. */
  readonly selectedMethod: string;
  /** The buyer saw the payment succeed, here or where they come from: opened again later, the link only says that it is paid. */
  readonly sawPayment: boolean;
  /** When the link expires, by the page's own clock. */
  readonly deadlineMs: number;
  /** The server's time is this much ahead of the page's own clock. */
  readonly serverAheadMs: number;
  /** When the answer to the latest submit was lost, by the page's own clock; means something while `asking`. */
  readonly lostAtMs: number;
}

/** Whether the payment can still run out of time. */
export function timeMatters({ phase }: PageState): boolean {
  return phase === 'ready' || phase === 'challenge';
}

/** The phase that the buyer sees: while an outcome is asked for, nobody may think that it has failed. */
export function shownPhase(view: PageView): PagePhase {
  return view.activity === 'asking' ? 'checking' : view.state.phase;
}

/** The first view of a page, at `nowMs` of its clock. */
export function firstView(
  state: PageState,
  nowMs: number,
  { submitted = null, isBack = false }: Partial<Pick<PageDocument, 'submitted' | 'isBack'>> = {},
): PageView {
  return {
    state,
    activity: 'idle',
    isOffline: false,
    problem: submitted?.problem ?? null,
    fieldProblems: submitted?.fieldProblems ?? [],
    selectedMethod: state.methods.find(({ code }) => code === submitted?.method)?.code ?? state.selectedMethod,
    sawPayment: isBack && state.phase === 'paid',
    lostAtMs: nowMs,
    ...timesOf(state, nowMs),
  };
}

/** The server's times on the page's clock, which reads `nowMs` at the server's `serverTime`. */
export function timesOf(state: PageState, nowMs: number): Pick<PageView, 'deadlineMs' | 'serverAheadMs'> {
  const serverNowMs = Date.parse(state.serverTime);
  return { deadlineMs: nowMs + Date.parse(state.expiresAt) - serverNowMs, serverAheadMs: serverNowMs - nowMs };
}

/** The open method as it is offered; null where none is, or it is offered no more. */
export function openMethod({ state, selectedMethod }: PageView): OfferedMethod | null {
  return state.methods.find(({ code }) => code === selectedMethod) ?? null;
}

/** What the buyer pays now: what is left of it, or what the open method comes to with its own fee. */
export function amountToPay(view: PageView): Amount {
  const { received, amount, phase } = view.state;
  const { currency } = amount;
  if (phase !== 'ready') return amount;
  return { value: received?.left ?? openMethod(view)?.amount ?? amount.value, currency };
}

/** The instructions that the open method has given out. */
export function openInstructions({ state, selectedMethod }: PageView): BegunMethod | null {
  return state.begun?.code === selectedMethod ? state.begun : null;
}
