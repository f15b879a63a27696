import type { Runner } from '../database/engine.ts';
import { type Expression, type SqlBool, sql } from 'kysely';
import { type CryptoTransaction, db, statement, cryptoTransactionRecord } from './schema.ts';
import { rowSubject } from '../webhooks/subject.ts';
import type { Instant } from '../shared/time.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { UnitOfWork } from '../database/database.ts';
import { selectDeposits } from '../deposits/deposit.ts';
import { lockWallets, selectWallets } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';

export async function findByReference(
  reader: Runner,
  merchantId: number,
  txId: string,
  code: CryptoCurrencyCode,
): Promise<CryptoTransaction | null> {
  const row = await db(reader)
    .selectFrom('crypto_transactions')
    .select(cryptoTransactionRecord.columns)
    .where('merchant_id', '=', merchantId)
    .where('tx_id', '=', txId)
    .where('code', '=', code)
    .executeTakeFirst();
  return row ? cryptoTransactionRecord.read(row) : null;
}

export async function findByPublicId(
  reader: Runner,
  merchantId: number,
  publicId: string,
): Promise<CryptoTransaction | null> {
  const row = await db(reader)
    .selectFrom('crypto_transactions')
    .select(cryptoTransactionRecord.columns)
    .where('public_id', '=', publicId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row ? cryptoTransactionRecord.read(row) : null;
}

/** Finds crypto transactions by their row IDs. */
export async function findTransactions(reader: Runner, ids: readonly number[]): Promise<CryptoTransaction[]> {
  if (ids.length === 0) return [];
  const rows = await db(reader)
    .selectFrom('crypto_transactions')
    .select(cryptoTransactionRecord.columns)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map(cryptoTransactionRecord.read);
}

/**
 * Locks wallets, and the wallets of the invoices that their deposits are credited to: a rotated user invoice has moved
 * to another wallet. Null if an invoice moved while waiting for locks: the caller must then end the unit of work
 * without changes.
 */
export async function lockAffectedWallets(
  unit: UnitOfWork,
  ids: readonly number[],
): Promise<Map<number, Wallet> | null> {
  const successors = await findSuccessorWallets(unit, ids);
  const wallets = await lockWallets(unit, [...new Set([...ids, ...successors])]);
  return (await findSuccessorWallets(unit, ids)).every((id) => wallets.has(id)) ? wallets : null;
}

/** Finds the current wallets of invoices that were paid at these wallets before rotation. */
async function findSuccessorWallets(reader: Runner, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const retiredWallets = selectWallets(reader)
    .where('id', 'in', ids)
    .where('type', '=', 'user')
    .where('state', '=', 'retired');
  const deposits = selectDeposits(reader).select(['deposit.wallet_id', 'deposit.crypto_transaction_id']);
  const rows = await db(reader)
    .selectFrom(retiredWallets.as('former'))
    .innerJoin(deposits.as('deposit'), 'deposit.wallet_id', 'former.id')
    .innerJoin('crypto_transactions as transaction', 'transaction.id', 'deposit.crypto_transaction_id')
    .select('transaction.wallet_id as id')
    .distinct()
    .whereRef('transaction.wallet_id', '<>', 'former.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Composable query: fields of crypto transactions that determine the ledger account of a deposit. */
export function selectTransactionFacts(reader: Runner) {
  return db(reader).selectFrom('crypto_transactions').select(['id', 'wallet_id', 'kind', 'rejection']);
}

/** Composable query: transactions of an account that need a refund, as `transaction`. */
export function selectRefundingTransactions(
  reader: Runner,
  { name, accountId }: Pick<ConnectedChain, 'name' | 'accountId'>,
) {
  const wallets = selectWallets(reader).where('wallet_account_id', '=', accountId);
  return db(reader)
    .selectFrom('crypto_transactions as transaction')
    .innerJoin(wallets.as('wallet'), 'wallet.id', 'transaction.wallet_id')
    .select(['transaction.id', 'transaction.wallet_id'])
    .where('transaction.chain', '=', name)
    .where('transaction.status', '=', sql.lit('refunding'));
}

/** Query condition: a transaction of the chain was rejected with a refund since a given time. */
export function hasRefundSince(chain: ChainName, moment: Instant): Expression<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from crypto_transactions where chain = ${chain} and status = 'refunding' and decided_at >= ${moment}
  )`;
}

/** Query condition: the wallet belongs to a payment link. */
export function belongsToLink(reader: Runner, walletId: Expression<number>): Expression<SqlBool> {
  const linkTransactions = db(reader)
    .selectFrom('crypto_transactions')
    .select('crypto_transactions.id')
    .where('crypto_transactions.wallet_id', '=', walletId)
    .where('crypto_transactions.pays_for', 'is not', null);
  return sql<SqlBool>`exists ${linkTransactions}`;
}

/** Crypto transactions as subjects of events, found by the merchant's `txId` or by our `id`. */
export const cryptoTransactionSubject = rowSubject({ db, statement }, 'crypto_transactions', {
  findBy: ['tx_id', 'public_id'],
});
