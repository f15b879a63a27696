import type { FiatTransaction } from '../schema.ts';
import { Problem } from '../../api/problem-error.ts';
import { requireEndableAttempts } from '../actions.ts';
import { readPaymentAttempts } from '../related-records.ts';
import { canAccept, paymentDiscrepancy } from './rules.ts';
import type { PaymentsContext } from '../context.ts';
import { netAmount, setNetAmount } from '../net-amount.ts';
import { expireIfDue } from '../expire.ts';
import { withdrawOpenInstructions } from '../push/start.ts';
import { findOpenInstructions } from '../push/instructions.ts';
import { lockTransaction } from '../store.ts';
import type { ReviewDecision } from '../transaction.ts';
import { transition } from '../transition.ts';
import { reviewText } from './timeline-text.ts';

/** Accepts the received amount as full payment, by the merchant's decision. The fee applies to the received amount. */
export async function acceptTransaction(
  context: PaymentsContext,
  transaction: FiatTransaction,
  decision: ReviewDecision,
): Promise<FiatTransaction> {
  const current = await expireIfDue(context, transaction);
  if (canAccept(current)) {
    requireEndableAttempts(context.acquirers, await readPaymentAttempts(context.database, current));
    await withdrawOpenInstructions(context, current);
  }
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    if (locked.status === 'confirmed') return locked;
    if (!canAccept(locked))
      throw new Problem('nothing_to_accept', 'The transaction has no received amount awaiting review.');
    if (await findOpenInstructions(unit, locked))
      throw new Problem('submit_in_progress', 'The buyer has just switched to another payment method. Try again.');
    const updated = await setNetAmount(unit, locked, netAmount(locked));
    const reason = paymentDiscrepancy(locked);
    return await transition(context, unit, updated, {
      to: 'confirmed',
      ...(reason && { reason }),
      detail: reviewText('accepted', locked, decision),
      decision,
      acceptedMinor: locked.receivedMinor,
    });
  });
}
