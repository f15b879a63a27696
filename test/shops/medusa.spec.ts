import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres } from '../../scripts/postgres.mjs';
import { scenarios } from '../../testing/index.ts';
import { expect, test as base } from '../e2e/fixtures.ts';
import { cards } from '../support/requests.ts';
import { until } from '../support/program.ts';
import { forgeWebhook, openMerchant, redeliver, sendWebhook, type ShopMerchant } from './merchant.ts';
import { packageFolder, quiet, type RunningShop, startShop } from './shop-process.ts';

const run = promisify(execFile);
const folder = packageFolder('medusa');
const medusaCommand = join(folder, 'node_modules/@medusajs/cli/cli.js');

const AUTOMATIC = 'pp_paylatch_paylatch';
const MANUAL = 'pp_paylatch_manual';

/** Response bodies of Medusa's API. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = Record<string, any>;

/** Medusa's APIs: with a user's token for `/admin`, with a publishable key for `/store`. */
class Medusa {
  readonly #origin: string;
  readonly #headers: Record<string, string>;

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.#origin = origin;
    this.#headers = headers;
  }

  async send(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
    const response = await fetch(`${this.#origin}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...this.#headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Body };
  }

  /** Fails unless the response is successful. */
  async call(path: string, body?: unknown, method?: string): Promise<Body> {
    const response = await this.send(path, body, method);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response.body;
  }
}

interface MedusaShop {
  admin: Medusa;
  store: Medusa;
  merchant: ShopMerchant;
  /** Webhook URL of a provider. */
  webhookUrl: (provider: string) => string;
  region: string;
  variant: string;
  output: () => string;
}

/** Creates a region, a storefront key and a product for $25. */
async function createCatalog(origin: string): Promise<Pick<MedusaShop, 'admin' | 'store' | 'region' | 'variant'>> {
  const login = { email: 'ada@example.com', password: 'kettle-and-co' };
  const { token } = await new Medusa(origin).call('/auth/user/emailpass', login);
  const admin = new Medusa(origin, { authorization: `Bearer ${token}` });
  const { region } = await admin.call('/admin/regions', {
    name: 'World',
    currency_code: 'usd',
    countries: ['us'],
    payment_providers: [AUTOMATIC, MANUAL],
  });
  const { sales_channel: channel } = await admin.call('/admin/sales-channels', { name: 'Web' });
  const { api_key: key } = await admin.call('/admin/api-keys', { title: 'Storefront', type: 'publishable' });
  await admin.call(`/admin/api-keys/${key.id}/sales-channels`, { add: [channel.id] });
  const { product } = await admin.call('/admin/products', {
    title: 'Kettle',
    status: 'published',
    options: [{ title: 'Size', values: ['One'] }],
    variants: [
      {
        title: 'One',
        options: { Size: 'One' },
        manage_inventory: false,
        prices: [{ currency_code: 'usd', amount: 25.5 }],
      },
    ],
    sales_channels: [{ id: channel.id }],
  });
  const store = new Medusa(origin, { 'x-publishable-api-key': key.token });
  return { admin, store, region: region.id, variant: product.variants[0].id };
}

// All tests share one Medusa server.
base.describe.configure({ mode: 'default' });

const test = base.extend<object, { shop: MedusaShop }>({
  shop: [
    async ({ server, urls }, use) => {
      const merchant = await openMerchant(server);
      const postgres = await startPostgres({ survivesPowerLoss: false });
      const env = {
        DATABASE_URL: postgres.url,
        PAYLATCH_URL: urls.url,
        PAYLATCH_TOKEN: merchant.token,
        PAYLATCH_MERCHANT_ID: String(merchant.id),
        PAYLATCH_WEBHOOK_KEY: merchant.callbackSecret,
        STOREFRONT_URL: `${urls.siteUrl}/checkout`,
      };
      let running: RunningShop | undefined;
      try {
        const here = { cwd: folder, env: { ...process.env, ...quiet, ...env } };
        await run(process.execPath, [medusaCommand, 'db:migrate', '--skip-scripts'], here);
        const user = ['--email', 'ada@example.com', '--password', 'kettle-and-co'];
        await run(process.execPath, [medusaCommand, 'user', ...user], here);
        running = await startShop(folder, (port) => [medusaCommand, 'start', '--port', port], env, '/health');
        const { origin, output } = running;
        const webhookUrl = (provider: string) => `${origin}/hooks/payment/${provider.replace(/^pp_/, '')}`;
        await merchant.setWebhookUrl(webhookUrl(AUTOMATIC));
        await use({ ...(await createCatalog(origin)), merchant, webhookUrl, output });
      } finally {
        await running?.stop();
        await postgres.stop();
      }
    },
    { scope: 'worker', timeout: 600_000 },
  ],
});

/** A cart with one kettle and its payment session. */
async function checkOut({ store, region, variant }: MedusaShop, provider = AUTOMATIC, data?: Body) {
  const address = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    address_1: '1 Main St',
    city: 'Boston',
    country_code: 'us',
  };
  const { cart } = await store.call('/store/carts', {
    region_id: region,
    email: 'ada@example.com',
    shipping_address: address,
  });
  await store.call(`/store/carts/${cart.id}/line-items`, { variant_id: variant, quantity: 1 });
  const { payment_collection: collection } = await store.call('/store/payment-collections', { cart_id: cart.id });
  const started = await store.call(`/store/payment-collections/${collection.id}/payment-sessions`, {
    provider_id: provider,
    ...(data && { data }),
  });
  const [session] = started.payment_collection.payment_sessions;
  return { cart: cart.id as string, collection: collection.id as string, session: session as Body };
}

/** The orders with a cart's payment, and its payments with captures and refunds. */
async function ordersOf({ admin }: MedusaShop, collection: string) {
  const fields =
    'fields=id,payment_status,*payment_collections,*payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds';
  const { orders } = await admin.call(`/admin/orders?limit=100&${fields}`);
  return (orders as Body[]).filter(({ payment_collections: all }) => all.some(({ id }: Body) => id === collection));
}

/** The order with a cart's payment, once Medusa has stored the payment: it places the order first. */
async function orderOf(shop: MedusaShop, collection: string): Promise<Body> {
  let orders: Body[] = [];
  await until('Medusa has the paid order', async () => {
    orders = await ordersOf(shop, collection);
    return orders.some(({ payment_status: status }) => status !== 'not_paid');
  });
  expect(orders).toHaveLength(1);
  return orders[0] ?? {};
}

const paymentOf = (order: Body) => order['payment_collections'][0].payments[0] as Body;
/** Medusa's response for an unpaid cart. */
const notAuthorized = {
  type: 'not_allowed',
  message: expect.stringContaining('was not authorized with the provider') as unknown as string,
};
const complete = async ({ store }: MedusaShop, cart: string) => await store.send(`/store/carts/${cart}/complete`, {});

test('a buyer pays on the payment page, the webhook places the order, and it is refunded in part', async ({
  page,
  linkPage,
  shop,
  urls,
}) => {
  const { cart, collection, session } = await checkOut(shop, AUTOMATIC, { return_url: `${urls.siteUrl}/us/checkout` });
  expect(session).toMatchObject({ status: 'pending', amount: 25.5, data: { currency: 'USD', minor_units: '2550' } });
  await test.step('a buyer who returns without paying has no order', async () => {
    expect((await complete(shop, cart)).body).toMatchObject(notAuthorized);
  });
  await shop.merchant.syncClock();
  await page.goto(session.data.link);
  await linkPage.fillAndPay(scenarios.approved);
  await page.waitForURL(`${urls.siteUrl}/us/checkout`);
  const order = await orderOf(shop, collection);
  expect(order['payment_status']).toBe('captured');
  const { id } = paymentOf(order);
  await shop.admin.call(`/admin/payments/${id}/refund`, { amount: 5.25 });
  expect(await shop.merchant.detail(session.data.transaction_id)).toMatchObject({
    status: 'transaction_status_confirmed',
    refunds: [{ amount: 5.25, state: 'succeeded' }],
  });
  await shop.admin.call(`/admin/payments/${id}/refund`, { amount: 20.25 });
  expect(await orderOf(shop, collection)).toMatchObject({ payment_status: 'refunded' });
  expect((await shop.merchant.detail(session.data.transaction_id)).refunded_amount).toBe(25.5);
});

test('concurrent webhooks and storefront requests complete the cart with one order and one payment, and no refund', async ({
  shop,
}) => {
  for (let round = 0; round < 3; round += 1) {
    const { cart, collection, session } = await checkOut(shop);
    const reference = session.data.transaction_id as string;
    await shop.merchant.pay(reference, cards.visa);
    await Promise.all([
      ...[1, 2].map(async () => await complete(shop, cart)),
      ...[1, 2].map(async () => await sendWebhook(shop.webhookUrl(AUTOMATIC), shop.merchant, reference)),
    ]);
    const order = await orderOf(shop, collection);
    expect(order['payment_collections'][0].payments).toHaveLength(1);
    expect(paymentOf(order)).toMatchObject({ amount: 25.5, captures: [{ amount: 25.5 }], refunds: [] });
    const detail = await shop.merchant.detail(reference);
    expect(detail).toMatchObject({ status: 'transaction_status_confirmed', amount_received: 25.5, refunds: [] });
  }
});

test('an authorized payment is captured in part once, and the rest is released', async ({ shop }) => {
  await shop.merchant.setWebhookUrl(shop.webhookUrl(MANUAL));
  const { collection, session } = await checkOut(shop, MANUAL);
  const reference = session.data.transaction_id as string;
  await shop.merchant.pay(reference, cards.visa);
  const order = await orderOf(shop, collection);
  expect(order['payment_status']).toBe('authorized');
  const { id } = paymentOf(order);
  await shop.admin.call(`/admin/payments/${id}/capture`, { amount: 20 });
  expect((await shop.merchant.detail(reference)).authorization).toMatchObject({
    status: 'captured',
    captured_amount: 20,
  });
  const again = await shop.admin.send(`/admin/payments/${id}/capture`, { amount: 5.5 });
  expect(again.status).toBe(400);
  expect(again.body['message']).toContain('An authorization can be captured only once.');
  await redeliver(shop.merchant, reference);
  expect(paymentOf(await orderOf(shop, collection)).captures).toMatchObject([{ amount: 20 }]);
  await shop.merchant.setWebhookUrl(shop.webhookUrl(AUTOMATIC));
});

test('a capture that fails later is logged', async ({ shop, server }) => {
  await shop.merchant.setWebhookUrl(shop.webhookUrl(MANUAL));
  const { collection, session } = await checkOut(shop, MANUAL);
  const reference = session.data.transaction_id as string;
  await shop.merchant.pay(reference, cards.captureFails);
  const { id } = paymentOf(await orderOf(shop, collection));
  await shop.admin.call(`/admin/payments/${id}/capture`, {});
  await server.advance(60 * 1e6);
  await until('the failure is logged', async () => {
    return await Promise.resolve(shop.output().includes(`Transaction ${reference} is not paid`));
  });
  await shop.merchant.setWebhookUrl(shop.webhookUrl(AUTOMATIC));
});

test('a canceled order releases the authorized amount', async ({ shop }) => {
  const { cart, collection, session } = await checkOut(shop, MANUAL);
  const reference = session.data.transaction_id as string;
  await shop.merchant.pay(reference, cards.visa);
  expect((await complete(shop, cart)).body).toMatchObject({ type: 'order' });
  const order = await orderOf(shop, collection);
  await shop.admin.call(`/admin/orders/${order['id']}/cancel`, {});
  expect((await shop.merchant.detail(reference)).authorization).toMatchObject({ status: 'voided' });
});

test('a cart changed before payment gets a new link; after payment it cannot change', async ({ shop }) => {
  const { store, variant, merchant } = shop;
  const { cart, collection, session } = await checkOut(shop);
  await store.call(`/store/carts/${cart}/line-items`, { variant_id: variant, quantity: 1 });
  expect(await merchant.detail(session.data.transaction_id)).toMatchObject({ reason: 'cancelled' });
  const input = { provider_id: AUTOMATIC };
  const { payment_collection: renewed } = await store.call(
    `/store/payment-collections/${collection}/payment-sessions`,
    input,
  );
  const [second] = renewed.payment_sessions;
  expect(second.data).toMatchObject({ minor_units: '5100' });
  await merchant.setWebhookUrl(null);
  await merchant.pay(second.data.transaction_id, cards.visa);
  const changed = await store.send(`/store/carts/${cart}/line-items`, { variant_id: variant, quantity: 1 });
  expect(changed.status).not.toBe(200);
  expect((await store.call(`/store/carts/${cart}`)).cart).toMatchObject({ total: 51 });
  // No webhook arrived, so the buyer's return places the order.
  expect((await complete(shop, cart)).body).toMatchObject({ type: 'order', order: { total: 51 } });
  await merchant.setWebhookUrl(shop.webhookUrl(AUTOMATIC));
});

test('declined cards, expired links, forged webhooks and other origins place no order', async ({ shop, server }) => {
  const { store, merchant } = shop;
  await test.step('a declined card', async () => {
    const { cart, session } = await checkOut(shop);
    await merchant.pay(session.data.transaction_id, cards.declined);
    expect((await complete(shop, cart)).body).toMatchObject(notAuthorized);
  });
  await test.step('a forged webhook', async () => {
    const { cart, collection, session } = await checkOut(shop);
    const sent = await forgeWebhook(shop.webhookUrl(AUTOMATIC), merchant, session.data.transaction_id);
    // Medusa acknowledges webhooks before it verifies them.
    expect(sent).toBe(200);
    await until(
      'the webhook was rejected',
      async () => await Promise.resolve(shop.output().includes('Rejected a webhook for Paylatch: invalid_signature')),
    );
    expect(await ordersOf(shop, collection)).toEqual([]);
    expect((await store.call(`/store/carts/${cart}`)).cart.completed_at ?? null).toBeNull();
  });
  await test.step('a return URL on another origin', async () => {
    await expect(checkOut(shop, AUTOMATIC, { return_url: 'https://evil.example/' })).rejects.toThrow('return_url must');
  });
  await test.step('an expired link', async () => {
    await merchant.setLinkMinutes(1);
    const { cart, session } = await checkOut(shop);
    await server.advance(2 * 60 * 1e6);
    await until('the link has expired', async () => {
      return (await merchant.detail(session.data.transaction_id)).reason === 'expired';
    });
    expect((await complete(shop, cart)).body).toMatchObject(notAuthorized);
    await merchant.setLinkMinutes(1440);
  });
});

test('the sources compile with Medusa’s own types', async () => {
  await run(process.execPath, [join(folder, '../../../node_modules/typescript/bin/tsc'), '-p', folder]);
});
