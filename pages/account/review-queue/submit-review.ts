import type { TransactionDetail } from '../../../client/api.ts';
import { type AccountApi } from '../api.ts';
import type { AccountContext } from '../context.ts';
import { amountAfterRefunds } from '../transactions/amount-lines.ts';
import type { PendingReview } from './pending-reviews.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { toProblem } from '../problems.ts';

export type ReviewAction = 'accept' | 'reject';

export interface ReviewDetails {
  /** Stored with the decision. */
  reason: string;
  /** Refund address for rejected coins; empty for no refund. */
  refundAddress: string;
  /** The merchant already refunded the rejected payment outside the service. */
  isOutOfBand: boolean;
}

/** Result of a submitted review. */
export type ReviewOutcome =
  | { state: 'done' }
  /** Rejected, but the acquirer declined the refund: the payment awaits review again. */
  | { state: 'refund_failed' }
  /** Already reviewed; `by` is null if unknown. With action `paid`, the buyer completed the payment without a review. */
  | { state: 'already_reviewed'; by: string | null; action: ReviewAction | 'paid' | null; reason: string | null }
  /** The request failed. A retry has the same idempotency key, because the first may have arrived. */
  | { state: 'failed'; problem: PaylatchError };

/** True if the payment is no longer in review. */
export function isReviewed({ state }: ReviewOutcome): boolean {
  return state === 'done' || state === 'already_reviewed';
}

type AlreadyReviewed = Extract<ReviewOutcome, { state: 'already_reviewed' }>;
type Reviewer = Pick<AccountContext, 'account' | 'api'>;

const conflictCodes = ['nothing_to_review', 'nothing_to_accept', 'already_paid'];
const unknownDecision = {
  state: 'already_reviewed',
  by: null,
  action: null,
  reason: null,
} as const satisfies AlreadyReviewed;

/** Submits one review. After another user's review it changes nothing and returns that user's decision. */
export async function submitReview(
  reviewer: Reviewer,
  payment: PendingReview,
  action: ReviewAction,
  details: ReviewDetails,
): Promise<ReviewOutcome> {
  try {
    return payment.kind === 'fiat'
      ? await submitFiatReview(reviewer, payment, action, details)
      : await submitCryptoReview(reviewer.api, payment, action, details);
  } catch (error) {
    const problem = toProblem(error);
    if (!conflictCodes.includes(problem.code)) return { state: 'failed', problem };
    const outcome = await readOutcome(reviewer, payment).catch(() => unknownDecision);
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
  if (action === 'reject') return { state: amountAfterRefunds(transaction) > 0n ? 'refund_failed' : 'done' };
  // The response is the same for a payment that another user accepted.
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

/** The decision of another user; null while the payment awaits review. */
export async function readOutcome(reviewer: Reviewer, { kind, id }: PendingReview): Promise<AlreadyReviewed | null> {
  if (kind === 'fiat') {
    const detail = await reviewer.api.getTransaction({ transaction_id: id });
    const isPaid = detail.status === 'transaction_status_confirmed';
    return !isPaid && amountAfterRefunds(detail) > 0n ? null : fiatOutcome(detail);
  }
  const { status, decision } = await reviewer.api.getCryptoTransaction({ id });
  if (status === 'approved_required') return null;
  if (decision === null) return unknownDecision;
  const { isApproved, reason, by, byName } = decision;
  return { state: 'already_reviewed', by: byName ?? by, action: isApproved ? 'accept' : 'reject', reason };
}

function fiatOutcome({ decision, status }: TransactionDetail): AlreadyReviewed {
  if (decision === undefined)
    return status === 'transaction_status_confirmed' ? { ...unknownDecision, action: 'paid' } : unknownDecision;
  const { is_approved: isApproved, reason, by, by_name: byName } = decision;
  return { state: 'already_reviewed', by: byName ?? by, action: isApproved ? 'accept' : 'reject', reason };
}
