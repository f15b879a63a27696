import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { DAY, HOUR, type Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';

/** How long a receiver may fail without one success before it is sent nothing more. */
export const FAILS_AT_MOST: Instant = 5 * DAY;

/** After a longer silence than between any two attempts, a failure is the first of new ones. */
export const FORGOTTEN_AFTER: Instant = 30 * HOUR;

/** `gone`: it answered 410; `no_success`: nothing was delivered for five days. */
export type OffReason = 'gone' | 'no_success';

/** How a merchant's receiver does. */
export interface CallbackReceiver {
  /** The first failure since the last success. */
  failingSince: Instant;
  /** The last one. */
  failedAt: Instant;
  /** Since when nothing is sent to it; null while it is on. */
  offAt: Instant | null;
  offReason: OffReason | null;
}

/** Of merchants whose receivers answer well there is nothing. */
export async function findReceivers(
  reader: Runner,
  merchantIds: readonly number[],
): Promise<Map<number, CallbackReceiver>> {
  if (merchantIds.length === 0) return new Map();
  const rows = await db(reader)
    .selectFrom('callback_receivers')
    .selectAll()
    .where('merchant_id', 'in', merchantIds)
    .execute();
  return new Map(
    rows.map((row) => [
      row.merchant_id,
      { failingSince: row.failing_since, failedAt: row.failed_at, offAt: row.off_at, offReason: row.off_reason },
    ]),
  );
}

/** What is pending is sent again: at a new address, or because somebody has seen that the receiver is back. */
export async function switchReceiverOn(unit: UnitOfWork, merchantId: number): Promise<void> {
  await db(unit).deleteFrom('callback_receivers').where('merchant_id', '=', merchantId).execute();
}

/** Writes down how the receiver does now. */
export async function writeReceiver(unit: UnitOfWork, merchantId: number, receiver: CallbackReceiver): Promise<void> {
  const values = {
    failing_since: receiver.failingSince,
    failed_at: receiver.failedAt,
    off_at: receiver.offAt,
    off_reason: receiver.offReason,
  };
  await db(unit)
    .insertInto('callback_receivers')
    .values({ merchant_id: merchantId, ...values })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(values))
    .execute();
}
