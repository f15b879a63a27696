import type { FiatTransaction } from '../schema.ts';
import { Problem } from '../../api/problem-error.ts';
import { abandonOpenChallenge } from '../card/abandon.ts';
import { needsReview } from './rules.ts';
import { readRelatedRecords } from '../related-records.ts';
import type { PaymentsContext } from '../context.ts';
import { expireIfDue } from '../expire.ts';
import { areInstructionsOpen, hasPendingConfirmations, listInstructions } from '../push/instructions.ts';
import { withdrawOpenInstructions } from '../push/start.ts';
import { pendingConfirmationsProblem } from '../payable.ts';
import { executeRefund, type RefundOptions, recordRefundEvent, insertRefunds } from '../refunds/refund.ts';
import { filterByRequest } from '../refunds/store.ts';
import { isAttemptOpen } from '../states.ts';
import { findById, lockTransaction } from '../store.ts';
import type { ReviewDecision } from '../transaction.ts';
import { transition } from '../transition.ts';
import { reviewText, outOfBandText } from './timeline-text.ts';

/**
 * Refuses what has arrived for the payment, as the merchant decides: the transaction has failed, and all
 * that is kept goes back by the way it came, or has been given back by the merchant, which is written down with
 * the decision. What comes later waits for a decision of its own.
 */
export async function rejectTransaction(
  context: PaymentsContext,
  found: FiatTransaction,
  decision: ReviewDecision,
  { isOutOfBand, requestName }: Omit<RefundOptions, 'amount'>,
): Promise<FiatTransaction> {
  const transaction = await expireIfDue(context, found);
  if (needsReview(transaction)) {
    // Refused before anything is taken from the buyer, and once more when nothing can change any more.
    if ((await listInstructions(context.database, transaction)).some(hasPendingConfirmations))
      throw pendingConfirmationsProblem();
    await abandonOpenChallenge(context, transaction);
    await withdrawOpenInstructions(context, transaction);
  }
  const begun = await context.database.inUnit(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    const belongings = await readRelatedRecords(unit, locked);
    const own = filterByRequest(belongings.refunds, requestName);
    if (own.length > 0) return own;
    if (locked.status === 'confirmed')
      throw new Problem('already_paid', 'The transaction is paid; what was paid can be refunded.');
    if (!needsReview(locked)) throw new Problem('nothing_to_decide', nothingToReview(locked));
    if (belongings.attempts.some(({ state }) => isAttemptOpen(state)))
      throw new Problem('submit_in_progress', 'A payment is under way: wait for its outcome, then reject.');
    if (belongings.instructions.some(hasPendingConfirmations)) throw pendingConfirmationsProblem();
    if (belongings.instructions.some(areInstructionsOpen))
      throw new Problem('submit_in_progress', 'The buyer has begun another way to pay just now. Try again.');
    const asked = { locked, belongings, amountMinor: null, isOutOfBand, requestName };
    const written = await insertRefunds(context, unit, asked);
    const rejected = await transition(context, unit, written.transaction, {
      to: 'failed',
      reason: 'rejected',
      detail: reviewText('rejected', locked, decision),
      decision,
      acceptedMinor: null,
    });
    if (isOutOfBand) await recordRefundEvent(context, unit, rejected, outOfBandText(written.refunds, locked));
    return written.refunds;
  });
  await Promise.all(begun.map((refund) => executeRefund(context, refund, found)));
  return (await findById(context.database, found.merchantId, found.id)) ?? found;
}

function nothingToReview({ reason, receivedMinor }: FiatTransaction): string {
  if (receivedMinor === 0n) return 'No money has arrived.';
  return reason === 'rejected'
    ? 'What has arrived was rejected already, and goes back.'
    : 'All that has arrived goes back already.';
}
