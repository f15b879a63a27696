import { db, type FiatTransaction } from './schema.ts';
import type { UnitOfWork } from '../database/database.ts';
import { millionthsOf } from '../shared/money.ts';
import { splitFee } from '../shared/fees.ts';
import { keptAmount } from './transaction.ts';

/** What the merchant gets: what was agreed when all has come, and what is beyond it less its percentage; of less what is left after the fee. */
export function netAmount(transaction: FiatTransaction): bigint {
  const { amountMinor, chargedMinor, feeFixMinor, feePercentMillionths, feeCalculation } = transaction;
  const receivedMinor = keptAmount(transaction);
  const fee = { fixMinor: feeFixMinor, percentMillionths: feePercentMillionths };
  if (receivedMinor < chargedMinor) return splitFee(receivedMinor, fee, 'forward_without_fee').deliveredMinor;
  const beyond = receivedMinor - chargedMinor;
  const agreed = splitFee(amountMinor, fee, feeCalculation).deliveredMinor;
  return agreed + beyond - millionthsOf(beyond, feePercentMillionths);
}

/** Delivered amount of a paid transaction: the agreed amount, or that of the received amount that was accepted. */
export function netAmountWhenPaid(transaction: FiatTransaction): bigint {
  const { chargedMinor, receivedMinor, acceptedMinor } = transaction;
  const mostMinor = acceptedMinor !== null && acceptedMinor > chargedMinor ? acceptedMinor : chargedMinor;
  return netAmount({ ...transaction, receivedMinor: receivedMinor < mostMinor ? receivedMinor : mostMinor });
}

/** Delivered amount that is agreed for the price as it is now. */
export function agreedNetAmount(transaction: FiatTransaction): bigint {
  const { amountMinor, feeFixMinor, feePercentMillionths, feeCalculation } = transaction;
  const fee = { fixMinor: feeFixMinor, percentMillionths: feePercentMillionths };
  return splitFee(amountMinor, fee, feeCalculation).deliveredMinor;
}

export async function setNetAmount(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  deliveredMinor: bigint,
): Promise<FiatTransaction> {
  await db(unit)
    .updateTable('fiat_transactions')
    .set({ amount_delivered_minor: Number(deliveredMinor) })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
  return { ...transaction, deliveredMinor };
}
