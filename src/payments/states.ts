import type { DeclineDetails } from '../api/decline.ts';
import type { TransactionStatus } from '../api/fiat-transaction.ts';

/** Card attempts per transaction. */
export const MAX_ATTEMPTS = 5;

/**
 * All status transitions. A late payment still confirms a failed transaction: received funds always count. An expired
 * transaction can be renewed. A transaction leaves `confirmed` only if a deposit is reversed or a capture fails late. A
 * transition to the same status records another change, such as of the received amount, or a refund.
 */
const allowedTransitions: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  pending: ['pending', 'waiting', 'confirmed', 'failed'],
  waiting: ['waiting', 'pending', 'confirmed', 'failed'],
  failed: ['failed', 'confirmed', 'pending'],
  confirmed: ['confirmed', 'waiting', 'pending', 'failed'],
};

export function canTransition(from: TransactionStatus, to: TransactionStatus): boolean {
  return allowedTransitions[from].includes(to);
}

/**
 * States of a card attempt: `submitting` (sent to the acquirer, or about to be), `challenge` (3-D Secure challenge
 * open), `unknown` (the acquirer is polled), then `approved` or `declined`. `duplicate`: a second approval, until it is
 * reversed. `reversed`: a reversed duplicate, or a voided or expired authorization.
 */
export type AttemptState = 'submitting' | 'challenge' | 'unknown' | 'approved' | 'declined' | 'duplicate' | 'reversed';

/**
 * States of payment instructions: `issuing` (requested from the acquirer), `issued`, then `paid`, `refused`,
 * `withdrawn` (the buyer switched methods, or the merchant canceled) or `expired`.
 */
export type InstructionsState = 'issuing' | 'issued' | 'withdrawn' | 'expired' | 'refused' | 'paid';

/** `pending` until the acquirer reports the outcome. */
export type RefundState = 'pending' | 'succeeded' | 'failed';

/** An open attempt may still be charged: no other attempt may start. */
export function isAttemptOpen(state: AttemptState): boolean {
  return state === 'submitting' || state === 'challenge' || state === 'unknown';
}

/** Returns a decline for a transaction without attempts left: not retryable, regardless of the issuer's advice. */
export function finalDecline(decline: DeclineDetails): DeclineDetails {
  return { ...decline, retryable: false, advice: 'do_not_retry' };
}
