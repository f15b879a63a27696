import type { FiatTransaction } from '../schema.ts';
import { Problem } from '../../api/problem-error.ts';
import { requireEndableAttempts } from '../actions.ts';
import { abandonOpenChallenge } from '../card/abandon.ts';
import { needsReview } from './rules.ts';
import { readRelatedRecords } from '../related-records.ts';
import type { PaymentsContext } from '../context.ts';
import { expireIfDue } from '../expire.ts';
import { areInstructionsOpen, hasPendingConfirmations } from '../push/instructions.ts';
import { withdrawOpenInstructions } from '../push/start.ts';
import { pendingConfirmationsProblem } from '../payable.ts';
import { executeRefund, recordRefundEvent } from '../refunds/outcome.ts';
import { insertRefunds, type RefundCommand } from '../refunds/refund.ts';
import { divideRefund, listRefundSources } from '../refunds/sources.ts';
import { filterByRequest } from '../refunds/store.ts';
import { isAttemptOpen } from '../states.ts';
import { findById, lockTransaction } from '../store.ts';
import type { ReviewDecision } from '../transaction.ts';
import { transition } from '../transition.ts';
import { reviewText, outOfBandText } from './timeline-text.ts';

/**
 * Rejects the received amount, by the merchant's decision: the transaction fails, and the amount is refunded through its
 * acquirers, or recorded as refunded out of band. Later payments need another review.
 */
export async function rejectTransaction(
  context: PaymentsContext,
  transaction: FiatTransaction,
  decision: ReviewDecision,
  command: Omit<RefundCommand, 'amount'>,
): Promise<FiatTransaction> {
  const { isOutOfBand, requestName } = command;
  const current = await expireIfDue(context, transaction);
  if (needsReview(current)) await endOpenPayments(context, current, command);
  const refunds = await context.database.inTransaction(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    const related = await readRelatedRecords(unit, locked);
    const existing = filterByRequest(related.refunds, requestName);
    if (existing.length > 0) return existing;
    if (locked.status === 'confirmed') throw new Problem('already_paid', 'The transaction is paid. Refund it instead.');
    if (!needsReview(locked)) throw new Problem('nothing_to_review', nothingToReview(locked));
    if (related.attempts.some(({ state }) => isAttemptOpen(state)))
      throw new Problem('submit_in_progress', 'A payment attempt is in progress. Wait for its outcome, then reject.');
    if (related.instructions.some(hasPendingConfirmations)) throw pendingConfirmationsProblem();
    if (related.instructions.some(areInstructionsOpen))
      throw new Problem('submit_in_progress', 'The buyer has just switched to another payment method. Try again.');
    const request = { locked, related, amountMinor: null, isOutOfBand, requestName };
    const inserted = await insertRefunds(context, unit, request);
    const rejected = await transition(context, unit, inserted.transaction, {
      to: 'failed',
      reason: 'rejected',
      detail: reviewText('rejected', locked, decision),
      decision,
      acceptedMinor: null,
    });
    if (isOutOfBand) await recordRefundEvent(context, unit, rejected, outOfBandText(inserted.refunds, locked));
    return inserted.refunds;
  });
  await Promise.all(refunds.map((refund) => executeRefund(context, refund, transaction)));
  return (await findById(context.database, transaction.merchantId, transaction.id)) ?? transaction;
}

/** Ends the buyer's challenge and instructions, after the checks that are repeated under the lock. */
async function endOpenPayments(
  context: PaymentsContext,
  transaction: FiatTransaction,
  { isOutOfBand, requestName }: Omit<RefundCommand, 'amount'>,
): Promise<void> {
  const started = await readRelatedRecords(context.database, transaction);
  // Read last: a concurrent rejection inserts its refunds and changes the transaction at the same time.
  const current = (await findById(context.database, transaction.merchantId, transaction.id)) ?? transaction;
  if (!needsReview(current)) return;
  if (started.instructions.some(hasPendingConfirmations)) throw pendingConfirmationsProblem();
  requireEndableAttempts(context.acquirers, started);
  if (filterByRequest(started.refunds, requestName).length === 0)
    divideRefund(listRefundSources(context.acquirers, current, started), null, { isOutOfBand, transaction: current });
  await abandonOpenChallenge(context, current);
  await withdrawOpenInstructions(context, current);
}

function nothingToReview({ reason, receivedMinor }: FiatTransaction): string {
  if (receivedMinor === 0n) return 'The transaction has no received amount.';
  return reason === 'rejected'
    ? 'The received amount was already rejected and is being refunded.'
    : 'The received amount is already being refunded in full.';
}
