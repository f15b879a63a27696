import { db } from './schema.ts';
import type { Instant } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import type { Database, UnitOfWork } from '../../database/database.ts';
import type { Refund, RefundOutcome } from '../refund.ts';

/**
 * The sandbox's books of what was given back. `findCharged` answers what a charge has brought, and
 * holds it while the unit lasts; of a charge that it does not know nothing can be given back. A refund
 * succeeds after `takes`.
 */
export function createSandboxRefunds(options: {
  database: Database;
  clock: Clock;
  takes: Instant;
  findCharged: (unit: UnitOfWork, chargeKey: string) => Promise<bigint>;
}): (refund: Refund) => Promise<RefundOutcome> {
  const { database, clock, takes, findCharged } = options;

  const outcomeOf = (row: { state: string; succeeds_at: Instant | null }): RefundOutcome => {
    if (row.state === 'refused')
      return { kind: 'refused', code: 'amount_exceeds_charge', detail: 'More was asked back than was charged.' };
    return row.succeeds_at !== null && row.succeeds_at > clock.now() ? { kind: 'pending' } : { kind: 'succeeded' };
  };

  return async ({ refundKey, chargeKey, amountMinor }) =>
    await database.inTransaction(async (unit) => {
      const chargedMinor = await findCharged(unit, chargeKey);
      const rows = await db(unit)
        .selectFrom('sandbox_refunds')
        .select(['refund_key', 'amount_minor', 'state', 'succeeds_at'])
        .where('charge_key', '=', chargeKey)
        .execute();
      const known = rows.find((row) => row.refund_key === refundKey);
      if (known) return outcomeOf(known);
      const given = rows.filter((row) => row.state === 'given').reduce((sum, row) => sum + row.amount_minor, 0);
      const state = BigInt(given) + amountMinor > chargedMinor ? 'refused' : 'given';
      const row = { state, succeeds_at: takes > 0 ? clock.now() + takes : null };
      await db(unit)
        .insertInto('sandbox_refunds')
        .values({
          refund_key: refundKey,
          charge_key: chargeKey,
          amount_minor: Number(amountMinor),
          created_at: clock.now(),
          ...row,
        })
        .execute();
      return outcomeOf(row);
    });
}
