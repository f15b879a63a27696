import { db } from './schema.ts';
import type { CurrencyCode } from '../api/currency.ts';
import type { Instant } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';

/** Enables a method in a currency for a merchant, or changes its fee. */
export async function enableMethod(
  unit: UnitOfWork,
  options: {
    merchantId: number;
    paymentMethod: string;
    currency: CurrencyCode;
    fee: { fixedMinor: bigint; percentMillionths: number };
    now: Instant;
  },
): Promise<void> {
  const fee = {
    fee_fix_minor: Number(options.fee.fixedMinor),
    fee_percent_millionths: options.fee.percentMillionths,
  };
  await db(unit)
    .insertInto('merchant_methods')
    .values({
      merchant_id: options.merchantId,
      payment_method: options.paymentMethod,
      currency: options.currency,
      created_at: options.now,
      disabled_at: null,
      ...fee,
    })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'payment_method', 'currency']).doUpdateSet({ ...fee, disabled_at: null }),
    )
    .execute();
}

/** Disables a method for a merchant and keeps its fees; existing transactions keep the method. */
export async function disableMethod(
  unit: UnitOfWork,
  options: { merchantId: number; paymentMethod: string; currency: CurrencyCode; now: Instant },
): Promise<void> {
  await db(unit)
    .updateTable('merchant_methods')
    .set({ disabled_at: options.now })
    .where('disabled_at', 'is', null)
    .where('merchant_id', '=', options.merchantId)
    .where('payment_method', '=', options.paymentMethod)
    .where('currency', '=', options.currency)
    .execute();
}
