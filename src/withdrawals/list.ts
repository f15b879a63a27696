import type { Runner } from '../database/engine.ts';
import { isAnyOf } from '../database/search.ts';
import { db } from './schema.ts';
import type { WithdrawalsQuery } from '../api/withdrawal.ts';
import { pagingOf } from '../http/cursor.ts';
import { toWithdrawal, type Withdrawal } from './withdrawal.ts';

/** Lists a page of a merchant's withdrawals, newest first. */
export async function listWithdrawals(
  database: Runner,
  merchantId: number,
  query: WithdrawalsQuery,
): Promise<{ withdrawals: Withdrawal[]; next_cursor: string | null }> {
  const { cursor, limit, pageOf } = pagingOf(query);
  const rows = await db(database)
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .$if(query.status !== undefined, (qb) => qb.where(isAnyOf('status', query.status ?? [])))
    .$if(query.code !== undefined, (qb) => qb.where(isAnyOf('code', query.code ?? [])))
    .$if(query.updated_since !== undefined, (qb) => qb.where('updated_at', '>=', query.updated_since?.at ?? 0))
    .$if(cursor !== null, (qb) => qb.where('id', '<', cursor ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const { shown, nextCursor } = pageOf(rows);
  return { withdrawals: shown.map(toWithdrawal), next_cursor: nextCursor };
}
