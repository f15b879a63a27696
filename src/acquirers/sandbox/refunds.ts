import { db } from './schema.ts';
import type { Instant } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import type { Database, UnitOfWork } from '../../database/database.ts';
import type { RefundRequest, RefundOutcome } from '../refund.ts';

/** Outcome of a refund that the payer's bank returned after it had succeeded. */
export const RETURNED: RefundOutcome = {
  kind: 'refused',
  code: 'account_closed',
  detail: 'The payer’s account is closed.',
};

/**
 * Simulates refunds, which succeed after `delay`. `lockChargedAmount` returns the charged amount, 0 for an unknown
 * charge, and locks the charge until the unit of work ends.
 */
export function createSandboxRefunds(options: {
  database: Database;
  clock: Clock;
  delay: Instant;
  lockChargedAmount: (unit: UnitOfWork, chargeKey: string) => Promise<bigint>;
}): (refund: RefundRequest) => Promise<RefundOutcome> {
  const { database, clock, delay, lockChargedAmount } = options;

  const outcomeOf = (row: { state: string; succeeds_at: Instant | null }): RefundOutcome => {
    if (row.state === 'refused')
      return { kind: 'refused', code: 'amount_exceeds_charge', detail: 'The refunds exceed the charged amount.' };
    if (row.state === 'failed') return RETURNED;
    return row.succeeds_at !== null && row.succeeds_at > clock.now() ? { kind: 'pending' } : { kind: 'succeeded' };
  };

  return async ({ refundKey, chargeKey, amountMinor }) =>
    await database.inTransaction(async (unit) => {
      const chargedMinor = await lockChargedAmount(unit, chargeKey);
      const rows = await db(unit)
        .selectFrom('sandbox_refunds')
        .select(['refund_key', 'amount_minor', 'state', 'succeeds_at'])
        .where('charge_key', '=', chargeKey)
        .execute();
      const existing = rows.find((row) => row.refund_key === refundKey);
      if (existing) return outcomeOf(existing);
      const refunded = rows.filter((row) => row.state === 'given').reduce((sum, row) => sum + row.amount_minor, 0);
      const state = BigInt(refunded) + amountMinor > chargedMinor ? 'refused' : 'given';
      const row = { state, succeeds_at: delay > 0 ? clock.now() + delay : null };
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
