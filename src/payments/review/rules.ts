import type { FiatTransaction } from '../schema.ts';
import type { FailureReason } from '../../api/fiat-transaction.ts';
import { netAmount } from '../net-amount.ts';
import { keptAmount } from '../transaction.ts';

/** How what has come, and was not given back, differs from what is asked for; null when it is that, or nothing. */
export function paymentDiscrepancy(
  transaction: Pick<FiatTransaction, 'receivedMinor' | 'refundedMinor' | 'chargedMinor'>,
): Extract<FailureReason, 'underpaid' | 'overpaid'> | null {
  const keptMinor = keptAmount(transaction);
  if (keptMinor === 0n || keptMinor === transaction.chargedMinor) return null;
  return keptMinor < transaction.chargedMinor ? 'underpaid' : 'overpaid';
}

/** Whether the merchant has refused what came: nothing that comes later is a payment by itself. */
export function isRejected({ status, reason }: Pick<FiatTransaction, 'status' | 'reason'>): boolean {
  return status === 'failed' && reason === 'rejected';
}

/**
 * Whether the received amount pays for it: exactly the amount, or what the merchant accepted. Once paid, more is still
 * paid, also when deposits were reversed and arrive again. Refunds count only before that.
 */
export function isPaid(transaction: FiatTransaction): boolean {
  const { status, reason, receivedMinor, chargedMinor, acceptedMinor } = transaction;
  if (isRejected(transaction)) return false;
  const wasPaid = status === 'confirmed' || reason === 'reversed' || acceptedMinor !== null;
  if (!wasPaid) return keptAmount(transaction) === chargedMinor;
  const isLessAccepted = acceptedMinor !== null && acceptedMinor < chargedMinor;
  return receivedMinor >= (isLessAccepted ? acceptedMinor : chargedMinor);
}

/** Why a transaction fails whose time is over. */
export function expiryReason(transaction: FiatTransaction): FailureReason {
  return paymentDiscrepancy(transaction) ?? (transaction.reason === 'reversed' ? 'reversed' : 'expired');
}

/** Whether it failed with nothing paid or refunded, so that the buyer may get a new link. */
export function canRenew({ status, reason, refundedMinor }: FiatTransaction): boolean {
  return status === 'failed' && (reason === 'expired' || (reason === 'reversed' && refundedMinor === 0n));
}

/** Whether money has come about which the merchant has to decide: mostly less or more than asked for. */
export function needsReview(transaction: FiatTransaction): boolean {
  return (transaction.status === 'waiting' || transaction.status === 'failed') && keptAmount(transaction) > 0n;
}

/** Whether the merchant may take it as it is: where it is more than its fee. */
export function canAccept(transaction: FiatTransaction): boolean {
  return needsReview(transaction) && netAmount(transaction) > 0n;
}
