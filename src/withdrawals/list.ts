import type { Runner } from '../database/engine.ts';
import { isAnyOf } from '../database/search.ts';
import { db } from './schema.ts';
import type { WithdrawalsQuery } from '../api/withdrawal.ts';
import { parseCursor, formatCursor } from '../http/cursor.ts';
import { toWithdrawal, type Withdrawal } from './withdrawal.ts';

const DEFAULT_PER_PAGE = 20;

/** Lists a page of a merchant's withdrawals, newest first. */
export async function listWithdrawals(
  database: Runner,
  merchantId: number,
  query: WithdrawalsQuery,
): Promise<{ withdrawals: Withdrawal[]; next_cursor: string | null }> {
  const perPage = query.per_page ?? DEFAULT_PER_PAGE;
  const before = query.cursor === undefined ? null : parseCursor(query.cursor);
  const rows = await db(database)
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .$if(query.status !== undefined, (qb) => qb.where(isAnyOf('status', query.status ?? [])))
    .$if(query.code !== undefined, (qb) => qb.where(isAnyOf('code', query.code ?? [])))
    .$if(query.updated_since !== undefined, (qb) => qb.where('updated_at', '>=', query.updated_since?.at ?? 0))
    .$if(before !== null, (qb) => qb.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(perPage + 1)
    .execute();
  const page = rows.slice(0, perPage).map(toWithdrawal);
  const last = page.at(-1);
  return { withdrawals: page, next_cursor: rows.length > perPage && last ? formatCursor(last.id) : null };
}
