import type { DisputeState } from '../shared/dispute.ts';
import type { CryptoStatus } from '../shared/crypto-status.ts';
import type { CallbackState } from './callback.ts';
import type { AuthorizationStatus, ApiStatus } from './fiat-transaction.ts';
import type { reusableLinkStatuses } from './reusable-link.ts';
import type { walletStates } from './wallet.ts';
import type { WithdrawalStatus } from './withdrawal.ts';

/**
 * Every value of every `status` and `state` of the API, with its meaning. `docs/statuses.md` and the descriptions of
 * the schemas are generated from it. The labels of the account area have the same keys in
 * `pages/locales/account/LANGUAGE/statuses.json`.
 */
export const statuses = {
  transaction: {
    transaction_status_pending: 'created, or ready for another attempt after a decline',
    transaction_status_waiting:
      'the buyer has started to pay, the card is authorized, or the payment is awaiting review',
    transaction_status_confirmed: 'paid',
    transaction_status_failed: 'ended without payment; `reason` states the cause',
  } satisfies Record<ApiStatus, string>,
  attempt: {
    submitting: 'being sent to the acquirer',
    challenge: 'waiting for the buyer to complete the 3-D Secure challenge',
    unknown: 'the acquirer has not reported the outcome yet',
    approved: 'charged, or authorized with `capture: "manual"`',
    declined: 'not charged; `decline` states the cause',
    duplicate: 'a second approval, which is being reversed',
    reversed: 'no longer charged: a reversed duplicate, or a voided or expired authorization',
  },
  authorization: {
    authorized: 'the amount is reserved on the card until `expires_at`',
    capture_pending: 'a capture was requested; the acquirer has not reported the outcome yet',
    captured: '`captured_amount` was captured',
    void_pending: 'a void was requested; the acquirer has not reported the outcome yet',
    voided: 'you released the amount',
    expired: 'not captured in time, so the amount was released',
  } satisfies Record<AuthorizationStatus, string>,
  instructions: {
    issued: 'shown to the buyer, not paid yet',
    paid: 'payment received',
    refused: 'declined by the bank or acquirer',
    withdrawn: 'the buyer chose another method, or the transaction was canceled',
    expired: 'not paid in time',
  },
  refund: {
    pending: 'requested; the acquirer has not reported the outcome yet',
    succeeded: 'refunded',
    failed: 'not refunded; `failure` states the cause',
  },
  dispute: {
    inquiry: 'the bank requests information before a chargeback',
    needs_response: 'the bank charged the amount back; respond through your acquirer before `respond_by`',
    under_review: 'the bank is reviewing the dispute',
    won: 'you keep the amount; a second chargeback can follow',
    lost: 'the buyer keeps the amount',
  } satisfies Record<DisputeState, string>,
  reusable_link: {
    active: 'creates a transaction for each buyer',
    archived: 'creates no new transactions; open ones can still be paid',
  } satisfies Record<(typeof reusableLinkStatuses)[number], string>,
  crypto: {
    pending: 'no deposit detected yet',
    waiting: 'deposit detected, not enough confirmations yet',
    confirmed: 'the deposit reached `min-confirmation-{CODE}` confirmations',
    complete: 'credited, less `processing-fee-{CODE}`',
    approved_required: 'awaiting review: approve or reject it',
    refunding: 'rejected with a refund address; the funds are being sent there',
    refunded: 'the refund is confirmed',
    failed: 'ended without payment, or rejected without a refund address',
  } satisfies Record<CryptoStatus, string>,
  deposit: {
    accepted: 'counts toward its transaction, automatically or after review',
    pending: 'awaiting review',
    rejected: 'rejected after review; never credited',
  },
  wallet: {
    assigned: 'assigned to an invoice, or in use',
    free: 'a `revolver` wallet between two invoices; can be assigned again after `reusableAt`',
    rotated: 'not used for new invoices; open invoices can still be paid',
    retired: 'deposits to it are not credited',
  } satisfies Record<(typeof walletStates)[number], string>,
  withdrawal: {
    waiting: 'not sent yet; `waitsFor` states the cause',
    to_sign: 'to be signed outside Paylatch, where the keys are',
    sent: 'broadcast, not enough confirmations yet',
    confirmed: 'reached `min-confirmation-{CODE}` confirmations',
    failed: 'no funds moved; `failure` states the cause',
  } satisfies Record<WithdrawalStatus, string>,
  webhook: {
    pending: 'not delivered yet',
    delivered: 'the endpoint responded with a 2xx status',
    failed: 'all delivery attempts failed; redeliver it to try again',
  } satisfies Record<CallbackState, string>,
  endpoint: {
    enabled: 'receives webhooks',
    disabled: 'receives nothing; new webhooks stay `pending`',
  },
  email: {
    waiting: 'not accepted by the mail server yet',
    sent: 'accepted by the mail server',
    failed: 'could not be sent',
  },
};

/** The field description of an object's status: every value with its meaning. */
export function describeStatuses(object: keyof typeof statuses): string {
  return Object.entries(statuses[object])
    .map(([value, meaning]) => `\`${value}\`: ${meaning}`)
    .join('; ');
}
