import type { OfferedPaymentMethod } from '../methods/availability.ts';
import type { UnitOfWork } from '../platform/database/database.ts';
import { validationProblem } from '../platform/problem.ts';
import { splitFee } from './fees.ts';
import type { FiatTransaction } from './transaction.ts';

/** The method's own fee is the transaction's from now on; once money has come in part, what is asked for stays. */
export async function takeMethod(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  method: OfferedPaymentMethod,
): Promise<FiatTransaction> {
  if (transaction.receivedMinor > 0n || transaction.paymentMethod === method.code) return transaction;
  const split = splitFee(transaction.amountMinor, method.fee, transaction.feeCalculation);
  if (split.deliveredMinor <= 0n) {
    const detail = 'costs more than the amount';
    throw validationProblem([{ pointer: '/payment_method', code: 'amount_below_fee', detail }]);
  }
  await unit.query
    .updateTable('fiat_transactions')
    .set({
      payment_method: method.code,
      amount_charged_minor: Number(split.chargedMinor),
      amount_delivered_minor: Number(split.deliveredMinor),
      fee_fix_minor: Number(method.fee.fixMinor),
      fee_percent_millionths: method.fee.percentMillionths,
    })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
  return {
    ...transaction,
    paymentMethod: method.code,
    chargedMinor: split.chargedMinor,
    deliveredMinor: split.deliveredMinor,
    feeFixMinor: method.fee.fixMinor,
    feePercentMillionths: method.fee.percentMillionths,
  };
}
