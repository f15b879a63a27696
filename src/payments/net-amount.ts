import { db, type FiatTransaction } from './schema.ts';
import type { UnitOfWork } from '../database/database.ts';
import { type MethodFee, percentFee, splitFee } from '../shared/fees.ts';
import { amountAfterRefunds } from './transaction.ts';

/**
 * Net amount of the received funds less refunds. An underpayment: the received amount less its fee, at most the agreed
 * one. Otherwise the agreed net amount, plus any overpayment less its percentage fee.
 */
export function netAmount(transaction: FiatTransaction): bigint {
  const { chargedMinor, currency } = transaction;
  const paidMinor = amountAfterRefunds(transaction);
  const fee = agreedFee(transaction);
  const agreedMinor = agreedNetAmount(transaction);
  if (paidMinor < chargedMinor) {
    // A fee paid by the buyer is a percentage of the amount without it: that of the received amount can exceed it.
    const agreedFeeMinor = chargedMinor - agreedMinor;
    const { feeMinor } = splitFee({ amountMinor: paidMinor, currency, feeCalculation: 'forward_without_fee' }, fee);
    return paidMinor - (feeMinor < agreedFeeMinor ? feeMinor : agreedFeeMinor);
  }
  const overpaidMinor = paidMinor - chargedMinor;
  return agreedMinor + overpaidMinor - percentFee({ amountMinor: overpaidMinor, currency }, fee);
}

/** Net amount of a paid transaction: the agreed one, or that of an accepted overpayment or underpayment. */
export function netAmountWhenPaid(transaction: FiatTransaction): bigint {
  const { chargedMinor, receivedMinor, acceptedMinor } = transaction;
  const limitMinor = acceptedMinor !== null && acceptedMinor > chargedMinor ? acceptedMinor : chargedMinor;
  return netAmount({ ...transaction, receivedMinor: receivedMinor < limitMinor ? receivedMinor : limitMinor });
}

/** Agreed net amount at the transaction's current fee. */
export function agreedNetAmount(transaction: FiatTransaction): bigint {
  return splitFee(transaction, agreedFee(transaction)).netMinor;
}

/** The fee of the transaction's method, as agreed with its creation or the last switch of the method. */
export function agreedFee({
  feeFixMinor,
  feePercentMillionths,
}: Pick<FiatTransaction, 'feeFixMinor' | 'feePercentMillionths'>): MethodFee {
  return { fixedMinor: feeFixMinor, percentMillionths: feePercentMillionths };
}

/** Stores the net amount. Funds received must be recorded even if the fee exceeds them: at least 1. */
export async function setNetAmount(
  unit: UnitOfWork,
  transaction: FiatTransaction,
  amountMinor: bigint,
): Promise<FiatTransaction> {
  const netMinor = amountMinor > 0n ? amountMinor : 1n;
  await db(unit)
    .updateTable('fiat_transactions')
    .set({ amount_delivered_minor: Number(netMinor) })
    .where('merchant_id', '=', transaction.merchantId)
    .where('id', '=', transaction.id)
    .execute();
  return { ...transaction, netMinor };
}
