import { db, transactionMetadata } from './schema.ts';
import { sql } from 'kysely';
import { hasDepositWithHash, selectTransactionIdsByHash } from '../deposits/deposit.ts';
import { selectWallets } from '../wallets/wallet.ts';
import { chainNames } from '../shared/crypto-currency.ts';
import type { Database } from '../database/database.ts';
import {
  beginsWith,
  beginsWithUnindexed,
  type SearchFilter,
  hasAnyId,
  MAX_SEARCH_ROWS,
  unionOfIds,
  unindexed,
} from '../database/search.ts';

/**
 * Finds a merchant's crypto transactions by text: a prefix of the reference, the wallet's address, the hash of a
 * deposit's transaction, or a value of the metadata.
 */
export async function searchTransactions(
  database: Pick<Database, 'engine' | 'query'>,
  merchantId: number,
  text: string,
): Promise<SearchFilter> {
  const { engine } = database;
  const tables = db(database);
  const wallets = await selectWallets(database)
    .where('chain', 'in', chainNames)
    .where('address', '=', text)
    .where(unindexed('merchant_id'), '=', merchantId)
    .execute();
  const walletIds = wallets.map(({ id }) => id);
  const byReference = tables
    .selectFrom('crypto_transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where(beginsWith(engine, sql.ref('tx_id'), text))
    .limit(MAX_SEARCH_ROWS + 1);
  const byWallet = walletIds.map((walletId) =>
    tables
      .selectFrom('crypto_transactions')
      .select('id')
      .where('wallet_id', '=', walletId)
      .orderBy('id', 'desc')
      .limit(MAX_SEARCH_ROWS + 1),
  );
  const byHash = selectTransactionIdsByHash(database, merchantId, text).limit(MAX_SEARCH_ROWS + 1);
  const queries = [byReference, ...byWallet, byHash];
  const byMetadata = transactionMetadata.idsByValue(merchantId, text).execute(database.query);
  const found = await Promise.all([
    ...queries.map(async (each) => await each.execute()),
    byMetadata.then(({ rows }) => rows),
  ]);
  const ids = unionOfIds(found);
  if (ids) return { condition: hasAnyId(engine, 'id', ids), isSelective: true };

  const conditions = [
    beginsWithUnindexed(engine, sql.ref('tx_id'), text),
    transactionMetadata.hasValue(merchantId, text),
    ...walletIds.map((walletId) => sql<boolean>`${unindexed('wallet_id')} = ${walletId}`),
    hasDepositWithHash(database, sql.ref('crypto_transactions.id'), text),
  ];
  return { condition: sql<boolean>`(${sql.join(conditions, sql` or `)})`, isSelective: false };
}
