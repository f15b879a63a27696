import type { OrderProcess, PaymentProcess, PaymentState } from '@vendure/core';
import { PaylatchService } from './service.ts';

/** A payment stays `Created` until the buyer pays on the payment page. */
export const paymentProcess: PaymentProcess<never> = {
  transitions: { Created: { to: ['Created'], mergeStrategy: 'merge' } },
};

const ofCanceledOrder: { states: PaymentState[] } = { states: ['Created', 'Authorized'] };

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
    if (to === 'Cancelled')
      return await service.cancelPayments(ctx, order.id, { ...ofCanceledOrder, keepsState: true });
    if (from === 'ArrangingPayment' && to === 'AddingItems') return await service.cancelPayments(ctx, order.id);
    return undefined;
  },
  // Not before: Vendure regards an order without an amount as paid when a payment is canceled.
  async onTransitionEnd(_from, to, { ctx, order }) {
    if (to === 'Cancelled') await service.cancelPayments(ctx, order.id, ofCanceledOrder);
  },
};
