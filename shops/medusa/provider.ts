import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  BigNumberInput,
  CancelPaymentInput,
  CapturePaymentInput,
  DeletePaymentInput,
  GetPaymentStatusInput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  PaymentProviderOutput,
  PaymentSessionStatus,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RetrievePaymentInput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, MathBN, MedusaError } from '@medusajs/framework/utils';
import * as z from 'zod/mini';
import { type TransactionDetail, WebhookError } from '../../client/index.ts';
import { fromMinorUnits, toMinorUnits } from '../amounts.ts';
import { parseOptions, shopOptionFields, type ShopOptions } from '../options.ts';
import {
  capturedMinorUnits,
  type PaymentState,
  paymentStateOf,
  ShopPaymentError,
  ShopPayments,
} from '../transactions.ts';

/** Options of the provider in `medusa-config.ts`. */
export type PaylatchMedusaOptions = ShopOptions;

const optionsSchema: z.ZodMiniType<PaylatchMedusaOptions> = z.strictObject(shopOptionFields);

/** `data` of a payment session and its payment. The storefront reads it, and sends the buyer to `link`. */
const storedData = z.object({
  session_id: z.string(),
  transaction_id: z.string(),
  /** In minor units, as text: JSON has no bigint. */
  minor_units: z.string(),
  currency: z.string(),
  link: z.string(),
});
type StoredData = z.infer<typeof storedData>;

/** `data` of a new session: its ID, from Medusa, and the return page, from the storefront. */
const sessionData = z.object({ session_id: z.string(), return_url: z.optional(z.string()) });

/** The services of Medusa's payment module that the provider uses. */
interface Cradle extends Record<string, unknown> {
  logger?: { warn(message: string): void; error(message: string): void };
  captureService?: {
    retrieve(id: string): Promise<{ payment_id: string }>;
    list(filters: { payment_id: string }): Promise<{ raw_amount: BigNumberInput }[]>;
  };
}

const statuses: Record<PaymentState, PaymentSessionStatus> = {
  open: 'requires_more',
  processing: 'pending',
  authorized: 'authorized',
  paid: 'captured',
  canceled: 'canceled',
  declined: 'error',
};

export class PaylatchPaymentProvider extends AbstractPaymentProvider<PaylatchMedusaOptions> {
  static override identifier = 'paylatch';
  readonly #payments: ShopPayments;
  readonly #returnOrigin: string;
  readonly #returnUrl: string;
  /** Resolves services lazily. */
  readonly #cradle: Cradle;

  static override validateOptions(options: Record<string, unknown>): void {
    parseOptions(optionsSchema, options);
  }

  constructor(cradle: Record<string, unknown>, options: PaylatchMedusaOptions) {
    super(cradle, options);
    const parsed = parseOptions(optionsSchema, options);
    this.#payments = new ShopPayments(parsed);
    this.#returnUrl = parsed.returnUrl;
    this.#returnOrigin = new URL(parsed.returnUrl).origin;
    this.#cradle = cradle;
  }

  async initiatePayment({ data, ...input }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const { session_id: session, return_url: returnUrl } = parseSession(data);
    const stored = await this.#createLink(session, session, { ...input, returnUrl });
    return { id: stored.transaction_id, data: stored, status: 'pending' };
  }

  /** The amount of a transaction is fixed, so a new amount needs a new transaction. */
  async updatePayment({ data, ...input }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const stored = parseStored(data);
    const currency = input.currency_code.toUpperCase();
    const minor = toMinorUnits(MathBN.convert(input.amount).toFixed(), currency);
    if (stored.currency === currency && stored.minor_units === String(minor)) return { data: stored };
    await this.#inMedusa(this.#payments.cancelOrVoid(stored.transaction_id));
    const [, count = '1'] = /\.(\d+)$/.exec(stored.transaction_id) ?? [];
    const reference = `${stored.session_id}.${Number(count) + 1}`;
    const { return_url: returnUrl } = parseSession(data);
    return { data: await this.#createLink(stored.session_id, reference, { ...input, returnUrl }), status: 'pending' };
  }

  async #createLink(
    session: string,
    reference: string,
    {
      amount,
      currency_code,
      context,
      returnUrl,
    }: Omit<InitiatePaymentInput, 'data'> & { returnUrl: string | undefined },
  ): Promise<StoredData> {
    const currency = currency_code.toUpperCase();
    const minor = toMinorUnits(MathBN.convert(amount).toFixed(), currency);
    const { email, first_name: firstName, last_name: lastName } = context?.customer ?? {};
    const payer = {
      ...(email !== undefined && { email }),
      ...(firstName && { first_name: firstName }),
      ...(lastName && { last_name: lastName }),
    };
    const link = await this.#inMedusa(
      this.#payments.createLink({
        reference,
        minor,
        currency,
        description: 'Your order',
        returnUrl: this.#checkReturnUrl(returnUrl),
        metadata: { medusa_payment_session: session },
        ...(email !== undefined && { payer }),
      }),
    );
    return { session_id: session, transaction_id: reference, minor_units: String(minor), currency, link };
  }

  /** The store API lets anyone choose the return page, so it must be on the storefront's origin: no open redirect. */
  #checkReturnUrl(url: string | undefined): string {
    if (url === undefined) return this.#returnUrl;
    if (URL.parse(url)?.origin === this.#returnOrigin) return url;
    throw new MedusaError(MedusaError.Types.INVALID_DATA, `return_url must begin with ${this.#returnOrigin}.`);
  }

  async authorizePayment({ data }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return await this.#status(parseStored(data));
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<AuthorizePaymentOutput> {
    return await this.#status(parseStored(data));
  }

  async #status(data: StoredData) {
    const expected = { minor: BigInt(data.minor_units), currency: data.currency };
    const transaction = await this.#inMedusa(this.#payments.retrieveExpected(data.transaction_id, expected));
    const state = paymentStateOf(transaction);
    // For `captured`, Medusa records the full amount as captured. A webhook reports a partial capture.
    const isPartial = state === 'paid' && capturedMinorUnits(transaction) < expected.minor;
    return { status: isPartial ? ('authorized' as const) : statuses[state], data };
  }

  async capturePayment({ data, context }: CapturePaymentInput): Promise<PaymentProviderOutput> {
    const stored = parseStored(data);
    const capture = context?.idempotency_key;
    const total = { minor: await this.#totalOfCaptures(stored, capture), currency: stored.currency };
    await this.#inMedusa(this.#payments.capture(stored.transaction_id, total, capture ?? stored.transaction_id));
    return { data: stored };
  }

  /**
   * Medusa passes no amount to providers, but has already stored the capture. The sum of the payment's captures is the
   * total to capture.
   */
  async #totalOfCaptures({ currency, minor_units }: StoredData, capture: string | undefined): Promise<bigint> {
    if (capture === undefined) return BigInt(minor_units);
    const { captureService } = this.#cradle;
    if (!captureService) throw new MedusaError(MedusaError.Types.NOT_ALLOWED, 'The captured amount is not available.');
    const { payment_id } = await captureService.retrieve(capture);
    const captures = await captureService.list({ payment_id });
    return toMinorUnits(MathBN.sum(...captures.map(({ raw_amount }) => raw_amount)).toFixed(), currency);
  }

  async cancelPayment({ data, context }: CancelPaymentInput): Promise<PaymentProviderOutput> {
    const stored = parseStored(data);
    // Without a payment ID, Medusa is undoing an authorization that it could not store. In a race between a webhook and
    // the storefront, the other request has stored it (https://github.com/medusajs/medusa/issues/13301). Otherwise, the
    // session remains, and can be authorized again or deleted.
    if (context?.idempotency_key === undefined) {
      this.#cradle.logger?.warn(
        `Payment of session ${stored.session_id} was not stored, or was stored by a concurrent request. It is not voided.`,
      );
      return { data: stored };
    }
    await this.#inMedusa(this.#payments.cancelOrVoid(stored.transaction_id));
    return { data: stored };
  }

  /** Fails if the buyer has paid or is paying, so that Medusa reverts the change to the cart. */
  async deletePayment({ data }: DeletePaymentInput): Promise<PaymentProviderOutput> {
    // A session whose creation failed has no transaction.
    const { success, data: stored } = storedData.safeParse(data);
    if (!success) return { data: data ?? {} };
    const transaction = await this.#inMedusa(this.#payments.retrieve(stored.transaction_id));
    await this.#inMedusa(this.#cancelLink(transaction));
    return { data: stored };
  }

  async #cancelLink(transaction: TransactionDetail) {
    if (paymentStateOf(transaction) === 'authorized')
      throw new ShopPaymentError(
        `Transaction ${transaction.transaction_id} is authorized: the cart cannot change. Complete it, or cancel the payment.`,
      );
    await this.#payments.cancelOrVoid(transaction.transaction_id);
  }

  async refundPayment({ data, amount, context }: RefundPaymentInput): Promise<PaymentProviderOutput> {
    const stored = parseStored(data);
    const minor = toMinorUnits(MathBN.convert(amount).toFixed(), stored.currency);
    const key = context?.idempotency_key ?? `${stored.transaction_id}-${minor}`;
    const { problem } = await this.#inMedusa(
      this.#payments.refund(stored.transaction_id, { minor, currency: stored.currency }, key),
    );
    if (problem !== undefined) throw new MedusaError(MedusaError.Types.NOT_ALLOWED, problem);
    return { data: stored };
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<PaymentProviderOutput> {
    const stored = parseStored(data);
    const transaction = await this.#inMedusa(this.#payments.retrieve(stored.transaction_id));
    return { data: { ...stored, transaction } };
  }

  /**
   * Reads the transaction's current state, because webhooks can be late, duplicate or out of order. A payment with
   * automatic capture is also reported as `authorized`: Medusa then places the order only under the cart's lock, and
   * `authorizePayment` returns `captured`.
   */
  async getWebhookActionAndData({ rawData, headers }: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const event = await this.#payments
      .verify({ headers: headers as Record<string, string>, body: rawData })
      .catch((error: unknown) => {
        if (!(error instanceof WebhookError)) throw error;
        this.#cradle.logger?.warn(`Rejected a webhook for Paylatch: ${error.code}. ${error.message}`);
        return null;
      });
    if (event?.type !== 'fiat.transaction.updated') return { action: 'not_supported' };
    const transaction = await this.#inMedusa(this.#payments.retrieve(event.data.transaction_id));
    const session = transaction.metadata?.['medusa_payment_session'];
    if (session === undefined) return { action: 'not_supported' };
    const { status, authorization, timeline } = transaction;
    const failure = authorization?.status === 'authorized' ? authorization.failure : undefined;
    // After a partial reversal the reason is `underpaid`, as for a partial payment.
    const paid = 'transaction_status_confirmed';
    const isReversed = status !== paid && timeline.some((event) => event.status === paid);
    if (failure || isReversed)
      this.#cradle.logger?.error(
        `Transaction ${transaction.transaction_id} is not paid: ${failure?.detail ?? 'the funds were reversed.'} Check it in Paylatch before you ship its order.`,
      );
    const state = paymentStateOf(transaction);
    const isCapture = state === 'paid' && transaction.capture === 'manual';
    const minor = isCapture ? capturedMinorUnits(transaction) : toMinorUnits(transaction.amount, transaction.currency);
    return {
      action: state === 'paid' && !isCapture ? 'authorized' : webhookActions[state],
      data: { session_id: session, amount: fromMinorUnits(minor, transaction.currency) },
    };
  }

  /** Converts a `ShopPaymentError` to a `MedusaError`, so that the admin shows its message. */
  async #inMedusa<Result>(call: Promise<Result>): Promise<Result> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof ShopPaymentError)) throw error;
      throw new MedusaError(MedusaError.Types.NOT_ALLOWED, error.message);
    }
  }
}

const webhookActions: Record<PaymentState, WebhookActionResult['action']> = {
  open: 'requires_more',
  processing: 'pending',
  authorized: 'authorized',
  paid: 'captured',
  canceled: 'canceled',
  declined: 'failed',
};

function parseSession(data: Record<string, unknown> | undefined): z.infer<typeof sessionData> {
  const { success, data: session } = sessionData.safeParse(data);
  if (success) return session;
  throw new MedusaError(
    MedusaError.Types.INVALID_DATA,
    'return_url must be a string, and the session must have an ID.',
  );
}

function parseStored(data: Record<string, unknown> | undefined): StoredData {
  const { success, data: stored } = storedData.safeParse(data);
  if (success) return stored;
  throw new MedusaError(MedusaError.Types.INVALID_DATA, 'The payment has no Paylatch transaction.');
}
