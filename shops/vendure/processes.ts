import type { OrderProcess, PaymentProcess } from '@vendure/core';
import { PaylatchService } from './service.ts';

/** A payment stays `Created` until the buyer pays on the payment page. */
export const paymentProcess: PaymentProcess<never> = {
  transitions: { Created: { to: ['Created'], mergeStrategy: 'merge' } },
};

let service: PaylatchService;

/**
 * Cancels open links before a buyer can change the order, so that an outdated amount cannot be paid. Prevents the
 * change if the buyer has paid or is paying. A canceled order also releases authorized amounts.
 */
export const orderProcess: OrderProcess<never> = {
  init(injector) {
    service = injector.get(PaylatchService);
  },
  async onTransitionStart(from, to, { ctx, order }) {
    if (to === 'Cancelled') return await service.cancelPayments(ctx, order.id, ['Created', 'Authorized']);
    if (from === 'ArrangingPayment' && to === 'AddingItems') return await service.cancelPayments(ctx, order.id);
    return undefined;
  },
};
