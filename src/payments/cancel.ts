import { Problem } from '../api/problem-error.ts';
import { abandonOpenChallenge } from './card/abandon.ts';
import { readPaymentAttempts } from './related-records.ts';
import type { PaymentsContext } from './context.ts';
import { expireIfDue } from './expire.ts';
import { areInstructionsOpen, hasPendingConfirmations, listInstructions } from './push/instructions.ts';
import { withdrawOpenInstructions } from './push/start.ts';
import { pendingConfirmationsProblem } from './payable.ts';
import { isAttemptOpen } from './states.ts';
import { lockTransaction } from './store.ts';
import type { FiatTransaction, PaymentInstructions } from './schema.ts';
import { transition } from './transition.ts';

/** Ends a transaction that is not paid, for the merchant. Cancelling what is cancelled already changes nothing. */
export async function cancelTransaction(context: PaymentsContext, found: FiatTransaction): Promise<FiatTransaction> {
  const transaction = await expireIfDue(context, found);
  // Refused before anything is taken from the buyer, and once more when nothing can change any more.
  requireNothingReceived(transaction, await listInstructions(context.database, transaction));
  await abandonOpenChallenge(context, transaction, 'cancelled');
  if (transaction.status === 'waiting') await withdrawOpenInstructions(context, transaction);
  return await context.database.inUnit(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    if (locked.status === 'failed' && locked.reason === 'cancelled') return locked;
    if (locked.status === 'confirmed')
      throw new Problem('already_paid', 'The transaction is paid and cannot be cancelled.');
    if (locked.status === 'failed') {
      throw new Problem(
        'not_cancellable',
        `The transaction has failed already (${locked.reason ?? 'unknown reason'}).`,
      );
    }
    const { attempts, instructions } = await readPaymentAttempts(unit, locked);
    if (attempts.some((attempt) => isAttemptOpen(attempt.state))) {
      throw new Problem('submit_in_progress', 'A payment is under way: wait for its outcome, then cancel.');
    }
    requireNothingReceived(locked, instructions);
    if (instructions.some(areInstructionsOpen)) {
      throw new Problem('submit_in_progress', 'The buyer has begun another way to pay just now. Try again.');
    }
    return await transition(context, unit, locked, { to: 'failed', reason: 'cancelled' });
  });
}

function requireNothingReceived(
  { status, receivedMinor }: FiatTransaction,
  instructions: readonly PaymentInstructions[],
): void {
  if (status !== 'pending' && status !== 'waiting') return;
  if (receivedMinor > 0n)
    throw new Problem('not_cancellable', 'Money has arrived in part: wait for the rest, or accept what has come.');
  if (instructions.some(hasPendingConfirmations)) throw pendingConfirmationsProblem();
}
