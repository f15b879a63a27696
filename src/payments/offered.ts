import { enabledMethods, type OfferedPaymentMethod } from '../methods/availability.ts';
import { findPaymentMethod } from '../methods/catalogue.ts';
import type { PaymentsContext } from './context.ts';
import type { FiatTransaction } from './transaction.ts';

/** What a transaction can be paid with: what the merchant offers now, and always the method that it has, at its own fee. */
export async function offeredMethods(
  context: Pick<PaymentsContext, 'database' | 'canCarry'>,
  { merchantId, country, currency, paymentMethod, feeFixMinor, feePercentMillionths }: FiatTransaction,
): Promise<OfferedPaymentMethod[]> {
  const enabled = await enabledMethods(context.database, context.canCarry, merchantId, country, currency);
  const own = findPaymentMethod(paymentMethod);
  if (!own || !context.canCarry(own)) return enabled;
  const atOwnFee = { ...own, fee: { fixMinor: feeFixMinor, percentMillionths: feePercentMillionths } };
  return enabled.some(({ code }) => code === own.code)
    ? enabled.map((method) => (method.code === own.code ? atOwnFee : method))
    : [atOwnFee, ...enabled];
}
