import { type CryptoTransaction, db, cryptoTransactionRecord } from './schema.ts';
import type { CryptoTransactionsQuery } from '../api/crypto-transaction.ts';
import type { Database } from '../database/database.ts';
import { unindexed } from '../database/search.ts';
import { parseCursor, formatCursor } from '../http/cursor.ts';
import { searchTransactions } from './search.ts';

const DEFAULT_PER_PAGE = 20;

/** A page of a merchant's crypto transactions, newest first. */
export async function listTransactions(
  database: Pick<Database, 'engine' | 'query'>,
  merchantId: number,
  query: CryptoTransactionsQuery,
): Promise<{ transactions: CryptoTransaction[]; next_cursor: string | null }> {
  const perPage = query.per_page ?? DEFAULT_PER_PAGE;
  const before = query.cursor === undefined ? null : parseCursor(query.cursor);
  const found = query.search === undefined ? null : await searchTransactions(database, merchantId, query.search);
  const rows = await db(database)
    .selectFrom('crypto_transactions')
    .select(cryptoTransactionRecord.columns)
    // What a search has found is looked up row by row, and not looked for among all that the merchant has.
    .where(found?.isSelective ? unindexed('merchant_id') : 'merchant_id', '=', merchantId)
    .where('returned_by', 'is', null)
    .$if(found !== null, (rest) => (found ? rest.where(found.condition) : rest))
    .$if(query.status !== undefined, (rest) => rest.where('status', '=', query.status ?? ''))
    .$if(query.code !== undefined, (rest) => rest.where('code', '=', query.code ?? ''))
    .$if(before !== null, (rest) => rest.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(perPage + 1)
    .execute();
  const shown = rows.slice(0, perPage).map(cryptoTransactionRecord.read);
  const last = shown.at(-1);
  return { transactions: shown, next_cursor: rows.length > perPage && last ? formatCursor(last.id) : null };
}
