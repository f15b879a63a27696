import type { Runner } from '../../database/engine.ts';
import { type CoinPayment, coinPaymentRecord, db } from '../schema.ts';
import { sql } from 'kysely';
import type { ChainName } from '../../shared/crypto-currency.ts';
import type { Instant } from '../../shared/time.ts';
import type { Database, UnitOfWork } from '../../database/database.ts';
import { chainHeights } from '../../chains/cursor.ts';
import { confirmationsOf, selectDeposits } from '../../deposits/deposit.ts';
import { type Deposit, depositRecord } from '../../deposits/schema.ts';

/** A deposit and its confirmations: null where it has vanished. */
export type ConfirmedDeposit = Deposit & { confirmations: number | null };

export async function findCoinPayment(reader: Runner, instructionsKey: string): Promise<CoinPayment | null> {
  const row = await db(reader)
    .selectFrom('coin_payments')
    .select(coinPaymentRecord.columns)
    .where('instructions_key', '=', instructionsKey)
    .executeTakeFirst();
  return row ? coinPaymentRecord.read(row) : null;
}

/** Those whose money comes to some crypto transactions. */
export async function findOfTransactions(reader: Runner, transactionIds: readonly number[]): Promise<CoinPayment[]> {
  if (transactionIds.length === 0) return [];
  const rows = await db(reader)
    .selectFrom('coin_payments')
    .select(coinPaymentRecord.columns)
    .where('crypto_transaction_id', 'in', transactionIds)
    .orderBy('id')
    .execute();
  return rows.map(coinPaymentRecord.read);
}

/** The crypto transactions with money that does not count yet, of which a block tells something new. */
export async function findDeepening(reader: Runner, chain: ChainName, tipHeight: number): Promise<number[]> {
  const payments = db(reader).selectFrom('coin_payments').select('coin_payments.crypto_transaction_id');
  const ofChain = selectDeposits(reader)
    .innerJoin(payments.as('of'), 'of.crypto_transaction_id', 'deposit.crypto_transaction_id')
    .select('deposit.crypto_transaction_id as id')
    .distinct()
    .where('deposit.chain', '=', chain);
  const mined = await ofChain
    .where('deposit.counts_at', 'is not', null)
    .where('deposit.counts_at', '>', tipHeight)
    .execute();
  // A literal: the index of what waits serves only who is known to ask for it.
  const unmined = await ofChain.where('deposit.state', '=', sql.lit('waiting')).execute();
  return [...mined, ...unmined].map(({ id }) => id);
}

/** Writes one; false where there is one of the same key. */
export async function insertCoinPayment(
  unit: UnitOfWork,
  payment: Omit<CoinPayment, 'id' | 'dueAt'>,
): Promise<boolean> {
  const inserted = await db(unit)
    .insertInto('coin_payments')
    .values(coinPaymentRecord.write({ ...payment, dueAt: null }))
    .onConflict((conflict) => conflict.column('instructions_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function closeCoinPayment(unit: UnitOfWork, { id }: CoinPayment): Promise<void> {
  await db(unit).updateTable('coin_payments').set({ state: 'closed' }).where('id', '=', id).execute();
}

/**
 * Marks the payment behind a crypto transaction as due, in the unit that changes its deposits. Always written, also
 * where it is due already: the row lock orders it against a link that takes up the former change at this moment.
 */
export async function markDue(unit: UnitOfWork, transactionId: number, now: Instant): Promise<void> {
  await db(unit)
    .updateTable('coin_payments')
    .set({ due_at: now })
    .where('crypto_transaction_id', '=', transactionId)
    .execute();
}

/** Payments that are due, those that have waited longest first. */
export async function findDue(
  on: Runner,
  now: Instant,
  limit: number,
): Promise<Pick<CoinPayment, 'id' | 'instructionsKey'>[]> {
  const rows = await db(on)
    .selectFrom('coin_payments')
    .select(['id', 'instructions_key'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, instructionsKey: row.instructions_key }));
}

/** Has a payment whose link could not take up its change wait. */
export async function postpone(database: Database, { id }: Pick<CoinPayment, 'id'>, until: Instant): Promise<void> {
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

/** Clears the mark in the unit of the link, before it reads the deposits: a change after that is due again. */
export async function clearDue(unit: UnitOfWork, instructionsKey: string): Promise<void> {
  await db(unit)
    .updateTable('coin_payments')
    .set({ due_at: null })
    .where('instructions_key', '=', instructionsKey)
    .where('due_at', 'is not', null)
    .execute();
}

/**
 * All deposits of a crypto transaction in the order in which they were seen, with their confirmations: in one
 * statement, so that no block comes between them and the height.
 */
export async function findDeposits(reader: Runner, transactionId: number): Promise<ConfirmedDeposit[]> {
  const rows = await selectDeposits(reader)
    .innerJoin(chainHeights(reader).as('cursor'), 'cursor.chain', 'deposit.chain')
    .select(depositRecord.columns.map((column) => `deposit.${column}` as const))
    .select('cursor.height as tip_height')
    .where('deposit.crypto_transaction_id', '=', transactionId)
    .orderBy('deposit.id')
    .execute();
  return rows.map((row) => {
    const seen = depositRecord.read(row);
    return { ...seen, confirmations: confirmationsOf(seen, row.tip_height ?? 0) };
  });
}

/** Values of late deposits, by deposit. */
export async function findLateValues(reader: Runner, depositIds: readonly number[]): Promise<Map<number, bigint>> {
  if (depositIds.length === 0) return new Map();
  const rows = await db(reader)
    .selectFrom('late_deposit_values')
    .select(['deposit_id', 'amount_minor'])
    .where('deposit_id', 'in', depositIds)
    .execute();
  return new Map(rows.map((row) => [row.deposit_id, BigInt(row.amount_minor)]));
}

/** Keeps the value of a late deposit; one that was kept before stays. */
export async function keepLateValue(unit: UnitOfWork, depositId: number, amountMinor: bigint): Promise<void> {
  await db(unit)
    .insertInto('late_deposit_values')
    .values({ deposit_id: depositId, amount_minor: Number(amountMinor) })
    .onConflict((conflict) => conflict.column('deposit_id').doNothing())
    .execute();
}
