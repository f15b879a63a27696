import { describeError } from '../platform/log.ts';
import type { PaymentsContext } from './context.ts';
import { settle } from './settle.ts';
import { listAttempts } from './store.ts';
import type { FiatTransaction } from './transaction.ts';

/**
 * Ends the challenge that a transaction has open, if it has one: the provider is told, and its answer
 * (declined, or approved after all) is what counts. A provider that fails leaves it open. Answers
 * whether there was one.
 */
export async function abandonOpenChallenge(context: PaymentsContext, transaction: FiatTransaction): Promise<boolean> {
  if (transaction.status !== 'waiting' || !context.cardProvider) return false;
  const attempts = await listAttempts(context.database, transaction);
  const open = attempts.find((attempt) => attempt.state === 'challenge');
  if (!open) return false;
  try {
    await settle(context, open.attemptKey, await context.cardProvider.abandon(open.attemptKey));
  } catch (error) {
    context.log.warn({ provider: open.provider, error: describeError(error) }, 'a challenge could not be ended');
  }
  return true;
}
