import type { Runner } from '../database/engine.ts';
import { db } from '../wallets/crypto-tables.ts';
import { sql } from 'kysely';
import type { ChainName } from '../shared/crypto-currency.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import type { InvoicesContext } from '../invoices/context.ts';
import { lockCursor } from '../deposits/cursor.ts';
import { lockOwners } from '../invoices/store.ts';
import { paymentColumns, type SeenPayment, toSeenPayment, type Wallet } from '../invoices/transaction.ts';
import {
  toVersion,
  toWithdrawal,
  type Version,
  versionColumns,
  type Withdrawal,
  withdrawalColumns,
} from './withdrawal.ts';

type Reader = Runner;

/** Literals: the index of open ones is used only where it reads that they are meant. */
export const isNotOver = sql<boolean>`status in ('waiting', 'to_sign', 'sent')`;

export async function findWithdrawal(reader: Reader, merchantId: number, publicId: string): Promise<Withdrawal | null> {
  const row = await db(reader)
    .selectFrom('withdrawals')
    .select(withdrawalColumns)
    .where('public_id', '=', publicId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row ? toWithdrawal(row) : null;
}

export async function findWithdrawals(reader: Reader, ids: readonly number[]): Promise<Withdrawal[]> {
  if (ids.length === 0) return [];
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .select(withdrawalColumns)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map(toWithdrawal);
}

/** What is not over on a chain, oldest first. */
export async function findOpen(reader: Reader, chain: ChainName): Promise<Withdrawal[]> {
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .select(withdrawalColumns)
    .where('chain', '=', chain)
    .where(isNotOver)
    .orderBy('id')
    .execute();
  return rows.map(toWithdrawal);
}

/** Those above a height whose block is none of the chain, as far as that was read. */
export async function findTakenBack(reader: Reader, chain: ChainName, aboveHeight: number): Promise<Withdrawal[]> {
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .select(withdrawalColumns)
    .where('chain', '=', chain)
    .where('height', '>', aboveHeight)
    .where('height', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chain_blocks')
            .select('chain_blocks.height')
            .where('chain_blocks.chain', '=', chain)
            .whereRef('chain_blocks.height', '=', 'withdrawals.height')
            .whereRef('chain_blocks.hash', '=', 'withdrawals.block_hash'),
        ),
      ),
    )
    .orderBy('id')
    .execute();
  return rows.map(toWithdrawal);
}

/** Whether a block is of the chain, as far as that was read. */
export async function isRead(
  reader: Reader,
  chain: ChainName,
  { height, hash }: { height: number; hash: string },
): Promise<boolean> {
  const row = await db(reader)
    .selectFrom('chain_blocks')
    .select('hash')
    .where('chain', '=', chain)
    .where('height', '=', height)
    .executeTakeFirst();
  return row?.hash === hash;
}

/** By withdrawal, newest first. */
export async function findVersions(reader: Reader, ids: readonly number[]): Promise<Map<number, Version[]>> {
  const byWithdrawal = new Map<number, Version[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return byWithdrawal;
  const rows = await db(reader)
    .selectFrom('withdrawal_versions')
    .select(versionColumns)
    .where('withdrawal_id', 'in', ids)
    .orderBy('withdrawal_id')
    .orderBy('number', 'desc')
    .execute();
  for (const row of rows) byWithdrawal.get(row.withdrawal_id)?.push(toVersion(row));
  return byWithdrawal;
}

/** Money with where it is and what it is meant for; its amount is what is at the wallet, without a part written off. */
export interface HeldPayment extends SeenPayment {
  withdrawalId: number | null;
  spendableFrom: number | null;
  blockHash: string | null;
}

const heldColumns = [...paymentColumns, 'withdrawal_id', 'spendable_from', 'block_hash'] as const;

/** What some withdrawals spend. */
export async function findFunds(reader: Reader, ids: readonly number[]): Promise<HeldPayment[]> {
  return await findHeldOf(reader, 'withdrawal_id', ids);
}

/** All money that is to be seen at some wallets, or was; not what was spent outside the service. */
export async function findHeld(reader: Reader, walletIds: readonly number[]): Promise<HeldPayment[]> {
  return await findHeldOf(reader, 'wallet_id', walletIds);
}

async function findHeldOf(
  reader: Reader,
  column: 'withdrawal_id' | 'wallet_id',
  ids: readonly number[],
): Promise<HeldPayment[]> {
  if (ids.length === 0) return [];
  const rows = await db(reader)
    .selectFrom('chain_payments')
    .select(heldColumns)
    .where(column, 'in', ids)
    .where('written_off_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...toSeenPayment(row),
    amount: BigInt(row.amount) - BigInt(row.written_off ?? 0),
    withdrawalId: row.withdrawal_id,
    spendableFrom: row.spendable_from,
    blockHash: row.block_hash,
  }));
}

/** Locked after its wallets. */
export async function lockWithdrawal(unit: UnitOfWork, id: number): Promise<Withdrawal> {
  const query = db(unit).selectFrom('withdrawals').select(withdrawalColumns).where('id', '=', id);
  return toWithdrawal(await lockRows(unit, query).executeTakeFirstOrThrow());
}

/**
 * Works on a withdrawal that is locked, with the wallets whose money it spends. The chain is not read on meanwhile, so
 * that nothing is concluded from blocks that were just reversed.
 */
export async function withMoney<Result>(
  context: Pick<InvoicesContext, 'database'>,
  { id, chain }: Withdrawal,
  work: (
    unit: UnitOfWork,
    locked: Withdrawal,
    money: { wallets: ReadonlyMap<number, Wallet>; funds: readonly HeldPayment[] },
  ) => Promise<Result>,
): Promise<Result | 0> {
  const before = await findFunds(context.database, [id]);
  return await context.database.inUnit(async (unit) => {
    await lockCursor(unit, chain);
    const wallets = await lockOwners(unit, [...new Set(before.map(({ walletId }) => walletId))]);
    if (!wallets) return 0;
    const locked = await lockWithdrawal(unit, id);
    const funds = await findFunds(unit, [id]);
    // Somebody has given it more meanwhile, of wallets that are not locked.
    if (funds.some(({ walletId }) => !wallets.has(walletId))) return 0;
    return await work(unit, locked, { wallets, funds });
  });
}

/** Mined, or never to be. */
export function isOver({ status, block }: Withdrawal): boolean {
  return block !== null || status === 'confirmed' || status === 'failed';
}
