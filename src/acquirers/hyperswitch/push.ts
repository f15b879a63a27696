import { toAlpha2 } from '../../api/country.ts';
import { parseMoment, SECOND } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import { NotProcessed } from '../port.ts';
import {
  AlreadyWithdrawn,
  type IssuedInstructions,
  type PushAcquirer,
  type PushPayment,
  type PushPaymentRequest,
} from '../push-port.ts';
import type { IssueRefund } from '../refund.ts';
import { descriptionOf } from './card.ts';
import { DUPLICATE, RejectedRequest } from './client.ts';
import { expiryOf, toInstructions } from './instructions.ts';
import { findLocalMethod } from './methods.ts';
import { pushBilling, browserInfo } from './payer.ts';
import { type Payments, paymentRef } from './payments.ts';
import { type Payment, receivedAmount } from './results.ts';

/** Hyperswitch's limits for `session_expiry`, in seconds: a minute and about three months. */
const SESSION_SECONDS = { min: 60, max: 7_890_000 };

/** Local methods. A payment's ID is derived from its key, so every call refers to the same payment. */
export function createHyperswitchPush({
  payments,
  clock,
  refund,
}: {
  payments: Payments;
  clock: Clock;
  refund: IssueRefund;
}): PushAcquirer {
  const stateOf = (current: Payment): PushPayment => pushPayment(current, clock);

  const toIssuedInstructions = (payment: PushPaymentRequest, created: Payment): IssuedInstructions => {
    // Canceled before it was issued: `withdraw` has reserved the ID.
    if (created.status === 'cancelled') throw new AlreadyWithdrawn();
    // The service withdraws a payment that it cannot show, and funds that still arrive are reported.
    if (created.status !== 'requires_customer_action' || !created.next_action)
      throw new Error(`Hyperswitch returned no next action to show for ${payment.method.code}: ${created.status}`);
    return {
      instructions: toInstructions(created.next_action, payment),
      reference: payment.paymentReference,
      acquirerReference: created.payment_id,
      expiresAt: expiryOf(created.next_action, payment.expiresAt),
    };
  };

  return {
    refund,

    async listChoices(payment) {
      const choices = findLocalMethod(payment)?.banks ?? [];
      return await Promise.resolve({ choices, quoteExpiresAt: null });
    },

    async issueInstructions(payment) {
      const ref = paymentRef('push', payment.instructionsKey, payment);
      const body = createBody(payment, sessionSeconds(payment, clock));
      try {
        return toIssuedInstructions(payment, await payments.create(ref, body));
      } catch (error) {
        if (!(error instanceof RejectedRequest)) throw error;
        // Already sent: the payment of the first request has the instructions.
        const existing = error.code === DUPLICATE ? await payments.find(ref) : null;
        if (!existing) throw error;
        return toIssuedInstructions(payment, existing);
      }
    },

    async fetchPayment(payment) {
      const ref = paymentRef('push', payment.instructionsKey, payment);
      const current = await payments.find(ref);
      return current && stateOf(current);
    },

    /** A payment that the bank is already processing stays open, and its funds are still recorded. */
    async withdraw(payment) {
      const ref = paymentRef('push', payment.instructionsKey, payment);
      return stateOf((await payments.cancel(ref)).payment);
    },
  };
}

function createBody(payment: PushPaymentRequest, sessionExpiry: number): object {
  const { method, country, choice, payer } = payment;
  const local = findLocalMethod(payment);
  const countryCode = toAlpha2(country);
  const isKnownBank = local?.banks === undefined ? choice === null : local.banks.some(({ code }) => code === choice);
  if (!local || countryCode === null || !isKnownBank)
    throw new NotProcessed(`Hyperswitch does not offer ${method.code} in ${country}`);
  const browser = browserInfo(null, payer.ipAddress ?? null);
  return {
    confirm: true,
    capture_method: 'automatic',
    ...local.data({ bank: choice ?? '' }),
    billing: pushBilling(payer, countryCode),
    ...(Object.keys(browser).length > 0 && { browser_info: browser }),
    return_url: payment.returnUrl,
    session_expiry: sessionExpiry,
    ...descriptionOf(payment.description, payment.paymentReference),
  };
}

function sessionSeconds({ expiresAt }: Pick<PushPaymentRequest, 'expiresAt'>, clock: Clock): number {
  const seconds = Math.floor((expiresAt - clock.now()) / SECOND);
  return Math.min(Math.max(seconds, SESSION_SECONDS.min), SESSION_SECONDS.max);
}

/**
 * The state of a push payment (Hyperswitch's schema `IntentStatus`). A payment is paid once, so its ID is the key of
 * its receipt. Statuses that are not listed have no outcome yet, as for cards: the payment stays open.
 */
function pushPayment(current: Payment, clock: Clock): PushPayment {
  const acquirerReference = current.payment_id;
  const withoutReceipts = (state: PushPayment['state']): PushPayment => {
    return { state, receipts: [], confirmations: null, acquirerReference };
  };
  switch (current.status) {
    case 'succeeded':
    // The payer transferred a different amount.
    case 'partially_captured': {
      const receivedAt = parseMoment(current.modified_at ?? '')?.at ?? clock.now();
      const receipt = { receiptKey: current.payment_id, amountMinor: receivedAmount(current), receivedAt };
      return { ...withoutReceipts('closed'), receipts: [receipt] };
    }
    case 'failed':
      return withoutReceipts('refused');
    case 'cancelled':
    case 'cancelled_post_capture':
    case 'expired':
      return withoutReceipts('closed');
    default:
      return withoutReceipts('open');
  }
}
