// A shop on the Greenfield API of BTCPay Server: creates invoices, and reads webhooks.
import { createHmac, timingSafeEqual } from 'node:crypto';

async function greenfield(path, body) {
  const { BTCPAY_URL, BTCPAY_API_KEY, BTCPAY_STORE } = process.env;
  const response = await fetch(`${BTCPAY_URL}/api/v1/stores/${BTCPAY_STORE}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `token ${BTCPAY_API_KEY}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}

/** Returns the page where the buyer pays. */
export async function startPayment({ id, name, amount, currency, returnUrl }) {
  const { checkoutLink } = await greenfield('/invoices', {
    amount: amount.toFixed(2),
    currency,
    metadata: { orderId: id, itemDesc: name },
    checkout: { redirectURL: returnUrl, expirationMinutes: 60 },
  });
  return checkoutLink;
}

/** The webhook has no order ID, so the shop reads the invoice. */
export async function readNotification(headers, rawBody) {
  const digest = createHmac('sha256', process.env.BTCPAY_WEBHOOK_SECRET).update(rawBody).digest('hex');
  const expected = Buffer.from(`sha256=${digest}`);
  const signature = Buffer.from(headers['btcpay-sig'] ?? '');
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
    throw new Error('signature not valid');
  const { type, invoiceId } = JSON.parse(rawBody);
  const state = states[type];
  if (!state) return null;
  const { metadata } = await greenfield(`/invoices/${invoiceId}`);
  return { orderId: metadata.orderId, state };
}

const states = {
  InvoiceCreated: 'open',
  InvoiceProcessing: 'processing',
  InvoiceSettled: 'paid',
  InvoiceExpired: 'failed',
  InvoiceInvalid: 'failed',
};
