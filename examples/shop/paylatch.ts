import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type Client, createClient } from '../../client/index.ts';
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

/** What a merchant's own server does with the payment service: all of it is here. */
export class Paylatch {
  readonly #client: Client;
  readonly #webhook: Webhook;

  constructor(access: PaylatchAccess) {
    this.#client = createClient({ baseUrl: access.apiUrl, token: access.accessToken, timeoutMs: 15_000 });
    this.#webhook = new Webhook(access.callbackSecret);
  }

  /** The `src` of a `<pay-form>` in which the buyer pays. */
  async createForm(purchase: Purchase): Promise<string> {
    const created = await this.#create(purchase, 'custom_form');
    if (created.type !== 'custom_form') throw new Error('The payment service answered without a form');
    return created.embed_url;
  }

  /** A link where the buyer pays. */
  async createLink(purchase: Purchase): Promise<string> {
    const created = await this.#create(purchase, 'link');
    if (created.type !== 'link') throw new Error('The payment service answered without a link');
    return created.value.link;
  }

  /** Nobody can pay there any more; throws when somebody has paid, or may be paying. */
  async cancel(reference: string): Promise<void> {
    await this.#client.cancelTransaction({ transaction_id: reference }, { idempotencyKey: randomUUID() });
  }

  /** What has become of a payment, asked for; callbacks say the same without asking. */
  async readStatus(reference: string): Promise<OrderStatus> {
    const { status } = await this.#client.getTransaction({ transaction_id: reference });
    return orderStatus(status);
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

  async #create(purchase: Purchase, kind: 'custom_form' | 'link') {
    const transaction = {
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
    } as const;
    // With a key of its own the client may send it again when an answer is lost.
    return await this.#client.createTransaction(transaction, { idempotencyKey: randomUUID() });
  }
}

function orderStatus(status: unknown): OrderStatus {
  if (status === 'transaction_status_confirmed') return 'paid';
  return status === 'transaction_status_failed' ? 'not_paid' : 'open';
}
