import type { OrderProcess, PaymentProcess } from '@vendure/core';
import { PaylatchService } from './service.ts';

/** A payment stays `Created` until the buyer pays on the payment page. */
export const paymentProcess: PaymentProcess<never> = {
  transitions: { Created: { to: ['Created'], mergeStrategy: 'merge' } },
};

let service: PaylatchService;

/**
 * Cancels open links before a buyer can change the order, so that an outdated amount cannot be paid. Prevents the
 * change if the buyer has paid or is paying.
 */
export const orderProcess: OrderProcess<never> = {
  init(injector) {
    service = injector.get(PaylatchService);
  },
  async onTransitionStart(from, to, { ctx, order }) {
    if (from !== 'ArrangingPayment' || (to !== 'AddingItems' && to !== 'Cancelled')) return undefined;
    return await service.cancelOpenPayments(ctx, order.id);
  },
};
