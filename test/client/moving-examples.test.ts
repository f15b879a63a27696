// Databases: sqlite
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Hono } from 'hono';
import * as braintreeAfter from '../../examples/moving/braintree-drop-in/after.mjs';
import * as braintreeBefore from '../../examples/moving/braintree-drop-in/before.mjs';
import * as btcpayAfter from '../../examples/moving/btcpay-server/after.mjs';
import * as btcpayBefore from '../../examples/moving/btcpay-server/before.mjs';
import * as checkoutAfter from '../../examples/moving/checkout-com-frames/after.mjs';
import * as checkoutBefore from '../../examples/moving/checkout-com-frames/before.mjs';
import * as coinbaseAfter from '../../examples/moving/coinbase-commerce/after.mjs';
import * as coinbaseBefore from '../../examples/moving/coinbase-commerce/before.mjs';
import { listen } from '../../src/http/server.ts';
import { packageRoot } from '../../src/system/root.ts';
import { btcpayStore, openBtcpay } from '../support/btcpay-server.ts';
import { createBuyers } from '../support/buyer.ts';
import { SimulatedClock } from '../support/clock.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { cards, submitCard } from '../support/requests.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';

const order = {
  id: 'order-1001',
  name: 'Two cups',
  amount: 12.5,
  currency: 'USD',
  country: 'USA',
  returnUrl: 'https://shop.example/paid',
  cancelUrl: 'https://shop.example/cart',
};

/** Sets environment variables, which the samples read on each call. */
function setEnv(values: Record<string, string>) {
  Object.assign(process.env, values);
}

const hmac = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');

describe('samples after the move to Paylatch', () => {
  let fixture: Fixture;
  let endpoint: TestEndpoint;
  before(async () => {
    // The samples verify webhook timestamps with the machine's clock.
    fixture = await openFixture({ clock: new SimulatedClock(new Date().toISOString()) });
    endpoint = await openEndpoint();
    const { token, managerToken, id, callbackSecret } = fixture.merchant;
    const preference = { key: 'callback-url', value: endpoint.url };
    await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: preference, token });
    const method = { payment_method: 'crypto_payment', currency: 'USD', status: 'enable' };
    // Deposits count immediately, so that no test waits for blocks.
    const confirmations = { key: 'min-confirmation-btc', value: 0 };
    await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: confirmations, token: managerToken });
    const body = { payment_methods: [method] };
    const { status, text: detail } = await fixture.request('/fiat/v1/merchant/payment-methods', {
      ...{ method: 'PATCH', body, token: managerToken },
    });
    assert.equal(status, 200, detail);
    // Scans the chains, so that they accept payments.
    await fixture.work();
    setEnv({
      SERVICE_URL: fixture.url,
      ACCESS_TOKEN: managerToken,
      MERCHANT_ID: String(id),
      WEBHOOK_SECRET: callbackSecret,
    });
  });
  after(async () => {
    await endpoint.close();
    await fixture.close();
  });

  const { stateOf, startPayment, simulate } = createBuyers(() => fixture);
  /** Returns a sample's result for the last webhook of an action. */
  const lastNotification = async (
    { readNotification }: { readNotification: (headers: Record<string, string>, body: string) => unknown },
    action: () => Promise<unknown>,
  ) => {
    endpoint.received.length = 0;
    await action();
    await fixture.work();
    const last = endpoint.received.at(-1);
    return last ? readNotification(last.headers, last.body) : null;
  };

  for (const [name, sample] of Object.entries({ coinbaseAfter, btcpayAfter })) {
    test(`${name}: a payment page, and a webhook once it is paid`, async () => {
      const id = `${name}-1`;
      const url = await sample.startPayment({ ...order, id });
      const page = await fixture.request(new URL(url).pathname, { token: null, headers: { accept: 'text/html' } });
      assert.ok(page.status === 200 && page.text.includes(order.name));
      assert.equal(await sample.startPayment({ ...order, id }).catch(() => url), url);
      const { clientToken } = await stateOf({ reference: id, path: new URL(url).pathname, link: url, clientToken: '' });
      const link = { reference: id, path: new URL(url).pathname, link: url, clientToken: clientToken ?? '' };
      const pay = async () => await simulate(await startPayment(link, 'crypto_payment', 'btc'), 'exact');
      assert.deepEqual(await lastNotification(sample, pay), { orderId: id, state: 'paid' });
    });
  }

  for (const [name, sample] of Object.entries({ braintreeAfter, checkoutAfter })) {
    test(`${name}: a form, a decline, a payment, and an idempotent refund`, async () => {
      const id = `${name}-1`;
      const embedUrl = await sample.startPayment({ ...order, id });
      assert.equal((await fixture.request(new URL(embedUrl).pathname, { token: null })).status, 200);
      const decline = async () => await submitCard(fixture, id, cards.declined);
      assert.deepEqual(await lastNotification(sample, decline), { orderId: id, state: 'open' });
      const pay = async () => await submitCard(fixture, id);
      assert.deepEqual(await lastNotification(sample, pay), { orderId: id, state: 'paid' });
      await sample.refund(id, 5, `${id}-refund`);
      await sample.refund(id, 5, `${id}-refund`);
      await fixture.work();
      const { body } = await fixture.request(`/fiat/v1/transaction?transaction_id=${id}`);
      assert.equal(body.refunded_amount, 5);
    });
  }

  test('reject webhooks of other merchants', async () => {
    await checkoutAfter.startPayment({ ...order, id: 'refused' });
    await fixture.work();
    endpoint.received.length = 0;
    await submitCard(fixture, 'refused');
    await fixture.work();
    const [{ headers, body } = { headers: {}, body: '' }] = endpoint.received;
    assert.throws(() => coinbaseAfter.readNotification(headers, body.replace('refused', 'another')));
    setEnv({ MERCHANT_ID: '99' });
    assert.throws(() => coinbaseAfter.readNotification(headers, body), /another merchant/);
    setEnv({ MERCHANT_ID: String(fixture.merchant.id) });
  });
});

describe('samples before the move', () => {
  let requests: { path: string; headers: Record<string, string>; body: any }[];
  let vendor: { url: string; close(): Promise<void> };
  /** The next responses, by path. */
  const responses: Record<string, object> = {};
  before(async () => {
    requests = [];
    const application = new Hono().all('*', async (context) => {
      const { path } = context.req;
      const body = context.req.method === 'POST' ? await context.req.json() : null;
      requests.push({ path, headers: context.req.header(), body });
      return path in responses ? context.json(responses[path] ?? {}) : context.json({}, 404);
    });
    const server = await listen({ fetch: application.fetch, port: 0, host: '127.0.0.1' });
    vendor = { url: `http://127.0.0.1:${server.port}`, close: () => server.close() };
  });
  after(async () => await vendor.close());

  test('Coinbase Commerce: a charge, and its webhooks', async () => {
    setEnv({ COINBASE_URL: vendor.url, COINBASE_API_KEY: 'cc-key', COINBASE_WEBHOOK_SECRET: 'cc-secret' });
    const hosted = 'https://commerce.coinbase.com/pay/2aee9dd1-67b8-43ef-8dfe-977959850f27';
    responses['/charges'] = { data: { id: '2aee9dd1', code: 'XA6G6ZFR', hosted_url: hosted }, warnings: [] };
    assert.equal(await coinbaseBefore.startPayment(order), hosted);
    const { headers, body } = requests.at(-1) ?? { headers: {}, body: {} };
    assert.equal((headers as Record<string, string>)['x-cc-api-key'], 'cc-key');
    assert.deepEqual(body.local_price, { amount: '12.50', currency: 'USD' });
    for (const [type, state] of [
      ['charge:created', 'open'],
      ['charge:pending', 'processing'],
      ['charge:confirmed', 'paid'],
      ['charge:failed', 'failed'],
    ] as const) {
      const webhook = JSON.stringify({
        ...{ attempt_number: 1, id: '7dcd3d8e', scheduled_for: '2026-01-30T19:29:20Z' },
        event: {
          api_version: '2018-03-22',
          id: 'e1',
          resource: 'event',
          type,
          data: { code: 'XA6G6ZFR', metadata: { order_id: order.id } },
        },
      });
      const signed = { 'x-cc-webhook-signature': hmac('cc-secret', webhook) };
      assert.deepEqual(coinbaseBefore.readNotification(signed, webhook), { orderId: order.id, state });
      assert.throws(() => coinbaseBefore.readNotification(signed, `${webhook} `), /not valid/);
    }
  });

  test('BTCPay Server: an invoice, and its webhooks', async () => {
    setEnv({
      BTCPAY_URL: vendor.url,
      BTCPAY_API_KEY: 'btc-key',
      BTCPAY_STORE: 'store1',
      BTCPAY_WEBHOOK_SECRET: 'btc-secret',
    });
    responses['/api/v1/stores/store1/invoices'] = {
      id: 'inv1',
      checkoutLink: 'https://btcpay.example/i/inv1',
      status: 'New',
    };
    responses['/api/v1/stores/store1/invoices/inv1'] = {
      id: 'inv1',
      metadata: { orderId: order.id },
      status: 'Settled',
    };
    assert.equal(await btcpayBefore.startPayment(order), 'https://btcpay.example/i/inv1');
    assert.equal(requests.at(-1)?.headers['authorization'], 'token btc-key');
    const webhook = JSON.stringify({
      deliveryId: 'd',
      webhookId: 'w',
      isRedelivery: false,
      type: 'InvoiceSettled',
      timestamp: 1_790_000_000,
      storeId: 'store1',
      invoiceId: 'inv1',
      manuallyMarked: false,
    });
    const signed = { 'btcpay-sig': `sha256=${hmac('btc-secret', webhook)}` };
    assert.deepEqual(await btcpayBefore.readNotification(signed, webhook), { orderId: order.id, state: 'paid' });
    await assert.rejects(btcpayBefore.readNotification({ 'btcpay-sig': 'sha256=00' }, webhook), /not valid/);
  });

  test('BTCPay Server: export.mjs writes the file that the import reads', async () => {
    const store = btcpayStore();
    const server = await openBtcpay(store);
    const script = join(packageRoot(), 'examples/moving/btcpay-server/export.mjs');
    const env = { PATH: process.env['PATH'], BTCPAY_API_KEY: 'btcpay-key' };
    const child = spawn(process.execPath, [script, server.url, store.store.id], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    await server.close();
    assert.deepEqual(JSON.parse(printed), store);
  });

  test('Braintree: a nonce is charged and refunded, and a dispute is reported', async () => {
    const calls: unknown[] = [];
    // The BraintreeGateway methods that the sample calls.
    const gateway = {
      clientToken: { generate: async () => ({ clientToken: 'token' }) },
      transaction: {
        sale: async (request: object) => {
          calls.push(request);
          return { success: true, transaction: { id: 'bt1', status: 'submitted_for_settlement' } };
        },
        refund: async (...request: unknown[]) => {
          calls.push(request);
          return { success: true };
        },
      },
      webhookNotification: {
        parse: async () => ({ kind: 'dispute_opened', dispute: { transaction: { orderId: order.id } } }),
      },
    };
    assert.equal(await braintreeBefore.startPayment(gateway), 'token');
    assert.deepEqual(await braintreeBefore.charge(gateway, order, 'nonce'), { state: 'paid', braintreeId: 'bt1' });
    await braintreeBefore.refund(gateway, 'bt1', 5);
    assert.deepEqual(calls, [
      { amount: '12.50', orderId: order.id, paymentMethodNonce: 'nonce', options: { submitForSettlement: true } },
      ['bt1', '5.00'],
    ]);
    const posted = { bt_signature: 'public|signature', bt_payload: 'payload' };
    assert.deepEqual(await braintreeBefore.readNotification(gateway, posted), { orderId: order.id, state: 'disputed' });
  });

  test('Checkout.com: a token is charged and refunded, and webhooks report the outcome', async () => {
    setEnv({ CHECKOUT_URL: vendor.url, CHECKOUT_SECRET_KEY: 'sk', CHECKOUT_WEBHOOK_SECRET: 'cko-secret' });
    const redirect = 'https://api.checkout.com/sessions-interceptor/sid_1';
    responses['/payments'] = {
      id: 'pay_1',
      status: 'Pending',
      reference: order.id,
      _links: { redirect: { href: redirect } },
    };
    assert.deepEqual(await checkoutBefore.charge(order, 'tok_1'), {
      state: 'processing',
      checkoutId: 'pay_1',
      redirectTo: redirect,
    });
    const { amount, source, reference } = requests.at(-1)?.body ?? {};
    assert.deepEqual(
      { amount, source, reference },
      { amount: 1250, source: { type: 'token', token: 'tok_1' }, reference: order.id },
    );
    responses['/payments/pay_1/refunds'] = { action_id: 'act_1', reference: order.id };
    await checkoutBefore.refund('pay_1', 5);
    assert.deepEqual(requests.at(-1)?.body, { amount: 500 });
    const webhook = JSON.stringify({
      id: 'evt_1',
      type: 'payment_captured',
      created_on: '2026-11-21T09:00:00Z',
      data: { id: 'pay_1', action_id: 'act_2', reference: order.id, amount: 1250, currency: 'USD' },
    });
    const signed = { 'cko-signature': hmac('cko-secret', webhook) };
    assert.deepEqual(checkoutBefore.readNotification(signed, webhook), { orderId: order.id, state: 'paid' });
    assert.throws(() => checkoutBefore.readNotification({}, webhook), /not valid/);
  });
});
