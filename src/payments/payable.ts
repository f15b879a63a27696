import type { ClientLocation } from '../http/context.ts';
import type { BrowserInfo } from '../acquirers/port.ts';
import { Problem } from '../api/problem-error.ts';
import { areInstructionsOpen, hasPendingConfirmations } from './push/instructions.ts';
import { isAttemptOpen } from './states.ts';
import { hasOpenAuthorization } from './transaction.ts';
import type { CardAttempt, FiatTransaction, PaymentInstructions } from './schema.ts';

/** The buyer's location, browser and proof of work, as known from a request. */
export interface BuyerContext {
  /** Null for a submission from the merchant's server, whose IP address is not the buyer's. */
  location: ClientLocation | null;
  /** The buyer's IP address, reported by the merchant's server; for the acquirer only. */
  ipAddress?: string;
  /** For 3-D Secure 2; absent for a form without JavaScript and for the merchant's server. */
  browser?: BrowserInfo;
  /** True on our own page, false on a form of the merchant. */
  isOnPage: boolean;
  /**
   * Proof of work, required above the rate limit of the IP address; null if the page sent none, absent if the client
   * cannot solve one.
   */
  proof?: string | null;
}

/**
 * Throws a `Problem` for a transaction that accepts no payment now. Buyers and merchants' developers read its detail.
 *
 * This prevents a second payment: it runs under the transaction's lock (`card/submit.ts`, `push/start.ts`), and no
 * attempt starts while another is open. If a second approval still arrives, `card/outcome.ts` marks it as a `duplicate`
 * and reverses it. Unique indexes allow one open attempt and one approved charge
 * (`src/migrations/0001-first-tables.ts`), one open set of instructions (`src/migrations/0002-push-payments.ts`), and
 * one live authorization (`migrations/0137-authorizations.ts`). A second push payment cannot be prevented:
 * `push/receipts.ts` counts it as an overpayment.
 */
export function requirePayable(
  transaction: FiatTransaction,
  attempts: readonly CardAttempt[],
  instructions: readonly PaymentInstructions[],
): void {
  if (transaction.status === 'confirmed')
    throw new Problem('already_paid', 'The transaction is already paid. Nothing was charged.');
  if (hasOpenAuthorization(transaction))
    throw new Problem('already_authorized', 'The payment is already authorized. Nothing more was charged.');
  if (transaction.status === 'failed') {
    if (transaction.reason === 'expired') throw linkExpiredProblem();
    if (transaction.reason === 'cancelled')
      throw new Problem('link_cancelled', 'The payment was canceled. Nothing was charged.');
    throw new Problem('link_failed', 'The payment has failed and accepts no further attempts. Nothing was charged.');
  }
  if (transaction.receivedMinor > transaction.chargedMinor)
    throw new Problem('overpaid', 'More than the requested amount was received. The merchant must review the payment.');
  if (attempts.some((attempt) => isAttemptOpen(attempt.state))) {
    throw new Problem(
      'submit_in_progress',
      'A payment attempt is in progress for this transaction. Wait for its outcome. Do not pay again.',
    );
  }
  // For open instructions, withdrawing them reports pending confirmations.
  if (instructions.some((each) => hasPendingConfirmations(each) && !areInstructionsOpen(each)))
    throw pendingConfirmationsProblem();
}

/** The problem of an expired link. */
export function linkExpiredProblem(): Problem {
  return new Problem('link_expired', 'The payment link has expired. Nothing was charged.');
}

/** The problem of a deposit that awaits confirmations: it may pay the full amount. */
export function pendingConfirmationsProblem(): Problem {
  return new Problem(
    'submit_in_progress',
    'A deposit was detected and awaits confirmations. Wait until it is confirmed. Do not pay again.',
  );
}
