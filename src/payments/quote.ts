import type { FiatTransaction } from './schema.ts';
import { listEnabledMethods, type OfferedPaymentMethod } from '../methods/availability.ts';
import { findPaymentMethod } from '../methods/catalogue.ts';
import type { PaymentQuote } from '../acquirers/push-port.ts';
import type { PaymentsContext } from './context.ts';
import { splitFee } from '../shared/fees.ts';
import { remainingAmount } from './transaction.ts';

/** Quotes a payment by a method: the full amount at the method's fee, or the remaining amount. */
export function quoteFor(
  transaction: FiatTransaction,
  method: OfferedPaymentMethod,
  viewer: string | null,
): PaymentQuote {
  const { merchantId, country, currency, receivedMinor, reference: paymentReference } = transaction;
  // A received part has fixed the charged amount at this method's fee.
  const amountMinor =
    receivedMinor > 0n
      ? remainingAmount(transaction)
      : splitFee(transaction.amountMinor, method.fee, transaction.feeCalculation).chargedMinor;
  return { method, merchantId, country, currency, amountMinor, paymentReference, viewer };
}

/**
 * Lists the methods for a transaction, within the limits of an acquirer account: the merchant's enabled ones, and its own
 * method at the agreed fee.
 */
export async function listOfferedMethods(
  context: Pick<PaymentsContext, 'database' | 'supportsMethod'>,
  transaction: FiatTransaction,
): Promise<OfferedPaymentMethod[]> {
  const { merchantId, country, currency, paymentMethod, feeFixMinor, feePercentMillionths } = transaction;
  const enabled = await listEnabledMethods(context.database, context.supportsMethod, merchantId, country, currency);
  const current = findPaymentMethod(paymentMethod);
  const isWithinLimits = (method: OfferedPaymentMethod) => context.supportsMethod(quoteFor(transaction, method, null));
  if (!current) return enabled.filter(isWithinLimits);
  const atAgreedFee = { ...current, fee: { fixMinor: feeFixMinor, percentMillionths: feePercentMillionths } };
  const offered = enabled.some(({ code }) => code === current.code)
    ? enabled.map((method) => (method.code === current.code ? atAgreedFee : method))
    : [atAgreedFee, ...enabled];
  return offered.filter(isWithinLimits);
}
