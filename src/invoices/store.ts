import type { ChainName, CryptoCurrencyCode } from '../contract/crypto-currency.ts';
import type { Database, UnitOfWork } from '../platform/database/database.ts';
import { lockRows } from '../platform/database/database.ts';
import { Problem } from '../platform/problem.ts';
import type { ConnectedChain } from './connected-chains.ts';
import type { Trouble } from './cursor.ts';
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
import { requireSettled } from './wallet-accounts.ts';

type Reader = Pick<Database, 'query'>;

export async function findByReference(
  reader: Reader,
  merchantId: number,
  txId: string,
  code: CryptoCurrencyCode,
): Promise<CryptoTransaction | null> {
  const row = await reader.query
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
  const row = await reader.query
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
  const rows = await reader.query
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
 */
export async function lockWallet(unit: UnitOfWork, id: number): Promise<Wallet> {
  const query = unit.query.selectFrom('wallets').select(walletColumns).where('id', '=', id);
  return toWallet(await lockRows(unit, query).executeTakeFirstOrThrow());
}

export async function findWallets(reader: Reader, ids: readonly number[]): Promise<Map<number, Wallet>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.query.selectFrom('wallets').select(walletColumns).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, toWallet(row)]));
}

/** All money of some transactions, in the order in which it was seen. */
export async function findPayments(reader: Reader, transactionIds: readonly number[]): Promise<SeenPayment[]> {
  if (transactionIds.length === 0) return [];
  const rows = await reader.query
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
  const cursor = await reader.query
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

/** The height of the last block that was read; null where none ever was. */
export async function readHeight(reader: Reader, chain: ChainName): Promise<number | null> {
  const cursor = await reader.query
    .selectFrom('chain_cursors')
    .select('height')
    .where('chain', '=', chain)
    .executeTakeFirst();
  return cursor?.height ?? null;
}
