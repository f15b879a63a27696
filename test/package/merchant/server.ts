import {
  type Client,
  type ClientErrorCode,
  clientCredentials,
  createClient,
  PaylatchError,
  type ProblemCode,
  type TransactionDetail,
  createWebhookReceiver,
  memoryWebhookStore,
  verifyWebhook,
} from '@paylatch/client';

const baseUrl = 'https://pay.example';
const paylatch: Client = createClient({ baseUrl, token: 'pl_test_1', maxRetries: 0, timeoutMs: 5000 });
createClient({ baseUrl, token: clientCredentials({ baseUrl, clientId: 'a', clientSecret: 'b' }) });

export async function makeLink(signal: AbortSignal): Promise<string> {
  const created = await paylatch.createTransaction(
    {
      transaction_id: 1001,
      payment_method: 'credit_card',
      amount: 12.5,
      country: 'USA',
      currency: 'USD',
      description: 'Two cups',
      success_redirect_url: 'https://shop.example/paid',
      fail_redirect_url: 'https://shop.example/failed',
      type_of_calculation: 'forward_without_fee',
    },
    { idempotencyKey: 'order-1001', signal },
  );
  if (created.type === 'custom_form') return created.embed_url;
  // @ts-expect-error -- a link has no form
  created.embed_url;
  return created.value.link;
}

export async function read(): Promise<TransactionDetail['reason']> {
  const detail = await paylatch.getTransaction({ transaction_id: 'order-1001' });
  const received: number = detail.amount_received;
  const brand: string | null | undefined = detail.attempts[0]?.brand;
  await paylatch.testCallback({ idempotencyKey: 'a' });
  await paylatch.listPreferences();
  await paylatch.listTransactions();
  for await (const { transaction_id, amount } of paylatch.eachTransaction({ since: '2026-01-01', per_page: 50 })) {
    console.log(transaction_id.toUpperCase(), amount.toFixed(2), received, brand);
  }
  for await (const { events, next } of paylatch.followEvents()) {
    console.log(events[0]?.data.previous_status, next.length);
  }
  return detail.reason;
}

export function whatHappened(error: unknown): string | null {
  if (!(error instanceof PaylatchError)) return null;
  const code: ProblemCode | ClientErrorCode = error.code;
  const status: number | null = error.status;
  if (error.code === 'validation_failed') return error.errors.map(({ pointer, detail }) => pointer + detail).join();
  // @ts-expect-error -- no such code
  if (error.code === 'not_fond') return null;
  return `${code} ${status} ${error.requestId} ${error.retryable} ${error.retryAfterMs}`;
}

// @ts-expect-error -- the transaction has no such field
paylatch.getTransaction({ transaction: 'order-1001' });
// @ts-expect-error -- which one?
paylatch.getTransaction();
// @ts-expect-error -- reads have no idempotency key
paylatch.getTransaction({ transaction_id: 'order-1001' }, { idempotencyKey: 'a' });
paylatch.setPreference({ key: 'embed-origin-list', value: ['https://shop.example'] });
// @ts-expect-error -- a list contains strings
paylatch.setPreference({ key: 'embed-origin-list', value: [5] });
// @ts-expect-error -- no such currency
paylatch.listPaymentMethods({ country: 'USA', currency: 'USDD' });
// @ts-expect-error -- needs more
paylatch.createTransaction({ transaction_id: 'order-1001' });
// @ts-expect-error -- no such operation
paylatch.deleteTransaction({ transaction_id: 'order-1001' });
// @ts-expect-error -- pages are read automatically
paylatch.eachTransaction({ page: 2 });
// @ts-expect-error -- a token is needed
createClient({ baseUrl });

export async function receive(request: Request): Promise<string | null> {
  const body = await request.text();
  const event = await verifyWebhook({ headers: request.headers, body }, { key: ['whsec_a', 'whpk_b'], merchantId: 1 });
  // @ts-expect-error -- not every event is of a payment
  event.data.amount_received;
  if (event.type === 'callback.test') return event.data.message;
  if (event.type === 'fiat.dispute.created') return event.data.reason_code;
  return event.type === 'crypto.transaction.updated' ? event.data.txId : event.id;
}

createWebhookReceiver({
  key: 'whsec_a',
  merchantId: 1,
  store: memoryWebhookStore(),
  handlers: {
    'fiat.transaction.updated': ({ data }) => console.log(data.status.toUpperCase()),
    'crypto.withdrawal.updated': async ({ id, data }) => console.log(id, data.txHash),
    // @ts-expect-error -- a withdrawal has no brand
    'crypto.withdrawal.destination_changed': ({ data }) => console.log(data.brand),
  },
});
createWebhookReceiver({
  key: 'whsec_a',
  merchantId: 1,
  store: memoryWebhookStore(),
  // @ts-expect-error -- no such event
  handlers: { 'fiat.transaction.paid': () => undefined },
});
