// A shop on the Charge API of Coinbase Commerce: creates charges, and reads webhooks.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the page where the buyer pays. */
export async function startPayment({ id, name, amount, currency, returnUrl, cancelUrl }) {
  const { COINBASE_URL = 'https://api.commerce.coinbase.com', COINBASE_API_KEY } = process.env;
  const response = await fetch(`${COINBASE_URL}/charges`, {
    method: 'POST',
    headers: { 'X-CC-Api-Key': COINBASE_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({
      name,
      description: `Order ${id}`,
      pricing_type: 'fixed_price',
      local_price: { amount: amount.toFixed(2), currency },
      redirect_url: returnUrl,
      cancel_url: cancelUrl,
      metadata: { order_id: id },
    }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { data } = await response.json();
  return data.hosted_url;
}

export function readNotification(headers, rawBody) {
  const expected = createHmac('sha256', process.env.COINBASE_WEBHOOK_SECRET).update(rawBody).digest();
  const signature = Buffer.from(headers['x-cc-webhook-signature'] ?? '', 'hex');
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
    throw new Error('signature not valid');
  const { event } = JSON.parse(rawBody);
  const state = states[event.type];
  return state ? { orderId: event.data.metadata.order_id, state } : null;
}

const states = {
  'charge:created': 'open',
  'charge:pending': 'processing',
  'charge:confirmed': 'paid',
  'charge:failed': 'failed',
};
