import type { Runner } from '../../database/engine.ts';
import { db, type RefundTable } from '../schema.ts';
import type { Selectable, Updateable } from 'kysely';
import type { Instant } from '../../shared/time.ts';
import type { UnitOfWork } from '../../database/database.ts';

type Reader = Runner;

/** `pending` until the provider has said what became of it. */
export type RefundState = 'pending' | 'succeeded' | 'failed';

/** Money that goes back to a buyer, from one source. Amounts are minor units of the transaction's currency. */
export interface PaymentRefund {
  id: number;
  merchantId: number;
  transactionId: number;
  number: number;
  refundKey: string;
  /** Names the request that asked for it, where its sender gave it an `Idempotency-Key`. */
  requestName: string | null;
  source: 'card' | 'push';
  chargeKey: string;
  provider: string;
  amountMinor: bigint;
  state: RefundState;
  failure: { code: string; detail: string } | null;
  /** Given back by the merchant in a way of their own. */
  isOutOfBand: boolean;
  checksMade: number;
  createdAt: Instant;
  updatedAt: Instant;
}

export const refundColumns = [
  'id',
  'merchant_id',
  'fiat_transaction_id',
  'number',
  'refund_key',
  'request_name',
  'source',
  'charge_key',
  'provider',
  'amount_minor',
  'state',
  'failure_code',
  'failure_detail',
  'out_of_band',
  'checks_made',
  'next_check_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof RefundTable)[];

export function toRefund(row: Pick<Selectable<RefundTable>, (typeof refundColumns)[number]>): PaymentRefund {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    transactionId: row.fiat_transaction_id,
    number: row.number,
    refundKey: row.refund_key,
    requestName: row.request_name,
    source: row.source,
    chargeKey: row.charge_key,
    provider: row.provider,
    amountMinor: BigInt(row.amount_minor),
    state: row.state as RefundState,
    failure: row.failure_code === null ? null : { code: row.failure_code, detail: row.failure_detail ?? '' },
    isOutOfBand: row.out_of_band === 1,
    checksMade: row.checks_made,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export async function findRefund(reader: Reader, refundKey: string): Promise<PaymentRefund | null> {
  const row = await db(reader).selectFrom('refunds').selectAll().where('refund_key', '=', refundKey).executeTakeFirst();
  return row ? toRefund(row) : null;
}

export async function updateRefund(
  unit: UnitOfWork,
  refund: PaymentRefund,
  change: Updateable<RefundTable>,
): Promise<void> {
  await db(unit)
    .updateTable('refunds')
    .set(change)
    .where('merchant_id', '=', refund.merchantId)
    .where('id', '=', refund.id)
    .execute();
}

/** What a request of this name has begun already. */
export function refundsOfRequest(refunds: readonly PaymentRefund[], requestName: string | null): PaymentRefund[] {
  return requestName === null ? [] : refunds.filter((refund) => refund.requestName === requestName);
}

/** What is given back, or on its way; of what failed nothing is. */
export function sumOfRefunds(refunds: readonly PaymentRefund[]): bigint {
  return refunds.reduce((sum, { state, amountMinor }) => (state === 'failed' ? sum : sum + amountMinor), 0n);
}
