import type { FiatTransaction } from '../schema.ts';
import { Problem } from '../../api/problem-error.ts';
import { abandonOpenChallenge } from '../card/abandon.ts';
import { isUndecided } from './rules.ts';
import { readBelongings } from '../related-records.ts';
import type { PaymentsContext } from '../context.ts';
import { expireIfDue } from '../expire.ts';
import { areOpen, isMoneyMoving, listInstructions } from '../push/instructions.ts';
import { withdrawOpenInstructions } from '../push/start.ts';
import { moneyMoving } from '../payable.ts';
import { carryOut, type RefundRequest, tellRefund, writeDown } from '../refunds/refund.ts';
import { refundsOfRequest } from '../refunds/store.ts';
import { isOpen } from '../states.ts';
import { findById, lockTransaction } from '../store.ts';
import type { Verdict } from '../transaction.ts';
import { transition } from '../transition.ts';
import { decidedInWords, outOfBandInWords } from './timeline-text.ts';

/**
 * Refuses what has arrived for the payment, as the merchant decides: the transaction has failed, and all
 * that is kept goes back by the way it came, or has been given back by the merchant, which is written down with
 * the decision. What comes later waits for a decision of its own.
 */
export async function rejectTransaction(
  context: PaymentsContext,
  found: FiatTransaction,
  decision: Verdict,
  { isOutOfBand, requestName }: Omit<RefundRequest, 'amount'>,
): Promise<FiatTransaction> {
  const transaction = await expireIfDue(context, found);
  if (isUndecided(transaction)) {
    // Refused before anything is taken from the buyer, and once more when nothing can change any more.
    if ((await listInstructions(context.database, transaction)).some(isMoneyMoving)) throw moneyMoving();
    await abandonOpenChallenge(context, transaction);
    await withdrawOpenInstructions(context, transaction);
  }
  const begun = await context.database.inTransaction(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    const belongings = await readBelongings(unit, locked);
    const own = refundsOfRequest(belongings.refunds, requestName);
    if (own.length > 0) return own;
    if (locked.status === 'confirmed')
      throw new Problem('already_paid', 'The transaction is paid; what was paid can be refunded.');
    if (!isUndecided(locked)) throw new Problem('nothing_to_decide', whyNothing(locked));
    if (belongings.attempts.some(({ state }) => isOpen(state)))
      throw new Problem('submit_in_progress', 'A payment is under way: wait for its outcome, then reject.');
    if (belongings.instructions.some(isMoneyMoving)) throw moneyMoving();
    if (belongings.instructions.some(areOpen))
      throw new Problem('submit_in_progress', 'The buyer has begun another way to pay just now. Try again.');
    const asked = { locked, belongings, amountMinor: null, isOutOfBand, requestName };
    const written = await writeDown(context, unit, asked);
    const rejected = await transition(context, unit, written.transaction, {
      to: 'failed',
      reason: 'rejected',
      detail: decidedInWords('rejected', locked, decision),
      decision,
      acceptedMinor: null,
    });
    if (isOutOfBand) await tellRefund(context, unit, rejected, outOfBandInWords(written.refunds, locked));
    return written.refunds;
  });
  await Promise.all(begun.map((refund) => carryOut(context, refund, found)));
  return (await findById(context.database, found.merchantId, found.id)) ?? found;
}

function whyNothing({ reason, receivedMinor }: FiatTransaction): string {
  if (receivedMinor === 0n) return 'No money has arrived.';
  return reason === 'rejected'
    ? 'What has arrived was rejected already, and goes back.'
    : 'All that has arrived goes back already.';
}
