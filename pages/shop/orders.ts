import { randomUUID } from 'node:crypto';

export type OrderStatus = 'open' | 'paid' | 'not_paid';

export interface Order {
  readonly id: string;
  readonly quantity: number;
  status: OrderStatus;
  /** Where the buyer pays; null until the payment service has made the link. */
  link: string | null;
}

/** A demo's memory: bounded, and gone when it stops. */
const ORDERS_KEPT = 1000;

export class Orders {
  readonly #orders = new Map<string, Order>();

  open(quantity: number): Order {
    const order: Order = { id: `order-${randomUUID().slice(0, 8)}`, quantity, status: 'open', link: null };
    const [oldest] = this.#orders.keys();
    if (this.#orders.size >= ORDERS_KEPT && oldest !== undefined) this.#orders.delete(oldest);
    this.#orders.set(order.id, order);
    return order;
  }

  find(id: string): Order | undefined {
    return this.#orders.get(id);
  }
}
