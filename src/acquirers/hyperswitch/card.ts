import { CHARGE_REQUEST_TIMEOUT_MS } from '../http.ts';
import { type CardAcquirer, type CardCharge, type ChargeOutcome, followUp, NotProcessed } from '../port.ts';
import type { IssueRefund } from '../refund.ts';
import { createHyperswitchCaptures } from './capture.ts';
import { DUPLICATE, type HyperswitchClient, RejectedRequest } from './client.ts';
import { declineOfRejection, hasUnifiedReason } from './declines.ts';
import { browserInfo, cardBilling } from './payer.ts';
import { type PaymentRef, type Payments, paymentRef } from './payments.ts';
import { createReversal } from './refund.ts';
import {
  chargeOutcome,
  hasEnded,
  hasFailed,
  isAuthorized,
  needsUnsupportedAction,
  isUnconfirmed,
  type Payment,
} from './results.ts';

/**
 * Cards with 3-D Secure by redirect. A charge's ID is derived from its key, so every call refers to the same payment.
 */
export function createHyperswitchCards({
  client,
  payments,
  refund,
}: {
  client: HyperswitchClient;
  payments: Payments;
  refund: IssueRefund;
}): CardAcquirer {
  const reverse = createReversal(client);

  const abandon = async (ref: PaymentRef): Promise<ChargeOutcome> =>
    chargeOutcome((await followUp(async () => await payments.cancel(ref))).payment);

  /** The outcome of a payment that was sent to a connector. */
  const resolveOutcome = async (ref: PaymentRef, payment: Payment): Promise<ChargeOutcome> => {
    // The challenge needs a page that we cannot show, so the buyer could not complete it.
    if (needsUnsupportedAction(payment)) return await abandon(ref);
    return chargeOutcome(payment);
  };

  /** The response to a creation omits the unified failure reason (schema `PaymentsCreateResponseOpenApi`). */
  const withReason = async (ref: PaymentRef, created: Payment): Promise<Payment> => {
    if (created.status !== 'failed' || hasUnifiedReason(created)) return created;
    // The decline is already certain: without a reason it is generic.
    return (await payments.find(ref).catch(() => null)) ?? created;
  };

  /**
   * The outcome after Hyperswitch's error. Errors also follow an attempt at the connector, so only the recorded payment
   * shows the outcome (Hyperswitch's page "Error codes": CE errors originate from the connector).
   */
  const resolveRejection = async (ref: PaymentRef, rejection: RejectedRequest): Promise<ChargeOutcome> => {
    const payment = await followUp(async () => await payments.find(ref));
    // An earlier request with this ID may be in progress: its payment can be unconfirmed for a moment.
    if (payment && rejection.code === DUPLICATE)
      return isUnconfirmed(payment) ? { kind: 'unknown' } : await resolveOutcome(ref, payment);
    if (payment && !isUnconfirmed(payment)) return await resolveOutcome(ref, payment);
    const decline = declineOfRejection(rejection.code);
    // Rejected before it was sent to a connector. A payment with its ID may already exist, so it is canceled.
    if (payment) {
      const outcome = await abandon(ref);
      return outcome.kind === 'declined' && decline ? { ...outcome, decline } : outcome;
    }
    if (decline) return { kind: 'declined', decline };
    throw new NotProcessed(rejection.message);
  };

  return {
    refund,
    manualCapture: createHyperswitchCaptures(payments),

    async charge(charge) {
      const ref = paymentRef('charge', charge.attemptKey, charge);
      try {
        const created = await payments.create(ref, chargeBody(charge), CHARGE_REQUEST_TIMEOUT_MS);
        return await resolveOutcome(ref, await withReason(ref, created));
      } catch (error) {
        if (error instanceof RejectedRequest) return await resolveRejection(ref, error);
        throw error;
      }
    },

    async fetchOutcome(charge) {
      const payment = await payments.find(paymentRef('charge', charge.attemptKey, charge));
      // None of these can be charged: the service abandons the charge, which cancels the payment permanently.
      if (!payment || isUnconfirmed(payment) || needsUnsupportedAction(payment)) return null;
      return chargeOutcome(payment);
    },

    abandon: async (charge) => await abandon(paymentRef('charge', charge.attemptKey, charge)),

    async reverse(charge) {
      const ref = paymentRef('charge', charge.attemptKey, charge);
      const found = await payments.find(ref);
      if (!found || !(isAuthorized(found) || hasEnded(found))) return await reverse(charge.attemptKey);
      const { payment, rejection } = isAuthorized(found)
        ? await payments.cancel(ref)
        : { payment: found, rejection: null };
      if (hasFailed(payment)) return { kind: 'refused', code: 'void_refused' };
      if (!isAuthorized(payment)) return { kind: 'requested' };
      if (rejection) return { kind: 'refused', code: `hyperswitch_${rejection.code}` };
      throw new Error('Hyperswitch has not released a duplicate charge yet');
    },
  };
}

function chargeBody(charge: CardCharge): object {
  const { card, payer } = charge;
  return {
    confirm: true,
    capture_method: charge.capture,
    authentication_type: 'three_ds',
    payment_method: 'card',
    payment_method_data: {
      card: {
        card_number: card.number,
        card_exp_month: String(card.expiryMonth).padStart(2, '0'),
        card_exp_year: String(card.expiryYear),
        card_holder_name: `${payer.firstName} ${payer.lastName}`.trim().slice(0, 255),
        card_cvc: card.cvv,
      },
    },
    billing: cardBilling(payer),
    browser_info: browserInfo(charge.browser, payer.ipAddress),
    return_url: charge.returnUrl,
    ...descriptionOf(charge.description, charge.transactionReference),
  };
}

/** Fields by which the merchant finds the payment. */
export function descriptionOf(description: string, reference: string): object {
  return {
    ...(description !== '' && { description: description.slice(0, 255) }),
    ...(reference !== '' && { merchant_order_reference_id: reference.slice(0, 255) }),
  };
}
