import type { Updateable } from 'kysely';
import { cryptoTransactionRecord, type CryptoTransaction, statement } from './schema.ts';
import type { CryptoStatus } from '../shared/crypto-status.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { defaultPreference } from '../merchants/preferences/keys.ts';
import { readPreferences } from '../merchants/preferences/store.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { CryptoTransactionTable } from './schema.ts';
import type { InvoicesContext } from './context.ts';
import { markDue } from './coin-payments/store.ts';
import { describe } from './describe.ts';
import { evaluatedOf, evaluateInvoice } from './evaluate.ts';
import { findTransactions } from './store.ts';
import { confirmationsOf } from '../deposits/deposit.ts';
import type { Deposit } from '../deposits/schema.ts';
import type { Wallet } from '../wallets/schema.ts';

/** Under which changes of a transaction are announced to its open pages. */
export function transactionTopic(publicId: string): string {
  return `crypto:${publicId}`;
}

/**
 * The one door through which a transaction becomes what its money says: judged anew, and when that is
 * something else than before, row, event and callback in the unit given, all or none. The unit holds the
 * lock of the wallet. Answers the transaction as it is then.
 */
export async function reevaluate(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  transaction: CryptoTransaction,
  { payments, tipHeight, detail = null }: { payments: readonly Deposit[]; tipHeight: number; detail?: string | null },
): Promise<CryptoTransaction> {
  const now = context.clock.now();
  // The link of its payment reads the deposits themselves, which may have changed where nothing here has.
  if (transaction.paysFor !== null) {
    await markDue(unit, transaction.id, now);
    unit.afterCommit(() => context.news.due());
  }
  const { status, labels, amount, amountCredited } = evaluateInvoice(
    evaluatedOf(transaction),
    payments.map((payment) => ({ ...payment, confirmations: confirmationsOf(payment, tipHeight) })),
    now,
  );
  const isSame =
    status === transaction.status &&
    amount === transaction.amount &&
    amountCredited === transaction.amountCredited &&
    labels.join() === transaction.labels.join();
  const isNew = transaction.sequence === 0;
  if (isSame && !isNew && detail === null) return transaction;
  let current = transaction;
  for (const step of stepsTo(status, transaction.status)) {
    const credited = step === status ? amountCredited : transaction.amountCredited;
    const next = { ...current, status: step, labels, amount, amountCredited: credited };
    current = await write(context, unit, wallet, current, next, { payments, tipHeight, detail });
  }
  return current;
}

/** The way to Complete leaps over no status: somebody may wait for each. */
function stepsTo(status: CryptoStatus, before: CryptoStatus): CryptoStatus[] {
  if (status !== 'complete' || before === 'complete') return [status];
  const way: CryptoStatus[] = ['waiting', 'confirmed', 'complete'];
  return way.slice(way.indexOf(before) + 1);
}

/** Tells of a transaction that has just been made, as its first event. */
export async function recordCreated(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  transaction: CryptoTransaction,
  belongings: { payments: readonly Deposit[]; tipHeight: number },
): Promise<void> {
  await recordUpdate(context, unit, wallet, transaction, {
    type: 'crypto.transaction.created',
    before: null,
    ...belongings,
  });
}

async function write(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  before: CryptoTransaction,
  next: CryptoTransaction,
  belongings: { payments: readonly Deposit[]; tipHeight: number; detail: string | null },
): Promise<CryptoTransaction> {
  const changed = { ...next, sequence: before.sequence + 1, updatedAt: context.clock.now() };
  const { numAffectedRows } = await writeStatus(unit, {
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
      sequence: changed.sequence,
      updatedAt: changed.updatedAt,
    }),
    id: changed.id,
    sequence: before.sequence,
  });
  if (numAffectedRows !== 1n) throw new Error('A crypto transaction changed while its wallet was locked');
  const isFirst = before.sequence === 0;
  await recordUpdate(context, unit, wallet, changed, {
    type: isFirst ? 'crypto.transaction.created' : 'crypto.transaction.updated',
    before: isFirst ? null : before.status,
    ...belongings,
  });
  unit.announce(transactionTopic(changed.publicId));
  unit.afterCommit(() => context.metrics.cryptoTransitions.inc({ from: before.status, to: changed.status }));
  return changed;
}

const writeStatus = statement(
  (query, { set, id, sequence }: { set: Updateable<CryptoTransactionTable>; id: number; sequence: number }) =>
    query.updateTable('crypto_transactions').set(set).where('id', '=', id).where('sequence', '=', sequence),
);

async function recordUpdate(
  context: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  transaction: CryptoTransaction,
  {
    type,
    before,
    detail = null,
    ...belongings
  }: {
    type: 'crypto.transaction.created' | 'crypto.transaction.updated';
    before: CryptoStatus | null;
    payments: readonly Deposit[];
    tipHeight: number;
    detail?: string | null;
  },
): Promise<void> {
  // No payer sent it: the events of the withdrawal report it.
  if (transaction.returnedBy !== null) return;
  const [meant] = await findTransactions(unit, transaction.meantForId === null ? [] : [transaction.meantForId]);
  const data = {
    ...describe(context, transaction, { wallet, meantFor: meant?.txId ?? null, ...belongings }),
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

/** Since version 2, a payment link that is paid in crypto is reported by the events of the link alone. */
async function webhookVersion(unit: UnitOfWork, merchantId: number): Promise<unknown> {
  const key = 'callback-version';
  return (await readPreferences(unit, merchantId, [key]))[key] ?? defaultPreference(key);
}
