import { Problem } from '../platform/problem.ts';
import { isOpen } from './states.ts';
import type { CardAttempt, FiatTransaction } from './transaction.ts';

/** Where the payer's browser is, when we saw it. */
export interface Payer {
  address: string | null;
  /** Whether the payer is on our own page, and not on a form of the merchant's. */
  isOnPage: boolean;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
}

/** Refuses a transaction that takes no payment now, in words for the buyer's page and the merchant's developer alike. */
export function requirePayable(transaction: FiatTransaction, attempts: readonly CardAttempt[]): void {
  if (transaction.status === 'confirmed')
    throw new Problem('already_paid', 'The transaction is paid already; nothing was charged now.');
  if (transaction.status === 'failed') {
    if (transaction.reason === 'expired')
      throw new Problem('link_expired', 'The payment link has expired; nothing was charged.');
    if (transaction.reason === 'cancelled')
      throw new Problem('link_cancelled', 'The payment was cancelled; nothing was charged.');
    throw new Problem('link_failed', 'The payment has failed and takes no further payment; nothing was charged now.');
  }
  if (attempts.some((attempt) => isOpen(attempt.state))) {
    throw new Problem(
      'submit_in_progress',
      'A payment is under way for this transaction. Wait for its outcome; do not pay again.',
    );
  }
}
