import { CHARGE_REQUEST_TIMEOUT_MS } from '../http.ts';
import { type CardAcquirer, type CardCharge, type ChargeDetails, type ChargeOutcome } from '../port.ts';
import type { IssueRefund } from '../refund.ts';
import { capturedAmount, createXenditCaptures, ended } from './capture.ts';
import { DuplicateRequest, RejectedRequest } from './client.ts';
import type { XenditCredentials } from './credentials.ts';
import { abandoned, chargeDetails, declineOf, declineOfRejection, isFrictionless } from './declines.ts';
import { pageUrl } from './instructions.ts';
import { type RequestRef, requestRef, type PaymentRequests } from './requests.ts';
import { descriptionOf, requireReturnUrl } from './request-fields.ts';
import type { PaymentRequest } from './results.ts';

/** The issuer's response data is read together with the outcome, and must not delay it. */
const DETAILS_TIMEOUT_MS = 4_000;

/**
 * Cards with 3-D Secure by redirect. `reference_id` is our key, which Xendit accepts once for a card (API reference
 * "Create a payment request").
 */
export function createXenditCards({
  requests,
  credentials,
  refund,
  reverse,
}: {
  requests: PaymentRequests;
  credentials: XenditCredentials;
  refund: IssueRefund;
  reverse: CardAcquirer['reverse'];
}): CardAcquirer {
  /** The issuer's response data; null if it cannot be read, since the outcome is certain without it. */
  const detailsOf = async (request: PaymentRequest) => {
    const payment = await requests.fetchPayment(request, DETAILS_TIMEOUT_MS).catch(() => null);
    return payment ? { details: chargeDetails(payment), isFrictionless: isFrictionless(payment) } : null;
  };

  const outcomeOf = async (request: PaymentRequest): Promise<ChargeOutcome> => {
    const reference = request.payment_request_id;
    switch (request.status) {
      case 'SUCCEEDED': {
        const read = await detailsOf(request);
        return {
          kind: 'approved',
          reference,
          ...detailsField(read?.details),
          ...(read?.isFrictionless && { threeDSecure: true }),
        };
      }
      case 'FAILED': {
        const read = await detailsOf(request);
        const decline = declineOf(request.failure_code, read?.details);
        return { kind: 'declined', reference, ...detailsField(read?.details), decline };
      }
      case 'CANCELED':
      case 'EXPIRED':
        return { kind: 'declined', reference, decline: abandoned };
      case 'REQUIRES_ACTION': {
        const url = pageUrl(request, credentials);
        if (url !== null) return { kind: 'challenge', reference, challenge: { url, method: 'GET', fields: {} } };
        return { kind: 'unknown', reference };
      }
      case 'AUTHORIZED':
        return { kind: request.capture_method === 'MANUAL' ? 'approved' : 'unknown', reference };
      // Xendit is still processing.
      default:
        return { kind: 'unknown', reference };
    }
  };

  const fetchOutcome = async (ref: RequestRef): Promise<ChargeOutcome> => {
    const request = await requests.find(ref);
    // No transaction: the charge may have an open challenge, or may never have been received.
    return request ? await outcomeOf(request) : { kind: 'unknown' };
  };

  const abandon = async (ref: RequestRef): Promise<ChargeOutcome> => {
    const request = await requests.cancel(ref);
    return request ? await outcomeOf(request) : { kind: 'unknown' };
  };

  const manualCapture = createXenditCaptures(requests);

  return {
    refund,
    manualCapture,

    async reverse(charge) {
      const request = await requests.find(requestRef(charge.attemptKey, charge.reference, charge));
      if (request?.status !== 'AUTHORIZED') {
        // A capture made in Xendit's dashboard can be partial. Only the captured amount can be refunded.
        const paid = request?.capture_method === 'MANUAL' ? await requests.fetchPayment(request) : null;
        const amountMinor = paid && capturedAmount(paid, charge);
        if (amountMinor === null && request && ended.has(request.status)) return { kind: 'requested' };
        return await reverse(amountMinor === null ? charge : { ...charge, amountMinor });
      }
      const outcome = await manualCapture.void({ charge, modificationKey: charge.attemptKey, reference: null });
      if (outcome.kind === 'succeeded') return { kind: 'requested' };
      if (outcome.kind === 'refused') return { kind: 'refused', code: outcome.code };
      throw new Error('Xendit has not released a duplicate charge yet');
    },

    async charge(charge) {
      const ref = requestRef(charge.attemptKey, null, charge);
      let created: PaymentRequest | null = null;
      try {
        created = await requests.create(ref.expected, chargeBody(charge, credentials), CHARGE_REQUEST_TIMEOUT_MS);
      } catch (error) {
        const decline = error instanceof RejectedRequest ? declineOfRejection(error) : null;
        if (decline) return { kind: 'declined', decline };
        if (!(error instanceof DuplicateRequest)) throw error;
      }
      try {
        // Already sent: the outcome of the first request counts.
        if (created === null) return await fetchOutcome(ref);
        const needsUnsupportedAction = created.status === 'REQUIRES_ACTION' && pageUrl(created, credentials) === null;
        // We cannot show this challenge, so the buyer could not complete it.
        return needsUnsupportedAction
          ? await abandon({ ...ref, id: created.payment_request_id })
          : await outcomeOf(created);
      } catch {
        // The charge was sent, even if a later call fails: it must not be treated as `NotProcessed`.
        return { kind: 'unknown', ...(created && { reference: created.payment_request_id }) };
      }
    },

    fetchOutcome: async (charge) => await fetchOutcome(requestRef(charge.attemptKey, charge.reference, charge)),

    /** A charge whose ID was never reported cannot be canceled. */
    abandon: async (charge) => await abandon(requestRef(charge.attemptKey, charge.reference, charge)),
  };
}

function detailsField(details: ChargeDetails | undefined): { details?: ChargeDetails } {
  return details && Object.keys(details).length > 0 ? { details } : {};
}

function chargeBody(charge: CardCharge, credentials: XenditCredentials): object {
  const { card, payer } = charge;
  const returnUrl = requireReturnUrl(charge.returnUrl, credentials);
  return {
    country: credentials.accountCountry,
    channel_code: 'CARDS',
    capture_method: charge.capture === 'manual' ? 'MANUAL' : 'AUTOMATIC',
    channel_properties: {
      card_details: {
        card_number: card.number,
        expiry_month: String(card.expiryMonth).padStart(2, '0'),
        expiry_year: String(card.expiryYear),
        cvn: card.cvv,
        ...withoutEmptyFields({
          cardholder_first_name: payer.firstName.trim().slice(0, 255),
          cardholder_last_name: payer.lastName.trim().slice(0, 255),
          cardholder_email: payer.email.trim(),
          cardholder_phone_number: payer.phone,
        }),
      },
      skip_three_ds: false,
      success_return_url: returnUrl,
      failure_return_url: returnUrl,
    },
    ...descriptionOf(charge.description, charge.transactionReference),
  };
}

function withoutEmptyFields(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
