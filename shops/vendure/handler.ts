import { LanguageCode, type Payment, PaymentMethodHandler } from '@vendure/core';
import { isTemporary, ShopPaymentError } from '../transactions.ts';
import { PaylatchService } from './service.ts';

let service: PaylatchService;

/**
 * The payment method handler `paylatch`. `addPaymentToOrder` returns a payment in the state `Created`, whose
 * `metadata.public.link` is the payment page.
 */
export const paylatchPaymentHandler = new PaymentMethodHandler({
  code: 'paylatch',
  description: [{ languageCode: LanguageCode.en, value: 'Paylatch: cards and local payment methods' }],
  args: {},
  init(injector) {
    service = injector.get(PaylatchService);
  },
  createPayment: async (ctx, order, amount) => {
    try {
      const created = await service.createPayment(ctx, order);
      return { ...created, state: 'Created' as const };
    } catch (error) {
      return { amount, state: 'Error' as const, errorMessage: messageOf(error) };
    }
  },
  settlePayment: async (ctx, order, payment) => {
    return await attempt(payment, async () => await service.settle(ctx, order, payment));
  },
  cancelPayment: async (_ctx, _order, payment) => {
    return await attempt(payment, async () => {
      await service.payments.cancelOrVoid(payment.transactionId);
    });
  },
  createRefund: async (_ctx, _input, amount, order, payment) => await service.refund(order, payment, amount),
});

/**
 * Keeps the payment in its state if the action fails, so that the action can be retried. Throws if the error is
 * temporary, so that a webhook is sent again.
 */
async function attempt({ state }: Payment, action: () => Promise<void>) {
  try {
    await action();
    return { success: true as const };
  } catch (error) {
    if (isTemporary(error)) throw error;
    // A settled payment is not settled again.
    const current = state === 'Settled' ? ('Error' as const) : state;
    return { success: false as const, state: current as 'Authorized', errorMessage: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ShopPaymentError) return error.message;
  throw error;
}
