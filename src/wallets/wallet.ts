/*
 * Map of this module: `accounts.ts` issues address indexes, and `address-marks.ts` records the highest one outside the
 * database. `pool.ts` assigns and rotates wallets, `post-entries.ts` posts to the ledger, and `unissued-addresses.ts`
 * detects lost writes. `wallet.ts` defines the order of locks. Reasons: docs/decisions/chains.md and ledger.md.
 */

import type { ChainName } from '../shared/crypto-currency.ts';
import { lockRows, type UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { db, type Wallet, walletRecord } from './schema.ts';

/** Composable query: wallets. */
export function selectWallets(reader: Runner) {
  return db(reader).selectFrom('wallets').select(walletRecord.columns);
}

/**
 * Locks a wallet together with its invoices and deposits: every unit of work that changes one of them holds the
 * wallet's lock.
 *
 * Order of row locks, which prevents deadlocks (there is no retry after one):
 * 1. the cursor of the chain (`moveCursor`, `lockCursor`),
 * 2. wallets, in order of their IDs: several through `lockWallets` or `lockAffectedWallets`, before any write to their
 * rows,
 * 3. withdrawals (`lockWithdrawal`), then the account of the wallets (`wallet_accounts`),
 * 4. records of a locked wallet: transactions, deposits, crypto payments of payment links. A payment link is locked in
 * its own unit of work, which locks none of these except the crypto payment that it reads.
 */
export async function lockWallet(unit: UnitOfWork, id: number): Promise<Wallet> {
  const query = selectWallets(unit).where('id', '=', id);
  return walletRecord.read(await lockRows(unit, query).executeTakeFirstOrThrow());
}

/** Locks wallets in order of their IDs. Each lock covers the wallet's deposits and their withdrawals. */
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

/** Finds the wallet at an address; null if there is none. */
export async function findWalletId(reader: Runner, chain: ChainName, address: string): Promise<number | null> {
  const wallet = await db(reader)
    .selectFrom('wallets')
    .select('id')
    .where('chain', '=', chain)
    .where('address', '=', address)
    .executeTakeFirst();
  return wallet?.id ?? null;
}
