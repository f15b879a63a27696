import { type CardAttempt, db, attemptRecord, type FiatTransaction } from '../schema.ts';
import { createDueJob } from '../../jobs/due.ts';
import { describeError } from '../../system/log.ts';
import type { Job } from '../../jobs/runner.ts';
import type { CardAcquirer, ChargeKey, ChargeOutcome } from '../../acquirers/port.ts';
import { type PaymentsContext, cardAcquirerOf, chargeKeyOf } from '../context.ts';
import { storedChallenge } from './challenge.ts';
import { applyOutcomeToAttempt } from './outcome.ts';
import { isExpired } from '../expiry.ts';
import { pollBackoff } from '../poll-backoff.ts';
import { type ChargeReport, isLastReport, recordProblem, reportText } from './problems.ts';
import { recordRefundEvent } from '../refunds/outcome.ts';
import { lockWithRelatedRecords } from '../related-records.ts';
import { DAY } from '../../shared/time.ts';
import { findById, RESOLUTION_JOB, updateAttempt } from '../store.ts';

/**
 * Polls acquirers for missing outcomes: after a crash, for unknown outcomes, and for challenges without a return. Also
 * cancels challenges that can no longer pay, and reverses duplicate charges.
 */
export function createResolutionJob(context: PaymentsContext): Job {
  return createDueJob(context, db, {
    ...{ name: RESOLUTION_JOB, table: 'card_attempts', column: 'next_check_at' },
    work: async (row) => await resolveAttempt(context, attemptRecord.read(row)),
  });
}

/**
 * Resolves one attempt. If the acquirer fails, it is polled again after the claim expires, and a reversal is requested
 * again later; a failure is not an outcome.
 */
async function resolveAttempt(context: PaymentsContext, attempt: CardAttempt): Promise<void> {
  const acquirer = cardAcquirerOf(context, attempt);
  if (!acquirer) return;
  const transaction = await findById(context.database, attempt.merchantId, attempt.transactionId);
  if (!transaction) throw new Error('The transaction was not found');
  const charge = chargeKeyOf(attempt, transaction);
  try {
    await (attempt.state === 'duplicate'
      ? reverseDuplicate(context, acquirer, attempt, charge)
      : pollOutcome(context, acquirer, { attempt, transaction, charge }));
  } catch (error) {
    context.log.warn({ account: attempt.accountKey, error: describeError(error) }, 'acquirer could not be polled');
    if (attempt.state !== 'duplicate') return;
    await updateDuplicate(context, attempt, false);
    // It has failed for hours: a person must look at it.
    if ((pollBackoff[attempt.checksMade] ?? DAY) === DAY) await recordFailedReversal(context, attempt);
  }
}

async function pollOutcome(
  context: PaymentsContext,
  acquirer: CardAcquirer,
  { attempt, transaction, charge }: { attempt: CardAttempt; transaction: FiatTransaction; charge: ChargeKey },
): Promise<void> {
  const outcome = await fetchOutcome(acquirer, attempt, charge);
  const isChallengeOver = outcome.kind === 'challenge' && hasChallengeEnded(context, transaction);
  if (!isChallengeOver) await applyOutcomeToAttempt(context, attempt, outcome);
  else await applyOutcomeToAttempt(context, attempt, await acquirer.abandon(charge), 'expired');
}

/**
 * Requests the outcome of a charge. Abandons a key that the acquirer never received, so that no delayed request charges
 * it. An acquirer that cannot be polled sends notifications of outcomes: an open challenge stays open, everything else
 * is abandoned.
 */
async function fetchOutcome(acquirer: CardAcquirer, attempt: CardAttempt, charge: ChargeKey): Promise<ChargeOutcome> {
  if (acquirer.fetchOutcome) return (await acquirer.fetchOutcome(charge)) ?? (await acquirer.abandon(charge));
  return attempt.state === 'challenge' ? storedChallenge(attempt) : await acquirer.abandon(charge);
}

/** True if an open challenge can no longer pay: the transaction expired, or another attempt paid it. */
function hasChallengeEnded({ clock }: PaymentsContext, transaction: FiatTransaction): boolean {
  return transaction.status !== 'waiting' || isExpired(transaction, clock.now());
}

async function reverseDuplicate(
  context: PaymentsContext,
  acquirer: CardAcquirer,
  attempt: CardAttempt,
  charge: ChargeKey,
): Promise<void> {
  const outcome = await acquirer.reverse(charge);
  if (outcome.kind === 'refused') await recordFailedReversal(context, attempt, outcome.code);
  await updateDuplicate(context, attempt, outcome.kind === 'requested');
}

async function updateDuplicate(
  context: PaymentsContext,
  { attemptKey, merchantId, transactionId }: CardAttempt,
  isReversed: boolean,
): Promise<void> {
  await context.database.inTransaction(async (unit) => {
    const { locked, related } = await lockWithRelatedRecords(unit, merchantId, transactionId);
    const current = related.attempts.find((attempt) => attempt.attemptKey === attemptKey);
    if (current?.state !== 'duplicate') return;
    const now = context.clock.now();
    const { checksMade } = current;
    const retry = { checksMade: checksMade + 1, nextCheckAt: now + (pollBackoff[checksMade] ?? DAY) };
    await updateAttempt(unit, current, isReversed ? { state: 'reversed', nextCheckAt: null } : retry, now);
    if (isReversed && isLastReport(related, current, reversalFailure)) {
      const accepted = { ...reversalFailure, ...lateAcceptance };
      await recordRefundEvent(context, unit, locked, reportText(current, accepted));
    }
  });
}

const reversalFailure: ChargeReport = {
  subject: 'duplicate charge',
  problem: 'could not be reversed',
  advice: 'refund it with the acquirer',
};

/** An accepted reversal can still fail. */
const lateAcceptance: ChargeReport = {
  problem: 'has a reversal that was accepted later',
  advice: 'check it with the acquirer before you refund it',
};

/** Records that the merchant must refund the payer through the acquirer. */
async function recordFailedReversal(context: PaymentsContext, attempt: CardAttempt, code?: string): Promise<void> {
  await recordProblem(context, attempt, { ...reversalFailure, code });
}

/** Records that a reversal failed after the acquirer had accepted it. It would accept a repeated request too. */
export async function recordLateFailedReversal(context: PaymentsContext, attempt: CardAttempt): Promise<void> {
  await recordProblem(context, attempt, reversalFailure, { isReversalOver: true });
}
