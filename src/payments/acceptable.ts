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

/** Whether the merchant has refused what came: nothing that comes later is a payment by itself. */
export function isRejected({ status, reason }: Pick<FiatTransaction, 'status' | 'reason'>): boolean {
  return status === 'failed' && reason === 'rejected';
}

/** Whether money has come about which the merchant has to decide: mostly less or more than asked for. */
export function isUndecided(transaction: FiatTransaction): boolean {
  return (transaction.status === 'waiting' || transaction.status === 'failed') && keptOf(transaction) > 0n;
}

/** Whether the merchant may take it as it is: where it is more than its fee. */
export function isAcceptable(transaction: FiatTransaction): boolean {
  return isUndecided(transaction) && deliveredOf(transaction) > 0n;
}
