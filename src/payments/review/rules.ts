/*
 * Map of this folder: `rules.ts` has the rules for received amounts, `accept.ts` and `reject.ts` apply a reviewer's
 * decision, and `timeline-text.ts` formats it. Reasons: docs/decisions/one-entry-point.md.
 */

import type { FiatTransaction } from '../schema.ts';
import type { FailureReason } from '../../api/fiat-transaction.ts';
import { netAmount } from '../net-amount.ts';
import { amountAfterRefunds } from '../transaction.ts';

/** Compares the amount received less refunds with the charged amount; null for the exact amount or none. */
export function paymentDiscrepancy(
  transaction: Pick<FiatTransaction, 'receivedMinor' | 'refundedMinor' | 'chargedMinor'>,
): Extract<FailureReason, 'underpaid' | 'overpaid'> | null {
  const paidMinor = amountAfterRefunds(transaction);
  if (paidMinor === 0n || paidMinor === transaction.chargedMinor) return null;
  return paidMinor < transaction.chargedMinor ? 'underpaid' : 'overpaid';
}

/** True if the merchant has rejected the received amount. Later receipts then always need a review. */
export function isRejected({ status, reason }: Pick<FiatTransaction, 'status' | 'reason'>): boolean {
  return status === 'failed' && reason === 'rejected';
}

/**
 * True if the received amount pays the transaction: the exact amount, or the amount that the merchant accepted. A
 * paid transaction stays paid after further receipts, even when deposits were reversed and restored. Refunds count only
 * before the payment.
 */
export function isPaid(transaction: FiatTransaction): boolean {
  const { status, reason, receivedMinor, chargedMinor, acceptedMinor } = transaction;
  if (isRejected(transaction)) return false;
  const wasPaid = status === 'confirmed' || reason === 'reversed' || acceptedMinor !== null;
  if (!wasPaid) return amountAfterRefunds(transaction) === chargedMinor;
  const isUnderpaymentAccepted = acceptedMinor !== null && acceptedMinor < chargedMinor;
  return receivedMinor >= (isUnderpaymentAccepted ? acceptedMinor : chargedMinor);
}

/** Returns the failure reason of an expired transaction. */
export function expiryReason(transaction: FiatTransaction): FailureReason {
  return paymentDiscrepancy(transaction) ?? (transaction.reason === 'reversed' ? 'reversed' : 'expired');
}

/** True if a transaction can be renewed: it expired or its deposit was reversed, with nothing refunded. */
export function canRenew({ status, reason, refundedMinor }: FiatTransaction): boolean {
  return status === 'failed' && (reason === 'expired' || (reason === 'reversed' && refundedMinor === 0n));
}

/** True if received funds need a review, usually an underpayment or overpayment. */
export function needsReview(transaction: FiatTransaction): boolean {
  return (transaction.status === 'waiting' || transaction.status === 'failed') && amountAfterRefunds(transaction) > 0n;
}

/** True if the merchant can accept the received amount: it must exceed its fee. */
export function canAccept(transaction: FiatTransaction): boolean {
  return needsReview(transaction) && netAmount(transaction) > 0n;
}
