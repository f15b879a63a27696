import type { Call } from '../contract.ts';
import type { Plan, SimulatorResponse } from '../faults.ts';
import { controlsOf } from '../controls.ts';
import { decisionPage, type PageResponse } from '../pages.ts';
import { openSimulatorServer, route, type SimulatorOptions } from '../simulator-server.ts';
import { channelOfRequest, toMinorUnits, toMajorUnits, XenditAccount } from './account.ts';
import { channelOf } from './channels.ts';
import { type FailureCode, failureCodes, type PaymentRequest, xenditContract as contract } from './contract.ts';
import { RateLimit } from './rate-limit.ts';
import { transactionsOf } from './transactions.ts';

export interface XenditCredentials {
  /** User name of Basic authentication; the password is empty. */
  secretKey: string;
  callbackToken: string;
}

const testCredentials: XenditCredentials = {
  secretKey: 'xnd_development_testSecretKey',
  callbackToken: 'testCallbackToken',
};

/** Outcomes of charges, then of refunds. `rejected` is an error response with the plan's code. */
export type XenditOutcome =
  | ('approved' | 'frictionless' | 'challenge' | 'declined' | 'pending' | 'rejected')
  | ('succeeded' | 'failed' | 'failed_late');

type Plans = Plan<XenditOutcome>;

/** Test cards; others are approved immediately. */
const testCards: Readonly<Record<string, 'challenge' | 'frictionless'>> = {
  '4000000000001091': 'challenge',
  '4000000000002503': 'challenge',
  '5200000000002151': 'challenge',
  '4000000000001000': 'frictionless',
  '5200000000001005': 'frictionless',
};

/** Card amounts that the test mode declines, with the failure code. */
const testAmounts: Readonly<Record<number, FailureCode>> = {
  10051: 'EXPIRED_CARD',
  10054: 'INSUFFICIENT_BALANCE',
  10055: 'STOLEN_CARD',
  10058: 'INVALID_CVV',
  10059: 'DECLINED_BY_ISSUER',
};

/** Simulates Xendit: payment requests, refunds, transactions, its redirect pages and webhooks. */
export async function startXendit(
  options: SimulatorOptions & {
    credentials?: XenditCredentials;
    /** Requests per minute and operation: 60 in Xendit's test mode, 600 live. Unlimited by default. */
    requestsPerMinute?: number;
  },
) {
  const { now, credentials = testCredentials, requestsPerMinute = Infinity } = options;
  const account = new XenditAccount(credentials.callbackToken, now, (where, reasons) => server.violate(where, reasons));
  const limit = new RateLimit(requestsPerMinute, now);
  const refundsByKey = new Map<string, { request: string; response: SimulatorResponse }>();
  /** Requests without a challenge. */
  const frictionless = new Set<string>();
  const basic = `Basic ${Buffer.from(`${credentials.secretKey}:`).toString('base64')}`;

  const failure = (status: number, error_code: string, message: string): SimulatorResponse => ({
    status,
    body: { error_code, message },
  });
  const notFound = () => failure(404, 'DATA_NOT_FOUND', 'ID specified in request cannot be found.');
  const respondWith = (body: object, status = 200): SimulatorResponse => ({ status, body: structuredClone(body) });
  const requestOf = ({ path }: Pick<Call, 'path'>) => account.requests.get(path['payment_request_id'] ?? '');

  function charge({ body }: Call<typeof contract.charge>, plan: Plans): SimulatorResponse {
    if (plan.outcome === 'rejected') return failure(400, plan.code ?? 'API_VALIDATION_ERROR', 'Rejected by the test');
    const channel = channelOf(body);
    if (!channel)
      return failure(400, 'INVALID_VALUE_ERROR', 'The channel does not exist for this country and currency');
    const isKnown = [...account.requests.values()].some(({ reference_id }) => reference_id === body.reference_id);
    if (channel.action === 'card' && isKnown)
      return failure(409, 'DUPLICATE_ERROR', 'reference_id has been used before');
    const request = account.create(body, channel, (id) => `${server.origin}/pages/${id}`);
    const number = body.channel_properties.card_details?.card_number;
    if (number !== undefined) chargeCard(request, number, plan);
    else if (plan.outcome === 'declined') account.fail(request, failureOf(plan, 'DECLINED_BY_PROCESSOR'));
    return respondWith(request, 201);
  }

  function chargeCard(request: PaymentRequest, number: string, plan: Plans): void {
    const code = testAmounts[request.request_amount];
    const outcome = plan.outcome ?? (code ? 'declined' : (testCards[number] ?? 'approved'));
    if (outcome === 'approved') account.succeed(request);
    if (outcome === 'declined') account.fail(request, failureOf(plan, code ?? 'CARD_DECLINED'));
    if (outcome === 'frictionless') frictionless.add(request.payment_request_id);
    if (outcome === 'pending') account.change(request, 'ACCEPTING_PAYMENTS');
  }

  function failureOf({ code }: Plans, byDefault: FailureCode): FailureCode {
    return failureCodes.find((each) => each === code) ?? byDefault;
  }

  function cancel(call: Call<typeof contract.cancel>): SimulatorResponse {
    const request = requestOf(call);
    if (!request) return notFound();
    if (request.status !== 'REQUIRES_ACTION' && request.status !== 'ACCEPTING_PAYMENTS')
      return failure(400, 'INACTIVE_PAYMENT_REQUEST', 'Payment request is already inactive.');
    account.change(request, 'CANCELED');
    return respondWith(request);
  }

  const paymentOf = ({ path }: Pick<Call, 'path'>) => account.payments.get(path['payment_id'] ?? '');
  const inactive = () => failure(400, 'INVALID_VALUE_ERROR', 'The payment is not authorized.');

  function capture(call: Call<typeof contract.capturePayment>, { outcome }: Plans): SimulatorResponse {
    const payment = paymentOf(call);
    if (!payment) return notFound();
    const { capture_amount: amount = payment.request_amount } = call.body;
    if (payment.status !== 'AUTHORIZED' || outcome === 'failed') return inactive();
    if (amount > payment.request_amount) return failure(400, 'CAPTURE_AMOUNT_EXCEEDED', 'The amount is too large.');
    account.capture(payment, amount);
    return respondWith(payment);
  }

  function cancelPayment(call: Call<typeof contract.cancelPayment>, { outcome }: Plans): SimulatorResponse {
    const payment = paymentOf(call);
    if (!payment) return notFound();
    if (payment.status !== 'AUTHORIZED' || outcome === 'failed') return inactive();
    account.cancelPayment(payment);
    return respondWith(payment);
  }

  function simulate(call: Call<typeof contract.simulate>): SimulatorResponse {
    const request = requestOf(call);
    if (!request) return notFound();
    if (request.status !== 'REQUIRES_ACTION')
      return failure(400, 'INACTIVE_PAYMENT_REQUEST', 'Payment request is already inactive.');
    account.succeed(request, call.body.amount);
    return { status: 200, body: { status: 'PENDING', message: 'A webhook will be sent' } };
  }

  function refund({ body, headers }: Call<typeof contract.refund>, plan: Plans): SimulatorResponse {
    const key = headers['idempotency-key'];
    const first = typeof key === 'string' ? refundsByKey.get(key) : undefined;
    if (first?.request === JSON.stringify(body)) return first.response;
    if (first) return failure(409, 'DUPLICATE_ERROR', 'The idempotency key belongs to another request');
    const response = createRefund(body, plan);
    if (typeof key === 'string' && response.status === 200)
      refundsByKey.set(key, { request: JSON.stringify(body), response });
    return response;
  }

  function createRefund(body: Call<typeof contract.refund>['body'], { outcome, code }: Plans): SimulatorResponse {
    if (outcome === 'rejected') return failure(400, code ?? 'TEMPORARILY_UNAVAILABLE', 'Rejected by the test');
    const request = account.requests.get(body.payment_request_id);
    if (!request) return notFound();
    const { refunds } = channelOfRequest(request);
    const unrefunded = account.paidOf(request.payment_request_id) - account.refundedOf(request.payment_request_id);
    const wanted = body.amount === undefined ? unrefunded : toMinorUnits(body.amount, request.currency);
    if (refunds === 'none') return failure(403, 'REFUND_NOT_SUPPORTED', 'The channel does not support refunds');
    if (request.status !== 'SUCCEEDED')
      return failure(400, 'INELIGIBLE_TRANSACTION_STATUS', 'The payment request is not paid');
    if (refunds === 'full' && wanted !== account.paidOf(request.payment_request_id))
      return failure(403, 'PARTIAL_REFUND_NOT_SUPPORTED', 'The channel does not support partial refunds');
    if (wanted > unrefunded || wanted === 0n)
      return failure(400, 'REFUND_AMOUNT_EXCEEDED', 'The amount exceeds the unrefunded capture amount');
    const created = account.refund(body, request, toMajorUnits(wanted, request.currency));
    // The response is always pending.
    const response = respondWith(created);
    if (outcome === 'succeeded' || outcome === 'failed' || outcome === 'failed_late')
      account.settleRefund(created.reference_id, outcome);
    return response;
  }

  function page(path: string, method: string, form: URLSearchParams): PageResponse | null {
    const request = account.requests.get(path);
    if (!request) return null;
    const action = form.get('action');
    if (frictionless.has(path)) return { kind: 'return', navigation: account.completeVisit(request, 'authenticated') };
    if (method === 'POST' && action !== null) {
      const result = action === 'approve' ? 'authenticated' : 'failed';
      return { kind: 'return', navigation: account.completeVisit(request, result) };
    }
    const actions = { approve: 'Approve', refuse: 'Refuse' };
    const amount = `${request.currency} ${request.request_amount}`;
    return { kind: 'html', html: decisionPage('Simulated bank (Xendit)', amount, actions) };
  }

  const found = (value: object | undefined) => (value ? respondWith(value) : notFound());
  const server = await openSimulatorServer<XenditOutcome>({
    ...options,
    vendor: 'xendit',
    base: '',
    routes: [
      ...[route(contract.charge, charge), route(contract.cancel, cancel), route(contract.simulate, simulate)],
      route(contract.fetch, (call) => found(requestOf(call))),
      route(contract.fetchPayment, ({ path }) => found(account.payments.get(path['payment_id'] ?? ''))),
      ...[route(contract.capturePayment, capture), route(contract.cancelPayment, cancelPayment)],
      route(contract.refund, refund),
      route(contract.fetchRefund, ({ path }) => found(account.refunds.get(path['refund_id'] ?? ''))),
      route(contract.transactions, ({ query }) => respondWith({ ...transactionsOf(account, query), links: [] })),
      route(contract.balance, () => respondWith({ balance: 1_000_000 })),
    ],
    authenticate: (sent) =>
      sent.authorization === basic ? null : failure(401, 'INVALID_API_KEY', 'API key is not authorized'),
    reject: (reasons) => failure(400, 'API_VALIDATION_ERROR', reasons.join('; ')),
    fail: (error) => {
      const limited = failure(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests');
      if (error === 'rate_limited') return { ...limited, headers: limit.exceeded() };
      return error === 'unavailable'
        ? failure(503, 'CHANNEL_UNAVAILABLE', 'The channel is unavailable')
        : failure(500, 'SERVER_ERROR', 'An unexpected error occurred');
    },
    intercept({ operation }, work) {
      const { isExceeded, headers } = limit.count(operation.name);
      const response = isExceeded ? failure(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests') : work();
      return { ...response, headers };
    },
    page,
  });

  return {
    ...server,
    credentials,
    ...controlsOf(account),
    /** The buyer pays a QR code, an account or a pending payment, by default in full. Amount in ISO minor units. */
    receiveFunds(reference: string, amountMinor?: bigint): void {
      const request = account.find(reference);
      account.succeed(request, amountMinor === undefined ? undefined : toMajorUnits(amountMinor, request.currency));
    },
    /** The merchant captures an authorized payment in the dashboard. */
    captureOutside(reference: string, amountMinor: bigint): void {
      const request = account.find(reference);
      const payment = account.payments.get(request.latest_payment_id ?? '');
      if (payment) account.capture(payment, toMajorUnits(amountMinor, request.currency));
    },
    /** The buyer, the bank or the issuer refuses a payment without an outcome. */
    declinePayment(reference: string, code: FailureCode = 'USER_DECLINED_PAYMENT'): void {
      account.fail(account.find(reference), code);
    },
    /** The buyer has not paid in time. */
    expire(reference: string): void {
      account.expire(account.find(reference));
    },
  };
}
