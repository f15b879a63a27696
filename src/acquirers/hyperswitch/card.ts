import { type CardAcquirer, type CardCharge, type ChargeOutcome, NotSent } from '../port.ts';
import type { IssueRefund } from '../refund.ts';
import { CHARGE_TIMEOUT_MS, DUPLICATE, type HyperswitchClient, RejectedRequest } from './client.ts';
import { declineOfRejection, hasCommonReason } from './declines.ts';
import { browserInfo, cardBilling } from './payer.ts';
import { type PaymentName, type Payments, paymentName } from './payments.ts';
import { createReversal } from './refund.ts';
import { chargeOutcome, isStuck, isUnconfirmed, type Payment } from './results.ts';

/** Cards with 3-D Secure by redirect. A charge's name is derived from its key, so every call finds the same payment. */
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

  const abandon = async (named: PaymentName): Promise<ChargeOutcome> => chargeOutcome(await payments.cancel(named));

  /** The outcome of a payment that was sent to a connector. */
  const conclude = async (named: PaymentName, found: Payment): Promise<ChargeOutcome> => {
    // The challenge runs in a kind of page that we do not have: nobody could complete it.
    if (isStuck(found)) return await abandon(named);
    return chargeOutcome(found);
  };

  /** The answer to a creation leaves out the common reason of a failure (schema `PaymentsCreateResponseOpenApi`). */
  const withReason = async (named: PaymentName, created: Payment): Promise<Payment> => {
    if (created.status !== 'failed' || hasCommonReason(created)) return created;
    // The decline is certain already: without the reason it is a plain one.
    return (await payments.find(named).catch(() => null)) ?? created;
  };

  /**
   * The outcome after Hyperswitch's error. Errors also follow an attempt at the connector, so only the recorded payment
   * tells what happened (Hyperswitch's page "Error codes": CE errors originate from the connector).
   */
  const resolveRejection = async (named: PaymentName, rejection: RejectedRequest): Promise<ChargeOutcome> => {
    const found = await payments.find(named);
    // A first request with this name may be in progress: its payment can be unconfirmed for a moment.
    if (found && rejection.code === DUPLICATE)
      return isUnconfirmed(found) ? { kind: 'unknown' } : await conclude(named, found);
    if (found && !isUnconfirmed(found)) return await conclude(named, found);
    const decline = declineOfRejection(rejection.code);
    // Refused before it was sent to a connector. The name may be taken: it is closed.
    if (found) {
      const outcome = await abandon(named);
      return outcome.kind === 'declined' && decline ? { ...outcome, decline } : outcome;
    }
    if (decline) return { kind: 'declined', decline };
    throw new NotSent(rejection.message);
  };

  return {
    refund,

    async charge(charge) {
      const named = paymentName('charge', charge.attemptKey, charge);
      try {
        const created = await payments.create(named, chargeBody(charge), CHARGE_TIMEOUT_MS);
        return await conclude(named, await withReason(named, created));
      } catch (error) {
        if (error instanceof RejectedRequest) return await resolveRejection(named, error);
        throw error;
      }
    },

    async fetchOutcome(charge) {
      const found = await payments.find(paymentName('charge', charge.attemptKey, charge));
      // Neither can be charged: the service abandons the charge, which cancels the payment for good.
      if (!found || isUnconfirmed(found) || isStuck(found)) return null;
      return chargeOutcome(found);
    },

    abandon: async (charge) => await abandon(paymentName('charge', charge.attemptKey, charge)),

    reverse: async ({ attemptKey }) => await reverse(attemptKey),
  };
}

function chargeBody(charge: CardCharge): object {
  const { card, payer } = charge;
  return {
    confirm: true,
    // An approved charge is captured: the service has no later capture.
    capture_method: 'automatic',
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

/** What the merchant finds the payment by. */
export function descriptionOf(description: string, reference: string): object {
  return {
    ...(description !== '' && { description: description.slice(0, 255) }),
    ...(reference !== '' && { merchant_order_reference_id: reference.slice(0, 255) }),
  };
}
