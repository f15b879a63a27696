import type { TemplateResult } from 'lit';
import type { TransactionDetail, TransactionStatus } from '../../../client/api.ts';
import type { AccountContext } from '../context.ts';
import { factList, tag } from '../parts.ts';
import type { ShownStatus } from './status.ts';

export type Authorization = NonNullable<TransactionDetail['authorization']>;

const tones = {
  ...({ authorized: 'warn', capture_pending: 'warn', void_pending: 'warn' } as const),
  ...({ captured: 'good', voided: 'plain', expired: 'bad' } as const),
};

/** The displayed status of a transaction: `authorized` while an amount is reserved on the card. */
export function shownStatus(
  status: TransactionStatus,
  authorizationStatus: Authorization['status'] | undefined,
): TransactionStatus | 'authorized' {
  const isOpen = status === 'transaction_status_waiting' && authorizationStatus !== undefined;
  return isOpen && tones[authorizationStatus] === 'warn' ? 'authorized' : status;
}

/**
 * The status of a transaction: whether a part was captured or funds were returned once it is confirmed, and before, as
 * the filter `awaiting_review`, whether received funds await a review.
 */
export function shownOutcome(
  status: TransactionStatus,
  authorizationStatus: Authorization['status'] | undefined,
  { isPartial, received, kept }: { isPartial: boolean; received: number | bigint; kept: number | bigint },
): ShownStatus {
  if (status !== 'transaction_status_confirmed')
    return kept > 0 ? 'approved_required' : shownStatus(status, authorizationStatus);
  if (kept < received) return kept > 0 ? 'partially_refunded' : 'refunded';
  return isPartial ? 'partially_captured' : status;
}

/** A part of the authorized amount was captured. */
export function isPartiallyCaptured({ authorization, status }: TransactionDetail): boolean {
  const isCaptured = authorization?.status === 'captured' && status === 'transaction_status_confirmed';
  return isCaptured && authorization.captured_amount < authorization.amount;
}

/** The facts of an authorization. */
export function authorizationFacts(
  { status, amount, captured_amount: captured, failure, created_at: at, expires_at: expires }: Authorization,
  currency: string,
  { i18n, format }: AccountContext,
): TemplateResult {
  const text = (key: string) => i18n.text(`account.transactions.authorization.${key}`);
  return factList([
    [text('status'), tag(i18n.text(`account.statuses.authorization.${status}`), tones[status])],
    [text('amount'), format.money(amount, currency)],
    [text('captured'), captured === 0 ? null : format.money(captured, currency)],
    [text('failure'), failure ? failure.detail || failure.code : null],
    [text('authorized_at'), format.dateTime(at)],
    [text('expires'), tones[status] === 'warn' ? format.dateTime(expires) : null],
  ]);
}
