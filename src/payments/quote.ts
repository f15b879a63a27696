import type { FiatTransaction } from './schema.ts';
import { listEnabledMethods, type OfferedPaymentMethod } from '../methods/availability.ts';
import { findPaymentMethod } from '../methods/catalogue.ts';
import type { PaymentQuote } from '../acquirers/push-port.ts';
import type { PaymentsContext } from './context.ts';
import { splitFee } from '../shared/fees.ts';
import { remainingAmount } from './transaction.ts';

/** What would be paid by a method: all, or what is left, with the method's own fee. */
export function quoteFor(transaction: FiatTransaction, method: OfferedPaymentMethod): PaymentQuote {
  const { merchantId, country, currency, receivedMinor } = transaction;
  // What has come in part has come at this method's fee, and fixed the price.
  const amountMinor =
    receivedMinor > 0n
      ? remainingAmount(transaction)
      : splitFee(transaction.amountMinor, method.fee, transaction.feeCalculation).chargedMinor;
  return { method, merchantId, country, currency, amountMinor };
}

/** What a transaction can be paid with: what the merchant offers now, and always the method that it has, at its own fee. */
export async function listOfferedMethods(
  context: Pick<PaymentsContext, 'database' | 'supportsMethod'>,
  { merchantId, country, currency, paymentMethod, feeFixMinor, feePercentMillionths }: FiatTransaction,
): Promise<OfferedPaymentMethod[]> {
  const enabled = await listEnabledMethods(context.database, context.supportsMethod, merchantId, country, currency);
  const own = findPaymentMethod(paymentMethod);
  if (!own || !context.supportsMethod(own)) return enabled;
  const atOwnFee = { ...own, fee: { fixMinor: feeFixMinor, percentMillionths: feePercentMillionths } };
  return enabled.some(({ code }) => code === own.code)
    ? enabled.map((method) => (method.code === own.code ? atOwnFee : method))
    : [atOwnFee, ...enabled];
}
