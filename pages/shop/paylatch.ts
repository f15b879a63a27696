import { Webhook } from 'standardwebhooks';
import type { OrderStatus } from './orders.ts';
import { product } from './product.ts';

export interface PaylatchAccess {
  apiUrl: string;
  shopUrl: string;
  accessToken: string;
  callbackSecret: string;
}

/** What is to be paid. */
export interface Purchase {
  /** Ours, for the transaction: the same again answers the same payment. */
  reference: string;
  amountCents: number;
  description: string;
  successUrl: string;
  failUrl: string;
}

/** The payment service did not do what was asked; the message is what it said. */
export class PaylatchError extends Error {
  override name = 'PaylatchError';
}

/** What a merchant's own server does with the payment service: all of it is here. */
export class Paylatch {
  readonly #access: PaylatchAccess;
  readonly #webhook: Webhook;

  constructor(access: PaylatchAccess) {
    this.#access = access;
    this.#webhook = new Webhook(access.callbackSecret);
  }

  /** The `src` of a `<pay-form>` in which the buyer pays. */
  async createForm(purchase: Purchase): Promise<string> {
    const { embed_url: embedUrl } = await this.#create(purchase, 'custom_form');
    if (typeof embedUrl !== 'string') throw new PaylatchError('The payment service answered without a form');
    return embedUrl;
  }

  /** A link where the buyer pays. */
  async createLink(purchase: Purchase): Promise<string> {
    const { value } = await this.#create(purchase, 'link');
    const link = (value as { link?: unknown } | undefined)?.link;
    if (typeof link !== 'string') throw new PaylatchError('The payment service answered without a link');
    return link;
  }

  /** Nobody can pay there any more; throws when somebody has paid, or may be paying. */
  async cancel(reference: string): Promise<void> {
    await this.#post('/fiat/v1/transaction/cancel', { transaction_id: reference });
  }

  /** What has become of a payment, asked for; callbacks say the same without asking. */
  async readStatus(reference: string): Promise<OrderStatus> {
    const detail = await this.#call(`/fiat/v1/transaction?transaction_id=${encodeURIComponent(reference)}`, {});
    return orderStatus((detail as { status?: unknown }).status);
  }

  /** The payment and its status that a callback tells; throws when the signature is not the service's. */
  readCallback(body: string, headers: Record<string, string>): { reference: string; status: OrderStatus } | null {
    const callback = this.#webhook.verify(body, headers) as {
      type?: unknown;
      data?: { transaction_id?: unknown; status?: unknown };
    };
    if (callback.type !== 'fiat.transaction.updated' || typeof callback.data?.transaction_id !== 'string') return null;
    return { reference: callback.data.transaction_id, status: orderStatus(callback.data.status) };
  }

  async #create(purchase: Purchase, kind: 'custom_form' | 'link'): Promise<Record<string, unknown>> {
    const created = await this.#post('/fiat/v1/transaction', {
      transaction_id: purchase.reference,
      transaction_type: kind,
      payment_method: 'credit_card',
      amount: purchase.amountCents / 100,
      country: 'USA',
      currency: product.currency,
      description: purchase.description,
      success_redirect_url: purchase.successUrl,
      fail_redirect_url: purchase.failUrl,
      type_of_calculation: 'forward_without_fee',
    });
    return created as Record<string, unknown>;
  }

  async #post(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return await this.#call(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #call(path: string, request: RequestInit): Promise<unknown> {
    const headers = { ...request.headers, authorization: `Bearer ${this.#access.accessToken}` };
    let response: Response;
    try {
      response = await fetch(this.#access.apiUrl + path, { ...request, headers, signal: AbortSignal.timeout(15_000) });
    } catch {
      throw new PaylatchError('The payment service does not answer');
    }
    const body: unknown = await response.json().catch(() => null);
    if (response.ok && body !== null) return body;
    const detail = (body as { detail?: unknown } | null)?.detail;
    throw new PaylatchError(
      typeof detail === 'string' ? detail : `The payment service answered with status ${response.status}`,
    );
  }
}

function orderStatus(status: unknown): OrderStatus {
  if (status === 'transaction_status_confirmed') return 'paid';
  return status === 'transaction_status_failed' ? 'not_paid' : 'open';
}
