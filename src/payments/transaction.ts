import type { DeclineDetails } from '../api/decline.ts';
import type { Instant } from '../shared/time.ts';
import type { CardAttempt, FiatTransaction, PaymentRefund } from './schema.ts';

/** A reviewer's decision about received funds, with an optional reason. */
export interface ReviewDecision {
  by: string;
  reason: string | null;
}

export interface RecordedDecision extends ReviewDecision {
  at: Instant;
}

/** Returns the last review of a transaction; null before the first. */
export function decisionOf({
  decidedBy: by,
  decidedAt: at,
  decisionReason: reason,
}: FiatTransaction): RecordedDecision | null {
  return by === null || at === null ? null : { by, at, reason };
}

/** Received amount less refunds; 0 when refunds exceed it, after a reversed deposit. */
export function amountAfterRefunds({
  receivedMinor,
  refundedMinor,
}: Pick<FiatTransaction, 'receivedMinor' | 'refundedMinor'>): bigint {
  return receivedMinor > refundedMinor ? receivedMinor - refundedMinor : 0n;
}

/** True while an amount is reserved on a card: authorized, and neither captured nor released. */
export function hasOpenAuthorization({
  authorizationStatus: status,
}: Pick<FiatTransaction, 'authorizationStatus'>): boolean {
  return status === 'authorized' || status === 'capture_pending' || status === 'void_pending';
}

/** The amount left to pay; negative after an overpayment. */
export function remainingAmount(transaction: FiatTransaction): bigint {
  return transaction.chargedMinor - amountAfterRefunds(transaction);
}

/** Returns the decline of an attempt; null if it was not declined. */
export function declineOf(attempt: CardAttempt): DeclineDetails | null {
  const { declineCode: code, declineNetworkCode, declineRetryable, declineAdvice: advice } = attempt;
  if (code === null || advice === null) return null;
  return { code, network_code: declineNetworkCode, retryable: declineRetryable === true, advice };
}

/** Returns the columns of a decline, all null without one. */
export function declineColumns(decline: DeclineDetails | null) {
  return {
    declineCode: decline?.code ?? null,
    declineNetworkCode: decline?.network_code ?? null,
    declineRetryable: decline?.retryable ?? null,
    declineAdvice: decline?.advice ?? null,
  };
}

/** Returns the failure of a refund, a capture or a void; null if it did not fail. */
export function failureOf({
  failureCode: code,
  failureDetail,
}: Pick<PaymentRefund, 'failureCode' | 'failureDetail'>): { code: string; detail: string } | null {
  return code === null ? null : { code, detail: failureDetail ?? '' };
}
