import type { z } from 'zod';
import type { SimulatorCharge } from '../charges.ts';
import { mismatches } from '../contract.ts';
import { createIds } from '../ids.ts';
import { type Navigation, returnTo } from '../pages.ts';
import { WebhookQueue } from '../webhooks.ts';
import type { hyperswitchContract } from './contract.ts';
import {
  type DisputeResponse,
  type HyperswitchEvent,
  type HyperswitchWebhook,
  hyperswitchWebhook,
  type PaymentResponse,
  type RefundResponse,
} from './objects.ts';
import { hyperswitchSigning, signedReturn } from './signing.ts';

type Creation = z.infer<typeof hyperswitchContract.charge.body>;

/** Declines by unified code. */
const declines = {
  insufficient_funds: {
    error_code: 'insufficient_funds',
    unified_code: 'UE_1000',
    unified_message: 'Insufficient funds',
  },
  card_declined: { error_code: 'card_declined', unified_code: 'UE_9000', unified_message: 'Something went wrong' },
  expired_card: { error_code: 'expired_card', unified_code: 'UE_1000', unified_message: 'Expired card' },
  authentication_failed: {
    error_code: 'payment_intent_authentication_failure',
    unified_code: 'UE_3000',
    unified_message: 'Authentication failed',
  },
} as const;
type Decline = keyof typeof declines;

const eventsByStatus: Readonly<Partial<Record<PaymentResponse['status'], HyperswitchEvent>>> = {
  succeeded: 'payment_succeeded',
  failed: 'payment_failed',
  processing: 'payment_processing',
  cancelled: 'payment_cancelled',
  expired: 'payment_expired',
  partially_captured: 'payment_captured',
  requires_customer_action: 'action_required',
};

/** Payments, refunds and disputes of the test merchant, and the webhooks about them. */
export class HyperswitchAccount {
  readonly payments = new Map<string, PaymentResponse>();
  readonly refunds = new Map<string, RefundResponse>();
  readonly disputes = new Map<string, DisputeResponse>();
  readonly webhooks: WebhookQueue<HyperswitchWebhook>;
  readonly #ids = createIds('hyperswitch');
  readonly #merchantId: string;
  readonly #hashKey: string;
  readonly #now: () => number;
  readonly #violate: (where: string, reasons: readonly string[]) => void;

  constructor(
    { merchantId, hashKey }: { merchantId: string; hashKey: string },
    now: () => number,
    violate: (where: string, reasons: readonly string[]) => void,
  ) {
    this.#merchantId = merchantId;
    this.#hashKey = hashKey;
    this.#now = now;
    this.#violate = violate;
    this.webhooks = new WebhookQueue(hyperswitchSigning(hashKey));
  }

  time(afterMs = 0): string {
    return new Date(this.#now() + afterMs).toISOString();
  }

  create(request: Creation): PaymentResponse {
    const { payment_id, amount, currency, session_expiry = 900 } = request;
    const data = request.payment_method_data;
    const card = data && 'card' in data ? data.card : null;
    const created: PaymentResponse = {
      payment_id,
      ...{ merchant_id: this.#merchantId, processor_merchant_id: this.#merchantId, profile_id: 'pro_paylatch' },
      ...{ status: request.confirm ? 'processing' : 'requires_payment_method' },
      ...{ amount, net_amount: amount, amount_capturable: amount, amount_received: null, currency },
      ...{
        connector: request.confirm ? 'stripe_test' : null,
        client_secret: `${payment_id}_secret_${this.#ids.hex(20)}`,
      },
      ...{ created: this.time(), modified_at: this.time(), expires_on: this.time(session_expiry * 1000) },
      attempt_count: 1,
      capture_method: request.capture_method ?? null,
      authentication_type: request.authentication_type ?? null,
      payment_method: request.payment_method ?? null,
      payment_method_type: request.payment_method_type ?? null,
      payment_method_data: card && {
        card: {
          ...{ last4: card.card_number.slice(-4), card_network: null, auth_code: null },
          ...{ card_exp_month: card.card_exp_month, card_exp_year: card.card_exp_year },
          card_holder_name: card.card_holder_name,
        },
        billing: null,
      },
      return_url: request.return_url ?? null,
      next_action: null,
      cancellation_reason: null,
      ...{ error_code: null, error_message: null, unified_code: null, unified_message: null },
      connector_transaction_id: request.confirm ? `txn_${this.#ids.hex(20)}` : null,
      manual_retry_allowed: null,
      metadata: request.metadata ?? null,
      external_authentication_details: null,
    };
    this.payments.set(payment_id, created);
    return created;
  }

  find(paymentId: string): PaymentResponse {
    const payment = this.payments.get(paymentId);
    if (!payment) throw new Error(`Hyperswitch has no payment ${paymentId}`);
    return payment;
  }

  /** Changes a payment's status and queues the webhook about it. */
  change(payment: PaymentResponse, status: PaymentResponse['status'], more: Partial<PaymentResponse> = {}): void {
    const isOpen = ['processing', 'requires_customer_action', 'requires_capture'].includes(status);
    const amounts = isOpen ? {} : { amount_capturable: 0, next_action: null };
    Object.assign(payment, { status, modified_at: this.time(), ...amounts, ...more });
    const isAuthorized = status === 'requires_capture' && payment.capture_method === 'manual';
    const event = isAuthorized ? 'payment_authorized' : eventsByStatus[status];
    if (event) this.#notify(event, payment.payment_id, { type: 'payment_details', object: structuredClone(payment) });
  }

  /** The issuer approves: the payment is received, or authorized with manual capture. */
  succeed(payment: PaymentResponse, received = payment.amount, more: Partial<PaymentResponse> = {}): void {
    if (payment.capture_method === 'manual') this.change(payment, 'requires_capture', more);
    else this.receive(payment, received, more);
  }

  receive(payment: PaymentResponse, received: number, more: Partial<PaymentResponse> = {}): void {
    const status = received < payment.amount ? 'partially_captured' : 'succeeded';
    this.change(payment, status, { amount_received: received, ...more });
  }

  decline(payment: PaymentResponse, code: string = 'card_declined'): void {
    const known = declines[code as Decline] ?? { ...declines.card_declined, error_code: code };
    this.change(payment, 'failed', { ...known, error_message: known.unified_message });
  }

  /** The issuer or bank redirects to Hyperswitch, which finishes the payment and sends the buyer back. */
  completeVisit(payment: PaymentResponse, result: 'authenticated' | 'failed'): Navigation {
    if (payment.status === 'requires_customer_action') {
      if (result === 'authenticated') this.succeed(payment);
      else this.decline(payment, 'authentication_failed');
    }
    const url = payment.return_url;
    if (url === null) throw new Error(`${payment.payment_id} has no return_url`);
    const parameters = {
      ...{ status: payment.status, payment_id: payment.payment_id },
      payment_intent_client_secret: payment.client_secret,
      ...{ amount: String(payment.amount), manual_retry_allowed: 'false' },
    };
    const all = { ...Object.fromEntries(new URL(url).searchParams), ...parameters };
    return returnTo(url, { ...parameters, ...signedReturn(all, this.#hashKey) });
  }

  refund(request: z.infer<typeof hyperswitchContract.refund.body>, payment: PaymentResponse): RefundResponse {
    const refund: RefundResponse = {
      ...{ refund_id: request.refund_id, payment_id: payment.payment_id, currency: payment.currency },
      amount: request.amount ?? payment.amount_received ?? payment.amount,
      ...{ status: 'pending', reason: request.reason ?? null, metadata: request.metadata ?? null },
      ...{ error_message: null, error_code: null, unified_code: null, unified_message: null },
      ...{ created_at: this.time(), updated_at: this.time(), connector: payment.connector ?? 'stripe_test' },
    };
    this.refunds.set(refund.refund_id, refund);
    return refund;
  }

  /** Refunded or reserved for a refund. */
  refundedOf(paymentId: string): number {
    const refunds = [...this.refunds.values()].filter((each) => each.payment_id === paymentId);
    return refunds.reduce((sum, { amount, status }) => (status === 'failed' ? sum : sum + amount), 0);
  }

  /** `failed_late`: the connector reports a failure after the refund succeeded. */
  settleRefund(refundId: string, outcome: 'succeeded' | 'failed' | 'failed_late'): void {
    const refund = this.refunds.get(refundId);
    if (!refund) throw new Error(`Hyperswitch has no refund ${refundId}`);
    if (outcome === 'failed_late' && refund.status !== 'succeeded') this.settleRefund(refundId, 'succeeded');
    const status = outcome === 'succeeded' ? 'succeeded' : 'failed';
    const error = { error_code: 'refund_failed', error_message: 'The bank returned the refund' };
    Object.assign(refund, { status, updated_at: this.time(), ...(status === 'failed' && error) });
    this.#notify(`refund_${status}`, refundId, { type: 'refund_details', object: structuredClone(refund) });
  }

  /** Returns the dispute's ID. */
  openDispute(paymentId: string, given: { amountMinor?: bigint; reasonCode?: string; dueAt?: string } = {}): string {
    const payment = this.find(paymentId);
    const id = `dp_${this.#ids.hex(20)}`;
    this.disputes.set(id, {
      ...{ dispute_id: id, payment_id: paymentId, attempt_id: `${paymentId}_1` },
      ...{ amount: String(given.amountMinor ?? payment.amount), currency: payment.currency },
      ...{ dispute_stage: 'dispute', dispute_status: 'dispute_opened', connector: payment.connector ?? 'stripe_test' },
      ...{ connector_status: 'needs_response', connector_dispute_id: `dp_${this.#ids.hex(10)}` },
      ...{ connector_reason: 'fraudulent', connector_reason_code: given.reasonCode ?? '10.4' },
      challenge_required_by: given.dueAt ?? this.time(14 * 86_400_000),
      ...{ created_at: this.time(), is_already_refunded: false },
    });
    this.#notifyDispute(id);
    return id;
  }

  closeDispute(disputeId: string, result: 'won' | 'lost' | 'accepted' | 'cancelled' | 'expired' | 'challenged'): void {
    const dispute = this.disputes.get(disputeId);
    if (!dispute) throw new Error(`Hyperswitch has no dispute ${disputeId}`);
    Object.assign(dispute, { dispute_status: `dispute_${result}`, connector_status: result });
    this.#notifyDispute(disputeId);
  }

  #notifyDispute(disputeId: string): void {
    const dispute = this.disputes.get(disputeId);
    if (!dispute) return;
    const content = { type: 'dispute_details', object: structuredClone(dispute) } as const;
    this.#notify(dispute.dispute_status, dispute.payment_id, content);
  }

  #notify(event: HyperswitchEvent, reference: string, content: HyperswitchWebhook['content']): void {
    const event_id = `evt_${this.#ids.hex(20)}`;
    const payload = { merchant_id: this.#merchantId, event_id, event_type: event, content, timestamp: this.time() };
    const reasons = mismatches(hyperswitchWebhook, payload);
    if (reasons.length > 0) this.#violate(`webhook ${event}`, reasons);
    this.webhooks.add({ event, reference, payload });
  }

  /** Charged and refunded amounts. Hyperswitch counts in minor units of ISO 4217. */
  charges(): SimulatorCharge[] {
    return [...this.payments.values()].map((payment) => {
      const { payment_id: id, status, currency } = payment;
      const refunds = [...this.refunds.values()].filter((each) => each.payment_id === id);
      const refunded = refunds.reduce((sum, { amount, status }) => (status === 'succeeded' ? sum + amount : sum), 0);
      const states = {
        ...({ succeeded: 'paid', partially_captured: 'paid', failed: 'declined' } as const),
        ...(payment.capture_method === 'manual' && ({ requires_capture: 'authorized' } as const)),
      };
      const ended = status === 'cancelled' || status === 'expired' ? status : 'open';
      const state = states[status as keyof typeof states] ?? ended;
      const amounts = { amountMinor: BigInt(payment.amount), paidMinor: BigInt(payment.amount_received ?? 0) };
      return { reference: id, id, currency, ...amounts, refundedMinor: BigInt(refunded), state };
    });
  }
}
