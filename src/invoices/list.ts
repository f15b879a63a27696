import { type CryptoTransaction, db, cryptoTransactionRecord, transactionMetadata } from './schema.ts';
import { endOf } from '../shared/time.ts';
import type { CryptoTransactionsQuery } from '../api/crypto-transaction.ts';
import type { Database } from '../database/database.ts';
import { combineSearches } from '../database/metadata-index.ts';
import { isAnyOf, unindexed } from '../database/search.ts';
import { pagingOf } from '../http/cursor.ts';
import type { ConnectedChains } from '../wallets/connected-chains.ts';
import { searchTransactions } from './search.ts';

/** Lists a page of a merchant's crypto transactions, newest first. */
export async function listTransactions(
  database: Pick<Database, 'engine' | 'query'>,
  chains: ConnectedChains,
  merchantId: number,
  query: CryptoTransactionsQuery,
): Promise<{ transactions: CryptoTransaction[]; next_cursor: string | null }> {
  const { cursor, limit, pageOf } = pagingOf(query);
  const search = combineSearches(
    query.search === undefined ? null : await searchTransactions(database, chains, merchantId, query.search),
    query.metadata === undefined ? null : await transactionMetadata.search(database, merchantId, query.metadata),
  );
  const rows = await db(database)
    .selectFrom('crypto_transactions')
    .select(cryptoTransactionRecord.columns)
    // With few search results: look up each row instead of scanning all transactions of the merchant.
    .where(search?.isSelective ? unindexed('merchant_id') : 'merchant_id', '=', merchantId)
    .where('returned_by', 'is', null)
    .$if(search !== null, (qb) => (search ? qb.where(search.condition) : qb))
    .$if(query.status !== undefined, (qb) => qb.where(isAnyOf('status', query.status ?? [])))
    .$if(query.code !== undefined, (qb) => qb.where(isAnyOf('code', query.code ?? [])))
    .$if(query.updated_since !== undefined, (qb) => qb.where('updated_at', '>=', query.updated_since?.at ?? 0))
    .$if(query.since !== undefined, (qb) => qb.where('created_at', '>=', query.since?.at ?? 0))
    .$if(query.till !== undefined, (qb) => qb.where('created_at', '<', query.till ? endOf(query.till) : 0))
    .$if(cursor !== null, (qb) => qb.where('id', '<', cursor ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const { shown, nextCursor } = pageOf(rows);
  return { transactions: shown.map(cryptoTransactionRecord.read), next_cursor: nextCursor };
}
