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
 * Polls acquirers for missing outcomes: after a crash, for unknown outcomes, and for challenges without a return. Also
 * cancels challenges that can no longer pay, and reverses duplicate charges.
 */
export function createResolutionJob(context: PaymentsContext): Job {
  return {
    name: RESOLUTION_JOB,
    earliestDue: earliestDue('card_attempts', 'next_check_at'),
    async round() {
      const { database, clock } = context;
      const due = await database.inTransaction(
        async (unit) => await claimDue(db, unit, { table: 'card_attempts', column: 'next_check_at', now: clock.now() }),
      );
      await Promise.all(due.map((row) => resolveAttempt(context, attemptRecord.read(row))));
      return due.length;
    },
  };
}

/** Resolves one attempt. If the acquirer fails, it is polled again after the claim expires; a failure is no outcome. */
async function resolveAttempt(context: PaymentsContext, attempt: CardAttempt): Promise<void> {
  const acquirer = cardAcquirerOf(context, attempt);
  if (!acquirer) return;
  try {
    await (attempt.state === 'duplicate'
      ? reverseDuplicate(context, acquirer, attempt)
      : pollOutcome(context, acquirer, attempt));
  } catch (error) {
    context.log.warn({ provider: acquirer.name, error: describeError(error) }, 'acquirer could not be polled');
  }
}

async function pollOutcome(context: PaymentsContext, acquirer: CardAcquirer, attempt: CardAttempt): Promise<void> {
  // For an unknown key the charge was never sent. Abandoning the key prevents a delayed request from charging.
  const outcome = (await acquirer.fetchOutcome(attempt.attemptKey)) ?? (await acquirer.abandon(attempt.attemptKey));
  const endReason = outcome.kind === 'challenge' ? await challengeEndReason(context, attempt) : null;
  if (endReason === null) await applyOutcome(context, attempt.attemptKey, outcome);
  else await applyOutcome(context, attempt.attemptKey, await acquirer.abandon(attempt.attemptKey), endReason);
}

/** Returns the reason to cancel an open challenge: the transaction expired or another attempt paid it; otherwise null. */
async function challengeEndReason(context: PaymentsContext, attempt: CardAttempt): Promise<'expired' | null> {
  const transaction = await findById(context.database, attempt.merchantId, attempt.transactionId);
  if (!transaction) throw new Error('The transaction was not found');
  return transaction.status !== 'waiting' || isExpired(transaction, context.clock.now()) ? 'expired' : null;
}

async function reverseDuplicate(context: PaymentsContext, acquirer: CardAcquirer, attempt: CardAttempt): Promise<void> {
  await acquirer.reverse(attempt.attemptKey);
  await context.database.inTransaction(async (unit) => {
    const current = await findAttempt(unit, attempt.attemptKey);
    if (current?.state !== 'duplicate') return;
    await updateAttempt(unit, current, { state: 'reversed', nextCheckAt: null }, context.clock.now());
  });
}
