import { Webhook } from 'standardwebhooks';
import type { Order, OrderStatus } from './orders.ts';
import { priceOf, product } from './product.ts';

export interface PaylatchAccess {
  apiUrl: string;
  shopUrl: string;
  accessToken: string;
  callbackSecret: string;
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

  /** A link where the buyer pays for the order. */
  async createLink(order: Order): Promise<string> {
    const orderUrl = `${this.#access.shopUrl}/orders/${order.id}`;
    const created = await this.#call('/fiat/v1/transaction', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        transaction_id: order.id,
        payment_method: 'credit_card',
        amount: (product.priceCents * order.quantity) / 100,
        country: 'USA',
        currency: product.currency,
        description: `${product.name}, ${order.quantity} × ${priceOf(1)}`,
        success_redirect_url: `${orderUrl}/thanks`,
        fail_redirect_url: `${orderUrl}/failed`,
        type_of_calculation: 'forward_without_fee',
      }),
    });
    const link = (created as { value?: { link?: unknown } }).value?.link;
    if (typeof link !== 'string') throw new PaylatchError('The payment service answered without a link');
    return link;
  }

  /** What has become of an order, asked for; callbacks say the same without asking. */
  async readStatus(orderId: string): Promise<OrderStatus> {
    const detail = await this.#call(`/fiat/v1/transaction?transaction_id=${encodeURIComponent(orderId)}`, {});
    return orderStatus((detail as { status?: unknown }).status);
  }

  /** The order and its status that a callback tells; throws when the signature is not the service's. */
  readCallback(body: string, headers: Record<string, string>): { orderId: string; status: OrderStatus } | null {
    const callback = this.#webhook.verify(body, headers) as {
      type?: unknown;
      data?: { transaction_id?: unknown; status?: unknown };
    };
    if (callback.type !== 'fiat.transaction.updated' || typeof callback.data?.transaction_id !== 'string') return null;
    return { orderId: callback.data.transaction_id, status: orderStatus(callback.data.status) };
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
