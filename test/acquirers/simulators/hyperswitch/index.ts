import type { Call } from '../contract.ts';
import type { Plan, SimulatorResponse } from '../faults.ts';
import { controlsOf } from '../controls.ts';
import { decisionPage, type PageResponse } from '../pages.ts';
import { openSimulatorServer, route, type SimulatorOptions } from '../simulator-server.ts';
import { HyperswitchAccount } from './account.ts';
import { hyperswitchContract as contract } from './contract.ts';
import { magicOutcome, nextActionOf } from './methods.ts';
import type { PaymentResponse } from './objects.ts';

export interface HyperswitchCredentials {
  apiKey: string;
  merchantId: string;
  /** The `payment_response_hash_key`, which signs webhooks and returns. */
  hashKey: string;
}

const testCredentials: HyperswitchCredentials = {
  apiKey: 'snd_testHyperswitchApiKey',
  merchantId: 'merchant_paylatch',
  hashKey: 'testPaymentResponseHashKey',
};

/**
 * Outcomes of charges, then of refunds. `rejected` is an error response with the plan's code. `connector_rejected`: the
 * connector rejects a capture or void, after which the payment has failed (`AttemptStatus` CaptureFailed, VoidFailed).
 */
export type HyperswitchOutcome =
  | ('approved' | 'frictionless' | 'challenge' | 'declined' | 'pending' | 'review' | 'requires_capture')
  | ('conflicted' | 'partially_captured' | 'rejected' | 'connector_rejected')
  | ('succeeded' | 'failed' | 'failed_late');

type Plans = Plan<HyperswitchOutcome>;

/** Simulates Hyperswitch: payments, refunds, disputes, its redirect pages and webhooks. */
export async function startHyperswitch(
  options: SimulatorOptions & {
    credentials?: HyperswitchCredentials;
    /** Form of errors: as the server sends them, or as the official document has them. */
    errorForm?: 'wrapped' | 'documented';
  },
) {
  const { now, credentials = testCredentials, errorForm = 'wrapped' } = options;
  const account = new HyperswitchAccount(credentials, now, (where, reasons) => server.violate(where, reasons));

  function failure(status: number, code: string, type: string, message: string): SimulatorResponse {
    const body = errorForm === 'wrapped' ? { error: { type, message, code } } : { error_type: type, message, code };
    return { status, body };
  }
  const notFound = (what: string) => failure(404, 'HE_02', 'object_not_found', `${what} does not exist in our records`);
  const respondWith = (body: object): SimulatorResponse => ({ status: 200, body: structuredClone(body) });
  function respondCreated({
    unified_code: _code,
    unified_message: _message,
    ...created
  }: PaymentResponse): SimulatorResponse {
    return respondWith(created);
  }

  function charge({ body }: Call<typeof contract.charge>, plan: Plans): SimulatorResponse {
    if (plan.outcome === 'rejected')
      return failure(400, plan.code ?? 'IR_06', 'invalid_request', 'Rejected by the test');
    if (account.payments.has(body.payment_id)) {
      const message = `The payment with the specified payment_id '${body.payment_id}' already exists in our records`;
      return failure(400, 'HE_01', 'duplicate_request', message);
    }
    const payment = account.create(body);
    const data = body.payment_method_data;
    if (!body.confirm || !data) return respondCreated(payment);
    if ('card' in data) chargeCard(payment, { ...magicOutcome(data.card.card_number), ...plan });
    else if (plan.outcome === 'declined') account.decline(payment, plan.code);
    else {
      const page = `${server.origin}/pages/${payment.payment_id}`;
      account.change(payment, 'requires_customer_action', { next_action: nextActionOf(data, payment, page, now()) });
    }
    return respondCreated(payment);
  }

  function chargeCard(payment: PaymentResponse, { outcome, code }: Plans): void {
    switch (outcome) {
      case 'challenge': {
        const redirect_to_url = `${server.origin}/pages/${payment.payment_id}`;
        const next_action = { type: 'redirect_to_url', redirect_to_url } as const;
        return account.change(payment, 'requires_customer_action', { next_action });
      }
      case 'frictionless': {
        const authentication = { status: 'success', authentication_flow: 'frictionless', version: '2.2.0' } as const;
        return account.succeed(payment, payment.amount, { external_authentication_details: authentication });
      }
      case 'pending':
        return account.change(payment, 'processing');
      case 'review':
      case 'requires_capture':
      case 'conflicted':
        return account.change(payment, outcome);
      case 'partially_captured':
        return account.succeed(payment, Math.floor(payment.amount / 2));
      case 'declined':
        return account.decline(payment, code);
      default:
        return account.succeed(payment);
    }
  }

  function fetchPayment({ path }: Call): SimulatorResponse {
    const payment = account.payments.get(path['payment_id'] ?? '');
    return payment ? respondWith(payment) : notFound('Payment');
  }

  function capture({ path, body }: Call<typeof contract.capture>, { outcome }: Plans): SimulatorResponse {
    const payment = account.payments.get(path['payment_id'] ?? '');
    if (!payment) return notFound('Payment');
    if (payment.status !== 'requires_capture') {
      const message = `This Payment could not be captured because it has a status of ${payment.status}`;
      return failure(400, 'IR_14', 'invalid_request', message);
    }
    const amount = body.amount_to_capture ?? payment.amount_capturable;
    if (amount > payment.amount_capturable || outcome === 'failed')
      return failure(400, 'IR_06', 'invalid_request', 'amount_to_capture is greater than amount');
    if (outcome === 'connector_rejected') account.decline(payment, 'capture_failed');
    else account.receive(payment, amount);
    return respondWith(payment);
  }

  function cancel({ path, body }: Call<typeof contract.cancel>, { outcome }: Plans): SimulatorResponse {
    const payment = account.payments.get(path['payment_id'] ?? '');
    if (!payment) return notFound('Payment');
    const open = ['requires_payment_method', 'requires_confirmation', 'requires_customer_action', 'requires_capture'];
    if (!open.includes(payment.status) || outcome === 'failed') {
      const message = `You cannot cancel this payment because it has status ${payment.status}`;
      return failure(400, 'IR_16', 'invalid_request', message);
    }
    if (outcome === 'connector_rejected') account.decline(payment, 'void_failed');
    else account.change(payment, 'cancelled', { cancellation_reason: body.cancellation_reason ?? null });
    return respondWith(payment);
  }

  function refund({ body }: Call<typeof contract.refund>, plan: Plans): SimulatorResponse {
    const payment = account.payments.get(body.payment_id);
    if (!payment) return notFound('Payment');
    if (account.refunds.has(body.refund_id)) {
      const message = 'Duplicate refund request. Refund already attempted with the refund ID';
      return failure(400, 'HE_01', 'duplicate_request', message);
    }
    const received = payment.amount_received ?? 0;
    if (payment.status !== 'succeeded' && payment.status !== 'partially_captured') {
      const message = `This Payment could not be refund because it has a status of ${payment.status}. The expected state is succeeded, partially_captured`;
      return failure(400, 'IR_14', 'invalid_request', message);
    }
    if (account.refundedOf(body.payment_id) + (body.amount ?? received) > received)
      return failure(400, 'IR_13', 'invalid_request', 'The refund amount exceeds the amount captured');
    const created = account.refund(body, payment);
    const { outcome = 'succeeded' } = plan;
    if (outcome === 'review') created.status = 'review';
    if (outcome === 'succeeded' || outcome === 'failed' || outcome === 'failed_late')
      account.settleRefund(created.refund_id, outcome);
    return respondWith(created);
  }

  function page(path: string, method: string, form: URLSearchParams): PageResponse | null {
    const payment = account.payments.get(path);
    if (!payment) return null;
    const action = form.get('action');
    if (method === 'POST' && action !== null) {
      const result = action === 'approve' ? 'authenticated' : 'failed';
      return { kind: 'return', navigation: account.completeVisit(payment, result) };
    }
    const actions = { approve: 'Approve', refuse: 'Refuse' };
    const amount = `${payment.currency} ${payment.amount}`;
    return { kind: 'html', html: decisionPage('Simulated bank (Hyperswitch)', amount, actions) };
  }

  const server = await openSimulatorServer<HyperswitchOutcome>({
    ...options,
    vendor: 'hyperswitch',
    base: '',
    routes: [
      ...[route(contract.charge, charge), route(contract.fetch, fetchPayment), route(contract.cancel, cancel)],
      route(contract.capture, capture),
      route(contract.refund, refund),
      route(contract.fetchRefund, ({ path }) => {
        const found = account.refunds.get(path['refund_id'] ?? '');
        return found ? respondWith(found) : notFound('Refund');
      }),
      route(contract.fetchDispute, ({ path }) => {
        const found = account.disputes.get(path['dispute_id'] ?? '');
        return found
          ? respondWith(found)
          : failure(404, 'HE_04', 'object_not_found', 'Dispute does not exist in our records');
      }),
    ],
    authenticate: (sent) =>
      sent['api-key'] === credentials.apiKey
        ? null
        : failure(401, 'IR_01', 'invalid_request', 'API key not provided or invalid API key used'),
    reject: (reasons) => failure(400, 'IR_06', 'invalid_request', reasons.join('; ')),
    fail: (error) => {
      if (error === 'rate_limited') return failure(429, 'IR_00', 'server_not_available', 'Too many requests');
      return failure(error === 'unavailable' ? 503 : 500, 'HE_00', 'server_not_available', 'Something went wrong');
    },
    page,
  });

  return {
    ...server,
    credentials,
    ...controlsOf(account),
    /** The buyer pays a QR code, an account or a pending payment, by default in full. */
    receiveFunds(reference: string, amountMinor?: bigint): void {
      const payment = account.find(reference);
      account.succeed(payment, amountMinor === undefined ? payment.amount : Number(amountMinor));
    },
    /** The merchant captures an authorized payment in the Control Center. */
    captureOutside(reference: string, amountMinor: bigint): void {
      account.receive(account.find(reference), Number(amountMinor));
    },
    /** The buyer, the bank or the issuer refuses a payment without an outcome. */
    declinePayment(reference: string, code?: string): void {
      account.decline(account.find(reference), code);
    },
    /** The buyer has not paid in time. */
    expire(reference: string): void {
      account.change(account.find(reference), 'expired');
    },
  };
}
