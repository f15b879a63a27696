import type { Call } from '../contract.ts';
import type { Plan, SimulatorResponse } from '../faults.ts';
import { controlsOf } from '../controls.ts';
import { decisionPage, type PageResponse } from '../pages.ts';
import { openSimulatorServer, route, type SimulatorOptions } from '../simulator-server.ts';
import { isoDecimals, rescale } from '../charges.ts';
import { AdyenAccount, adyenDecimals, type AdyenPayment } from './account.ts';
import { type CardEncryption, decryptCard } from './card-decryption.ts';
import { failure, instructionsOf, nativeChallenge, redirectTo, resultOf } from './responses.ts';
import { adyenContract as contract } from './contract.ts';
import { isIssuer, magicOutcome, methodsFor } from './methods.ts';
import type { AdyenWebhookKeys } from './signing.ts';
import type { AdyenEvent, AdyenItem } from './webhook-contract.ts';

export interface AdyenCredentials extends AdyenWebhookKeys {
  apiKey: string;
  merchantAccount: string;
}

const testCredentials: AdyenCredentials = {
  apiKey: 'AQEtestAdyenApiKey',
  merchantAccount: 'PaylatchTest',
  hmacKey: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  webhookUser: 'adyen',
  webhookPassword: 'webhook-password',
};

/** Outcomes of charges, then of modifications. `rejected` is an error response with the plan's code. */
export type AdyenOutcome =
  | ('approved' | 'frictionless' | 'challenge' | 'native' | 'declined' | 'cancelled' | 'error')
  | ('pending' | 'received' | 'partially_authorized' | 'rejected')
  | ('succeeded' | 'failed' | 'failed_late');

type Plans = Plan<AdyenOutcome>;

/** True for a payment that can be canceled. */
function isUncaptured({ state }: AdyenPayment): boolean {
  return state === 'open' || state === 'authorized';
}

/** Simulates Adyen: Checkout v71, its redirect pages and its webhooks. */
export async function startAdyen(
  options: SimulatorOptions & {
    credentials?: AdyenCredentials;
    /** Set: the merchant account accepts only encrypted cards. */
    encryption?: CardEncryption | null;
  },
) {
  const { now, credentials = testCredentials, encryption = null } = options;
  const responses = new Map<string, { request: string; response: SimulatorResponse }>();
  const account = new AdyenAccount(credentials, now, (where, reasons) => server.violate(where, reasons));
  const pageOf = ({ pspReference }: AdyenPayment) => `${server.origin}/pages/${pspReference}`;

  /** The payment method with a card that can be read; null for one that the account does not take. */
  function readMethod(method: Call<typeof contract.charge>['body']['paymentMethod']) {
    const refuse = (reasons: readonly string[]) => {
      server.violate('POST /payments', reasons);
      return null;
    };
    if ('encryptedCardNumber' in method) {
      if (!encryption) return refuse(['the account takes only raw cards']);
      const read = decryptCard(encryption, method, now());
      return 'card' in read ? read.card : refuse(read.reasons);
    }
    return method.type === 'scheme' && encryption ? refuse(['the account accepts only encrypted cards']) : method;
  }

  function charge({ body }: Call<typeof contract.charge>, plan: Plans): SimulatorResponse {
    if (plan.outcome === 'rejected') return failure(422, plan.code ?? '702', 'Rejected by the test', 'validation');
    const { country = '', stateOrProvince } = body.billingAddress ?? {};
    if (['US', 'CA'].includes(country) && stateOrProvince === undefined)
      return failure(422, '135', "Required field 'billingAddress.stateOrProvince' is not provided.", 'validation');
    const method = readMethod(body.paymentMethod);
    if (!method) return failure(422, '174', 'Unable to decrypt data', 'validation');
    if ('issuer' in method && !isIssuer(method.type, method.issuer))
      return failure(422, '14_018', 'Invalid issuer', 'validation');
    const payment = account.create({ ...body, paymentMethod: method });
    if (method.type === 'scheme') return chargeCard(payment, { ...magicOutcome(method), ...plan });
    if (plan.outcome !== 'declined') return instructionsOf(payment, pageOf(payment), now());
    account.refuse(payment, plan.code);
    return resultOf(payment, 'Refused');
  }

  function chargeCard(payment: AdyenPayment, { outcome, code }: Plans): SimulatorResponse {
    switch (outcome) {
      case 'approved':
        account.authorize(payment);
        return resultOf(payment, 'Authorised');
      case 'frictionless': {
        account.authorize(payment);
        const additionalData = { threeDOffered: 'true', threeDAuthenticated: 'true', liabilityShift: 'true' };
        return resultOf(payment, 'Authorised', { additionalData });
      }
      case 'partially_authorized':
        account.authorize(payment, Math.ceil(payment.charge.amount.value / 2));
        return resultOf(payment, 'PartiallyAuthorised');
      case 'challenge':
        // The result has a reference of its own (mocks `paymentsRedirectAction.json`, `paymentsDetailsSuccess.json`).
        return redirectTo(payment, pageOf(payment), { pspReference: account.newReference() });
      case 'native':
        return nativeChallenge(payment);
      case 'pending':
        return resultOf(payment, 'Pending');
      case 'received':
        return resultOf(payment, 'Received');
      default: {
        const codes = { cancelled: ['15', 'Cancelled'], error: ['4', 'Error'] } as const;
        const [refusal, result] = outcome === 'cancelled' || outcome === 'error' ? codes[outcome] : [code, 'Refused'];
        account.refuse(payment, refusal);
        return resultOf(payment, result);
      }
    }
  }

  function details({ body }: Call<typeof contract.details>, { outcome, code }: Plans): SimulatorResponse {
    const given = 'redirectResult' in body.details ? body.details.redirectResult : null;
    const payment = [...account.payments.values()].find((each) => given !== null && each.redirectResult === given);
    if (!payment) return failure(422, '702', 'Invalid redirectResult', 'validation');
    if (payment.state === 'open') {
      if (outcome === 'pending') return resultOf(payment, 'Pending');
      if (payment.visit === 'failed') account.refuse(payment, '11');
      else if (outcome === 'declined') account.refuse(payment, code);
      else account.authorize(payment);
    }
    const results = {
      ...{ paid: 'Authorised', authorized: 'Authorised', declined: 'Refused' },
      ...{ cancelled: 'Cancelled', expired: 'Cancelled', open: '' },
    };
    return resultOf(payment, payment.refusalCode === '16' ? 'Cancelled' : results[payment.state]);
  }

  /** Responds that a modification of a payment was received; a webhook reports its result. */
  function modify(
    { path, body }: Pick<Call<typeof contract.reverse>, 'path' | 'body'>,
    act: (payment: AdyenPayment, pspReference: string, merchantReference: string) => void,
  ): SimulatorResponse {
    const payment = account.payments.get(path['pspReference'] ?? '');
    if (!payment) return failure(422, '167', 'Original pspReference required for this operation', 'validation');
    const pspReference = account.newReference();
    act(payment, pspReference, body.reference ?? payment.charge.reference);
    const given = { paymentPspReference: payment.pspReference, pspReference, status: 'received' };
    return { status: 201, body: { ...body, ...given } };
  }

  function refund(call: Call<typeof contract.refund>, { outcome }: Plans): SimulatorResponse {
    return modify(call, (payment, pspReference, reference) => {
      account.refund(payment, pspReference, reference, call.body.amount);
      if (outcome === 'succeeded' || outcome === 'failed' || outcome === 'failed_late')
        account.settleRefund(reference, outcome);
    });
  }

  function reverse(call: Call<typeof contract.reverse>, { outcome }: Plans): SimulatorResponse {
    return modify(call, (payment, pspReference, merchantReference) => {
      const action = payment.state === 'paid' ? 'refund' : 'cancel';
      const isSuccess = outcome !== 'failed' && (action === 'refund' || isUncaptured(payment));
      if (isSuccess && action === 'refund') payment.refunded = payment.paid;
      if (isSuccess && action === 'cancel') payment.state = 'cancelled';
      const additionalData = { 'modification.action': action };
      account.notifyModified('CANCEL_OR_REFUND', payment, pspReference, isSuccess, {
        merchantReference,
        additionalData,
      });
    });
  }

  function capture(call: Call<typeof contract.capture>, { outcome }: Plans): SimulatorResponse {
    return modify(call, (payment, pspReference, reference) => {
      account.capture(payment, { pspReference, reference }, call.body.amount, outcome === 'failed');
    });
  }

  function cancel(call: Call<typeof contract.cancel>, plan: Plans): SimulatorResponse {
    return modify(call, (payment, pspReference, merchantReference) => {
      const isSuccess = cancelOpen(payment, plan);
      account.notifyModified('CANCELLATION', payment, pspReference, isSuccess, { merchantReference });
    });
  }

  function cancelOpen(payment: AdyenPayment, { outcome }: Plans): boolean {
    const isSuccess = isUncaptured(payment) && outcome !== 'failed';
    if (isSuccess) payment.state = 'cancelled';
    return isSuccess;
  }

  /** Cancels by our own reference, which may be unknown to Adyen. Its webhook has the payment's reference. */
  function abandon({ body }: Call<typeof contract.abandon>, plan: Plans): SimulatorResponse {
    const pspReference = account.newReference();
    const found = account.withReference(body.paymentReference);
    const payment = found.find(isUncaptured) ?? found.at(-1);
    if (payment) account.notifyModified('TECHNICAL_CANCEL', payment, pspReference, cancelOpen(payment, plan));
    else {
      const reference = { merchantReference: body.paymentReference, pspReference };
      const result = { success: 'false', reason: 'Original transaction not found' } as const;
      account.notifyItem({
        amount: { currency: 'EUR', value: 0 },
        eventCode: 'TECHNICAL_CANCEL',
        ...reference,
        ...result,
      });
    }
    return { status: 201, body: { ...body, pspReference, status: 'received' } };
  }

  function page(path: string, method: string, form: URLSearchParams): PageResponse | null {
    const payment = account.payments.get(path);
    if (!payment) return null;
    const action = form.get('action');
    if (method === 'POST' && action !== null) {
      const navigation = account.completeVisit(payment, action === 'approve' ? 'authenticated' : 'failed');
      return { kind: 'return', navigation };
    }
    if (method === 'POST' && form.get('MD') !== path) server.violate('page', ['MD is not the one of the action']);
    const { currency, value } = payment.charge.amount;
    const actions = { approve: 'Approve', refuse: 'Refuse' };
    return { kind: 'html', html: decisionPage('Simulated bank (Adyen)', `${currency} ${value}`, actions) };
  }

  const server = await openSimulatorServer<AdyenOutcome>({
    ...options,
    vendor: 'adyen',
    base: '/v71',
    routes: [
      ...[route(contract.charge, charge), route(contract.details, details), route(contract.refund, refund)],
      ...[route(contract.reverse, reverse), route(contract.cancel, cancel), route(contract.abandon, abandon)],
      route(contract.capture, capture),
      route(contract.methods, ({ body }) => ({ status: 200, body: { paymentMethods: methodsFor(body.countryCode) } })),
    ],
    authenticate: (sent) =>
      sent['x-api-key'] === credentials.apiKey
        ? null
        : failure(401, '000', 'HTTP Status Response - Unauthorized', 'security'),
    reject: (reasons) => failure(422, '702', reasons.join('; '), 'validation'),
    fail: (error) => {
      if (error === 'rate_limited') return failure(429, '000', 'Too many requests', 'security');
      return failure(error === 'unavailable' ? 503 : 500, '000', 'Internal error', 'internal');
    },
    intercept({ operation, path, body, headers }, work) {
      const { merchantAccount = credentials.merchantAccount } = body as { merchantAccount?: string };
      if (merchantAccount !== credentials.merchantAccount)
        return failure(403, '901', 'Invalid Merchant Account', 'security');
      const key = headers['idempotency-key'];
      if (typeof key !== 'string') return work();
      // Keys belong to the company account. A repeated request gets the first response, whatever has happened since.
      const request = JSON.stringify([operation.path, path, body]);
      const first = responses.get(key);
      if (first && first.request !== request) {
        server.violate(`${operation.method} ${operation.path}`, ['idempotency-key belongs to another request']);
        return failure(422, '702', 'The idempotency key belongs to another request', 'validation');
      }
      const response = first?.response ?? work();
      responses.set(key, { request, response });
      return { ...response, headers: { 'idempotency-key': key } };
    },
    page,
  });

  return {
    ...server,
    credentials,
    ...controlsOf(account),
    /**
     * The buyer pays a QR code, an account or a pending card payment, by default in full. Amount in ISO minor units.
     */
    receiveFunds(reference: string, amountMinor?: bigint): void {
      const payment = account.find(reference);
      const { currency, value } = payment.charge.amount;
      const decimals = [isoDecimals(currency), adyenDecimals(currency)] as const;
      account.authorize(payment, amountMinor === undefined ? value : Number(rescale(amountMinor, ...decimals)));
    },
    /** The buyer, the bank or the issuer refuses a payment without an outcome. */
    declinePayment(reference: string, code?: string): void {
      account.refuse(account.find(reference), code);
    },
    /** The buyer has not paid in time. */
    expire(reference: string): void {
      const payment = account.find(reference);
      payment.state = 'expired';
      account.notify('OFFER_CLOSED', payment, true);
    },
    /** Captures an authorized payment in the Customer Area: the webhook has the payment's reference. */
    captureOutside(reference: string, amountMinor: bigint): void {
      const payment = account.find(reference);
      const ids = { pspReference: account.newReference(), reference: payment.charge.reference };
      account.capture(payment, ids, { ...payment.charge.amount, value: Number(amountMinor) }, false);
    },
    /** The scheme rejects a capture after it succeeded. */
    failCapture: account.failCapture.bind(account),
    recapture: account.recapture.bind(account),
    resendRefund: account.resendRefund.bind(account),
    /** Queues any other event about a payment. */
    sendEvent(reference: string, event: AdyenEvent, isSuccess = true, more: Partial<AdyenItem> = {}): void {
      account.notify(event, account.find(reference), isSuccess, more);
    },
  };
}
