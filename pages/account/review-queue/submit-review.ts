import type { TransactionDetail } from '../../../client/api.ts';
import { type AccountApi } from '../api.ts';
import type { AccountContext } from '../context.ts';
import { keptAmount } from '../transactions/amount-lines.ts';
import { readFiat, type PendingReview } from './pending-reviews.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { toProblem } from '../problems.ts';

export type ReviewAction = 'accept' | 'reject';

export interface ReviewDetails {
  /** Kept with the decision. */
  reason: string;
  /** Where rejected coins go back to; nothing is sent without. */
  refundAddress: string;
  /** Whether rejected money of a payment link has been given back in another way already. */
  isOutOfBand: boolean;
}

/** What became of a decision. */
export type ReviewOutcome =
  | { state: 'done' }
  /** Rejected, but the provider does not give it back: it waits again. */
  | { state: 'kept' }
  /** Somebody else was first; `by` is null where it is not told who. What the buyer has paid by now is nobody's decision. */
  | { state: 'decided'; by: string | null; action: ReviewAction | 'paid' | null; reason: string | null }
  /** Where no answer came it may have arrived: the same key then does it once. */
  | { state: 'failed'; problem: PaylatchError };

/** True if the payment is no longer in review. */
export function isReviewed({ state }: ReviewOutcome): boolean {
  return state === 'done' || state === 'decided';
}

type DecidedOutcome = Extract<ReviewOutcome, { state: 'decided' }>;
type Reviewer = Pick<AccountContext, 'account' | 'api'>;

const conflictCodes = ['nothing_to_decide', 'nothing_to_accept', 'already_paid'];
const unknownDecision = { state: 'decided', by: null, action: null, reason: null } as const satisfies DecidedOutcome;

/** Sends one decision. Whoever comes second changes nothing, and learns what the first one decided. */
export async function submitReview(reviewer: Reviewer, pendingReview: PendingReview, action: ReviewAction, details: ReviewDetails): Promise<ReviewOutcome> {
  try {
    return pendingReview.kind === 'fiat'
      ? await submitFiatReview(reviewer, pendingReview, action, details)
      : await submitCryptoReview(reviewer.api, pendingReview, action, details);
  } catch (error) {
    const problem = toProblem(error);
    if (!conflictCodes.includes(problem.code)) return { state: 'failed', problem };
    const outcome = await readOutcome(reviewer, pendingReview).catch(() => unknownDecision);
    return outcome ?? { state: 'failed', problem };
  }
}

async function submitFiatReview(
  reviewer: Reviewer,
  { id }: PendingReview,
  action: ReviewAction,
  { reason, isOutOfBand }: ReviewDetails,
): Promise<ReviewOutcome> {
  const body = {
    transaction_id: id,
    ...(reason !== '' && { reason }),
    ...(action === 'reject' && isOutOfBand && { out_of_band: true }),
  };
  const transaction = await reviewer.api[`${action}Transaction`](body);
  if (action === 'reject') return { state: keptAmount(transaction) > 0n ? 'kept' : 'done' };
  // What is paid is answered as it is, whoever has accepted it.
  const isOwnDecision = transaction.decision?.by === `person ${reviewer.account?.person.id}`;
  return isOwnDecision ? { state: 'done' } : fiatOutcome(transaction);
}

async function submitCryptoReview(
  api: AccountApi,
  { id }: PendingReview,
  action: ReviewAction,
  { reason, refundAddress }: ReviewDetails,
): Promise<ReviewOutcome> {
  const body = {
    id,
    ...(reason !== '' && { reason }),
    ...(action === 'reject' && refundAddress !== '' && { refundAddress }),
  };
  await api[`${action === 'accept' ? 'approve' : 'reject'}CryptoTransaction`](body);
  return { state: 'done' };
}

/** What somebody else has decided; null while it still waits. */
export async function readOutcome(reviewer: Reviewer, { kind, id }: PendingReview): Promise<DecidedOutcome | null> {
  if (kind === 'fiat') {
    const detail = await readFiat(reviewer.api, id);
    const isPaid = detail.status === 'transaction_status_confirmed';
    return !isPaid && keptAmount(detail) > 0n ? null : fiatOutcome(detail);
  }
  const { status, decision } = await reviewer.api.getCryptoTransaction({ id });
  if (status === 'approved_required') return null;
  if (decision === null) return unknownDecision;
  const { isApproved, reason, by, byName } = decision;
  return { state: 'decided', by: byName ?? by, action: isApproved ? 'accept' : 'reject', reason };
}

function fiatOutcome({ decision, status }: TransactionDetail): DecidedOutcome {
  if (decision === undefined)
    return status === 'transaction_status_confirmed' ? { ...unknownDecision, action: 'paid' } : unknownDecision;
  const { is_approved: isApproved, reason, by, by_name: byName } = decision;
  return { state: 'decided', by: byName ?? by, action: isApproved ? 'accept' : 'reject', reason };
}
