import type { Runner } from '../../database/engine.ts';
import { db, type PaymentRefund, refundRecord } from '../schema.ts';
import type { UnitOfWork } from '../../database/database.ts';

type Reader = Runner;

export async function findRefund(reader: Reader, refundKey: string): Promise<PaymentRefund | null> {
  const row = await db(reader).selectFrom('refunds').selectAll().where('refund_key', '=', refundKey).executeTakeFirst();
  return row ? refundRecord.read(row) : null;
}

export async function updateRefund(
  unit: UnitOfWork,
  refund: PaymentRefund,
  change: Partial<PaymentRefund>,
): Promise<void> {
  await db(unit)
    .updateTable('refunds')
    .set(refundRecord.write(change))
    .where('merchant_id', '=', refund.merchantId)
    .where('id', '=', refund.id)
    .execute();
}

/** Returns the refunds of an earlier request with the same idempotency key. */
export function filterByRequest(refunds: readonly PaymentRefund[], requestName: string | null): PaymentRefund[] {
  return requestName === null ? [] : refunds.filter((refund) => refund.requestName === requestName);
}

/** Sums succeeded and pending refunds. */
export function sumRefunds(refunds: readonly PaymentRefund[]): bigint {
  return refunds.reduce((sum, { state, amountMinor }) => (state === 'failed' ? sum : sum + amountMinor), 0n);
}
