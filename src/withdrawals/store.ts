import type { Runner } from '../database/engine.ts';
import { db, versionRecord } from './schema.ts';
import { sql } from 'kysely';
import type { ChainName } from '../shared/crypto-currency.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import type { WithdrawalsContext } from './context.ts';
import { isBlockRead } from '../chains/blocks.ts';
import { lockCursor } from '../chains/cursor.ts';
import { findFunds, type HeldDeposit, spendsFrom } from '../deposits/deposit.ts';
import { hasEntries } from '../ledger/entries.ts';
import { lockOwners } from '../invoices/store.ts';
import type { Wallet } from '../wallets/schema.ts';
import { toWithdrawal, type Version, type Withdrawal } from './withdrawal.ts';

/** Literals: the index of open ones is used only where it reads that they are meant. */
export const isNotOver = sql<boolean>`status in ('waiting', 'to_sign', 'sent')`;

export async function findWithdrawal(reader: Runner, merchantId: number, publicId: string): Promise<Withdrawal | null> {
  const row = await db(reader)
    .selectFrom('withdrawals')
    .selectAll()
    .where('public_id', '=', publicId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row ? toWithdrawal(row) : null;
}

export async function findWithdrawals(reader: Runner, ids: readonly number[]): Promise<Withdrawal[]> {
  if (ids.length === 0) return [];
  const rows = await db(reader).selectFrom('withdrawals').selectAll().where('id', 'in', ids).orderBy('id').execute();
  return rows.map(toWithdrawal);
}

/** What is not over on a chain, oldest first. */
export async function findOpen(reader: Runner, chain: ChainName): Promise<Withdrawal[]> {
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .selectAll()
    .where('chain', '=', chain)
    .where(isNotOver)
    .orderBy('id')
    .execute();
  return rows.map(toWithdrawal);
}

/** Those above a height whose block is none of the chain, as far as that was read. */
export async function findOrphaned(reader: Runner, chain: ChainName, aboveHeight: number): Promise<Withdrawal[]> {
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .selectAll()
    .where('chain', '=', chain)
    .where('height', '>', aboveHeight)
    .where('height', 'is not', null)
    .where(({ not }) =>
      not(isBlockRead(reader, chain, { height: 'withdrawals.height', hash: 'withdrawals.block_hash' })),
    )
    .orderBy('id')
    .execute();
  return rows.map(toWithdrawal);
}

/** By withdrawal, newest first. */
export async function findVersions(reader: Runner, ids: readonly number[]): Promise<Map<number, Version[]>> {
  const byWithdrawal = new Map<number, Version[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return byWithdrawal;
  const rows = await db(reader)
    .selectFrom('withdrawal_versions')
    .selectAll()
    .where('withdrawal_id', 'in', ids)
    .orderBy('withdrawal_id')
    .orderBy('number', 'desc')
    .execute();
  for (const row of rows) byWithdrawal.get(row.withdrawal_id)?.push(versionRecord.read(row));
  return byWithdrawal;
}

/** Locked after its wallets. */
export async function lockWithdrawal(unit: UnitOfWork, id: number): Promise<Withdrawal> {
  const query = db(unit).selectFrom('withdrawals').selectAll().where('id', '=', id);
  return toWithdrawal(await lockRows(unit, query).executeTakeFirstOrThrow());
}

/**
 * Works on a withdrawal that is locked, with the wallets whose money it spends. The chain is not read on meanwhile, so
 * that nothing is concluded from blocks that were just reversed.
 */
export async function withFunds<Result>(
  context: Pick<WithdrawalsContext, 'database'>,
  { id, chain }: Withdrawal,
  work: (
    unit: UnitOfWork,
    locked: Withdrawal,
    money: { wallets: ReadonlyMap<number, Wallet>; funds: readonly HeldDeposit[] },
  ) => Promise<Result>,
): Promise<Result | 0> {
  const before = await findFunds(context.database, [id]);
  return await context.database.inTransaction(async (unit) => {
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

/** What is not over on a chain and in no block. */
export async function findUnmined(
  on: Runner,
  chain: ChainName,
): Promise<{ id: number; sender: string | null; destination: string }[]> {
  return await db(on)
    .selectFrom('withdrawals')
    .select(['id', 'sender', 'destination'])
    .where('chain', '=', chain)
    .where(isNotOver)
    .where('height', 'is', null)
    .execute();
}

/** How many transactions of an address are in blocks. */
export async function countSent(on: Runner, chain: ChainName, address: string): Promise<number> {
  const { count } = await db(on)
    .selectFrom('withdrawals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('chain', '=', chain)
    .where('sender', '=', address)
    .where('nonce', 'is not', null)
    .where('height', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** The withdrawal of a wallet, or to it, that is not over and in no block. */
export async function findOpenOf(
  on: Runner,
  { id, chain, address }: Pick<Wallet, 'id' | 'chain' | 'address'>,
): Promise<{ public_id: string } | undefined> {
  return await db(on)
    .selectFrom('withdrawals')
    .select('public_id')
    .where('chain', '=', chain)
    .where(isNotOver)
    .where('height', 'is', null)
    .where(({ or, eb, ref }) =>
      or([eb('sender', '=', address), eb('destination', '=', address), spendsFrom(on, ref('withdrawals.id'), id)]),
    )
    .executeTakeFirst();
}

/** Whether a wallet has sent or got gas that no entry tells of. */
export async function hasUnpostedFees(on: Runner, name: ChainName, address: string): Promise<boolean> {
  const unposted = db(on)
    .selectFrom('withdrawals')
    .select('withdrawals.id')
    .where('withdrawals.chain', '=', name)
    .where('withdrawals.height', 'is not', null)
    .where(({ not, ref }) => not(hasEntries(on, ref('withdrawals.id'))))
    .limit(1);
  const sent = unposted.where('withdrawals.sender', '=', address).where('withdrawals.nonce', 'is not', null);
  const funded = unposted
    .where('withdrawals.destination', '=', address)
    .where(sql<boolean>`withdrawals.purpose = 'gas'`);
  return (await sent.executeTakeFirst()) !== undefined || (await funded.executeTakeFirst()) !== undefined;
}
