import type { FiatTransaction } from '../schema.ts';
import { Problem } from '../../api/problem-error.ts';
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

/** Takes what has arrived for the payment, as the merchant decides; the fee is that of what has arrived. */
export async function acceptTransaction(
  context: PaymentsContext,
  found: FiatTransaction,
  decision: ReviewDecision,
): Promise<FiatTransaction> {
  const transaction = await expireIfDue(context, found);
  if (canAccept(transaction)) await withdrawOpenInstructions(context, transaction);
  return await context.database.inUnit(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    if (locked.status === 'confirmed') return locked;
    if (!canAccept(locked)) throw new Problem('nothing_to_accept', 'No money has arrived that waits for a decision.');
    if (await findOpenInstructions(unit, locked))
      throw new Problem('submit_in_progress', 'The buyer has begun another way to pay just now. Try again.');
    const deliveredMinor = netAmount(locked);
    if (deliveredMinor <= 0n)
      throw new Problem('nothing_to_accept', 'What has arrived is less than the fee: nothing would be left.');
    const delivered = await setNetAmount(unit, locked, deliveredMinor);
    const reason = paymentDiscrepancy(locked);
    return await transition(context, unit, delivered, {
      to: 'confirmed',
      ...(reason && { reason }),
      detail: reviewText('accepted', locked, decision),
      decision,
      acceptedMinor: locked.receivedMinor,
    });
  });
}
