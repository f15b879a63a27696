import { type CardAttempt, db, attemptRecord } from '../schema.ts';
import { claimDue, earliestDue } from '../../jobs/due.ts';
import { describeError } from '../../system/log.ts';
import type { Job } from '../../jobs/runner.ts';
import type { CardAcquirer } from '../../acquirers/port.ts';
import { type PaymentsContext, cardAcquirerOf } from '../context.ts';
import { applyOutcome } from './outcome.ts';
import { isExpired } from '../expire.ts';
import { findAttempt, findById, RESOLUTION_JOB, updateAttempt } from '../store.ts';

/**
 * Asks providers for outcomes that they owe: of attempts that were cut off by a crash, left unknown,
 * or whose challenge nobody came back from; ends challenges that can be of no use any more; and gives
 * back what was charged twice.
 */
export function createResolutionJob(context: PaymentsContext): Job {
  return {
    name: RESOLUTION_JOB,
    due: earliestDue('card_attempts', 'next_check_at'),
    async round() {
      const { database, clock } = context;
      const due = await database.inUnit(
        async (unit) => await claimDue(db, unit, { table: 'card_attempts', column: 'next_check_at', now: clock.now() }),
      );
      await Promise.all(due.map((row) => resolveAttempt(context, attemptRecord.read(row))));
      return due.length;
    },
  };
}

/** A provider that fails is asked again when the claim has run out; its failures are no answers. */
async function resolveAttempt(context: PaymentsContext, attempt: CardAttempt): Promise<void> {
  const provider = cardAcquirerOf(context, attempt);
  if (!provider) return;
  try {
    await (attempt.state === 'duplicate'
      ? reverseDuplicate(context, provider, attempt)
      : pollOutcome(context, provider, attempt));
  } catch (error) {
    context.log.warn({ provider: provider.name, error: describeError(error) }, 'a provider could not be asked');
  }
}

async function pollOutcome(context: PaymentsContext, provider: CardAcquirer, attempt: CardAttempt): Promise<void> {
  // A key that the provider never saw belongs to a charge that was not sent. It is closed there, so that it cannot arrive later.
  const outcome = (await provider.fetchOutcome(attempt.attemptKey)) ?? (await provider.abandon(attempt.attemptKey));
  const useless = outcome.kind === 'challenge' ? await challengeEndReason(context, attempt) : null;
  if (useless === null) await applyOutcome(context, attempt.attemptKey, outcome);
  else await applyOutcome(context, attempt.attemptKey, await provider.abandon(attempt.attemptKey), useless);
}

/** Why an open challenge is of no use: the transaction expired, or another attempt paid it; else null. */
async function challengeEndReason(context: PaymentsContext, attempt: CardAttempt): Promise<'expired' | null> {
  const transaction = await findById(context.database, attempt.merchantId, attempt.transactionId);
  if (!transaction) throw new Error('A transaction is gone');
  return transaction.status !== 'waiting' || isExpired(transaction, context.clock.now()) ? 'expired' : null;
}

async function reverseDuplicate(context: PaymentsContext, provider: CardAcquirer, attempt: CardAttempt): Promise<void> {
  await provider.reverse(attempt.attemptKey);
  await context.database.inUnit(async (unit) => {
    const fresh = await findAttempt(unit, attempt.attemptKey);
    if (fresh?.state !== 'duplicate') return;
    await updateAttempt(unit, fresh, { state: 'reversed', nextCheckAt: null }, context.clock.now());
  });
}
