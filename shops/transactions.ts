import {
  type Client,
  createClient,
  type CreateTransactionInput,
  PaylatchError,
  type ReceivedWebhook,
  type TransactionDetail,
  verifyWebhook,
  type WebhookRequest,
} from '../client/index.ts';
import { fromMinorUnits, toMinorUnits } from './amounts.ts';
import type { ShopOptions } from './options.ts';

/** An error that a shop can show to its staff. `message` states the problem and the next step. */
export class ShopPaymentError extends Error {
  override readonly name = 'ShopPaymentError';
}

/** True for an error of the API after which the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ShopPaymentError && error.cause instanceof PaylatchError && error.cause.retryable;
}

/**
 * True if the service refused a request in the transaction's current state. It repeats that response for the same
 * idempotency key. Not for other errors, such as a rejected token: an earlier request with the key may have succeeded.
 */
export function isRefused(error: unknown): error is ShopPaymentError {
  return (
    error instanceof ShopPaymentError &&
    error.cause instanceof PaylatchError &&
    error.cause.status === 409 &&
    !error.cause.retryable
  );
}

/** The amount that a shop expects for a payment. */
export interface ExpectedAmount {
  /** In minor units. */
  minor: bigint;
  currency: string;
}

/**
 * State of a transaction for a shop. `open`: can be paid. `processing`: a payment is in progress or awaiting review.
 * `authorized`: reserved on the card. `paid`: received or captured. `canceled`: ended without payment, but funds may
 * still arrive or be accepted; or refunded in full, so that a late webhook places no order. `declined`: final.
 */
export type PaymentState = 'open' | 'processing' | 'authorized' | 'paid' | 'canceled' | 'declined';

export function paymentStateOf(transaction: TransactionDetail): PaymentState {
  const { status, reason, authorization } = transaction;
  switch (status) {
    case 'transaction_status_confirmed':
      return isRefunded(transaction) ? 'canceled' : 'paid';
    case 'transaction_status_waiting':
      return authorization?.status === 'authorized' || authorization?.status === 'capture_pending'
        ? 'authorized'
        : 'processing';
    case 'transaction_status_failed':
      return reason === 'declined' || reason === 'rejected' ? 'declined' : 'canceled';
    case 'transaction_status_pending':
      return 'open';
  }
}

/** The captured amount in minor units; 0 before the capture. */
export function capturedMinorUnits(transaction: TransactionDetail): bigint {
  if (paymentStateOf(transaction) !== 'paid') return 0n;
  const amount = transaction.authorization?.captured_amount ?? transaction.amount;
  return toMinorUnits(amount, transaction.currency);
}

type RefundState = TransactionDetail['refunds'][number]['state'];

/** State of a refund in parts, one per payment received: failed or pending if any part is. */
export function refundStateOf(parts: readonly { state: RefundState }[]): RefundState {
  return (['failed', 'pending'] as const).find((each) => parts.some(({ state }) => state === each)) ?? 'succeeded';
}

interface NewLink extends ExpectedAmount {
  /** Unique among the merchant's transactions. */
  reference: string;
  description: string;
  returnUrl: string;
  metadata: Record<string, string>;
  payer?: CreateTransactionInput['payer'];
}

/** Paylatch payments of one shop. */
export class ShopPayments {
  readonly client: Client;
  readonly #options: ShopOptions;

  constructor(options: ShopOptions, client = createClient({ baseUrl: options.baseUrl, token: options.token })) {
    this.#options = options;
    this.client = client;
  }

  /** Creates a payment link. A repeated call returns the same link. */
  async createLink({ reference, minor, currency, returnUrl, payer, ...fields }: NewLink): Promise<string> {
    const method = this.#options.currencies[currency];
    if (!method) throw new ShopPaymentError(`${currency} is not in the currencies option of the Paylatch plugin.`);
    if (minor <= 0n) throw new ShopPaymentError('The amount must be greater than 0.');
    const input: CreateTransactionInput = {
      ...fields,
      transaction_id: reference,
      amount: fromMinorUnits(minor, currency),
      // The service checks the codes: it may support more than this release of the client knows.
      currency: currency as CreateTransactionInput['currency'],
      country: method.country as CreateTransactionInput['country'],
      payment_method: method.paymentMethod ?? 'credit_card',
      success_redirect_url: returnUrl,
      fail_redirect_url: returnUrl,
      type_of_calculation: 'forward_without_fee',
      ...(this.#options.capture === 'manual' && { capture: 'manual' as const }),
      ...(payer && { payer }),
    };
    const created = await request(this.client.createTransaction(input, { idempotencyKey: `create-${reference}` }));
    if (created.type !== 'link') throw new ShopPaymentError('Paylatch returned no payment link.');
    return created.value.link;
  }

  async retrieve(reference: string): Promise<TransactionDetail> {
    return await request(this.client.getTransaction({ transaction_id: reference }));
  }

  /**
   * Retrieves a transaction. Throws if its amount or currency differs from the expected one, in which case the shop
   * must not accept the payment.
   */
  async retrieveExpected(reference: string, expected: ExpectedAmount): Promise<TransactionDetail> {
    const transaction = await this.retrieve(reference);
    const minor = toMinorUnits(transaction.amount, transaction.currency);
    if (transaction.currency === expected.currency && minor === expected.minor) return transaction;
    throw new ShopPaymentError(
      `Transaction ${reference} is for ${transaction.amount} ${transaction.currency}, not ${fromMinorUnits(expected.minor, expected.currency)} ${expected.currency}. Refund it in Paylatch, and create another payment.`,
    );
  }

  /**
   * Captures `total` of an authorized payment. Does nothing if that amount has already been captured, for example by a
   * repeated request or in the account area. An authorization can be captured only once, and the rest is released.
   */
  async capture(reference: string, total: ExpectedAmount, idempotencyKey: string): Promise<TransactionDetail> {
    const transaction = await this.retrieve(reference);
    if (transaction.currency !== total.currency)
      throw new ShopPaymentError(`Transaction ${reference} is in ${transaction.currency}, not ${total.currency}.`);
    const state = paymentStateOf(transaction);
    if (state === 'paid') {
      if (total.minor <= capturedMinorUnits(transaction)) return transaction;
      const { captured_amount: captured } = transaction.authorization ?? { captured_amount: transaction.amount };
      throw new ShopPaymentError(
        `Paylatch captured ${captured} ${transaction.currency} of transaction ${reference} and released the rest. An authorization can be captured only once.`,
      );
    }
    if (state !== 'authorized')
      throw new ShopPaymentError(`Transaction ${reference} is not authorized. ${hintOf(state)}`);
    const amount = fromMinorUnits(total.minor, total.currency);
    const captured = await request(
      this.client.captureTransaction({ transaction_id: reference, amount }, { idempotencyKey }),
    );
    if (paymentStateOf(captured) === 'paid') return captured;
    const { failure } = captured.authorization ?? {};
    throw new ShopPaymentError(
      failure
        ? `The capture of transaction ${reference} was refused: ${failure.detail}`
        : `The capture of transaction ${reference} is pending with the acquirer. A webhook reports when it is captured.`,
    );
  }

  /**
   * Cancels the link of an unpaid transaction, or voids its authorization. Does nothing if it was already canceled or
   * declined. Throws if it was paid, or a payment is in progress.
   */
  async cancelOrVoid(reference: string): Promise<TransactionDetail> {
    const transaction = await this.retrieve(reference);
    const state = paymentStateOf(transaction);
    if (state === 'canceled' || state === 'declined') return transaction;
    if (state === 'paid') {
      throw new ShopPaymentError(`Transaction ${reference} has been paid. Refund it instead of canceling it.`);
    }
    const input = { transaction_id: reference };
    const ended =
      state === 'authorized'
        ? await request(this.client.voidTransaction(input))
        : await request(this.client.cancelTransaction(input));
    if (paymentStateOf(ended) === 'canceled') return ended;
    throw new ShopPaymentError(
      ended.authorization?.failure?.detail ??
        `Transaction ${reference} is not canceled yet. A webhook reports when it is; then try again.`,
    );
  }

  /**
   * Refunds a payment in full or in part. Returns the numbers of the refunds, and their common state, which can still be
   * pending. `problem` states what failed.
   */
  async refund(reference: string, amount: ExpectedAmount, idempotencyKey: string) {
    const { refunds, requested_refunds: numbers = [] } = await request(
      this.client.refundTransaction(
        { transaction_id: reference, amount: fromMinorUnits(amount.minor, amount.currency) },
        { idempotencyKey },
      ),
    );
    const parts = refunds.filter(({ number }) => numbers.includes(number));
    if (parts.length === 0) throw new ShopPaymentError(`Paylatch returned no refund for transaction ${reference}.`);
    const failed = parts.find(({ state }) => state === 'failed');
    const rest = parts.filter(({ state }) => state !== 'failed').map((each) => `${each.amount} ${amount.currency}`);
    const exception = rest.length > 0 ? `, except ${rest.join(' and ')}` : '';
    const problem = failed && `The refund of transaction ${reference} failed${exception}: ${failed.failure?.detail}`;
    return { numbers, state: refundStateOf(parts), problem };
  }

  /** Verifies a webhook. Throws a `WebhookError` if it is not from the service, or for another merchant. */
  async verify(webhook: WebhookRequest): Promise<ReceivedWebhook> {
    const { webhookKey, merchantId } = this.#options;
    return await verifyWebhook(webhook, { key: webhookKey, merchantId });
  }
}

/** True if the received amount has been refunded in full, including pending refunds. */
function isRefunded({ amount_received: received, refunds, currency }: TransactionDetail): boolean {
  const returned = refunds
    .filter(({ state }) => state !== 'failed')
    .reduce((sum, { amount }) => sum + toMinorUnits(amount, currency), 0n);
  return returned > 0n && returned >= toMinorUnits(received, currency);
}

function hintOf(state: PaymentState): string {
  return state === 'processing'
    ? 'A payment is in progress or awaiting review.'
    : 'It has not been paid, or has ended without payment.';
}

/** Converts an API error to a `ShopPaymentError`. */
async function request<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof PaylatchError)) throw error;
    const fields = error.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
    throw new ShopPaymentError(`${error.message}${fields && ` (${fields})`} [${error.code}]`, { cause: error });
  }
}
