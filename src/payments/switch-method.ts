import { db, type FiatTransaction } from './schema.ts';
import type { OfferedPaymentMethod } from '../methods/availability.ts';
import type { UnitOfWork } from '../database/database.ts';
import { deductFromRate } from '../shared/rate-arithmetic.ts';
import { validationProblem } from '../api/problem-error.ts';
import { splitFee } from '../shared/fees.ts';
import { agreedFee } from './net-amount.ts';

/** A payment method and its fee, which determine the charged and the net amount. */
export type MethodPrice = Pick<FiatTransaction, 'paymentMethod' | 'feeFixMinor' | 'feePercentMillionths'>;

/** True if a switch to a method would leave nothing of the amount after its fee. */
export function isBelowFee(transaction: FiatTransaction, { code, fee }: OfferedPaymentMethod): boolean {
  const { receivedMinor, paymentMethod } = transaction;
  return receivedMinor === 0n && paymentMethod !== code && splitFee(transaction, fee).netMinor <= 0n;
}

/** Throws a `Problem` if a switch to a method would leave nothing of the amount after its fee. */
export function requireAmountAboveFee(transaction: FiatTransaction, method: OfferedPaymentMethod): void {
  if (!isBelowFee(transaction, method)) return;
  const detail = 'has a fee greater than the amount';
  throw validationProblem([{ pointer: '/payment_method', code: 'amount_below_fee', detail }]);
}

/** Switches a transaction to a method and its fee. After a partial payment, the method and the price stay. */
export async function switchMethod(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  method: OfferedPaymentMethod,
): Promise<FiatTransaction> {
  const { code, fee } = method;
  if (transaction.receivedMinor > 0n || transaction.paymentMethod === code) return transaction;
  requireAmountAboveFee(transaction, method);
  const price = { paymentMethod: code, feeFixMinor: fee.fixedMinor, feePercentMillionths: fee.percentMillionths };
  return await reprice(unit, transaction, price);
}

/** Reprices a transaction for the method and fee of the received payment, regardless of the buyer's later choice. */
export async function reprice(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  { paymentMethod, feeFixMinor, feePercentMillionths }: MethodPrice,
): Promise<FiatTransaction> {
  const isSame =
    transaction.paymentMethod === paymentMethod &&
    transaction.feeFixMinor === feeFixMinor &&
    transaction.feePercentMillionths === feePercentMillionths;
  if (isSame) return transaction;
  const { chargedMinor, netMinor } = splitFee(transaction, agreedFee({ feeFixMinor, feePercentMillionths }));
  const rateMerchantFinal = deductFromRate(transaction.rate, feePercentMillionths);
  await db(unit)
    .updateTable('fiat_transactions')
    .set({
      payment_method: paymentMethod,
      amount_charged_minor: Number(chargedMinor),
      amount_delivered_minor: Number(netMinor),
      fee_fix_minor: Number(feeFixMinor),
      fee_percent_millionths: feePercentMillionths,
      rate_merchant_final: rateMerchantFinal,
    })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
  const price = { paymentMethod, chargedMinor, netMinor, feeFixMinor, feePercentMillionths };
  return { ...transaction, ...price, rateMerchantFinal };
}
