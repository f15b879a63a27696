import type { FailureReason } from '../../api/fiat-transaction.ts';
import { describeError } from '../../system/log.ts';
import { type PaymentsContext, cardAcquirerOf } from '../context.ts';
import { applyOutcome } from './outcome.ts';
import { listAttempts } from '../store.ts';
import type { FiatTransaction } from '../schema.ts';

/**
 * Ends the challenge that a transaction has open, if it has one: the provider is told, and its answer
 * (declined, or approved after all) is what counts. A provider that fails leaves it open. With
 * `endAs` a decline ends the transaction too, for that reason.
 */
export async function abandonOpenChallenge(
  context: PaymentsContext,
  transaction: FiatTransaction,
  endAs?: FailureReason,
): Promise<'none' | 'ended' | 'still_open'> {
  if (transaction.status !== 'waiting') return 'none';
  const attempts = await listAttempts(context.database, transaction);
  const open = attempts.find((attempt) => attempt.state === 'challenge');
  if (!open) return 'none';
  const provider = cardAcquirerOf(context, open);
  if (!provider) return 'still_open';
  try {
    const settled = await applyOutcome(context, open.attemptKey, await provider.abandon(open.attemptKey), endAs);
    return settled?.attempt.state === 'challenge' ? 'still_open' : 'ended';
  } catch (error) {
    context.log.warn({ provider: open.provider, error: describeError(error) }, 'a challenge could not be ended');
    return 'still_open';
  }
}
