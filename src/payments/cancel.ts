import { Problem } from '../api/problem-error.ts';
import { requireEndableAttempts } from './actions.ts';
import { abandonOpenChallenge } from './card/abandon.ts';
import { readPaymentAttempts } from './related-records.ts';
import type { PaymentsContext } from './context.ts';
import { expireIfDue } from './expire.ts';
import { areInstructionsOpen, hasPendingConfirmations } from './push/instructions.ts';
import { withdrawOpenInstructions } from './push/start.ts';
import { pendingConfirmationsProblem } from './payable.ts';
import { isAttemptOpen } from './states.ts';
import { lockTransaction } from './store.ts';
import type { FiatTransaction, PaymentInstructions } from './schema.ts';
import { hasOpenAuthorization } from './transaction.ts';
import { transition } from './transition.ts';

/** Cancels an unpaid transaction. Canceling it again changes nothing. */
export async function cancelTransaction(
  context: PaymentsContext,
  transaction: FiatTransaction,
): Promise<FiatTransaction> {
  const current = await expireIfDue(context, transaction);
  // Checked before the buyer's challenge and instructions are ended, and again under the lock.
  const started = await readPaymentAttempts(context.database, current);
  requireNothingReceived(current, started.instructions);
  if (current.status === 'waiting') requireEndableAttempts(context.acquirers, started);
  await abandonOpenChallenge(context, current, 'cancelled');
  if (current.status === 'waiting') await withdrawOpenInstructions(context, current);
  return await context.database.inTransaction(async (unit) => {
    const locked = await lockTransaction(unit, current.merchantId, current.id);
    if (locked.status === 'failed' && locked.reason === 'cancelled') return locked;
    if (locked.status === 'confirmed')
      throw new Problem('already_paid', 'The transaction is paid and cannot be canceled. Refund it instead.');
    if (hasOpenAuthorization(locked))
      throw new Problem('not_cancellable', 'The payment is authorized. Void it instead.');
    if (locked.status === 'failed') {
      throw new Problem(
        'not_cancellable',
        `The transaction has already failed (${locked.reason ?? 'unknown reason'}).`,
      );
    }
    const { attempts, instructions } = await readPaymentAttempts(unit, locked);
    if (attempts.some((attempt) => isAttemptOpen(attempt.state))) {
      throw new Problem('submit_in_progress', 'A payment attempt is in progress. Wait for its outcome, then cancel.');
    }
    requireNothingReceived(locked, instructions);
    if (instructions.some(areInstructionsOpen)) {
      throw new Problem('submit_in_progress', 'The buyer has just switched to another payment method. Try again.');
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
    throw new Problem(
      'not_cancellable',
      'Part of the amount was received. Wait for the remaining amount, or accept or reject the received amount.',
    );
  if (instructions.some(hasPendingConfirmations)) throw pendingConfirmationsProblem();
}
