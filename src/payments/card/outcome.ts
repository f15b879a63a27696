import { isExpired } from '../expire.ts';
import { declineColumns } from '../transaction.ts';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../shared/time.ts';
import type { FailureReason } from '../../api/fiat-transaction.ts';
import type { UnitOfWork } from '../../database/database.ts';
import { wakeJob } from '../../jobs/runner.ts';
import type { ChargeOutcome } from '../../acquirers/port.ts';
import { isRejected, paymentDiscrepancy } from '../review/rules.ts';
import { readPaymentAttempts } from '../related-records.ts';
import type { PaymentsContext } from '../context.ts';
import { hasPendingConfirmations, listInstructions, withdrawOtherInstructions } from '../push/instructions.ts';
import { isAttemptOpen, MAX_ATTEMPTS } from '../states.ts';
import { findAttempt, listAttempts, lockTransaction, RESOLUTION_JOB, updateAttempt } from '../store.ts';
import type { CardAttempt, FiatTransaction, PaymentInstructions } from '../schema.ts';
import { reprice } from '../switch-method.ts';
import { type StatusChange, transition } from '../transition.ts';

/** Pauses between questions to a provider that does not know; then daily, and from the second week on a person must look. */
const statusPollBackoff: readonly Instant[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  6 * HOUR,
  ...Array.from({ length: 7 }, () => DAY),
];
/** How often an open challenge is asked about, in case the buyer and the provider's word both stay away. */
const CHALLENGE_POLL_INTERVAL: Instant = 5 * MINUTE;

export interface AttemptResult {
  transaction: FiatTransaction;
  attempt: CardAttempt;
}

/**
 * The only way in which a provider's word changes anything: an answer, a notification, the outcome
 * that a return or a question brought. Said twice or out of order, it changes nothing more. With
 * `endAs` a decline ends the transaction too, for that reason.
 */
export async function applyOutcome(
  context: PaymentsContext,
  attemptKey: string,
  outcome: ChargeOutcome,
  endAs?: FailureReason,
): Promise<AttemptResult | null> {
  const known = await findAttempt(context.database, attemptKey);
  if (known) return await applyOutcomeToAttempt(context, known, outcome, endAs);
  context.log.warn({ kind: outcome.kind }, 'an outcome came for an attempt that is not known');
  return null;
}

/** The same for whoever has read the attempt already, whatever has become of it since. */
export async function applyOutcomeToAttempt(
  context: PaymentsContext,
  { attemptKey, merchantId, transactionId }: CardAttempt,
  outcome: ChargeOutcome,
  endAs?: FailureReason,
): Promise<AttemptResult> {
  return await context.database.inUnit(async (unit) => {
    const transaction = await lockTransaction(unit, merchantId, transactionId);
    const { attempts, instructions } = await readPaymentAttempts(unit, transaction);
    const attempt = attempts.find((each) => each.attemptKey === attemptKey);
    if (!attempt) throw new Error('An attempt is gone');
    switch (outcome.kind) {
      case 'approved':
        return await recordApproval(context, unit, transaction, { attempt, instructions }, outcome);
      case 'declined':
        return await recordDecline(context, unit, transaction, attempt, outcome, endAs);
      case 'challenge':
        return await recordChallenge(context, unit, transaction, attempt, outcome);
      case 'unknown':
        return await recordUnknown(context, unit, transaction, attempt);
    }
  });
}

async function recordApproval(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  { attempt, instructions }: { attempt: CardAttempt; instructions: readonly PaymentInstructions[] },
  { threeDSecure }: Extract<ChargeOutcome, { kind: 'approved' }>,
): Promise<AttemptResult> {
  if (!isAttemptOpen(attempt.state) && attempt.state !== 'declined') return { transaction, attempt };
  const now = context.clock.now();
  countOutcome(context, unit, attempt, 'approved');
  if (transaction.status === 'confirmed' || (await hasApprovalAfterRejection(unit, transaction))) {
    // Paid by another attempt: this money goes back.
    wakeJob(unit, RESOLUTION_JOB);
    const duplicate = await updateAttempt(unit, attempt, { state: 'duplicate', nextCheckAt: now }, now);
    return { transaction, attempt: duplicate };
  }
  const approved = await updateAttempt(
    unit,
    attempt,
    { state: 'approved', nextCheckAt: null, ...declineColumns(null), ...(threeDSecure && { threeDSecure }) },
    now,
  );
  // A card pays the whole, whatever was begun or has come besides.
  const priced = await reprice(unit, transaction, attempt);
  if (instructions.length > 0) await withdrawOtherInstructions(unit, transaction, now);
  const receivedMinor = transaction.receivedMinor + attempt.amountMinor;
  const reason = isRejected(transaction) ? 'rejected' : paymentDiscrepancy({ ...priced, receivedMinor });
  const detail = `card ending ${attempt.last4}`;
  return {
    attempt: approved,
    transaction: await transition(context, unit, priced, {
      // What comes after a rejection waits for the merchant, by whatever way it comes.
      to: reason === 'rejected' ? 'failed' : 'confirmed',
      ...(reason && { reason }),
      receivedMinor,
      detail,
    }),
  };
}

/** Whether a card was charged after the merchant had refused what came before: another one is one too many. */
async function hasApprovalAfterRejection(unit: UnitOfWork, transaction: FiatTransaction): Promise<boolean> {
  if (!isRejected(transaction)) return false;
  return (await listAttempts(unit, transaction)).some(({ state }) => state === 'approved');
}

async function recordDecline(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  attempt: CardAttempt,
  outcome: Extract<ChargeOutcome, { kind: 'declined' }>,
  endAs?: FailureReason,
): Promise<AttemptResult> {
  if (!isAttemptOpen(attempt.state)) return { transaction, attempt };
  const declined = await updateAttempt(
    unit,
    attempt,
    {
      state: 'declined',
      nextCheckAt: null,
      ...declineColumns(outcome.decline),
    },
    context.clock.now(),
  );
  countOutcome(context, unit, attempt, 'declined');
  if (transaction.status !== 'waiting') return { transaction, attempt: declined };
  const detail = endAs ?? outcome.decline.code;
  const changed = await transition(context, unit, transaction, {
    ...statusAfterDecline(
      transaction,
      attempt,
      context.clock.now(),
      (await isAnyUnconfirmed(unit, transaction)) ? 'moving' : endAs,
    ),
    detail,
  });
  return { transaction: changed, attempt: declined };
}

async function isAnyUnconfirmed(unit: UnitOfWork, transaction: FiatTransaction): Promise<boolean> {
  return (await listInstructions(unit, transaction)).some(hasPendingConfirmations);
}

/**
 * What becomes of a transaction whose attempt was declined. What has come in part by another way is
 * waited for, or ends with the time; what is `moving` is waited for as long as it takes.
 */
function statusAfterDecline(
  transaction: FiatTransaction,
  attempt: CardAttempt,
  now: Instant,
  endAs: FailureReason | 'moving' | undefined,
): Pick<StatusChange, 'to' | 'reason'> {
  const mismatch = paymentDiscrepancy(transaction);
  if (endAs === 'moving') return { to: 'waiting', ...(mismatch && { reason: mismatch }) };
  if (mismatch) return { to: isExpired(transaction, now) ? 'failed' : 'waiting', reason: mismatch };
  const reason = endAs ?? finalFailureReason(transaction, attempt, now);
  return reason ? { to: 'failed', reason } : { to: 'pending' };
}

/** Why a declined attempt was the last one, or null when another may be made. */
function finalFailureReason(transaction: FiatTransaction, attempt: CardAttempt, now: Instant): FailureReason | null {
  if (attempt.number >= MAX_ATTEMPTS) return 'declined';
  return isExpired(transaction, now) ? 'expired' : null;
}

async function recordChallenge(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  attempt: CardAttempt,
  outcome: Extract<ChargeOutcome, { kind: 'challenge' }>,
): Promise<AttemptResult> {
  if (!isAttemptOpen(attempt.state)) return { transaction, attempt };
  const now = context.clock.now();
  if (attempt.state !== 'challenge') countOutcome(context, unit, attempt, 'challenge');
  const change = {
    state: 'challenge' as const,
    challengeUrl: outcome.challengeUrl,
    threeDSecure: true,
    nextCheckAt: nextChallengePollAt(transaction, now),
  };
  return { transaction, attempt: await updateAttempt(unit, attempt, change, now) };
}

/** At the expiry at the latest, for then it is ended; past that calmly, if the provider keeps it open. */
function nextChallengePollAt(transaction: FiatTransaction, now: Instant): Instant {
  if (isExpired(transaction, now)) return now + MINUTE;
  return Math.min(now + CHALLENGE_POLL_INTERVAL, transaction.expiresAt);
}

async function recordUnknown(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  attempt: CardAttempt,
): Promise<AttemptResult> {
  if (!isAttemptOpen(attempt.state)) return { transaction, attempt };
  const now = context.clock.now();
  const pause = statusPollBackoff[attempt.checksMade] ?? DAY;
  if (attempt.state !== 'unknown') countOutcome(context, unit, attempt, 'unknown');
  if (attempt.checksMade >= statusPollBackoff.length) {
    context.log.error(
      { transaction: transaction.id, attempt: attempt.number },
      'a provider has not told an outcome: a person must ask it',
    );
  }
  const change = { state: 'unknown' as const, checksMade: attempt.checksMade + 1, nextCheckAt: now + pause };
  return { transaction, attempt: await updateAttempt(unit, attempt, change, now) };
}

function countOutcome(
  context: PaymentsContext,
  unit: UnitOfWork,
  attempt: CardAttempt,
  kind: ChargeOutcome['kind'],
): void {
  unit.afterCommit(() => context.metrics.outcomes.inc({ provider: attempt.provider, kind }));
}
