// The same shop on Paylatch. The form submits the payment, so no token is sent to the server. A webhook reports the
// outcome.
import { paylatch, readWebhook } from '../paylatch.mjs';

/** The page sets the URL as `src` of `<pay-form>`. */
export async function startPayment({ id, name, amount, currency, country }) {
  const { embed_url: embedUrl } = await paylatch('/fiat/v1/transaction', {
    transaction_id: id,
    transaction_type: 'custom_form',
    payment_method: 'credit_card',
    amount,
    currency,
    country,
    description: name,
  });
  return embedUrl;
}

/** `refundId` is your own ID: repeated calls with the same ID refund once. */
export async function refund(orderId, amount, refundId) {
  await paylatch('/fiat/v1/transaction/refund', { transaction_id: orderId, amount }, refundId);
}

export const readNotification = readWebhook;
