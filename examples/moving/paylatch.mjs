// The Paylatch side of every sample: one function that calls the API, and one that reads a webhook.
import { Webhook } from 'standardwebhooks';

/** Calls the API. Requests with the same idempotency key take effect once. */
export async function paylatch(path, body, idempotencyKey) {
  const { SERVICE_URL = 'http://localhost:8080', ACCESS_TOKEN } = process.env;
  const response = await fetch(SERVICE_URL + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${ACCESS_TOKEN}`,
      'content-type': 'application/json',
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}

/**
 * Verifies a webhook; throws if it is not from your Paylatch merchant. Pass the raw body. Returns the state of the
 * order, or null for events that don't change it.
 */
export function readWebhook(headers, rawBody) {
  const { WEBHOOK_SECRET, MERCHANT_ID = '1' } = process.env;
  const { type, data } = new Webhook(WEBHOOK_SECRET).verify(rawBody, headers);
  if (data.merchant_id !== Number(MERCHANT_ID)) throw new Error('webhook for another merchant');
  if (type !== 'fiat.transaction.updated') return null;
  return { orderId: data.transaction_id, state: states[data.status] };
}

const states = {
  transaction_status_pending: 'open',
  transaction_status_waiting: 'processing',
  transaction_status_confirmed: 'paid',
  transaction_status_failed: 'failed',
};
