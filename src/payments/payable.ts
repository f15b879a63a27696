import type { ClientLocation } from '../http/context.ts';
import { Problem } from '../api/problem-error.ts';
import { areInstructionsOpen, hasPendingConfirmations } from './push/instructions.ts';
import { isAttemptOpen } from './states.ts';
import type { CardAttempt, FiatTransaction, PaymentInstructions } from './schema.ts';

/** Who pays, as far as we saw their browser. */
export interface Payer {
  /** Null when the card came from the merchant's own server, which says nothing about where the payer is. */
  location: ClientLocation | null;
  /** Whether the payer is on our own page, and not on a form of the merchant's. */
  isOnPage: boolean;
  /** Work that the page has done so that a card is taken from where too many were; null where it has done none yet, absent where it cannot. */
  proof?: string | null;
}

/**
 * Refuses a transaction that takes no payment now, in words for the buyer's page and the merchant's developer alike.
 *
 * This stops a second payment: it runs under the transaction's lock (`card/submit.ts`, `push/start.ts`), and no attempt
 * begins beside an open one. If an approval still arrives beside another, `card/outcome.ts` makes it a `duplicate` and
 * refunds it. Unique indexes of `0001-first-tables` hold the same in the database.
 */
export function requirePayable(
  transaction: FiatTransaction,
  attempts: readonly CardAttempt[],
  instructions: readonly PaymentInstructions[],
): void {
  if (transaction.status === 'confirmed')
    throw new Problem('already_paid', 'The transaction is paid already; nothing was charged now.');
  if (transaction.status === 'failed') {
    if (transaction.reason === 'expired')
      throw new Problem('link_expired', 'The payment link has expired; nothing was charged.');
    if (transaction.reason === 'cancelled')
      throw new Problem('link_cancelled', 'The payment was cancelled; nothing was charged.');
    throw new Problem('link_failed', 'The payment has failed and takes no further payment; nothing was charged now.');
  }
  if (transaction.receivedMinor > transaction.chargedMinor)
    throw new Problem('overpaid', 'More than the amount has arrived already, and the merchant decides about it.');
  if (attempts.some((attempt) => isAttemptOpen(attempt.state))) {
    throw new Problem(
      'submit_in_progress',
      'A payment is under way for this transaction. Wait for its outcome; do not pay again.',
    );
  }
  // By what is open it is found out when that is taken back.
  if (instructions.some((each) => hasPendingConfirmations(each) && !areInstructionsOpen(each)))
    throw pendingConfirmationsProblem();
}

/** Money has been seen, and waits for its confirmations: it may be all that is asked for. */
export function pendingConfirmationsProblem(): Problem {
  return new Problem(
    'submit_in_progress',
    'A payment has been seen and waits for its confirmations. Wait for it; do not pay again.',
  );
}
