import type { ChainName } from '../shared/crypto-currency.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { db, type Wallet, walletRecord } from './schema.ts';

/** Wallets: a query to compose. */
export function selectWallets(on: Runner) {
  return db(on).selectFrom('wallets').select(walletRecord.columns);
}

/**
 * Locks a wallet, and with it all that was ever issued with it and came to it: whoever changes an invoice,
 * a payment or what they stand for holds the lock of the wallet.
 *
 * Order of row locks, so that no two units wait for each other; nothing retries a deadlock:
 * 1. the cursor of the chain (`moveCursor`, `lockCursor`),
 * 2. wallets, in the order of their IDs: several through `lockWallets` or `lockOwners`, before anything of theirs is
 *    written,
 * 3. withdrawals (`lockWithdrawal`), then the account of the wallets (`wallet_accounts`),
 * 4. what belongs to a locked wallet: transactions, deposits, payments of links in coins.
 * A payment link is locked in a unit of its own, which takes nothing of these but the payment in coins that it reads.
 */
export async function lockWallet(unit: UnitOfWork, id: number): Promise<Wallet> {
  const query = selectWallets(unit).where('id', '=', id);
  return walletRecord.read(await lockRows(unit, query).executeTakeFirstOrThrow());
}

/** Locks wallets in the order of their IDs; each stands for all that came to it, and for what is withdrawn of that. */
export async function lockWallets(unit: UnitOfWork, ids: readonly number[]): Promise<Map<number, Wallet>> {
  if (ids.length === 0) return new Map();
  const query = selectWallets(unit)
    .where('id', 'in', [...ids])
    .orderBy('id');
  const rows = await lockRows(unit, query).execute();
  return new Map(rows.map((row) => [row.id, walletRecord.read(row)]));
}

export async function findWallets(reader: Runner, ids: readonly number[]): Promise<Map<number, Wallet>> {
  if (ids.length === 0) return new Map();
  const rows = await selectWallets(reader).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, walletRecord.read(row)]));
}

/** The wallet at an address; null where it is none of ours. */
export async function findWalletId(reader: Runner, chain: ChainName, address: string): Promise<number | null> {
  const found = await db(reader)
    .selectFrom('wallets')
    .select('id')
    .where('chain', '=', chain)
    .where('address', '=', address)
    .executeTakeFirst();
  return found?.id ?? null;
}
