import type { Runner } from '../database/engine.ts';
import { db } from '../wallets/crypto-tables.ts';
import type { BlockRef } from '../chains/port.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { UnitOfWork } from '../database/database.ts';
import { lockRows } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { Trouble } from '../deposits/cursor.ts';
import {
  type CryptoTransaction,
  paymentColumns,
  type SeenPayment,
  toSeenPayment,
  toTransaction,
  toWallet,
  transactionColumns,
  type Wallet,
  walletColumns,
} from './transaction.ts';
import { requireSettled } from '../wallets/accounts.ts';

type Reader = Runner;

export async function findByReference(
  reader: Reader,
  merchantId: number,
  txId: string,
  code: CryptoCurrencyCode,
): Promise<CryptoTransaction | null> {
  const row = await db(reader)
    .selectFrom('crypto_transactions')
    .select(transactionColumns)
    .where('merchant_id', '=', merchantId)
    .where('tx_id', '=', txId)
    .where('code', '=', code)
    .executeTakeFirst();
  return row ? toTransaction(row) : null;
}

export async function findByPublicId(
  reader: Reader,
  merchantId: number,
  publicId: string,
): Promise<CryptoTransaction | null> {
  const row = await db(reader)
    .selectFrom('crypto_transactions')
    .select(transactionColumns)
    .where('public_id', '=', publicId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row ? toTransaction(row) : null;
}

/** Those of some rows, by row. */
export async function findTransactions(reader: Reader, ids: readonly number[]): Promise<CryptoTransaction[]> {
  if (ids.length === 0) return [];
  const rows = await db(reader)
    .selectFrom('crypto_transactions')
    .select(transactionColumns)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map(toTransaction);
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
  const query = db(unit).selectFrom('wallets').select(walletColumns).where('id', '=', id);
  return toWallet(await lockRows(unit, query).executeTakeFirstOrThrow());
}

/** Locks wallets in the order of their IDs; each stands for all that came to it, and for what is withdrawn of that. */
export async function lockWallets(unit: UnitOfWork, ids: readonly number[]): Promise<Map<number, Wallet>> {
  if (ids.length === 0) return new Map();
  const query = db(unit)
    .selectFrom('wallets')
    .select(walletColumns)
    .where('id', 'in', [...ids])
    .orderBy('id');
  const rows = await lockRows(unit, query).execute();
  return new Map(rows.map((row) => [row.id, toWallet(row)]));
}

/**
 * Locks wallets and those of the invoices that their deposits are credited to: a rotated user invoice has moved to
 * another wallet. Null where one has moved while this waited; the unit has to end.
 */
export async function lockOwners(unit: UnitOfWork, ids: readonly number[]): Promise<Map<number, Wallet> | null> {
  const moved = await findMoved(unit, ids);
  const wallets = await lockWallets(unit, [...new Set([...ids, ...moved])]);
  return (await findMoved(unit, ids)).every((id) => wallets.has(id)) ? wallets : null;
}

/** Present wallets of invoices that were paid at some wallets before these were rotated. */
async function findMoved(on: Reader, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db(on)
    .selectFrom('wallets as former')
    .innerJoin('chain_payments as payment', 'payment.wallet_id', 'former.id')
    .innerJoin('crypto_transactions as transaction', 'transaction.id', 'payment.crypto_transaction_id')
    .select('transaction.wallet_id as id')
    .distinct()
    .where('former.id', 'in', ids)
    .where('former.type', '=', 'user')
    .where('former.state', '=', 'retired')
    .whereRef('transaction.wallet_id', '<>', 'former.id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function findWallets(reader: Reader, ids: readonly number[]): Promise<Map<number, Wallet>> {
  if (ids.length === 0) return new Map();
  const rows = await db(reader).selectFrom('wallets').select(walletColumns).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, toWallet(row)]));
}

/** All money of some transactions, in the order in which it was seen. */
export async function findPayments(reader: Reader, transactionIds: readonly number[]): Promise<SeenPayment[]> {
  if (transactionIds.length === 0) return [];
  const rows = await db(reader)
    .selectFrom('chain_payments')
    .select(paymentColumns)
    .where('crypto_transaction_id', 'in', transactionIds)
    .orderBy('id')
    .execute();
  return rows.map(toSeenPayment);
}

/**
 * The height of the last block that was read, for whoever issues an address. Throws a `Problem` where what is paid to
 * it could be missed: the chain was never read, is another one than expected, or addresses may be others' already.
 */
export async function requireIssuable(
  reader: Reader,
  { name, accountId }: Pick<ConnectedChain, 'name' | 'accountId'>,
): Promise<number> {
  const cursor = await db(reader)
    .selectFrom('chain_cursors')
    .select(['height', 'trouble'])
    .where('chain', '=', name)
    .executeTakeFirst();
  const { kind } = JSON.parse(cursor?.trouble ?? '{}') as Partial<Trouble>;
  if (kind === 'wrong_network' || kind === 'too_deep') throw chainUnreadable(name, kind);
  const height = cursor?.height ?? null;
  if (height === null) throw chainUnavailable(name);
  await requireSettled(reader, accountId);
  return height;
}

export function chainUnavailable(chain: ChainName): Problem {
  return new Problem(
    'chain_unavailable',
    `The node of ${chain} has not answered yet, so that payments could be missed. Try again in a moment.`,
    { headers: { 'Retry-After': '5' } },
  );
}

function chainUnreadable(chain: ChainName, kind: 'wrong_network' | 'too_deep'): Problem {
  const reason =
    kind === 'wrong_network'
      ? `The node of ${chain} is on another network`
      : `The chain ${chain} was reorganized more deeply than can be followed`;
  return new Problem('chain_unavailable', `${reason}: payments would not be seen. The operator has to resolve it.`, {
    headers: { 'Retry-After': '60' },
  });
}

/** The last block of a chain that was read; null where none was yet. */
export async function readTip(reader: Reader, chain: ChainName): Promise<BlockRef | null> {
  const { height = null, hash = null } =
    (await db(reader)
      .selectFrom('chain_cursors')
      .select(['height', 'hash'])
      .where('chain', '=', chain)
      .executeTakeFirst()) ?? {};
  return height === null || hash === null ? null : { height, hash };
}

/** Its height. */
export async function readHeight(reader: Reader, chain: ChainName): Promise<number | null> {
  return (await readTip(reader, chain))?.height ?? null;
}

/** The wallet at an address; null where it is none of ours. */
export async function findWalletId(reader: Reader, chain: ChainName, address: string): Promise<number | null> {
  const found = await db(reader)
    .selectFrom('wallets')
    .select('id')
    .where('chain', '=', chain)
    .where('address', '=', address)
    .executeTakeFirst();
  return found?.id ?? null;
}
