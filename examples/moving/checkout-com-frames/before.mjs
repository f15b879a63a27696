// A shop with Checkout.com Frames: charges tokens, refunds, and reads webhooks.
import { createHmac, timingSafeEqual } from 'node:crypto';

async function checkout(path, body) {
  const { CHECKOUT_URL = 'https://api.checkout.com', CHECKOUT_SECRET_KEY } = process.env;
  const response = await fetch(CHECKOUT_URL + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${CHECKOUT_SECRET_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}

/** The page posts the token from the `cardTokenized` event here. */
export async function charge({ id, amount, currency, returnUrl, cancelUrl }, token) {
  const {
    id: checkoutId,
    status,
    _links: links,
  } = await checkout('/payments', {
    source: { type: 'token', token },
    amount: Math.round(amount * 100), // minor units
    currency,
    reference: id,
    capture: true,
    '3ds': { enabled: true },
    success_url: returnUrl,
    failure_url: cancelUrl,
  });
  // 3-D Secure: the browser continues at this URL.
  if (status === 'Pending') return { state: 'processing', checkoutId, redirectTo: links.redirect.href };
  return { state: status === 'Declined' ? 'failed' : 'processing', checkoutId };
}

export async function refund(checkoutId, amount) {
  await checkout(`/payments/${checkoutId}/refunds`, { amount: Math.round(amount * 100) });
}

export function readNotification(headers, rawBody) {
  const expected = createHmac('sha256', process.env.CHECKOUT_WEBHOOK_SECRET).update(rawBody).digest();
  const signature = Buffer.from(headers['cko-signature'] ?? '', 'hex');
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
    throw new Error('signature not valid');
  const { type, data } = JSON.parse(rawBody);
  const state = states[type];
  return state ? { orderId: data.reference, state } : null;
}

const states = {
  payment_approved: 'processing',
  payment_captured: 'paid',
  payment_declined: 'failed',
  payment_expired: 'failed',
  payment_canceled: 'failed',
};
