import type { TransactionDetail, TransactionListItem, TransactionStatus } from '../../../client/api.ts';
import type { ShownStatus } from './status.ts';

type AuthorizationStatus = NonNullable<TransactionDetail['authorization']>['status'];

const ended: readonly AuthorizationStatus[] = ['captured', 'voided', 'expired'];

/** An amount is reserved on the card. */
export function isAuthorizationOpen(status: AuthorizationStatus): boolean {
  return !ended.includes(status);
}

/** The displayed status of a transaction: `authorized` while an amount is reserved on the card. */
export function shownStatus(
  status: TransactionStatus,
  authorizationStatus: AuthorizationStatus | undefined,
): TransactionStatus | 'authorized' {
  const isOpen = status === 'transaction_status_waiting' && authorizationStatus !== undefined;
  return isOpen && isAuthorizationOpen(authorizationStatus) ? 'authorized' : status;
}

/**
 * The status of a transaction: whether a part was captured or funds were returned once it is confirmed, and before, as
 * the filter `awaiting_review`, whether received funds await a review.
 */
export function shownOutcome(
  status: TransactionStatus,
  authorizationStatus: AuthorizationStatus | undefined,
  { isPartial, received, kept }: { isPartial: boolean; received: number | bigint; kept: number | bigint },
): ShownStatus {
  if (status !== 'transaction_status_confirmed')
    return kept > 0 ? 'approved_required' : shownStatus(status, authorizationStatus);
  if (kept < received) return kept > 0 ? 'partially_refunded' : 'refunded';
  return isPartial ? 'partially_captured' : status;
}

/** The displayed status of a listed payment, and whether its received amount is displayed with the requested one. */
export function outcomeOf({ status, authorization_status: authorization, ...item }: TransactionListItem) {
  const { amount_charged: charged, amount_received: received, amount_kept: kept } = item;
  const isPartial = authorization === 'captured' && status === 'transaction_status_confirmed' && received < charged;
  const shown = shownOutcome(status, authorization, { isPartial, received, kept });
  return { status: shown, hasTwoAmounts: isPartial || (shown === 'approved_required' && received !== charged) };
}

/** A part of the authorized amount was captured. */
export function isPartiallyCaptured({ authorization, status }: TransactionDetail): boolean {
  const isCaptured = authorization?.status === 'captured' && status === 'transaction_status_confirmed';
  return isCaptured && authorization.captured_amount < authorization.amount;
}
