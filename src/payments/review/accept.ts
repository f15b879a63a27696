import type { FiatTransaction } from '../schema.ts';
import { Problem } from '../../api/problem-error.ts';
import { isAcceptable, mismatchOf } from './rules.ts';
import type { PaymentsContext } from '../context.ts';
import { deliveredOf, setDelivered } from '../net-amount.ts';
import { expireIfDue } from '../expire.ts';
import { withdrawOpenInstructions } from '../push/start.ts';
import { findOpenInstructions } from '../push/instructions.ts';
import { lockTransaction } from '../store.ts';
import type { Verdict } from '../transaction.ts';
import { transition } from '../transition.ts';
import { decidedInWords } from './timeline-text.ts';

/** Takes what has arrived for the payment, as the merchant decides; the fee is that of what has arrived. */
export async function acceptTransaction(
  context: PaymentsContext,
  found: FiatTransaction,
  decision: Verdict,
): Promise<FiatTransaction> {
  const transaction = await expireIfDue(context, found);
  if (isAcceptable(transaction)) await withdrawOpenInstructions(context, transaction);
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    if (locked.status === 'confirmed') return locked;
    if (!isAcceptable(locked))
      throw new Problem('nothing_to_accept', 'No money has arrived that waits for a decision.');
    if (await findOpenInstructions(unit, locked))
      throw new Problem('submit_in_progress', 'The buyer has begun another way to pay just now. Try again.');
    const deliveredMinor = deliveredOf(locked);
    if (deliveredMinor <= 0n)
      throw new Problem('nothing_to_accept', 'What has arrived is less than the fee: nothing would be left.');
    const delivered = await setDelivered(unit, locked, deliveredMinor);
    const reason = mismatchOf(locked);
    return await transition(context, unit, delivered, {
      to: 'confirmed',
      ...(reason && { reason }),
      detail: decidedInWords('accepted', locked, decision),
      decision,
      acceptedMinor: locked.receivedMinor,
    });
  });
}
