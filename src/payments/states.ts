import type { DeclineDetails } from '../api/card-submission.ts';
import type { TransactionStatus } from '../api/fiat-transaction.ts';

/** Card attempts that a transaction has before it fails. */
export const MAX_ATTEMPTS = 5;

/**
 * Every change of status that there is. Money that arrives after a failure, or after an attempt was given up, still
 * confirms: it is never dropped. What has expired may be renewed. `confirmed` is left only where a deposit is
 * reversed. A status that stays is news of money: the received amount has changed.
 */
const allowedTransitions: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  pending: ['waiting', 'confirmed', 'failed'],
  waiting: ['waiting', 'pending', 'confirmed', 'failed'],
  failed: ['failed', 'confirmed', 'pending'],
  confirmed: ['confirmed', 'waiting', 'pending', 'failed'],
};

export function canTransition(from: TransactionStatus, to: TransactionStatus): boolean {
  return allowedTransitions[from].includes(to);
}

/**
 * The life of a card attempt: `submitting` (the provider was or will be asked), `challenge` (the
 * buyer confirms with the bank), `unknown` (the provider must be asked again), then `approved` or
 * `declined`. `duplicate` is an approval beside another one; it is given back and then `reversed`.
 */
export type AttemptState = 'submitting' | 'challenge' | 'unknown' | 'approved' | 'declined' | 'duplicate' | 'reversed';

/**
 * Payment instructions: `issuing` (the acquirer is asked), `issued`, then `paid`, `refused`, `withdrawn` (the buyer chose
 * another method, or the merchant cancelled) or `expired`.
 */
export type InstructionsState = 'issuing' | 'issued' | 'withdrawn' | 'expired' | 'refused' | 'paid';

/** `pending` until the acquirer reports the outcome. */
export type RefundState = 'pending' | 'succeeded' | 'failed';

/** An attempt that may still take money: no other may begin beside it. */
export function isAttemptOpen(state: AttemptState): boolean {
  return state === 'submitting' || state === 'challenge' || state === 'unknown';
}

/** The decline of a transaction that takes no further attempts, whatever the issuer advises. */
export function finalDecline(decline: DeclineDetails): DeclineDetails {
  return { ...decline, retryable: false, advice: 'do_not_retry' };
}
