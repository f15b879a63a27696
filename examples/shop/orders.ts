import { randomUUID } from 'node:crypto';

export type OrderStatus = 'open' | 'paid' | 'not_paid';

/** How the buyer pays for an order: in the form on the shop's page, or on the payment service's own. */
export interface OrderPayment {
  readonly kind: 'form' | 'link';
  /** The transaction's, at the payment service. */
  readonly reference: string;
  readonly address: string;
}

export interface Order {
  readonly id: string;
  readonly quantity: number;
  status: OrderStatus;
  /** Null until the payment service has made it. */
  payment: OrderPayment | null;
}

/** A demo's memory: bounded, and gone when it stops. */
const ORDERS_KEPT = 1000;

export class Orders {
  readonly #orders = new Map<string, Order>();

  open(quantity: number): Order {
    const order: Order = { id: `order-${randomUUID().slice(0, 8)}`, quantity, status: 'open', payment: null };
    const [oldest] = this.#orders.keys();
    if (this.#orders.size >= ORDERS_KEPT && oldest !== undefined) this.#orders.delete(oldest);
    this.#orders.set(order.id, order);
    return order;
  }

  find(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  /** Takes what the payment service has told of one of an order's payments. */
  settle({ reference, status }: { reference: string; status: OrderStatus }) {
    const order = this.find(orderOf(reference));
    if (!order || order.status === 'paid') return;
    // Money counts whichever way it comes; that the other way is closed says nothing of the order.
    if (status === 'paid' || order.payment?.reference === reference) order.status = status;
  }
}

const LINK_SUFFIX = '-link';

/** An order may be paid in two ways, one after the other: each is a transaction of its own. */
export function referenceOf(orderId: string, kind: OrderPayment['kind']): string {
  return kind === 'form' ? orderId : orderId + LINK_SUFFIX;
}

function orderOf(reference: string): string {
  return reference.endsWith(LINK_SUFFIX) ? reference.slice(0, -LINK_SUFFIX.length) : reference;
}
