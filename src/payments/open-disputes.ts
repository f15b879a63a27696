import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { disputeStates, isDisputeClosed } from '../shared/dispute.ts';
import { db } from './schema.ts';

/** Counts a merchant's open disputes of payments through an account. */
export async function countOpenDisputes(
  reader: Runner | UnitOfWork,
  merchantId: number,
  accountKey: string,
): Promise<number> {
  const { count } = await db(reader)
    .selectFrom('disputes')
    .select((expression) => expression.fn.countAll<number | bigint | string>().as('count'))
    .where('merchant_id', '=', merchantId)
    .where('account_key', '=', accountKey)
    .where(
      'state',
      'in',
      disputeStates.filter((state) => !isDisputeClosed(state)),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}
