import { randomUUID } from 'node:crypto';

export type OrderStatus = 'open' | 'paid' | 'not_paid';

/** Payment for an order: in the form on the shop's page, or on the payment service's own page. */
export interface OrderPayment {
  readonly kind: 'form' | 'link';
  /** Transaction ID at the payment service. */
  readonly reference: string;
  readonly url: string;
}

export interface Order {
  readonly id: string;
  readonly quantity: number;
  status: OrderStatus;
  /** Null until the payment service has created it. */
  payment: OrderPayment | null;
}

/** Orders are kept in memory, up to this number. A restart clears them. */
const MAX_ORDERS = 1000;

export class Orders {
  readonly #orders = new Map<string, Order>();

  create(quantity: number): Order {
    const order: Order = { id: `order-${randomUUID().slice(0, 8)}`, quantity, status: 'open', payment: null };
    const [oldest] = this.#orders.keys();
    if (this.#orders.size >= MAX_ORDERS && oldest !== undefined) this.#orders.delete(oldest);
    this.#orders.set(order.id, order);
    return order;
  }

  find(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  /** Applies the status of one of an order's payments. */
  recordPaymentStatus({ reference, status }: { reference: string; status: OrderStatus }) {
    const order = this.find(orderIdFromReference(reference));
    if (!order || order.status === 'paid') return;
    // Either payment counts once it is paid. A failed one counts only if it is the current payment.
    if (status === 'paid' || order.payment?.reference === reference) order.status = status;
  }
}

const LINK_SUFFIX = '-link';

/** An order can be paid by form or, after that, by link. Each payment is a separate transaction. */
export function paymentReference(orderId: string, kind: OrderPayment['kind']): string {
  return kind === 'form' ? orderId : orderId + LINK_SUFFIX;
}

function orderIdFromReference(reference: string): string {
  return reference.endsWith(LINK_SUFFIX) ? reference.slice(0, -LINK_SUFFIX.length) : reference;
}
