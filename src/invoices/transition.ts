/*
 * Map of this module: `create.ts` creates an invoice. `record-deposits.ts` records deposits that the scan found,
 * `attribute.ts` assigns each to a transaction, and `transition.ts` applies the status that `evaluate.ts` derives.
 * `review.ts` approves and rejects, `ledger.ts` posts deposits, and `api-transaction.ts` builds the API's
 * representation. `page-routes.ts` and `page-state.ts` serve the invoice page. `link-payments/` are crypto payments of
 * payment links, `simulator/` the sandbox's payer. Reasons: docs/decisions/invoices.md and crypto-modules.md.
 */

import type { Updateable } from 'kysely';
import { cryptoTransactionRecord, type CryptoTransaction, statement } from './schema.ts';
import type { CryptoStatus } from '../shared/crypto-status.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { emailReviewPending } from '../mail/team-emails.ts';
import { defaultPreference } from '../merchants/preferences/keys.ts';
import { readPreferences } from '../merchants/preferences/store.ts';
import type { UnitOfWork } from '../database/database.ts';
import { wakeLocalJob } from '../jobs/runner.ts';
import type { CryptoTransactionTable } from './schema.ts';
import type { InvoicesContext } from './context.ts';
import { LINK_PAYMENTS_JOB } from './link-payments/job.ts';
import { markDue } from './link-payments/store.ts';
import { toApiTransaction } from './api-transaction.ts';
import { toEvaluated, evaluateInvoice } from './evaluate.ts';
import { findTransactions } from './store.ts';
import { confirmationsOf } from '../deposits/deposit.ts';
import type { Deposit } from '../deposits/schema.ts';
import type { Wallet } from '../wallets/schema.ts';

/** Topic of live updates of a crypto transaction. */
export function transactionTopic(publicId: string): string {
  return `crypto:${publicId}`;
}

/**
 * The only place that changes the status of a crypto transaction. Evaluates it and, if anything changed, writes row,
 * event and webhook in the given unit of work, which holds the wallet's lock. Returns the updated transaction.
 */
export async function reevaluate(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  transaction: CryptoTransaction,
  { deposits, tipHeight, detail = null }: { deposits: readonly Deposit[]; tipHeight: number; detail?: string | null },
): Promise<CryptoTransaction> {
  const now = context.clock.now();
  // A payment link reads the deposits themselves: they may have changed even if this transaction has not.
  if (transaction.paysFor !== null) {
    await markDue(unit, transaction.id, now);
    unit.afterCommit(() => wakeLocalJob(context.database, LINK_PAYMENTS_JOB));
  }
  const { status, labels, amount, amountCredited } = evaluateInvoice(
    toEvaluated(transaction),
    deposits.map((deposit) => ({ ...deposit, confirmations: confirmationsOf(deposit, tipHeight) })),
    now,
  );
  const isUnchanged =
    status === transaction.status &&
    amount === transaction.amount &&
    amountCredited === transaction.amountCredited &&
    labels.join() === transaction.labels.join();
  const isNew = transaction.sequence === 0;
  if (isUnchanged && !isNew && detail === null) return transaction;
  let current = transaction;
  for (const step of statusSteps(status, transaction.status)) {
    const credited = step === status ? amountCredited : transaction.amountCredited;
    const next = { ...current, status: step, labels, amount, amountCredited: credited };
    current = await applyTransition(context, unit, wallet, current, next, { deposits, tipHeight, detail });
  }
  return current;
}

/** Statuses to pass through. None before `complete` is skipped, since merchants may wait for each. */
function statusSteps(status: CryptoStatus, before: CryptoStatus): CryptoStatus[] {
  if (status !== 'complete' || before === 'complete') return [status];
  const steps: CryptoStatus[] = ['waiting', 'confirmed', 'complete'];
  return steps.slice(steps.indexOf(before) + 1);
}

/** Records the creation of a transaction as its first event. */
export async function recordCreated(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  transaction: CryptoTransaction,
  details: { deposits: readonly Deposit[]; tipHeight: number },
): Promise<void> {
  await recordTransactionEvent(context, unit, wallet, transaction, {
    type: 'crypto.transaction.created',
    before: null,
    ...details,
  });
}

async function applyTransition(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  before: CryptoTransaction,
  next: CryptoTransaction,
  details: { deposits: readonly Deposit[]; tipHeight: number; detail: string | null },
): Promise<CryptoTransaction> {
  const changed = { ...next, sequence: before.sequence + 1, updatedAt: context.clock.now() };
  const { numAffectedRows } = await updateStatus(unit, {
    set: cryptoTransactionRecord.write({
      status: changed.status,
      labels: changed.labels,
      amount: changed.amount,
      amountCredited: changed.amountCredited,
      rejection: changed.rejection,
      refundAddress: changed.refundAddress,
      decidedBy: changed.decidedBy,
      decidedAt: changed.decidedAt,
      decisionReason: changed.decisionReason,
      isApproved: changed.isApproved,
      sequence: changed.sequence,
      updatedAt: changed.updatedAt,
    }),
    id: changed.id,
    sequence: before.sequence,
  });
  if (numAffectedRows !== 1n)
    throw new Error(`Crypto transaction ${changed.publicId} changed while its wallet was locked.`);
  const isFirst = before.sequence === 0;
  await recordTransactionEvent(context, unit, wallet, changed, {
    type: isFirst ? 'crypto.transaction.created' : 'crypto.transaction.updated',
    before: isFirst ? null : before.status,
    ...details,
  });
  const isReviewed = changed.returnedBy === null && changed.status === 'approved_required';
  if (isReviewed && (isFirst || before.status !== changed.status))
    await emailReviewPending(context, unit, {
      ...{
        merchantId: changed.merchantId,
        reference: changed.txId ?? changed.paysFor ?? changed.publicId,
        now: changed.updatedAt,
      },
    });
  unit.announce(transactionTopic(changed.publicId));
  unit.afterCommit(() => context.metrics.cryptoTransitions.inc({ from: before.status, to: changed.status }));
  return changed;
}

const updateStatus = statement(
  (query, { set, id, sequence }: { set: Updateable<CryptoTransactionTable>; id: number; sequence: number }) =>
    query.updateTable('crypto_transactions').set(set).where('id', '=', id).where('sequence', '=', sequence),
);

async function recordTransactionEvent(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  transaction: CryptoTransaction,
  {
    type,
    before,
    detail = null,
    ...details
  }: {
    type: 'crypto.transaction.created' | 'crypto.transaction.updated';
    before: CryptoStatus | null;
    deposits: readonly Deposit[];
    tipHeight: number;
    detail?: string | null;
  },
): Promise<void> {
  // Returned by a canceled withdrawal, whose own events report it.
  if (transaction.returnedBy !== null) return;
  const [intendedInvoice] = await findTransactions(
    unit,
    transaction.intendedForId === null ? [] : [transaction.intendedForId],
  );
  const data = {
    ...toApiTransaction(context, transaction, { wallet, intendedFor: intendedInvoice?.txId ?? null, ...details }),
    previous_status: before,
    sequence: transaction.sequence,
  };
  await recordEvent(context, unit, {
    merchantId: transaction.merchantId,
    subject: { kind: 'crypto_transaction', id: transaction.id },
    sequence: transaction.sequence,
    type,
    at: transaction.updatedAt,
    status: transaction.status,
    previousStatus: before,
    detail,
    data,
    isReported: transaction.paysFor === null || (await webhookVersion(unit, transaction.merchantId)) === 1,
  });
}

/** Since version 2, a crypto payment of a payment link is reported only by the link's events. */
async function webhookVersion(unit: UnitOfWork, merchantId: number): Promise<unknown> {
  const key = 'callback-version';
  return (await readPreferences(unit, merchantId, [key]))[key] ?? defaultPreference(key);
}
