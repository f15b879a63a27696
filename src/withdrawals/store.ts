import type { Runner } from '../database/engine.ts';
import { db, statement, versionRecord } from './schema.ts';
import { rowSubject } from '../webhooks/subject.ts';
import { sql } from 'kysely';
import type { ChainName } from '../shared/crypto-currency.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import type { WithdrawalsContext } from './context.ts';
import { blockIsInChain } from '../chains/blocks.ts';
import { lockCursor } from '../chains/cursor.ts';
import { findDepositsByWithdrawal, type RemainingDeposit, spendsWallet } from '../deposits/deposit.ts';
import { hasLedgerEntries } from '../ledger/entries.ts';
import { lockAffectedWallets } from '../invoices/store.ts';
import type { Wallet } from '../wallets/schema.ts';
import { toWithdrawal, type Version, type Withdrawal } from './withdrawal.ts';

/** Condition for open withdrawals. Literals: the partial index applies only if the query repeats its condition. */
export const isOpenCondition = sql<boolean>`status in ('waiting', 'to_sign', 'sent')`;

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

/** Finds open withdrawals of a chain, oldest first. */
export async function findOpenWithdrawals(reader: Runner, chain: ChainName): Promise<Withdrawal[]> {
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .selectAll()
    .where('chain', '=', chain)
    .where(isOpenCondition)
    .orderBy('id')
    .execute();
  return rows.map(toWithdrawal);
}

/** Finds withdrawals above a height whose block was orphaned. */
export async function findOrphanedWithdrawals(
  reader: Runner,
  chain: ChainName,
  aboveHeight: number,
): Promise<Withdrawal[]> {
  const rows = await db(reader)
    .selectFrom('withdrawals')
    .selectAll()
    .where('chain', '=', chain)
    .where('height', '>', aboveHeight)
    .where('height', 'is not', null)
    .where(({ not }) =>
      not(blockIsInChain(reader, chain, { height: 'withdrawals.height', hash: 'withdrawals.block_hash' })),
    )
    .orderBy('id')
    .execute();
  return rows.map(toWithdrawal);
}

/** Finds the versions of withdrawals, newest first. */
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

/** Locks a withdrawal. Lock its wallets first. */
export async function lockWithdrawal(unit: UnitOfWork, id: number): Promise<Withdrawal> {
  const query = db(unit).selectFrom('withdrawals').selectAll().where('id', '=', id);
  return toWithdrawal(await lockRows(unit, query).executeTakeFirstOrThrow());
}

/**
 * Runs work with a locked withdrawal and the locked wallets that it spends from. Returns 0 if its wallets changed. Also
 * locks the cursor of the chain, so that no decision is based on blocks that a reorg is reversing.
 */
export async function withLockedFunds<Result>(
  context: Pick<WithdrawalsContext, 'database'>,
  { id, chain }: Withdrawal,
  work: (
    unit: UnitOfWork,
    locked: Withdrawal,
    lockedFunds: { wallets: ReadonlyMap<number, Wallet>; funds: readonly RemainingDeposit[] },
  ) => Promise<Result>,
): Promise<Result | 0> {
  const before = await findDepositsByWithdrawal(context.database, [id]);
  return await context.database.inTransaction(async (unit) => {
    await lockCursor(unit, chain);
    const wallets = await lockAffectedWallets(unit, [...new Set(before.map(({ walletId }) => walletId))]);
    if (!wallets) return 0;
    const locked = await lockWithdrawal(unit, id);
    const funds = await findDepositsByWithdrawal(unit, [id]);
    // Deposits of wallets that are not locked were added in the meantime.
    if (funds.some(({ walletId }) => !wallets.has(walletId))) return 0;
    return await work(unit, locked, { wallets, funds });
  });
}

/** True if the withdrawal is in a block, or ended. */
export function isMinedOrEnded({ status, block }: Withdrawal): boolean {
  return block !== null || status === 'confirmed' || status === 'failed';
}

/** Finds open withdrawals of a chain that are not in a block. */
export async function findUnminedWithdrawals(
  reader: Runner,
  chain: ChainName,
): Promise<{ id: number; sender: string | null; destination: string }[]> {
  return await db(reader)
    .selectFrom('withdrawals')
    .select(['id', 'sender', 'destination'])
    .where('chain', '=', chain)
    .where(isOpenCondition)
    .where('height', 'is', null)
    .execute();
}

/** Counts the transactions of an address that are in blocks. */
export async function countMinedTransactions(reader: Runner, chain: ChainName, address: string): Promise<number> {
  const { count } = await db(reader)
    .selectFrom('withdrawals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('chain', '=', chain)
    .where('sender', '=', address)
    .where('nonce', 'is not', null)
    .where('height', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Finds an open withdrawal, not in a block, that spends from a wallet or sends to it. */
export async function findOpenByWallet(
  reader: Runner,
  { id, chain, address }: Pick<Wallet, 'id' | 'chain' | 'address'>,
): Promise<{ public_id: string } | undefined> {
  return await db(reader)
    .selectFrom('withdrawals')
    .select('public_id')
    .where('chain', '=', chain)
    .where(isOpenCondition)
    .where('height', 'is', null)
    .where(({ or, eb, ref }) =>
      or([
        eb('sender', '=', address),
        eb('destination', '=', address),
        spendsWallet(reader, ref('withdrawals.id'), id),
      ]),
    )
    .executeTakeFirst();
}

/** True if a wallet has sent or received gas without a ledger entry. */
export async function hasUnpostedFees(reader: Runner, name: ChainName, address: string): Promise<boolean> {
  const unposted = db(reader)
    .selectFrom('withdrawals')
    .select('withdrawals.id')
    .where('withdrawals.chain', '=', name)
    .where('withdrawals.height', 'is not', null)
    .where(({ not, ref }) => not(hasLedgerEntries(reader, ref('withdrawals.id'))))
    .limit(1);
  const sent = unposted.where('withdrawals.sender', '=', address).where('withdrawals.nonce', 'is not', null);
  const funded = unposted
    .where('withdrawals.destination', '=', address)
    .where(sql<boolean>`withdrawals.purpose = 'gas'`);
  return (await sent.executeTakeFirst()) !== undefined || (await funded.executeTakeFirst()) !== undefined;
}

/** Withdrawals as subjects of events, found by our `id`. */
export const withdrawalSubject = rowSubject({ db, statement }, 'withdrawals', { findBy: ['public_id'] });

/** Changes of withdrawal destinations as subjects of events, shown by their currency. */
export const withdrawalDestinationSubject = rowSubject({ db, statement }, 'withdrawal_destinations', {
  findBy: [],
  shownAs: ['code'],
});
