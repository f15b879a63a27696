// Plays the shop's server while Vite serves the page. The access token never reaches the page.
import { randomUUID } from 'node:crypto';

async function paylatch(path, body) {
  const { PAYLATCH_URL, PAYLATCH_TOKEN } = process.env;
  const response = await fetch(PAYLATCH_URL + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${PAYLATCH_TOKEN}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}

async function createPayment() {
  const { embed_url: embedUrl } = await paylatch('/fiat/v1/transaction', {
    transaction_id: `order-${randomUUID()}`,
    transaction_type: 'custom_form',
    payment_method: 'credit_card',
    amount: 12.5,
    currency: 'USD',
    country: 'USA',
    description: 'Two cups',
  });
  return { embedUrl };
}

async function readPayment(reference) {
  const { status } = await paylatch(`/fiat/v1/transaction?transaction_id=${encodeURIComponent(reference)}`);
  return { isPaid: status === 'transaction_status_confirmed' };
}

/** `POST /payments` makes one, `GET /payments/REFERENCE` asks what has become of it. */
export function payments() {
  const answer = (request, response, next) => {
    const reference = request.url.slice(1);
    const asked = request.method === 'POST' ? createPayment() : readPayment(reference);
    asked.then((body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)), next);
  };
  return {
    name: 'payments',
    configureServer: ({ middlewares }) => void middlewares.use('/payments', answer),
    configurePreviewServer: ({ middlewares }) => void middlewares.use('/payments', answer),
  };
}
