// The same shop on Paylatch: creates payment links, and reads webhooks.
import { paylatch, readWebhook } from '../paylatch.mjs';

/** Returns the page where the buyer pays. */
export async function startPayment({ id, name, amount, currency, country, returnUrl, cancelUrl }) {
  const { value } = await paylatch('/fiat/v1/transaction', {
    transaction_id: id,
    payment_method: 'crypto_payment',
    amount,
    currency,
    country,
    description: name,
    success_redirect_url: returnUrl,
    fail_redirect_url: cancelUrl,
    type_of_calculation: 'forward_without_fee',
  });
  return value.link;
}

export const readNotification = readWebhook;
