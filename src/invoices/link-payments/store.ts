import type { Runner } from '../../database/engine.ts';
import { type LinkPayment, linkPaymentRecord, db } from '../schema.ts';
import { sql } from 'kysely';
import type { ChainName } from '../../shared/crypto-currency.ts';
import type { Instant } from '../../shared/time.ts';
import type { Database, UnitOfWork } from '../../database/database.ts';
import { selectHeights } from '../../chains/cursor.ts';
import { confirmationsOf, selectDeposits } from '../../deposits/deposit.ts';
import { type Deposit, depositRecord } from '../../deposits/schema.ts';

/** A deposit and its confirmations; null if it was dropped. */
export type DepositWithConfirmations = Deposit & { confirmations: number | null };

export async function findLinkPayment(reader: Runner, instructionsKey: string): Promise<LinkPayment | null> {
  const row = await db(reader)
    .selectFrom('coin_payments')
    .select(linkPaymentRecord.columns)
    .where('instructions_key', '=', instructionsKey)
    .executeTakeFirst();
  return row ? linkPaymentRecord.read(row) : null;
}

/** Finds the crypto payments of links by their crypto transactions. */
export async function findByTransactions(reader: Runner, transactionIds: readonly number[]): Promise<LinkPayment[]> {
  if (transactionIds.length === 0) return [];
  const rows = await db(reader)
    .selectFrom('coin_payments')
    .select(linkPaymentRecord.columns)
    .where('crypto_transaction_id', 'in', transactionIds)
    .orderBy('id')
    .execute();
  return rows.map(linkPaymentRecord.read);
}

/** Finds crypto transactions of links whose pending deposits change with a new block. */
export async function findTransactionsWithNewConfirmations(
  reader: Runner,
  chain: ChainName,
  tipHeight: number,
): Promise<number[]> {
  const payments = db(reader).selectFrom('coin_payments').select('coin_payments.crypto_transaction_id');
  const deposits = selectDeposits(reader)
    .innerJoin(payments.as('of'), 'of.crypto_transaction_id', 'deposit.crypto_transaction_id')
    .select('deposit.crypto_transaction_id as id')
    .distinct()
    .where('deposit.chain', '=', chain);
  const mined = await deposits
    .where('deposit.counts_at', 'is not', null)
    .where('deposit.counts_at', '>', tipHeight)
    .execute();
  // A literal: the partial index applies only if the query repeats its condition.
  const unmined = await deposits.where('deposit.state', '=', sql.lit('waiting')).execute();
  return [...mined, ...unmined].map(({ id }) => id);
}

/** Inserts a payment; returns false if its key already exists. */
export async function insertLinkPayment(
  unit: UnitOfWork,
  payment: Omit<LinkPayment, 'id' | 'dueAt'>,
): Promise<boolean> {
  const inserted = await db(unit)
    .insertInto('coin_payments')
    .values(linkPaymentRecord.write({ ...payment, dueAt: null }))
    .onConflict((conflict) => conflict.column('instructions_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function closeLinkPayment(unit: UnitOfWork, { id }: LinkPayment): Promise<void> {
  await db(unit).updateTable('coin_payments').set({ state: 'closed' }).where('id', '=', id).execute();
}

/**
 * Marks the payment of a crypto transaction as due, in the unit of work that changes its deposits. Writes even if it is
 * already due: the row lock orders this write after a link update that is applying an earlier change.
 */
export async function markDue(unit: UnitOfWork, transactionId: number, now: Instant): Promise<void> {
  await db(unit)
    .updateTable('coin_payments')
    .set({ due_at: now })
    .where('crypto_transaction_id', '=', transactionId)
    .execute();
}

/** Finds due payments, longest due first. */
export async function findDueLinkPayments(
  reader: Runner,
  now: Instant,
  limit: number,
): Promise<Pick<LinkPayment, 'id' | 'instructionsKey'>[]> {
  const rows = await db(reader)
    .selectFrom('coin_payments')
    .select(['id', 'instructions_key'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, instructionsKey: row.instructions_key }));
}

/** Postpones a payment after its link failed to update. */
export async function postponeLinkPayment(
  database: Database,
  { id }: Pick<LinkPayment, 'id'>,
  until: Instant,
): Promise<void> {
  await database.writeOne(
    async (unit) =>
      await db(unit)
        .updateTable('coin_payments')
        .set({ due_at: until })
        .where('id', '=', id)
        .where('due_at', 'is not', null)
        .execute(),
  );
}

/** Clears `due_at` in the link's unit of work, before it reads the deposits: later changes make it due again. */
export async function clearDue(unit: UnitOfWork, instructionsKey: string): Promise<void> {
  await db(unit)
    .updateTable('coin_payments')
    .set({ due_at: null })
    .where('instructions_key', '=', instructionsKey)
    .where('due_at', 'is not', null)
    .execute();
}

/**
 * Finds the deposits of a crypto transaction with their confirmations, in the order in which they were seen. One
 * statement, so that deposits and height are consistent.
 */
export async function findDepositsWithConfirmations(
  reader: Runner,
  transactionId: number,
): Promise<DepositWithConfirmations[]> {
  const rows = await selectDeposits(reader)
    .innerJoin(selectHeights(reader).as('cursor'), 'cursor.chain', 'deposit.chain')
    .select(depositRecord.columns.map((column) => `deposit.${column}` as const))
    .select('cursor.height as tip_height')
    .where('deposit.crypto_transaction_id', '=', transactionId)
    .orderBy('deposit.id')
    .execute();
  return rows.map((row) => {
    const deposit = depositRecord.read(row);
    return { ...deposit, confirmations: confirmationsOf(deposit, row.tip_height ?? 0) };
  });
}

/** Finds the values of late deposits, by deposit ID. */
export async function findLateDepositValues(
  reader: Runner,
  depositIds: readonly number[],
): Promise<Map<number, bigint>> {
  if (depositIds.length === 0) return new Map();
  const rows = await db(reader)
    .selectFrom('late_deposit_values')
    .select(['deposit_id', 'amount_minor'])
    .where('deposit_id', 'in', depositIds)
    .execute();
  return new Map(rows.map((row) => [row.deposit_id, BigInt(row.amount_minor)]));
}

/** Inserts the value of a late deposit; an existing value is kept. */
export async function insertLateDepositValue(unit: UnitOfWork, depositId: number, amountMinor: bigint): Promise<void> {
  await db(unit)
    .insertInto('late_deposit_values')
    .values({ deposit_id: depositId, amount_minor: Number(amountMinor) })
    .onConflict((conflict) => conflict.column('deposit_id').doNothing())
    .execute();
}
