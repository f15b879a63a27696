import { type Expression, sql } from 'kysely';
import {
  MAX_COUNTED_ROWS,
  toApiStatus,
  type TransactionCounts,
  type TransactionFilters,
  transactionStatuses,
} from '../../api/fiat-transaction.ts';
import type { Database } from '../../database/database.ts';
import { db } from '../schema.ts';
import type { TransactionRows } from './list.ts';

type Filter = (
  base: TransactionRows<{ id: number }>,
  only: Pick<TransactionFilters, 'status' | 'awaiting_review' | 'authorization_status'>,
) => Expression<unknown>;

/** Counts the rows of each status and those in review, in one statement. An index serves each count, up to a limit. */
export async function countTransactions(database: Database, filter: Filter): Promise<TransactionCounts> {
  const count = (only: Parameters<Filter>[1]) => {
    const base = db(database).selectFrom('fiat_transactions').select('id');
    return sql`(select count(*) from (${filter(base.limit(MAX_COUNTED_ROWS), only)}) as matching)`;
  };
  const counts = [
    ...transactionStatuses.map((status) => sql`${count({ status: [toApiStatus(status)] })} as ${sql.ref(status)}`),
    sql`${count({ awaiting_review: 'true' })} as awaiting_review`,
    sql`${count({ authorization_status: ['authorized'] })} as authorized`,
  ];
  const { rows } = await sql<TransactionCounts>`select ${sql.join(counts)}`.execute(db(database));
  const [row] = rows;
  if (!row) throw new Error('The count query returned no row');
  return row;
}
