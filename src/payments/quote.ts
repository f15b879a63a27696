import type { FiatTransaction } from './schema.ts';
import type { PaymentMethod } from '../api/method-catalog.ts';
import { listEnabledMethods, type OfferedPaymentMethod } from '../methods/availability.ts';
import { findPaymentMethod } from '../methods/catalog.ts';
import type { QuoteRequest } from '../acquirers/push-port.ts';
import type { PaymentsContext } from './context.ts';
import { splitFee } from '../shared/fees.ts';
import { agreedFee } from './net-amount.ts';
import { isBelowFee } from './switch-method.ts';
import { remainingAmount } from './transaction.ts';

/** The amount that a buyer pays by a method, at its fee. */
export function chargedAmount(transaction: FiatTransaction, { fee }: Pick<OfferedPaymentMethod, 'fee'>): bigint {
  return splitFee(transaction, fee).chargedMinor;
}

/** Quotes a payment by a method: the full amount at the method's fee, or the remaining amount. */
export function quoteFor(
  transaction: FiatTransaction,
  method: OfferedPaymentMethod,
  viewer: string | null,
): QuoteRequest & { isManualCapture: boolean } {
  const { merchantId, country, currency, receivedMinor, reference: paymentReference, capture } = transaction;
  // A partial payment has fixed the charged amount at this method's fee.
  const amountMinor = receivedMinor > 0n ? remainingAmount(transaction) : chargedAmount(transaction, method);
  const isManualCapture = capture === 'manual';
  return { method, merchantId, country, currency, amountMinor, paymentReference, viewer, isManualCapture };
}

/**
 * Lists the methods for a transaction: the merchant's enabled ones, and always its own method at the agreed fee. Those
 * whose accounts do not accept the amount, or its remainder after a partial payment, are left out, and those with a fee
 * that the amount does not exceed. With manual capture, only card methods remain.
 */
export async function listOfferedMethods(
  context: Pick<PaymentsContext, 'database' | 'supportsMethod'>,
  transaction: FiatTransaction,
): Promise<OfferedPaymentMethod[]> {
  const methods = await listMethods(context, transaction);
  return methods.filter((method) => {
    if (isBelowFee(transaction, method)) return false;
    const quote = quoteFor(transaction, method, null);
    // After an overpayment, which awaits review, nothing remains to be paid.
    return quote.amountMinor <= 0n || context.supportsMethod(quote);
  });
}

/** True if an account accepts the remaining amount of a partial payment, which its own method must complete. */
export function acceptsRemainder(
  { supportsMethod }: Pick<PaymentsContext, 'supportsMethod'>,
  transaction: FiatTransaction,
): boolean {
  const method = findPaymentMethod(transaction.paymentMethod);
  return method !== undefined && supportsMethod(quoteFor(transaction, atAgreedFee(transaction, method), null));
}

async function listMethods(
  context: Pick<PaymentsContext, 'database' | 'supportsMethod'>,
  transaction: FiatTransaction,
): Promise<OfferedPaymentMethod[]> {
  const { merchantId, country, currency, paymentMethod } = transaction;
  const enabled = await listEnabledMethods(context.database, context.supportsMethod, merchantId, country, currency);
  const current = findPaymentMethod(paymentMethod);
  if (!current || !context.supportsMethod({ merchantId, method: current, country, currency })) return enabled;
  const agreed = atAgreedFee(transaction, current);
  return enabled.some(({ code }) => code === current.code)
    ? enabled.map((method) => (method.code === current.code ? agreed : method))
    : [agreed, ...enabled];
}

function atAgreedFee(transaction: FiatTransaction, method: PaymentMethod): OfferedPaymentMethod {
  return { ...method, fee: agreedFee(transaction) };
}
