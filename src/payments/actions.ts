import type { Acquirers } from '../acquirers/registry.ts';
import type { TransactionDetail } from '../api/fiat-transaction.ts';
import { Problem } from '../api/problem-error.ts';
import { areInstructionsOpen, hasPendingConfirmations } from './push/instructions.ts';
import type { PaymentAttempts, RelatedRecords } from './related-records.ts';
import { listRefundSources, type RefundOptions, refundOptions } from './refunds/sources.ts';
import { canAccept, canRenew, needsReview } from './review/rules.ts';
import type { FiatTransaction } from './schema.ts';
import { isAttemptOpen } from './states.ts';
import { hasOpenAuthorization, amountAfterRefunds } from './transaction.ts';

type Action = TransactionDetail['available_actions'][number];

/** Actions that are possible for a transaction now, and the refunds that its acquirers can issue. */
export interface PossibleActions {
  actions: Action[];
  /** Null while nothing can be refunded. */
  refunds: RefundOptions | null;
}

/** Returns the possible actions. They depend on the capabilities of the accounts that received the payments. */
export function possibleActions(
  acquirers: Acquirers,
  transaction: FiatTransaction,
  related: RelatedRecords,
): PossibleActions {
  const { attempts, instructions } = related;
  const open = attempts.find((attempt) => isAttemptOpen(attempt.state));
  const canEndAttempts = !isAccountMissing(acquirers, related);
  const isIdle =
    canEndAttempts && (open === undefined || open.state === 'challenge') && !instructions.some(hasPendingConfirmations);
  const isCapturable = transaction.authorizationStatus === 'authorized';
  const isOpen = transaction.status === 'pending' || transaction.status === 'waiting';
  const isCancellable = isOpen && isIdle && !hasOpenAuthorization(transaction) && transaction.receivedMinor === 0n;
  const isRefundable = !isOpen && amountAfterRefunds(transaction) > 0n;
  const isRejectable = needsReview(transaction) && isIdle;
  const refunds =
    isRefundable || isRejectable ? refundOptions(listRefundSources(acquirers, transaction, related)) : null;
  return {
    actions: [
      ...(isCancellable ? (['cancel'] as const) : []),
      ...(isCapturable ? (['capture', 'void'] as const) : []),
      ...(canAccept(transaction) && canEndAttempts ? (['accept'] as const) : []),
      // A rejection refunds everything that was received.
      ...(isRejectable ? ([refunds?.errorCode === null ? 'reject' : 'reject_out_of_band'] as const) : []),
      ...(canRenew(transaction) && isIdle ? (['renew'] as const) : []),
      ...(isRefundable ? ([refunds && refunds.maximumMinor > 0n ? 'refund' : 'refund_out_of_band'] as const) : []),
    ],
    refunds,
  };
}

/** Throws a `Problem` if an open payment attempt cannot be ended, because its account is not set up. */
export function requireEndableAttempts(acquirers: Acquirers, payments: PaymentAttempts): void {
  if (isAccountMissing(acquirers, payments))
    throw new Problem(
      'acquirer_account_missing',
      'The acquirer account of the started payment is not set up, so the payment cannot be ended.',
    );
}

/** True if an open challenge or open instructions belong to an account that is not set up. */
function isAccountMissing(acquirers: Acquirers, { attempts, instructions }: PaymentAttempts): boolean {
  return (
    attempts.some(({ state, accountKey }) => state === 'challenge' && !acquirers.find(accountKey)?.card) ||
    instructions.some((each) => areInstructionsOpen(each) && !acquirers.find(each.accountKey)?.push)
  );
}
