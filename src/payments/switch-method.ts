import { db, type FiatTransaction } from './schema.ts';
import type { OfferedPaymentMethod } from '../methods/availability.ts';
import type { UnitOfWork } from '../database/database.ts';
import { rateLess } from '../shared/rate-arithmetic.ts';
import { validationProblem } from '../api/problem-error.ts';
import { splitFee } from '../shared/fees.ts';

/** A way to pay and its fee, by which what the buyer pays and what the merchant gets are reckoned. */
export type MethodPrice = Pick<FiatTransaction, 'paymentMethod' | 'feeFixMinor' | 'feePercentMillionths'>;

/** The method's own fee is the transaction's from now on; once money has come in part, what is asked for stays. */
export async function switchMethod(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  { code, fee }: OfferedPaymentMethod,
): Promise<FiatTransaction> {
  if (transaction.receivedMinor > 0n || transaction.paymentMethod === code) return transaction;
  if (splitFee(transaction.amountMinor, fee, transaction.feeCalculation).deliveredMinor <= 0n) {
    const detail = 'costs more than the amount';
    throw validationProblem([{ pointer: '/payment_method', code: 'amount_below_fee', detail }]);
  }
  const price = { paymentMethod: code, feeFixMinor: fee.fixMinor, feePercentMillionths: fee.percentMillionths };
  return await reprice(unit, transaction, price);
}

/** The transaction is paid in this way and at this fee from now on: what has come decides, whatever was chosen since. */
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
  const fee = { fixMinor: feeFixMinor, percentMillionths: feePercentMillionths };
  const { chargedMinor, deliveredMinor } = splitFee(transaction.amountMinor, fee, transaction.feeCalculation);
  const rateMerchantFinal = rateLess(transaction.rate, feePercentMillionths);
  await db(unit)
    .updateTable('fiat_transactions')
    .set({
      payment_method: paymentMethod,
      amount_charged_minor: Number(chargedMinor),
      amount_delivered_minor: Number(deliveredMinor),
      fee_fix_minor: Number(feeFixMinor),
      fee_percent_millionths: feePercentMillionths,
      rate_merchant_final: rateMerchantFinal,
    })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
  const price = { paymentMethod, chargedMinor, deliveredMinor, feeFixMinor, feePercentMillionths };
  return { ...transaction, ...price, rateMerchantFinal };
}
