/*
 * Map of this folder: `request.ts` stores a requested capture or void, `outcome.ts` calls the acquirer and applies the
 * outcome, and `store.ts` has the queries. Reasons: docs/decisions/authorizations.md.
 */

import type { ExternalCapture } from '../../acquirers/adapter.ts';
import type { CaptureOutcome, ManualCapture } from '../../acquirers/capture.ts';
import type { CurrencyCode } from '../../api/currency.ts';
import type { FailureReason } from '../../api/fiat-transaction.ts';
import type { UnitOfWork } from '../../database/database.ts';
import { createDueJob } from '../../jobs/due.ts';
import { type Job, wakeJob } from '../../jobs/runner.ts';
import { DAY, type Instant, SECOND } from '../../shared/time.ts';
import { describeError } from '../../system/log.ts';
import { randomId } from '../../system/random.ts';
import { chargeKeyOf, type PaymentsContext } from '../context.ts';
import { agreedNetAmount, netAmount, setNetAmount } from '../net-amount.ts';
import { pollBackoff } from '../poll-backoff.ts';
import { formatAmount } from '../review/timeline-text.ts';
import { authorizationRecord, type CardAttempt, type CardAuthorization, db, type FiatTransaction } from '../schema.ts';
import { findAttempt, findById, lockTransaction, RESOLUTION_JOB, updateAttempt } from '../store.ts';
import { hasOpenAuthorization } from '../transaction.ts';
import { isExpired } from '../expiry.ts';
import { transition } from '../transition.ts';
import { findAuthorization, updateAuthorization } from './store.ts';

/** The job polls a capture or void after this time, in case its process died. Longer than any call's timeout. */
export const STALE_MODIFICATION_AFTER: Instant = 35 * SECOND;

const RELEASED: CaptureOutcome = {
  ...{ kind: 'refused', code: 'authorization_ended', detail: 'The acquirer has released the amount.' },
  isReleased: true,
};

/** A locked transaction and its authorization. */
interface LockedAuthorization {
  transaction: FiatTransaction;
  authorization: CardAuthorization;
}

/** True while the acquirer must be called: to capture, to void, or to release an expired authorization. */
export function isModificationDue({ status, modificationKey, nextCheckAt }: CardAuthorization): boolean {
  if (modificationKey === null) return false;
  return status === 'capture_pending' || status === 'void_pending' || (status === 'expired' && nextCheckAt !== null);
}

/** Requests a pending capture or void from its acquirer, or polls it. After a failure, the job tries again. */
export async function executeModification(context: PaymentsContext, authorization: CardAuthorization): Promise<void> {
  try {
    await requestModification(context, authorization);
  } catch (error) {
    const { accountKey: account, status } = authorization;
    context.log.warn({ account, status, error: describeError(error) }, 'acquirer could not capture or void');
  }
}

/**
 * Sends a pending capture or void to its acquirer, or polls it, and applies the outcome. Throws if the acquirer does
 * not respond.
 */
export async function requestModification(context: PaymentsContext, authorization: CardAuthorization): Promise<void> {
  const { modificationKey, modificationReference: reference, status, capturedMinor: amountMinor } = authorization;
  if (modificationKey === null || !isModificationDue(authorization)) return;
  const acquirer = manualCaptureOf(context, authorization);
  const attempt = await findAttempt(context.database, authorization.attemptKey);
  const transaction = await findById(context.database, authorization.merchantId, authorization.transactionId);
  if (!acquirer || !attempt || !transaction) return;
  const request = { charge: chargeKeyOf(attempt, transaction), modificationKey, reference };
  const outcome =
    status === 'capture_pending' ? await acquirer.capture({ ...request, amountMinor }) : await acquirer.void(request);
  await applyCaptureOutcome(context, modificationKey, outcome);
}

function manualCaptureOf({ acquirers, log }: PaymentsContext, { accountKey }: CardAuthorization): ManualCapture | null {
  const acquirer = acquirers.find(accountKey)?.card?.manualCapture;
  if (!acquirer) log.error({ account: accountKey }, 'authorization needs an acquirer account that is not set up');
  return acquirer ?? null;
}

/**
 * The only entry point for outcomes of captures and voids: response, notification or poll. A repeated outcome changes
 * nothing. A captured authorization can still fail; a voided one cannot.
 */
export async function applyCaptureOutcome(
  context: PaymentsContext,
  modificationKey: string,
  outcome: CaptureOutcome,
): Promise<void> {
  const stored = await findAuthorization(context.database, 'modification_key', modificationKey);
  if (!stored) throw new Error('The authorization was not found');
  await context.database.inTransaction(async (unit) => {
    const transaction = await lockTransaction(unit, stored.merchantId, stored.transactionId);
    const authorization = await findAuthorization(unit, 'modification_key', modificationKey);
    // Another capture or void has replaced this one, which had failed.
    if (!authorization) return;
    const isDue = isModificationDue(authorization);
    if (!isDue && !isLateFailure(authorization, outcome)) return;
    const current = await recordReport(context, unit, { transaction, authorization }, outcome);
    // The success that it follows may arrive later.
    if (!isDue && authorization.status !== 'captured') return;
    if (outcome.kind === 'pending') await scheduleNextPoll(context, unit, current);
    else if (outcome.kind === 'captured') await recordExternalCapture(context, unit, current, outcome.amountMinor);
    else if (authorization.status === 'expired') await recordRelease(context, unit, current, outcome);
    else if (outcome.kind === 'refused') await recordFailure(context, unit, current, outcome);
    else if (authorization.status === 'capture_pending') await recordCapture(context, unit, current);
    else await recordEnd(context, unit, current, { status: 'voided', reason: 'cancelled', detail: 'voided' });
  });
}

/** True if a capture fails after it had succeeded, and no later result was applied. */
function isLateFailure({ reportedAt }: CardAuthorization, outcome: CaptureOutcome): boolean {
  if (outcome.kind !== 'refused' || !outcome.isLate) return false;
  return outcome.occurredAt === undefined || outcome.occurredAt >= (reportedAt ?? 0);
}

/**
 * Records a capture that the merchant made in the acquirer's dashboard, its late failure, or a capture that the
 * acquirer repeated after its failure. It replaces a pending capture or void of the service, which the acquirer then
 * rejects.
 */
export async function applyExternalCapture(
  context: PaymentsContext,
  { attemptKey, merchantId, transactionId }: Pick<CardAttempt, 'attemptKey' | 'merchantId' | 'transactionId'>,
  {
    currency,
    outcome,
    modificationKey = null,
  }: { currency: CurrencyCode; outcome: ExternalCapture; modificationKey?: string | null },
): Promise<void> {
  await context.database.inTransaction(async (unit) => {
    const transaction = await lockTransaction(unit, merchantId, transactionId);
    const authorization = await findAuthorization(unit, 'attempt_key', attemptKey);
    if (!authorization) return;
    const current = { transaction, authorization };
    const { status, modificationReference, reportedAt, accountKey: account } = authorization;
    const hasKey = modificationKey !== null && modificationKey === authorization.modificationKey;
    const isCurrent = hasKey || modificationReference === outcome.reference;
    if (outcome.kind === 'refused') {
      const isCaptured = status === 'captured';
      // The success that it follows may arrive later.
      const isFirst = modificationReference === null && !isCaptured && !isModificationDue(authorization);
      if (!(isCurrent || isFirst) || !isLateFailure(authorization, outcome)) return;
      const reported = await recordReport(context, unit, current, outcome);
      if (isCaptured) await recordFailure(context, unit, reported, outcome);
      return;
    }
    // Not later than the failure that was applied last.
    const isOld = reportedAt !== null && (outcome.occurredAt ?? Infinity) <= reportedAt;
    if (isCurrent && (status === 'captured' || isOld)) {
      if (!isOld) await recordReport(context, unit, current, outcome);
      return;
    }
    const isCapturable = status !== 'captured' && status !== 'voided' && !(isOld && modificationKey !== null);
    if (!isCapturable || currency !== transaction.currency || outcome.amountMinor > authorization.amountMinor) {
      context.log.error(
        { account, transaction: transactionId, status },
        'external capture does not match the authorization',
      );
      return;
    }
    const change = { modificationKey, modificationReference: outcome.reference, requestName: null };
    const times = { reportedAt: outcome.occurredAt ?? null, updatedAt: context.clock.now() };
    const changed = await updateAuthorization(unit, current, { ...change, ...times });
    await recordExternalCapture(context, unit, changed, outcome.amountMinor);
  });
}

/** Stores the acquirer's reference and time of a result. */
async function recordReport(
  { clock }: PaymentsContext,
  unit: UnitOfWork,
  current: LockedAuthorization,
  { reference, occurredAt }: CaptureOutcome,
): Promise<LockedAuthorization> {
  const isNewReference = reference !== undefined && current.authorization.modificationReference === null;
  if (!isNewReference && occurredAt === undefined) return current;
  return await updateAuthorization(unit, current, {
    ...(isNewReference && { modificationReference: reference }),
    ...(occurredAt !== undefined && { reportedAt: occurredAt }),
    updatedAt: clock.now(),
  });
}

async function scheduleNextPoll(
  { clock, log }: PaymentsContext,
  unit: UnitOfWork,
  current: LockedAuthorization,
): Promise<void> {
  const { checksMade, transactionId } = current.authorization;
  const backoff = pollBackoff[checksMade];
  if (backoff === undefined)
    log.error({ transaction: transactionId }, 'capture or void pending for over a month: contact the acquirer');
  await updateAuthorization(unit, current, {
    checksMade: checksMade + 1,
    nextCheckAt: clock.now() + (backoff ?? DAY),
  });
}

/**
 * Records an amount that was captured outside the service, or that differs from the requested one. A capture of an
 * expired authorization is recorded too, unless another card has paid or is authorized: then it is reversed, like a
 * duplicate charge.
 */
async function recordExternalCapture(
  context: PaymentsContext,
  unit: UnitOfWork,
  current: LockedAuthorization,
  capturedMinor: bigint,
): Promise<void> {
  const now = context.clock.now();
  const { transaction, authorization } = current;
  const { authorizationStatus: live } = transaction;
  const attempt = await findAttempt(unit, authorization.attemptKey);
  if (authorization.status === 'expired' && attempt) {
    const isDuplicate = transaction.status === 'confirmed' || live === 'captured' || hasOpenAuthorization(transaction);
    if (isDuplicate) {
      await updateAuthorization(unit, current, { nextCheckAt: null, updatedAt: now });
      await updateAttempt(unit, attempt, { state: 'duplicate', checksMade: 0, nextCheckAt: now }, now);
      wakeJob(unit, RESOLUTION_JOB);
      return;
    }
    await updateAttempt(unit, attempt, { state: 'approved', nextCheckAt: null }, now);
  }
  // No request has captured this amount.
  const change = { capturedMinor, requestName: null, updatedAt: now };
  await recordCapture(context, unit, await updateAuthorization(unit, current, change));
}

/** The captured amount is received, and accepted as full payment; the remaining amount is released. */
async function recordCapture(context: PaymentsContext, unit: UnitOfWork, current: LockedAuthorization): Promise<void> {
  const now = context.clock.now();
  const { transaction, authorization } = await updateAuthorization(unit, current, {
    status: 'captured',
    ...{ failureCode: null, failureDetail: null, nextCheckAt: null, updatedAt: now },
  });
  const { capturedMinor, amountMinor } = authorization;
  const receivedMinor = transaction.receivedMinor + capturedMinor;
  const isPartial = capturedMinor < amountMinor;
  const updated = isPartial
    ? await setNetAmount(unit, transaction, netAmount({ ...transaction, receivedMinor }))
    : transaction;
  await transition(context, unit, updated, {
    to: 'confirmed',
    receivedMinor,
    ...(isPartial && { acceptedMinor: receivedMinor }),
    detail: `${formatAmount(capturedMinor, transaction)} captured`,
  });
  countModification(context, unit, authorization, 'captured');
}

/**
 * A rejected capture or void leaves the amount authorized, so that the merchant can try again. A capture that fails
 * after it had succeeded is reversed.
 */
async function recordFailure(
  context: PaymentsContext,
  unit: UnitOfWork,
  current: LockedAuthorization,
  { code, detail, isReleased = false }: Extract<CaptureOutcome, { kind: 'refused' }>,
): Promise<void> {
  const { status, capturedMinor, expiresAt } = current.authorization;
  const isVoid = status === 'void_pending';
  const now = context.clock.now();
  const amount = formatAmount(capturedMinor, current.transaction);
  const failure = status === 'captured' ? 'failed after it had succeeded' : 'refused';
  const text = isVoid ? `void refused: ${code}` : `capture of ${amount} ${failure}: ${code}`;
  const authorization = await withFailure(unit, current, { code, detail, now });
  countModification(context, unit, current.authorization, 'refused');
  const before = {
    ...authorization,
    transaction: await withoutFailedCapture(unit, authorization.transaction, status, capturedMinor),
  };
  if (isReleased || isExpired(current.authorization, now)) {
    const isVoided = isVoid && isReleased;
    const end = isVoided
      ? ({ status: 'voided', reason: 'cancelled', detail: 'voided' } as const)
      : ({ status: 'expired', reason: 'expired', detail: `${text}; authorization expired` } as const);
    await recordEnd(context, unit, before, { ...end, needsRelease: !isReleased });
    return;
  }
  const change = { status: 'authorized', capturedMinor: 0n, nextCheckAt: expiresAt, updatedAt: now } as const;
  const { transaction } = await updateAuthorization(unit, before, change);
  await transition(context, unit, transaction, {
    to: 'waiting',
    receivedMinor: transaction.receivedMinor,
    acceptedMinor: null,
    detail: text,
  });
}

async function withFailure(
  unit: UnitOfWork,
  current: LockedAuthorization,
  { code, detail, now }: { code: string; detail: string; now: Instant },
): Promise<LockedAuthorization> {
  return await updateAuthorization(unit, current, { failureCode: code, failureDetail: detail, updatedAt: now });
}

/** The transaction without the amount of a capture that failed after it had succeeded. */
async function withoutFailedCapture(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  status: CardAuthorization['status'],
  capturedMinor: bigint,
): Promise<FiatTransaction> {
  if (status !== 'captured') return transaction;
  const updated = await setNetAmount(unit, transaction, agreedNetAmount(transaction));
  return { ...updated, receivedMinor: transaction.receivedMinor - capturedMinor };
}

interface AuthorizationEnd {
  status: 'voided' | 'expired';
  reason: FailureReason;
  /** For the timeline. */
  detail: string;
  /** True if the acquirer still holds the amount. */
  needsRelease?: boolean;
}

/** Ends an authorization without a capture: the transaction fails, and the attempt counts as reversed. */
async function recordEnd(
  context: PaymentsContext,
  unit: UnitOfWork,
  current: LockedAuthorization,
  { status, reason, detail, needsRelease = false }: AuthorizationEnd,
): Promise<void> {
  const now = context.clock.now();
  const { transaction, authorization } = await updateAuthorization(unit, current, {
    ...{ status, capturedMinor: 0n, checksMade: 0, updatedAt: now },
    nextCheckAt: needsRelease ? now : null,
    // The hold of an expired authorization is released under a new key.
    ...(needsRelease && { modificationKey: randomId(context.random), modificationReference: null, requestName: null }),
  });
  const attempt = await findAttempt(unit, authorization.attemptKey);
  if (attempt) await updateAttempt(unit, attempt, { state: 'reversed', nextCheckAt: null }, now);
  const { receivedMinor } = transaction;
  await transition(context, unit, transaction, { to: 'failed', reason, receivedMinor, acceptedMinor: null, detail });
  countModification(context, unit, authorization, status);
}

/** Records the release of an expired authorization. Its expiry has already been reported to the merchant. */
async function recordRelease(
  { clock, log }: PaymentsContext,
  unit: UnitOfWork,
  current: LockedAuthorization,
  outcome: Exclude<CaptureOutcome, { kind: 'pending' | 'captured' }>,
): Promise<void> {
  await updateAuthorization(unit, current, { nextCheckAt: null, updatedAt: clock.now() });
  if (outcome.kind === 'refused' && outcome.isReleased !== true)
    log.error(
      { account: current.authorization.accountKey, transaction: current.transaction.id, code: outcome.code },
      'expired authorization could not be voided: void it with the acquirer',
    );
}

function countModification(
  { metrics }: PaymentsContext,
  unit: UnitOfWork,
  { accountKey: acquirer }: CardAuthorization,
  outcome: 'captured' | 'voided' | 'expired' | 'refused',
): void {
  unit.afterCommit(() => metrics.authorizationOutcomes.inc({ acquirer, outcome }));
}

/**
 * Ends an authorization that the acquirer has reported as released, outside of a void by the merchant; for example by
 * its own expiry. A pending void has then succeeded, and a pending capture cannot.
 */
export async function applyReportedRelease(context: PaymentsContext, attemptKey: string): Promise<void> {
  const stored = await findAuthorization(context.database, 'attempt_key', attemptKey);
  if (stored?.modificationKey && isModificationDue(stored)) {
    const outcome: CaptureOutcome = stored.status === 'capture_pending' ? RELEASED : { kind: 'succeeded' };
    await applyCaptureOutcome(context, stored.modificationKey, outcome);
  }
  await expire(context, attemptKey, (authorization) => authorization.status === 'authorized', false);
}

async function expire(
  context: PaymentsContext,
  attemptKey: string,
  isDue: (authorization: CardAuthorization) => boolean,
  needsRelease: boolean,
): Promise<CardAuthorization | null> {
  const stored = await findAuthorization(context.database, 'attempt_key', attemptKey);
  if (!stored) return null;
  await context.database.inTransaction(async (unit) => {
    const transaction = await lockTransaction(unit, stored.merchantId, stored.transactionId);
    const authorization = await findAuthorization(unit, 'attempt_key', attemptKey);
    if (!authorization || !isDue(authorization)) return;
    const end = { status: 'expired', reason: 'expired', detail: 'authorization expired', needsRelease } as const;
    await recordEnd(context, unit, { transaction, authorization }, end);
  });
  return await findAuthorization(context.database, 'attempt_key', attemptKey);
}

/** Expires authorizations, releases their amounts, and polls acquirers for pending captures and voids. */
export function createAuthorizationJob(context: PaymentsContext): Job {
  return createDueJob(context, db, {
    ...{ name: AUTHORIZATION_JOB, table: 'card_authorizations', column: 'next_check_at' },
    work: async (row) => await resolveAuthorization(context, authorizationRecord.read(row)),
  });
}

/**
 * Expires an authorization that is due, and calls its acquirer. After a failure, it is due again when its claim lapses.
 */
async function resolveAuthorization(context: PaymentsContext, authorization: CardAuthorization): Promise<void> {
  const { attemptKey, accountKey: account, transactionId: transaction } = authorization;
  const isDue = (each: CardAuthorization) => each.status === 'authorized' && isExpired(each, context.clock.now());
  try {
    const current = isDue(authorization) ? await expire(context, attemptKey, isDue, true) : authorization;
    if (current) await executeModification(context, current);
  } catch (error) {
    context.log.error({ account, transaction, error: describeError(error) }, 'authorization could not be expired');
  }
}

/** The job that expires authorizations, and polls captures and voids. */
const AUTHORIZATION_JOB = 'authorizations';
