import { isoDecimals, rescale, type SimulatorCharge } from '../charges.ts';
import { mismatches } from '../contract.ts';
import { createIds } from '../ids.ts';
import { type Navigation, returnTo } from '../pages.ts';
import { WebhookQueue } from '../webhooks.ts';
import type { AdyenPaymentRequest } from './contract.ts';
import { brandOf, refusalReasons } from './methods.ts';
import { adyenSigning, type AdyenWebhookKeys } from './signing.ts';
import { type AdyenEvent, type AdyenItem, adyenWebhook } from './webhook-contract.ts';

type Amount = AdyenItem['amount'];

export interface AdyenPayment {
  pspReference: string;
  charge: AdyenPaymentRequest;
  state: SimulatorCharge['state'];
  paid: number;
  refunded: number;
  refusalCode: string | null;
  /** Result of the buyer's visit at the issuer or bank. */
  visit: 'authenticated' | 'failed' | null;
  redirectResult: string;
  capture: (CaptureIds & { amount: Amount }) | null;
  failedCapture: AdyenPayment['capture'];
}

interface CaptureIds {
  pspReference: string;
  reference: string;
}

interface Refund {
  pspReference: string;
  reference: string;
  payment: AdyenPayment;
  amount: Amount;
  state: 'pending' | 'succeeded' | 'failed';
}

/** Decimals of Adyen's page "Currency codes and minor units" that differ from ISO 4217. */
const differingDecimals: Readonly<Record<string, number>> = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 };

export function adyenDecimals(currency: string): number {
  return differingDecimals[currency] ?? isoDecimals(currency);
}

/** Card brand, or type of a local method, as webhooks name it. */
export function methodName({ paymentMethod }: AdyenPayment['charge']): string {
  return paymentMethod.type === 'scheme' ? brandOf(paymentMethod.number) : paymentMethod.type;
}

/** Payments, refunds and disputes of the test account, and the webhooks about them. */
export class AdyenAccount {
  readonly payments = new Map<string, AdyenPayment>();
  readonly refunds = new Map<string, Refund>();
  readonly webhooks: WebhookQueue<AdyenItem>;
  readonly #disputes = new Map<string, AdyenPayment>();
  readonly #ids = createIds('adyen');
  readonly #merchantAccount: string;
  readonly #now: () => number;
  readonly #violate: (where: string, reasons: readonly string[]) => void;

  constructor(
    keys: AdyenWebhookKeys & { merchantAccount: string },
    now: () => number,
    violate: (where: string, reasons: readonly string[]) => void,
  ) {
    this.#merchantAccount = keys.merchantAccount;
    this.#now = now;
    this.#violate = violate;
    this.webhooks = new WebhookQueue(adyenSigning(keys));
  }

  newReference(): string {
    return this.#ids.hex(16).toUpperCase();
  }

  create(charge: AdyenPayment['charge']): AdyenPayment {
    const payment: AdyenPayment = {
      pspReference: this.newReference(),
      charge,
      ...{ state: 'open', paid: 0, refunded: 0, refusalCode: null, visit: null, redirectResult: '', capture: null },
      failedCapture: null,
    };
    this.payments.set(payment.pspReference, payment);
    return payment;
  }

  /** All payments with our reference. Adyen accepts one more than once. */
  withReference(reference: string): AdyenPayment[] {
    return [...this.payments.values()].filter(({ charge }) => charge.reference === reference);
  }

  /** The latest payment with our reference. */
  find(reference: string): AdyenPayment {
    const payment = this.withReference(reference).at(-1);
    if (!payment) throw new Error(`Adyen has no payment ${reference}`);
    return payment;
  }

  authorize(payment: AdyenPayment, paid = payment.charge.amount.value): void {
    const isManual = payment.charge.additionalData?.manualCapture === 'true';
    payment.state = isManual ? 'authorized' : 'paid';
    payment.paid = isManual ? 0 : paid;
    const amount = { ...payment.charge.amount, value: paid };
    this.notify('AUTHORISATION', payment, true, { amount, operations: ['CANCEL', 'CAPTURE', 'REFUND'] });
  }

  refuse(payment: AdyenPayment, code = '2'): void {
    payment.state = 'declined';
    payment.refusalCode = code;
    this.notify('AUTHORISATION', payment, false, { reason: refusalReasons[code] ?? 'Refused' });
  }

  /** The buyer's visit ends. A card is authorized only by `/payments/details`; a bank has already moved the funds. */
  completeVisit(payment: AdyenPayment, result: 'authenticated' | 'failed'): Navigation {
    if (payment.visit === null) {
      payment.visit = result;
      payment.redirectResult = `X${this.newReference()}!${payment.pspReference}`;
      const isLocal = payment.charge.paymentMethod.type !== 'scheme' && payment.state === 'open';
      if (isLocal && result === 'authenticated') this.authorize(payment);
      if (isLocal && result === 'failed') this.refuse(payment, '16');
    }
    const { returnUrl, redirectFromIssuerMethod = 'GET' } = payment.charge;
    return returnTo(returnUrl, { redirectResult: payment.redirectResult }, redirectFromIssuerMethod);
  }

  /** Captures an authorized payment; the rest is released. */
  capture(payment: AdyenPayment, ids: CaptureIds, amount: Amount, isRefused: boolean): void {
    const isSuccess = payment.state === 'authorized' && amount.value <= payment.charge.amount.value && !isRefused;
    if (isSuccess) Object.assign(payment, { state: 'paid', paid: amount.value, capture: { ...ids, amount } });
    const reason = isSuccess ? '' : 'Payment is not authorized';
    this.notify('CAPTURE', payment, isSuccess, { ...this.#captured(payment, ids), amount, reason });
  }

  /** The scheme rejects a capture after it succeeded: the payment is authorized again. */
  failCapture(reference: string): void {
    const payment = this.find(reference);
    if (!payment.capture) throw new Error(`Adyen has no capture of ${reference}`);
    const { amount, ...ids } = payment.capture;
    Object.assign(payment, { state: 'authorized', paid: 0, capture: null, failedCapture: payment.capture });
    const reason = 'Rejected by the scheme';
    this.notify('CAPTURE_FAILED', payment, true, { ...this.#captured(payment, ids), amount, reason });
  }

  /** Adyen sends a failed capture to the scheme again (Adyen's page "CAPTURE_FAILED and REFUND_FAILED reasons"). */
  recapture(reference: string): void {
    const payment = this.find(reference);
    if (!payment.failedCapture) throw new Error(`Adyen has no failed capture of ${reference}`);
    const { amount, ...ids } = payment.failedCapture;
    Object.assign(payment, { state: 'paid', paid: amount.value, capture: payment.failedCapture, failedCapture: null });
    const reason = 'Transaction Recaptured';
    this.notify('CAPTURE', payment, true, { ...this.#captured(payment, ids), amount, reason });
  }

  #captured(payment: AdyenPayment, { pspReference, reference: merchantReference }: CaptureIds) {
    return { ...this.#after(payment, pspReference), merchantReference };
  }

  /** Starts a refund. Adyen accepts every one at first; the result follows as a webhook. */
  refund(payment: AdyenPayment, pspReference: string, reference: string, amount: Amount): void {
    const refund: Refund = { pspReference, reference, payment, amount, state: 'pending' };
    this.refunds.set(reference, refund);
    if (payment.state === 'paid' && payment.refunded + amount.value <= payment.paid) {
      payment.refunded += amount.value;
      return;
    }
    refund.state = 'failed';
    this.#notifyRefund('REFUND', refund, false, 'Insufficient balance on payment');
  }

  /** `failed_late`: the bank of the buyer returns the funds after the refund succeeded. */
  settleRefund(reference: string, outcome: 'succeeded' | 'failed' | 'failed_late'): void {
    const refund = this.refunds.get(reference);
    if (!refund) throw new Error(`Adyen has no refund ${reference}`);
    const { payment, amount, state } = refund;
    if (state === 'failed') return;
    const isRefused = outcome === 'failed';
    if (state === 'pending') this.#notifyRefund('REFUND', refund, !isRefused, isRefused ? 'Refused' : '');
    refund.state = outcome === 'succeeded' ? 'succeeded' : 'failed';
    if (outcome !== 'succeeded') payment.refunded -= amount.value;
    if (outcome === 'failed_late') this.#notifyRefund('REFUND_FAILED', refund, true, 'Refund failed');
  }

  /** Adyen sends a failed refund to the scheme again. */
  resendRefund(reference: string): void {
    const refund = this.refunds.get(reference);
    if (refund?.state !== 'failed') throw new Error(`Adyen has no failed refund ${reference}`);
    refund.state = 'succeeded';
    refund.payment.refunded += refund.amount.value;
    this.#notifyRefund('REFUND', refund, true, '');
  }

  #notifyRefund(event: AdyenEvent, refund: Refund, isSuccess: boolean, reason: string): void {
    const { payment, pspReference, reference: merchantReference, amount } = refund;
    this.notify(event, payment, isSuccess, {
      ...this.#after(payment, pspReference),
      merchantReference,
      amount,
      reason,
    });
  }

  /** The references of an event that follows a payment. */
  #after({ pspReference: originalReference }: AdyenPayment, pspReference = this.newReference()) {
    return { pspReference, originalReference };
  }

  /** Queues the result of a modification other than a refund. */
  notifyModified(
    event: 'CANCEL_OR_REFUND' | 'CANCELLATION' | 'TECHNICAL_CANCEL',
    payment: AdyenPayment,
    pspReference: string,
    isSuccess: boolean,
    more: Partial<AdyenItem> = {},
  ): void {
    const reason = isSuccess ? '' : 'Payment is not open';
    this.notify(event, payment, isSuccess, { ...this.#after(payment, pspReference), reason, ...more });
  }

  /** The scheme announces a chargeback, then books it. Returns the dispute's reference. */
  openDispute(reference: string, dispute: { reasonCode?: string; dueAt?: string; amount?: Amount } = {}): string {
    const payment = this.find(reference);
    const { reasonCode = '10.4', dueAt = new Date(this.#now() + 14 * 86_400_000).toISOString() } = dispute;
    const ids = this.#after(payment);
    const additionalData = {
      ...{ chargebackReasonCode: reasonCode, chargebackSchemeCode: methodName(payment.charge), defendable: 'true' },
      ...{ defensePeriodEndsAt: dueAt, disputeStatus: 'Undefended' },
    };
    const amount = dispute.amount ?? payment.charge.amount;
    this.#disputes.set(ids.pspReference, payment);
    for (const event of ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'] as const)
      this.notify(event, payment, true, { ...ids, amount, additionalData, reason: 'Fraud' });
    return ids.pspReference;
  }

  /**
   * `won` returns the funds to the merchant, with the reference of the payment only (Webhooks v1, examples of
   * `CHARGEBACK_REVERSED`); `lost` ends the defense period.
   */
  closeDispute(disputeReference: string, result: 'won' | 'lost'): void {
    const payment = this.#disputes.get(disputeReference);
    if (!payment) throw new Error(`Adyen has no dispute ${disputeReference}`);
    if (result === 'won') this.notify('CHARGEBACK_REVERSED', payment, true);
    else {
      const ids = this.#after(payment, disputeReference);
      this.notify('DISPUTE_DEFENSE_PERIOD_ENDED', payment, true, { ...ids, additionalData: { disputeStatus: 'Lost' } });
    }
  }

  /** Queues an event about a payment; `more` overrides its default fields. */
  notify(eventCode: AdyenEvent, payment: AdyenPayment, isSuccess: boolean, more: Partial<AdyenItem> = {}): void {
    this.notifyItem({
      amount: payment.charge.amount,
      eventCode,
      merchantReference: payment.charge.reference,
      paymentMethod: methodName(payment.charge),
      pspReference: payment.pspReference,
      reason: '',
      success: isSuccess ? 'true' : 'false',
      ...more,
    });
  }

  /** Queues an event that belongs to no payment, and others. */
  notifyItem(item: Omit<AdyenItem, 'eventDate' | 'merchantAccountCode'>): void {
    const eventDate = new Date(this.#now()).toISOString();
    const payload: AdyenItem = { merchantAccountCode: this.#merchantAccount, eventDate, ...item };
    const body = { live: 'false', notificationItems: [{ NotificationRequestItem: payload }] };
    const reasons = mismatches(adyenWebhook, body);
    if (reasons.length > 0) this.#violate(`webhook ${item.eventCode}`, reasons);
    this.webhooks.add({ event: item.eventCode, reference: item.merchantReference, payload });
  }

  /** Charged and refunded amounts. */
  charges(): SimulatorCharge[] {
    return [...this.payments.values()].map(({ pspReference: id, charge, state, paid, refunded }) => {
      const { currency, value } = charge.amount;
      const minor = (amount: number) => rescale(BigInt(amount), adyenDecimals(currency), isoDecimals(currency));
      const amounts = { amountMinor: minor(value), paidMinor: minor(paid), refundedMinor: minor(refunded) };
      return { reference: charge.reference, id, currency, ...amounts, state };
    });
  }
}
