import type { z } from 'zod';
import { isoDecimals, type SimulatorCharge } from '../charges.ts';
import { amountNumber, formatMinor, parseAmount } from '../../../../src/shared/money.ts';
import { mismatches } from '../contract.ts';
import { createIds } from '../ids.ts';
import { type Navigation, returnTo } from '../pages.ts';
import { WebhookQueue } from '../webhooks.ts';
import { type Channel, channelOf } from './channels.ts';
import type { FailureCode, PaymentResponse, PaymentRequest, RefundResponse, xenditContract } from './contract.ts';
import { xenditSigning } from './signing.ts';
import { type XenditWebhook, xenditWebhook } from './webhook-contract.ts';

type Creation = z.infer<typeof xenditContract.charge.body>;

const BUSINESS_ID = '5f27a14a9bf05c73dd040bc8';

interface Dispute {
  payment: PaymentResponse;
  opened: XenditWebhook & { event: `dispute.${string}` };
}

/** Payment requests, payments, refunds and disputes of the test account, and the webhooks about them. */
export class XenditAccount {
  readonly requests = new Map<string, PaymentRequest>();
  readonly payments = new Map<string, PaymentResponse>();
  readonly refunds = new Map<string, RefundResponse>();
  readonly webhooks: WebhookQueue<XenditWebhook>;
  readonly #disputes = new Map<string, Dispute>();
  readonly #ids = createIds('xendit');
  readonly #now: () => number;
  readonly #violate: (where: string, reasons: readonly string[]) => void;

  constructor(callbackToken: string, now: () => number, violate: (where: string, reasons: readonly string[]) => void) {
    this.#now = now;
    this.#violate = violate;
    this.webhooks = new WebhookQueue(xenditSigning(callbackToken));
  }

  time(afterMs = 0): string {
    return new Date(this.#now() + afterMs).toISOString();
  }

  create(request: Creation, channel: Channel, pageOf: (id: string) => string): PaymentRequest {
    const { card_details: _, ...channel_properties } = request.channel_properties;
    const payment_request_id = `pr-${this.#ids.uuid()}`;
    const created: PaymentRequest = {
      ...request,
      ...{ business_id: BUSINESS_ID, payment_request_id, channel_properties },
      capture_method: request.capture_method ?? 'AUTOMATIC',
      actions: [this.#actionFor(channel, pageOf(payment_request_id), payment_request_id)],
      ...{ status: 'REQUIRES_ACTION', created: this.time(), updated: this.time() },
    };
    this.requests.set(payment_request_id, created);
    return created;
  }

  #actionFor({ action }: Channel, page: string, id: string): PaymentRequest['actions'][number] {
    const type = 'PRESENT_TO_CUSTOMER';
    const digits = String(BigInt(`0x${id.replaceAll(/[^0-9a-f]/g, '').slice(0, 12)}`));
    const qr = `00020101021229370016A000000677010111${digits}5802TH6304`;
    if (action === 'qr') return { type, descriptor: 'QR_STRING', value: qr };
    if (action === 'account') return { type, descriptor: 'VIRTUAL_ACCOUNT_NUMBER', value: digits.slice(0, 14) };
    return { type: 'REDIRECT_CUSTOMER', descriptor: 'WEB_URL', value: page };
  }

  /** The latest request with our reference. */
  find(reference: string): PaymentRequest {
    const found = [...this.requests.values()].findLast(({ reference_id }) => reference_id === reference);
    if (!found) throw new Error(`Xendit has no payment request ${reference}`);
    return found;
  }

  change(request: PaymentRequest, status: PaymentRequest['status'], more: Partial<PaymentRequest> = {}): void {
    Object.assign(request, { status, updated: this.time(), actions: [], ...more });
  }

  /** The buyer has paid. A card or wallet pays the requested amount; an account may receive another. */
  succeed(request: PaymentRequest, amount = request.request_amount): PaymentResponse {
    if (request.capture_method === 'MANUAL') return this.#authorize(request);
    const payment = this.#pay(request, { status: 'SUCCEEDED', captures: [this.#capture(amount)] });
    this.change(request, 'SUCCEEDED', { latest_payment_id: payment.payment_id });
    this.#notify('payment.capture', payment);
    return payment;
  }

  #capture(amount: number) {
    return { capture_id: `cptr-${this.#ids.uuid()}`, capture_amount: amount, capture_timestamp: this.time() };
  }

  #authorize(request: PaymentRequest): PaymentResponse {
    const payment = this.#pay(request, { status: 'AUTHORIZED', captures: [] });
    this.change(request, 'AUTHORIZED', { latest_payment_id: payment.payment_id });
    this.#notify('payment.authorization', payment);
    return payment;
  }

  /** Captures an authorized payment; the rest is released. */
  capture(payment: PaymentResponse, amount: number): void {
    Object.assign(payment, { status: 'SUCCEEDED', captures: [this.#capture(amount)], updated: this.time() });
    this.#changeRequest(payment, 'SUCCEEDED');
    this.#notify('payment.capture', payment);
  }

  cancelPayment(payment: PaymentResponse): void {
    Object.assign(payment, { status: 'CANCELED', updated: this.time() });
    this.#changeRequest(payment, 'CANCELED');
  }

  #changeRequest({ payment_request_id: id }: PaymentResponse, status: PaymentRequest['status']): void {
    const request = this.requests.get(id);
    if (request) this.change(request, status);
  }

  fail(request: PaymentRequest, failure_code: FailureCode): void {
    const isCard = request.channel_code === 'CARDS';
    const payment_details = { card_network_response_code: '05', merchant_advice_code: '03' };
    const payment = this.#pay(request, { status: 'FAILED', failure_code, ...(isCard && { payment_details }) });
    this.change(request, 'FAILED', { latest_payment_id: payment.payment_id, failure_code });
    this.#notify('payment.failure', payment);
  }

  #pay(request: PaymentRequest, more: Pick<PaymentResponse, 'status'> & Partial<PaymentResponse>): PaymentResponse {
    const { payment_request_id, reference_id, country, currency, request_amount, channel_code } = request;
    const payment: PaymentResponse = {
      ...{ payment_id: `py-${this.#ids.uuid()}`, business_id: BUSINESS_ID, payment_request_id, reference_id },
      ...{ type: 'PAY', country, currency, request_amount, channel_code },
      ...{ created: this.time(), updated: this.time(), ...more },
    };
    this.payments.set(payment.payment_id, payment);
    return payment;
  }

  expire(request: PaymentRequest): void {
    this.change(request, 'EXPIRED');
    this.#send({ event: 'payment_request.expiry', data: structuredClone(request) }, request.reference_id);
  }

  /** The buyer returns from the issuer, bank or wallet. Xendit adds nothing to the URL. */
  completeVisit(request: PaymentRequest, result: 'authenticated' | 'failed'): Navigation {
    const isCard = request.channel_code === 'CARDS';
    if (request.status === 'REQUIRES_ACTION') {
      if (result === 'authenticated') this.succeed(request);
      else this.fail(request, isCard ? 'AUTHENTICATION_FAILED' : 'USER_DECLINED_PAYMENT');
    }
    const { success_return_url, failure_return_url } = request.channel_properties;
    const isApproved = request.status === 'SUCCEEDED' || request.status === 'AUTHORIZED';
    const url = isApproved ? success_return_url : failure_return_url;
    if (!url) throw new Error(`${request.payment_request_id} has no return URL`);
    return returnTo(url, {});
  }

  refund(request: z.infer<typeof xenditContract.refund.body>, paid: PaymentRequest, amount: number): RefundResponse {
    const refund: RefundResponse = {
      ...{ id: `rfd-${this.#ids.uuid()}`, payment_request_id: paid.payment_request_id },
      payment_id: paid.latest_payment_id ?? '',
      reference_id: request.reference_id ?? this.#ids.uuid(),
      ...{ amount, currency: paid.currency, channel_code: paid.channel_code, status: 'PENDING' },
      ...{ reason: request.reason, failure_code: null, refund_fee_amount: null, metadata: request.metadata ?? null },
      ...{ created: this.time(), updated: this.time() },
    };
    this.refunds.set(refund.id, refund);
    return refund;
  }

  /** `failed_late`: the channel reports a failure after the refund succeeded. */
  settleRefund(reference: string, outcome: 'succeeded' | 'failed' | 'failed_late'): void {
    const refund = [...this.refunds.values()].findLast(({ reference_id }) => reference_id === reference);
    if (!refund) throw new Error(`Xendit has no refund ${reference}`);
    if (outcome === 'failed_late' && refund.status === 'PENDING') this.settleRefund(reference, 'succeeded');
    const isSuccess = outcome === 'succeeded';
    const failure_code = isSuccess ? null : 'REFUND_FAILED';
    Object.assign(refund, { status: isSuccess ? 'SUCCEEDED' : 'FAILED', failure_code, updated: this.time() });
    const event = isSuccess ? 'refund.succeeded' : 'refund.failed';
    this.#send({ event, data: structuredClone(refund) }, reference);
  }

  /** Amounts that are refunded or reserved, in minor units. */
  refundedOf(
    paymentRequestId: string,
    statuses: readonly RefundResponse['status'][] = ['PENDING', 'SUCCEEDED'],
  ): bigint {
    const refunds = [...this.refunds.values()].filter((each) => each.payment_request_id === paymentRequestId);
    const counted = refunds.filter(({ status }) => statuses.includes(status));
    return counted.reduce((sum, { amount, currency }) => sum + toMinorUnits(amount, currency), 0n);
  }

  paidOf(paymentRequestId: string): bigint {
    const payments = [...this.payments.values()].filter((each) => each.payment_request_id === paymentRequestId);
    const captures = payments.flatMap(({ captures = [], currency }) => captures.map((each) => ({ ...each, currency })));
    return captures.reduce((sum, { capture_amount, currency }) => sum + toMinorUnits(capture_amount, currency), 0n);
  }

  /** Returns the dispute's ID. */
  openDispute(reference: string, given: { amountMinor?: bigint; dueAt?: string } = {}): string {
    const request = this.find(reference);
    const payment = this.payments.get(request.latest_payment_id ?? '');
    if (payment?.status !== 'SUCCEEDED') throw new Error(`${reference} is not paid`);
    const minor = given.amountMinor ?? toMinorUnits(request.request_amount, request.currency);
    const whole = formatMinor(minor, isoDecimals(request.currency));
    const opened: Dispute['opened'] = {
      ...{ event: 'dispute.action_required', id: `mi-dspt-${this.#ids.uuid()}`, channel_code: request.channel_code },
      ...{ card_brands: 'VISA', status: 'ACTION_REQUIRED', currency: request.currency },
      amount: { initial: whole.includes('.') ? whole : `${whole}.00`, terminal: null },
      ...{ created_at: this.time(), updated_at: this.time(), due_date: given.dueAt ?? this.time(14 * 86_400_000) },
      ...{ related_disputes: [], payment_id: payment.payment_id, reference_id: reference },
    };
    this.#disputes.set(opened.id, { payment, opened });
    this.#add(opened, reference);
    return opened.id;
  }

  closeDispute(disputeId: string, result: 'won' | 'lost'): void {
    const dispute = this.#disputes.get(disputeId);
    if (!dispute) throw new Error(`Xendit has no dispute ${disputeId}`);
    const status = result === 'won' ? 'WON' : 'LOST';
    const status_reason = result === 'won' ? 'CHALLENGED' : 'EXCEEDED_DEADLINE';
    const closed = { ...dispute.opened, event: `dispute.${result}`, status, status_reason, updated_at: this.time() };
    this.#add(closed as XenditWebhook, dispute.payment.reference_id);
  }

  #notify(event: 'payment.authorization' | 'payment.capture' | 'payment.failure', payment: PaymentResponse): void {
    this.#send({ event, data: structuredClone(payment) }, payment.reference_id);
  }

  #send(content: { event: string; data: object }, reference: string): void {
    this.#add({ ...content, business_id: BUSINESS_ID, created: this.time() } as XenditWebhook, reference);
  }

  #add(payload: XenditWebhook, reference: string): void {
    const reasons = mismatches(xenditWebhook, payload);
    if (reasons.length > 0) this.#violate(`webhook ${payload.event}`, reasons);
    this.webhooks.add({ event: payload.event, reference, payload });
  }

  /** Charged and refunded amounts. */
  charges(): SimulatorCharge[] {
    return [...this.requests.values()].map((request) => {
      const { payment_request_id: id, reference_id: reference, currency, request_amount, status } = request;
      const states = {
        ...({ SUCCEEDED: 'paid', AUTHORIZED: 'authorized', FAILED: 'declined' } as const),
        ...({ CANCELED: 'cancelled', EXPIRED: 'expired' } as const),
      };
      const state = states[status as keyof typeof states] ?? 'open';
      const amounts = { amountMinor: toMinorUnits(request_amount, currency), paidMinor: this.paidOf(id) };
      return { reference, id, currency, ...amounts, refundedMinor: this.refundedOf(id, ['SUCCEEDED']), state };
    });
  }
}

/** Converts an amount of Xendit to minor units of ISO 4217. */
export function toMinorUnits(amount: number, currency: string): bigint {
  const minor = parseAmount(amount, isoDecimals(currency));
  if (typeof minor !== 'bigint') throw new Error(`${amount} ${currency} is ${minor}`);
  return minor;
}

/** Converts minor units of ISO 4217 to an amount of Xendit, which counts in major units. */
export function toMajorUnits(minor: bigint, currency: string): number {
  return amountNumber(minor, isoDecimals(currency));
}

/** The channel of a stored request. */
export function channelOfRequest(request: PaymentRequest): Channel {
  const channel = channelOf(request);
  if (!channel) throw new Error(`Xendit has no channel ${request.channel_code}`);
  return channel;
}
