import type { FailureReason } from '../contract/fiat-transaction.ts';
import { deliveredOf } from './deliver.ts';
import { type FiatTransaction, keptOf } from './transaction.ts';

/** How what has come, and was not given back, differs from what is asked for; null when it is that, or nothing. */
export function mismatchOf(
  transaction: Pick<FiatTransaction, 'receivedMinor' | 'refundedMinor' | 'chargedMinor'>,
): Extract<FailureReason, 'underpaid' | 'overpaid'> | null {
  const keptMinor = keptOf(transaction);
  if (keptMinor === 0n || keptMinor === transaction.chargedMinor) return null;
  return keptMinor < transaction.chargedMinor ? 'underpaid' : 'overpaid';
}

/** Whether money has come that the merchant may take as it is: mostly less or more than asked for, and more than its fee. */
export function isAcceptable(transaction: FiatTransaction): boolean {
  const isUndecided = transaction.status === 'waiting' || transaction.status === 'failed';
  return isUndecided && keptOf(transaction) > 0n && deliveredOf(transaction) > 0n;
}
