import type { FailureReason } from '../../api/fiat-transaction.ts';
import { describeError } from '../../system/log.ts';
import { type PaymentsContext, cardAcquirerOf, chargeKeyOf } from '../context.ts';
import { applyOutcome } from './outcome.ts';
import { listAttempts } from '../store.ts';
import type { FiatTransaction } from '../schema.ts';

/**
 * Cancels a transaction's open 3-D Secure challenge with the acquirer, and applies the resulting outcome: declined, or
 * approved in the meantime. If the acquirer call fails, the challenge stays open. With `failureReason`, a decline also
 * fails the transaction, with that reason.
 */
export async function abandonOpenChallenge(
  context: PaymentsContext,
  transaction: FiatTransaction,
  failureReason?: FailureReason,
): Promise<'none' | 'ended' | 'still_open'> {
  if (transaction.status !== 'waiting') return 'none';
  const attempts = await listAttempts(context.database, transaction);
  const open = attempts.find((attempt) => attempt.state === 'challenge');
  if (!open) return 'none';
  const acquirer = cardAcquirerOf(context, open);
  if (!acquirer) return 'still_open';
  try {
    const outcome = await acquirer.abandon(chargeKeyOf(open, transaction));
    const result = await applyOutcome(context, open.attemptKey, outcome, failureReason);
    return result?.attempt.state === 'challenge' ? 'still_open' : 'ended';
  } catch (error) {
    context.log.warn({ account: open.accountKey, error: describeError(error) }, 'challenge could not be canceled');
    return 'still_open';
  }
}
