import { db, type FiatTransaction, type PaymentRefund, refundRecord } from '../schema.ts';
import { DAY } from '../../shared/time.ts';
import type { UnitOfWork } from '../../database/database.ts';
import type { Job } from '../../jobs/runner.ts';
import { createDueJob } from '../../jobs/due.ts';
import { describeError } from '../../system/log.ts';
import type { IssueRefund, RefundOutcome, RefundRequest } from '../../acquirers/refund.ts';
import type { PaymentsContext } from '../context.ts';
import { pollBackoff } from '../poll-backoff.ts';
import { findRefund, sumRefunds, updateRefund } from './store.ts';
import { emailRefund } from '../emails.ts';
import { netAmountWhenPaid, setNetAmount } from '../net-amount.ts';
import { readRelatedRecords } from '../related-records.ts';
import { paymentDiscrepancy } from '../review/rules.ts';
import { findInstructions, findLastReceiptKey } from '../push/instructions.ts';
import { findAttempt, findById, lockTransaction } from '../store.ts';
import { transition } from '../transition.ts';
import { formatAmount } from '../review/timeline-text.ts';

export async function setRefundedAmount(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  refundedMinor: bigint,
): Promise<FiatTransaction> {
  await db(unit)
    .updateTable('fiat_transactions')
    .set({ amount_refunded_minor: Number(refundedMinor), updated_at: transaction.updatedAt })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
  return { ...transaction, refundedMinor };
}

/** Records the event of a refund's outcome; the status stays. `before`: the transaction before its amounts changed. */
export async function recordRefundEvent(
  context: PaymentsContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  detail: string,
  before = transaction,
): Promise<FiatTransaction> {
  const { status, reason } = transaction;
  return await transition(context, unit, transaction, { to: status, ...(reason && { reason }), detail, before });
}

/** Requests a pending refund from its acquirer, or polls it. After a failure, the refund job tries again later. */
export async function executeRefund(
  context: PaymentsContext,
  refund: PaymentRefund,
  transaction: FiatTransaction,
): Promise<void> {
  if (refund.state !== 'pending') return;
  try {
    await requestRefund(context, refund, transaction);
  } catch (error) {
    context.log.warn({ account: refund.accountKey, error: describeError(error) }, 'acquirer could not refund');
    // If this fails too, the refund is due again when the claim expires.
    await applyRefundOutcome(context, refund.refundKey, { kind: 'pending' }).catch(() => {});
  }
}

/**
 * Reads the outcome of a refund that an acquirer has reported as changed: one that succeeded can still fail. Throws if
 * the acquirer does not respond.
 */
export async function refreshRefund(
  context: PaymentsContext,
  refund: PaymentRefund,
  transaction: FiatTransaction,
): Promise<void> {
  // Without the acquirer's reference, a call would issue the refund again.
  const isKnown = refund.acquirerReference !== null && !refund.isOutOfBand;
  if (refund.state === 'pending' || (refund.state === 'succeeded' && isKnown))
    await requestRefund(context, refund, transaction);
}

async function requestRefund(
  context: PaymentsContext,
  refund: PaymentRefund,
  { currency }: FiatTransaction,
): Promise<void> {
  const issueRefund = acquirerRefund(context, refund);
  if (!issueRefund) return;
  const { refundKey, chargeKey, amountMinor } = refund;
  const reference = refund.acquirerReference;
  const charge = await findChargeReference(context, refund);
  const request = { refundKey, reference, chargeKey, ...charge, amountMinor, currency };
  await applyRefundOutcome(context, refundKey, await issueRefund(request));
}

function acquirerRefund(
  { acquirers, log }: PaymentsContext,
  { source, accountKey }: PaymentRefund,
): IssueRefund | null {
  const account = acquirers.find(accountKey);
  const acquirer = source === 'card' ? account?.card : account?.push;
  if (acquirer) return async (refund) => await acquirer.refund(refund);
  log.error({ account: accountKey }, 'refund needs an acquirer account that is not set up');
  return null;
}

/** Returns the acquirer's own reference of the refunded charge or push payment, or the key of its receipt. */
async function findChargeReference(
  { database }: PaymentsContext,
  { source, chargeKey }: PaymentRefund,
): Promise<Pick<RefundRequest, 'chargeReference' | 'receiptKey'>> {
  if (source === 'card')
    return { chargeReference: (await findAttempt(database, chargeKey))?.acquirerReference ?? null };
  const instructions = await findInstructions(database, chargeKey);
  const chargeReference = instructions?.acquirerReference ?? null;
  if (instructions === null || chargeReference !== null) return { chargeReference };
  // Payments received by earlier releases can lack a reference.
  return { chargeReference, receiptKey: await findLastReceiptKey(database, instructions) };
}

/**
 * The only entry point for refund outcomes: response, notification or poll. A repeated outcome changes nothing. A
 * succeeded refund can still fail. A failed one is final, unless the acquirer reports a later success.
 */
export async function applyRefundOutcome(
  context: PaymentsContext,
  refundKey: string,
  outcome: RefundOutcome,
): Promise<void> {
  const stored = await findRefund(context.database, refundKey);
  if (!stored) throw new Error('The refund was not found');
  await context.database.inTransaction(async (unit) => {
    const transaction = await lockTransaction(unit, stored.merchantId, stored.transactionId);
    const refund = await findRefund(unit, refundKey);
    if (!refund) return;
    // Results may arrive in any order. Those of earlier releases have no time.
    const { occurredAt = null } = outcome;
    const isLater = occurredAt !== null && occurredAt > (refund.reportedAt ?? refund.updatedAt);
    const isOlder = occurredAt !== null && occurredAt < (refund.reportedAt ?? 0);
    const isResent = refund.state === 'failed' && outcome.kind === 'succeeded' && isLater;
    const now = context.clock.now();
    const references = { acquirerReference: refund.acquirerReference ?? outcome.reference ?? null };
    // A refund that succeeded can still fail, when the buyer's bank returns the funds.
    const isReturned = refund.state === 'succeeded' && outcome.kind === 'refused' && !refund.isOutOfBand && !isOlder;
    if (refund.state !== 'pending' && !isResent && !isReturned) {
      if (isLater) await updateRefund(unit, refund, { reportedAt: occurredAt });
      return;
    }
    if (outcome.kind === 'pending') {
      const backoff = pollBackoff[refund.checksMade];
      if (backoff === undefined)
        context.log.error({ transaction: transaction.id }, 'refund pending for over a month: contact the acquirer');
      const nextCheckAt = now + (backoff ?? DAY);
      await updateRefund(unit, refund, { ...references, checksMade: refund.checksMade + 1, nextCheckAt });
      return;
    }
    const isFailed = outcome.kind === 'refused';
    await updateRefund(unit, refund, {
      ...references,
      state: isFailed ? 'failed' : 'succeeded',
      ...{ failureCode: isFailed ? outcome.code : null, failureDetail: isFailed ? outcome.detail : null },
      ...{ reportedAt: occurredAt, nextCheckAt: null, updatedAt: now },
    });
    const amount = formatAmount(refund.amountMinor, transaction);
    const resent = isResent
      ? await setRefundedAmount(unit, transaction, transaction.refundedMinor + refund.amountMinor)
      : transaction;
    const updated = isFailed
      ? await setRefundedAmount(unit, transaction, transaction.refundedMinor - refund.amountMinor)
      : resent;
    if (isResent && updated.refundedMinor > updated.receivedMinor)
      context.log.error(
        { account: refund.accountKey, transaction: transaction.id },
        'refunds exceed the received amount: a failed refund was sent again by the acquirer',
      );
    const failure = isReturned ? 'failed after it had succeeded' : 'refused';
    const success = isResent ? 'refunded: the failed refund was sent again' : 'refunded';
    const detail = isFailed ? `refund of ${amount} ${failure}: ${outcome.code}` : `${amount} ${success}`;
    const repaired = isFailed || isResent ? await updateKept(unit, updated, refund) : updated;
    await recordRefundEvent(context, unit, repaired, detail, transaction);
    if (!isFailed) await emailRefund(context, unit, updated, refund);
    unit.afterCommit(() => context.metrics.refunds.inc({ acquirer: refund.accountKey, outcome: outcome.kind }));
  });
}

/**
 * Updates what a paid transaction keeps after one of its refunds failed, or was sent again. A failed refund can leave an
 * overpayment, and an acceptance no longer deducts it from the net amount.
 */
async function updateKept(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  { createdAt }: PaymentRefund,
): Promise<FiatTransaction> {
  const { status, acceptedMinor, decidedAt } = transaction;
  if (status !== 'confirmed') return transaction;
  const kept =
    paymentDiscrepancy(transaction) === 'overpaid' ? { ...transaction, reason: 'overpaid' as const } : transaction;
  if (acceptedMinor === null || decidedAt === null || createdAt >= decidedAt) return kept;
  const { refunds } = await readRelatedRecords(unit, kept);
  const refundedMinor = sumRefunds(refunds.filter((each) => each.createdAt < decidedAt));
  return await setNetAmount(unit, kept, netAmountWhenPaid({ ...kept, refundedMinor }));
}

/** Polls acquirers for pending refunds, and for those whose response was lost. */
export function createRefundJob(context: PaymentsContext): Job {
  return createDueJob(context, db, {
    ...{ name: 'refunds', table: 'refunds', column: 'next_check_at' },
    work: async (row) => {
      const refund = refundRecord.read(row);
      const transaction = await findById(context.database, refund.merchantId, refund.transactionId);
      if (transaction) await executeRefund(context, refund, transaction);
    },
  });
}
