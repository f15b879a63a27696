import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type Client, createClient, type CreateTransactionInput } from '../../client/index.ts';
import type { OrderStatus } from './orders.ts';
import { product } from './product.ts';

export interface PaylatchAccess {
  apiUrl: string;
  shopUrl: string;
  accessToken: string;
  callbackSecret: string;
}

/** A payment for an order. */
export interface Purchase {
  /** The shop's transaction ID. Creating a payment with the same ID again returns the same payment. */
  reference: string;
  quantity: number;
  description: string;
  successUrl: string;
  failUrl: string;
}

/** All calls of the merchant's server to the payment service. */
export class Paylatch {
  readonly #client: Client;
  readonly #webhook: Webhook;
  readonly #shopUrl: string;

  constructor(access: PaylatchAccess) {
    this.#client = createClient({ baseUrl: access.apiUrl, token: access.accessToken, timeoutMs: 15_000 });
    this.#webhook = new Webhook(access.callbackSecret);
    this.#shopUrl = access.shopUrl;
  }

  /** Creates a payment and returns the `src` of its `<pay-form>`. */
  async createForm(purchase: Purchase): Promise<string> {
    const created = await this.#create(purchase, 'custom_form');
    if (created.type !== 'custom_form') throw new Error('The payment service returned no form');
    return created.embed_url;
  }

  /** Creates a payment link and returns its URL. */
  async createLink(purchase: Purchase): Promise<string> {
    const created = await this.#create(purchase, 'link');
    if (created.type !== 'link') throw new Error('The payment service returned no link');
    return created.value.link;
  }

  /** Cancels a payment. Throws if it is paid or in progress. */
  async cancel(reference: string): Promise<void> {
    await this.#client.cancelTransaction({ transaction_id: reference }, { idempotencyKey: randomUUID() });
  }

  /** Reads the status of a payment. Webhooks report the same without a request. */
  async readStatus(reference: string): Promise<OrderStatus> {
    const { status } = await this.#client.getTransaction({ transaction_id: reference });
    return toOrderStatus(status);
  }

  /**
   * Verifies a webhook and returns the payment's new status; null for other events. Throws if the signature is
   * invalid.
   */
  verifyWebhook(body: string, headers: Record<string, string>): { reference: string; status: OrderStatus } | null {
    const event = this.#webhook.verify(body, headers) as {
      type?: unknown;
      data?: { transaction_id?: unknown; status?: unknown };
    };
    if (event.type !== 'fiat.transaction.updated' || typeof event.data?.transaction_id !== 'string') return null;
    return { reference: event.data.transaction_id, status: toOrderStatus(event.data.status) };
  }

  async #create(purchase: Purchase, kind: 'custom_form' | 'link') {
    const transaction: CreateTransactionInput = {
      transaction_id: purchase.reference,
      transaction_type: kind,
      payment_method: 'credit_card',
      amount: (product.priceCents * purchase.quantity) / 100,
      line_items: [
        {
          name: product.name,
          quantity: purchase.quantity,
          unit_amount: product.priceCents / 100,
          image_url: `${this.#shopUrl}/kettle.svg`,
        },
      ],
      country: 'USA',
      currency: product.currency,
      description: purchase.description,
      success_redirect_url: purchase.successUrl,
      fail_redirect_url: purchase.failUrl,
      type_of_calculation: 'forward_without_fee',
    };
    // With an idempotency key, the client can retry after a lost response.
    return await this.#client.createTransaction(transaction, { idempotencyKey: randomUUID() });
  }
}

function toOrderStatus(status: unknown): OrderStatus {
  if (status === 'transaction_status_confirmed') return 'paid';
  return status === 'transaction_status_failed' ? 'not_paid' : 'open';
}
