import { paymentMethods } from '../../src/methods/catalog.ts';
import type { TestMerchant, Fixture } from './fixture.ts';

/** Enables every method of the catalog for a merchant, as a manager. */
export async function enableEveryMethod(fixture: Fixture, { managerToken }: TestMerchant): Promise<void> {
  const settings = paymentMethods.flatMap(({ code, currencies }) =>
    currencies.map((currency) => ({ payment_method: code, currency, status: 'enable' })),
  );
  const { status, text } = await fixture.request('/fiat/v1/merchant/payment-methods', {
    method: 'PATCH',
    body: { payment_methods: settings },
    token: managerToken,
  });
  if (status !== 200) throw new Error(text);
}
