/*
 * Map of this folder: `submit.ts` stores an attempt, `charge.ts` sends it to an acquirer, and `outcome.ts` applies the
 * result. `challenge.ts` and `abandon.ts` handle 3-D Secure, `resolve.ts` polls for missing outcomes, `problems.ts`
 * records charges to check with the acquirer, and `proof-of-work.ts` raises rate limits. Reasons:
 * docs/decisions/one-entry-point.md and rate-limits.md.
 */

import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../shared/time.ts';
import type { FailureReason } from '../../api/fiat-transaction.ts';
import type { UnitOfWork } from '../../database/database.ts';
import { wakeJob } from '../../jobs/runner.ts';
import type { ChargeOutcome } from '../../acquirers/port.ts';
import { isRejected, paymentDiscrepancy } from '../review/rules.ts';
import { lockWithRelatedRecords, type RelatedRecords, withAttempt } from '../related-records.ts';
import type { PaymentsContext } from '../context.ts';
import type { NotCharged } from './charge.ts';
import { endedAfterApproval, recordProblemOfLocked } from './problems.ts';
import { hasPendingConfirmations, withdrawOtherInstructions } from '../push/instructions.ts';
import { isAttemptOpen, MAX_ATTEMPTS } from '../states.ts';
import { findAttempt, RESOLUTION_JOB, updateAttempt } from '../store.ts';
import type { CardAttempt, FiatTransaction } from '../schema.ts';
import { insertAuthorization, setAuthorizationStatus } from '../authorizations/store.ts';
import { capabilityOf } from '../refunds/sources.ts';
import { formatAmount } from '../review/timeline-text.ts';
import { reprice } from '../switch-method.ts';
import { declineColumns, hasOpenAuthorization } from '../transaction.ts';
import { isExpired } from '../expiry.ts';
import { type StatusChange, transition } from '../transition.ts';

/** Backoff between polls of an unknown outcome. Then daily, and each poll logs an error for the operator. */
const statusPollBackoff: readonly Instant[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  6 * HOUR,
  ...Array.from({ length: 7 }, () => DAY),
];
/** Poll interval of an open challenge, in case neither the buyer nor a notification arrives. */
const CHALLENGE_POLL_INTERVAL: Instant = 5 * MINUTE;

/** Validity of an authorization whose account is no longer set up. */
const DEFAULT_VALIDITY: Instant = 7 * DAY;

export interface AttemptResult {
  transaction: FiatTransaction;
  attempt: CardAttempt;
}

/**
 * The only entry point for acquirer outcomes: response, notification, buyer's return, or status poll. Repeated and
 * out-of-order outcomes change nothing. With `failureReason`, a decline also fails the transaction, with that reason.
 */
export async function applyOutcome(
  context: PaymentsContext,
  attemptKey: string,
  outcome: ChargeOutcome,
  failureReason?: FailureReason,
): Promise<AttemptResult | null> {
  const attempt = await findAttempt(context.database, attemptKey);
  if (attempt) return await applyOutcomeToAttempt(context, attempt, outcome, failureReason);
  context.log.warn({ kind: outcome.kind }, 'outcome for an unknown card attempt');
  return null;
}

/**
 * Applies an outcome to an attempt that the caller has read. Its current state is read again under the lock. An outcome
 * from another account than the attempt's current one is outdated: the attempt was moved before that account charged.
 */
export async function applyOutcomeToAttempt(
  context: PaymentsContext,
  { attemptKey, merchantId, transactionId, accountKey }: CardAttempt,
  outcome: ChargeOutcome | NotCharged,
  failureReason?: FailureReason,
): Promise<AttemptResult> {
  return await context.database.inTransaction(async (unit) => {
    const { locked: transaction, related } = await lockWithRelatedRecords(unit, merchantId, transactionId);
    const attempt = related.attempts.find((each) => each.attemptKey === attemptKey);
    if (!attempt) throw new Error('The card attempt was not found');
    if (attempt.accountKey !== accountKey) {
      if (outcome.kind === 'approved')
        context.log.error(
          { account: accountKey, transaction: transactionId, attempt: attempt.number },
          'an account charged that had reported the charge as not processed: refund it with the acquirer',
        );
      return { transaction, attempt };
    }
    if (outcome.kind === 'not_charged') {
      // Another process may have taken over the attempt, and called the account.
      if (attempt.state !== 'submitting') return { transaction, attempt };
      return await recordDecline(context, unit, transaction, { attempt, related }, unavailable);
    }
    const updated = await recordReference(unit, attempt, outcome);
    switch (outcome.kind) {
      case 'approved':
        return await recordApproval(context, unit, transaction, { attempt: updated, related }, outcome);
      case 'declined':
        return await recordDecline(context, unit, transaction, { attempt: updated, related }, outcome, failureReason);
      case 'challenge':
        return await recordChallenge(context, unit, transaction, updated, outcome);
      case 'unknown':
        return await recordUnknown(context, unit, transaction, updated);
    }
  });
}

const unavailable = {
  kind: 'declined',
  decline: { code: 'acquirer_unavailable', network_code: null, retryable: true, advice: 'try_later' },
} as const;

/**
 * Stores the acquirer's reference and the network's response data, once reported. Later reports add to them. The
 * reference of the result replaces that of a challenge. That of the approval is final: refunds need it.
 */
async function recordReference(
  unit: UnitOfWork,
  attempt: CardAttempt,
  { kind, reference, details }: ChargeOutcome,
): Promise<CardAttempt> {
  const isResult = isAttemptOpen(attempt.state)
    ? kind === 'approved' || kind === 'declined'
    : kind === 'approved' && attempt.state === 'declined';
  const isNewReference = reference !== undefined && (isResult || attempt.acquirerReference === null);
  if (!isNewReference && details === undefined) return attempt;
  const change = {
    ...(isNewReference && { acquirerReference: reference }),
    ...(details && { chargeDetails: { ...attempt.chargeDetails, ...details } }),
  };
  // Keeps the time of the outcome, by which pages find the latest decline.
  return await updateAttempt(unit, attempt, change, attempt.updatedAt);
}

async function recordApproval(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  { attempt, related }: { attempt: CardAttempt; related: RelatedRecords },
  { threeDSecure, reference }: Extract<ChargeOutcome, { kind: 'approved' }>,
): Promise<AttemptResult> {
  if (!isAttemptOpen(attempt.state) && attempt.state !== 'declined') return { transaction, attempt };
  const now = context.clock.now();
  countOutcome(context, unit, attempt, 'approved');
  const isDuplicate = transaction.status === 'confirmed' || hasApprovalAfterRejection(transaction, related);
  if (isDuplicate || (transaction.capture === 'manual' && !canAuthorize(transaction, attempt))) {
    // A duplicate payment: another attempt has paid. The resolution job reverses this charge.
    wakeJob(unit, RESOLUTION_JOB);
    const duplicate = await updateAttempt(unit, attempt, { state: 'duplicate', checksMade: 0, nextCheckAt: now }, now);
    return { transaction, attempt: duplicate };
  }
  const approved = await updateAttempt(
    unit,
    attempt,
    {
      ...{ state: 'approved', nextCheckAt: null, ...declineColumns(null) },
      threeDSecure: threeDSecure ?? attempt.threeDSecure,
    },
    now,
  );
  // A card charge pays the full amount, in addition to any other receipts.
  const priced = await reprice(unit, transaction, attempt);
  if (transaction.capture === 'manual')
    return { attempt: approved, transaction: await recordAuthorization(context, unit, priced, approved) };
  const hasInstructions = related.instructions.length > 0;
  if (hasInstructions) await withdrawOtherInstructions(unit, transaction, now);
  const receivedMinor = transaction.receivedMinor + attempt.amountMinor;
  const reason = isRejected(transaction) ? 'rejected' : paymentDiscrepancy({ ...priced, receivedMinor });
  const detail = `card ending ${attempt.last4}`;
  const paid = await transition(context, unit, priced, {
    // A payment after a rejection always needs another review.
    to: reason === 'rejected' ? 'failed' : 'confirmed',
    ...(reason && { reason }),
    receivedMinor,
    detail,
    ...(!hasInstructions && { related: withAttempt(related, approved) }),
  });
  const isCanceled = related.attempts.some((before) => isCancellation(before, attempt.attemptKey, reference));
  const problem = { attempt, related };
  return {
    attempt: approved,
    transaction: isCanceled ? await recordProblemOfLocked(context, unit, paid, problem, endedAfterApproval) : paid,
  };
}

/** True if the acquirer has canceled the charge that it now reports as approved: the two reports are in reverse order. */
function isCancellation(before: CardAttempt, attemptKey: string, reference: string | undefined): boolean {
  if (before.attemptKey !== attemptKey || before.acquirerReference !== reference) return false;
  return before.state === 'declined' && before.declineCode === 'authentication_abandoned';
}

/**
 * True if the amount authorized on a card is kept. False if the transaction no longer awaits a payment, another card is
 * already authorized, or the attempt was reported to the buyer as declined. The caller then releases the amount: no
 * funds have moved.
 */
function canAuthorize(transaction: FiatTransaction, { state }: CardAttempt): boolean {
  if (hasOpenAuthorization(transaction) || state === 'declined') return false;
  return transaction.status === 'waiting' || transaction.status === 'pending';
}

/** Records that the amount is reserved on the card. Nothing is received until the merchant captures it. */
async function recordAuthorization(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  attempt: CardAttempt,
): Promise<FiatTransaction> {
  const now = context.clock.now();
  const account = context.acquirers.find(attempt.accountKey);
  const validity = account && capabilityOf(account, transaction, attempt.paymentMethod)?.manualCapture?.validity;
  await insertAuthorization(unit, attempt, { now, expiresAt: now + (validity ?? DEFAULT_VALIDITY) });
  const authorized = await setAuthorizationStatus(unit, transaction, 'authorized');
  const detail = `${formatAmount(attempt.amountMinor, transaction)} authorized on card ending ${attempt.last4}`;
  return await transition(context, unit, authorized, { to: 'waiting', detail });
}

/** True if a card charge was approved after a rejection. A second one is a duplicate. */
function hasApprovalAfterRejection(transaction: FiatTransaction, { attempts }: RelatedRecords): boolean {
  return isRejected(transaction) && attempts.some(({ state }) => state === 'approved');
}

async function recordDecline(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  { attempt, related }: { attempt: CardAttempt; related: RelatedRecords },
  outcome: Extract<ChargeOutcome, { kind: 'declined' }>,
  failureReason?: FailureReason,
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
  if (transaction.status !== 'waiting' || hasOpenAuthorization(transaction)) return { transaction, attempt: declined };
  const detail = failureReason ?? outcome.decline.code;
  const changed = await transition(context, unit, transaction, {
    ...statusAfterDecline(
      transaction,
      attempt,
      context.clock.now(),
      related.instructions.some(hasPendingConfirmations) ? 'unconfirmed' : failureReason,
    ),
    detail,
    related: withAttempt(related, declined),
  });
  return { transaction: changed, attempt: declined };
}

/**
 * Status of a transaction after a declined attempt. After a partial payment it waits for the remaining amount until it expires.
 * With an `unconfirmed` deposit it waits for confirmations.
 */
function statusAfterDecline(
  transaction: FiatTransaction,
  attempt: CardAttempt,
  now: Instant,
  failureReason: FailureReason | 'unconfirmed' | undefined,
): Pick<StatusChange, 'to' | 'reason'> {
  const discrepancy = paymentDiscrepancy(transaction);
  if (failureReason === 'unconfirmed') return { to: 'waiting', ...(discrepancy && { reason: discrepancy }) };
  if (discrepancy) return { to: isExpired(transaction, now) ? 'failed' : 'waiting', reason: discrepancy };
  const reason = failureReason ?? finalFailureReason(transaction, attempt, now);
  return reason ? { to: 'failed', reason } : { to: 'pending' };
}

/** Returns the failure reason after the last possible attempt; null when the buyer may try another card. */
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
    challengeUrl: outcome.challenge.url,
    challengeFields: outcome.challenge.method === 'POST' ? outcome.challenge.fields : null,
    threeDSecure: true,
    nextCheckAt: nextChallengePollAt(transaction, now),
  };
  return { transaction, attempt: await updateAttempt(unit, attempt, change, now) };
}

/** The next poll is at the expiry at the latest, to cancel the challenge. After that it is polled every minute. */
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
  const backoff = statusPollBackoff[attempt.checksMade] ?? DAY;
  if (attempt.state !== 'unknown') countOutcome(context, unit, attempt, 'unknown');
  if (attempt.checksMade >= statusPollBackoff.length) {
    context.log.error(
      { transaction: transaction.id, attempt: attempt.number },
      'acquirer has reported no outcome for over a week: contact the acquirer',
    );
  }
  const change = { state: 'unknown' as const, checksMade: attempt.checksMade + 1, nextCheckAt: now + backoff };
  return { transaction, attempt: await updateAttempt(unit, attempt, change, now) };
}

function countOutcome(
  context: PaymentsContext,
  unit: UnitOfWork,
  attempt: CardAttempt,
  kind: ChargeOutcome['kind'],
): void {
  unit.afterCommit(() => context.metrics.cardOutcomes.inc({ acquirer: attempt.accountKey, kind }));
}
