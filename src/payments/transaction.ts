import type { DeclineDetails } from '../api/card-submission.ts';
import type { Instant } from '../shared/time.ts';
import type { CardAttempt, FiatTransaction, PaymentRefund } from './schema.ts';

/** A reviewer, and the reason that they gave. */
export interface ReviewDecision {
  by: string;
  reason: string | null;
}

export interface RecordedDecision extends ReviewDecision {
  at: Instant;
}

/** The last review of a transaction's money; null before one. */
export function decisionOf({
  decidedBy: by,
  decidedAt: at,
  decisionReason: reason,
}: FiatTransaction): RecordedDecision | null {
  return by === null || at === null ? null : { by, at, reason };
}

/** Received and not refunded; 0 where more was refunded than is left. */
export function keptAmount({
  receivedMinor,
  refundedMinor,
}: Pick<FiatTransaction, 'receivedMinor' | 'refundedMinor'>): bigint {
  return receivedMinor > refundedMinor ? receivedMinor - refundedMinor : 0n;
}

/** The unpaid rest of the amount; negative after an overpayment. */
export function remainingAmount(transaction: FiatTransaction): bigint {
  return transaction.chargedMinor - keptAmount(transaction);
}

/** The decline of an attempt; null where it was not declined. */
export function declineOf(attempt: CardAttempt): DeclineDetails | null {
  const { declineCode: code, declineNetworkCode, declineRetryable, declineAdvice: advice } = attempt;
  if (code === null || advice === null) return null;
  return { code, network_code: declineNetworkCode, retryable: declineRetryable === true, advice };
}

/** The columns of a decline, all empty where there is none. */
export function declineColumns(decline: DeclineDetails | null) {
  return {
    declineCode: decline?.code ?? null,
    declineNetworkCode: decline?.network_code ?? null,
    declineRetryable: decline?.retryable ?? null,
    declineAdvice: decline?.advice ?? null,
  };
}

/** Why a refund failed; null where it did not. */
export function failureOf({
  failureCode: code,
  failureDetail,
}: PaymentRefund): { code: string; detail: string } | null {
  return code === null ? null : { code, detail: failureDetail ?? '' };
}
