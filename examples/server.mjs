// Server of every example: creates payments and reads their status. The access token never leaves this process.
import { randomUUID } from 'node:crypto';

export const { SERVICE_URL = 'http://localhost:8080', PORT = '3000' } = process.env;
// The Vite examples read this in index.html.
process.env.SERVICE_URL = SERVICE_URL;

async function paylatch(path, body) {
  const response = await fetch(SERVICE_URL + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${process.env.ACCESS_TOKEN}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}

/**
 * Creates the payment for an order and returns the URL of its form. The server sets the price, because users can modify
 * a page.
 */
export async function createPayment(reference = `order-${randomUUID()}`, fields = {}) {
  const { embed_url: embedUrl } = await paylatch('/fiat/v1/transaction', {
    transaction_id: reference,
    transaction_type: 'custom_form',
    payment_method: 'credit_card',
    amount: 12.5,
    currency: 'USD',
    country: 'USA',
    description: 'Two cups',
    line_items: [{ name: 'Cup', quantity: 2, unit_amount: 6.25 }],
    ...fields,
  });
  return embedUrl;
}

export async function isPaid(reference) {
  const { status } = await paylatch(`/fiat/v1/transaction?transaction_id=${encodeURIComponent(reference)}`);
  return status === 'transaction_status_confirmed';
}

/** Handles `POST /payments`, which creates a payment, and `GET /payments/REFERENCE`, which returns its status. */
export async function handlePayments(request, response) {
  const reference = request.url.split('/').at(-1);
  const body = request.method === 'POST' ? { embedUrl: await createPayment() } : { isPaid: await isPaid(reference) };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

/** The same endpoints as a Vite plugin. */
export function payments() {
  const middleware = (request, response, next) => void handlePayments(request, response).then(undefined, next);
  return {
    name: 'payments',
    configureServer: ({ middlewares }) => void middlewares.use('/payments', middleware),
    configurePreviewServer: ({ middlewares }) => void middlewares.use('/payments', middleware),
  };
}
