import { createHash } from 'node:crypto';
import type { ChainName } from '../contract/crypto-currency.ts';
import type { Database } from '../platform/database/database.ts';

/** The row of an account, made when it is first used. It is known by a digest of its key: the key alone tells all of its addresses. */
export async function openAccount(database: Database, chain: ChainName, accountKey: string): Promise<number> {
  const name = `${chain} ${createHash('sha256').update(accountKey).digest('hex').slice(0, 16)}`;
  await database.query
    .insertInto('wallet_accounts')
    .values({ name, chain, next_index: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { id } = await database.query
    .selectFrom('wallet_accounts')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return id;
}

/** An index below the account that nobody else gets, whatever becomes of the one who asked. */
export async function takeIndex(database: Database, accountId: number): Promise<number> {
  const { next_index: next } = await database.alone(
    async ({ query }) =>
      await query
        .updateTable('wallet_accounts')
        .set((row) => ({ next_index: row('next_index', '+', 1) }))
        .where('id', '=', accountId)
        .returning('next_index')
        .executeTakeFirstOrThrow(),
  );
  return next - 1;
}
