import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../../scripts/postgres.mjs';
import { scenarios } from '../../testing/index.ts';
import { expect, test as base } from '../e2e/fixtures.ts';
import { cards } from '../support/requests.ts';
import { type FaultProxy, startFaultProxy } from '../sdks/fault-proxy.ts';
import { until } from '../support/program.ts';
import { forgeWebhook, openMerchant, redeliver, sendWebhook, type ShopMerchant } from './merchant.ts';
import { packageFolder, type RunningShop, startShop } from './shop-process.ts';

const folder = packageFolder('vendure');

/** Response data of Vendure's API. */
// oxlint-disable-next-line typescript/no-explicit-any
type Data = Record<string, any>;

/** One of Vendure's GraphQL APIs, in its own session. */
class Vendure {
  readonly #url: string;
  #token = '';

  constructor(url: string) {
    this.#url = url;
  }

  /** Fails unless the operation succeeds; its error results are returned. */
  async call(query: string, variables: Data = {}): Promise<Data> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.#token !== '' && { authorization: `Bearer ${this.#token}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    this.#token = response.headers.get('vendure-auth-token') ?? this.#token;
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    const [result] = Object.values(data);
    return result as Data;
  }
}

interface VendureShop {
  admin: Vendure;
  newBuyer: () => Vendure;
  variant: string;
  shipping: string;
  webhookUrl: string;
  output: () => string;
  /** Between the shop and the service. */
  proxy: FaultProxy;
  /** Changes the total of an order, as other code could. */
  setTotal: (code: string, total: number) => Promise<void>;
}

const en = (fields: Data) => [{ languageCode: 'en', ...fields }];

/** Creates a zone, a shipping method, the payment method and a product for $25.50. */
async function createCatalog(origin: string) {
  const admin = new Vendure(`${origin}/admin-api`);
  await admin.call('mutation { login(username: "superadmin", password: "kettle-and-co") { __typename } }');
  const country = await admin.call('mutation ($input: CreateCountryInput!) { createCountry(input: $input) { id } }', {
    input: { code: 'US', enabled: true, translations: en({ name: 'United States' }) },
  });
  const zone = await admin.call('mutation ($input: CreateZoneInput!) { createZone(input: $input) { id } }', {
    input: { name: 'World', memberIds: [country['id']] },
  });
  const channel = await admin.call('{ activeChannel { id } }');
  await admin.call(
    'mutation ($input: UpdateChannelInput!) { updateChannel(input: $input) { ... on ErrorResult { message } } }',
    {
      input: {
        id: channel['id'],
        defaultTaxZoneId: zone['id'],
        defaultShippingZoneId: zone['id'],
        pricesIncludeTax: true,
      },
    },
  );
  const tax = await admin.call('mutation { createTaxCategory(input: { name: "Standard" }) { id } }');
  await admin.call('mutation ($input: CreateTaxRateInput!) { createTaxRate(input: $input) { id } }', {
    input: { name: 'None', enabled: true, value: 0, categoryId: tax['id'], zoneId: zone['id'] },
  });
  const shipping = await admin.call(
    'mutation ($input: CreateShippingMethodInput!) { createShippingMethod(input: $input) { id } }',
    {
      input: {
        code: 'post',
        fulfillmentHandler: 'manual-fulfillment',
        checker: { code: 'default-shipping-eligibility-checker', arguments: [{ name: 'orderMinimum', value: '0' }] },
        calculator: {
          code: 'default-shipping-calculator',
          arguments: [
            { name: 'rate', value: '0' },
            { name: 'includesTax', value: 'auto' },
            { name: 'taxRate', value: '0' },
          ],
        },
        translations: en({ name: 'Post', description: '' }),
      },
    },
  );
  await admin.call('mutation ($input: CreatePaymentMethodInput!) { createPaymentMethod(input: $input) { id } }', {
    input: {
      code: 'cards',
      enabled: true,
      handler: { code: 'paylatch', arguments: [] },
      translations: en({ name: 'Card', description: '' }),
    },
  });
  for (const [couponCode, discount] of [
    ['TEA', '10'],
    ['GIFT', '100'],
  ] as const)
    await admin.call(
      'mutation ($input: CreatePromotionInput!) { createPromotion(input: $input) { ... on ErrorResult { message } } }',
      {
        input: {
          enabled: true,
          couponCode,
          conditions: [],
          actions: [{ code: 'order_percentage_discount', arguments: [{ name: 'discount', value: discount }] }],
          translations: en({ name: couponCode, description: '' }),
        },
      },
    );
  const product = await admin.call('mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }', {
    input: { enabled: true, translations: en({ name: 'Kettle', slug: 'kettle', description: '' }) },
  });
  const [variant] = (await admin.call(
    'mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }',
    {
      input: [
        {
          productId: product['id'],
          sku: 'K1',
          price: 2550,
          taxCategoryId: tax['id'],
          trackInventory: 'FALSE',
          translations: en({ name: 'Kettle' }),
        },
      ],
    },
  )) as unknown as Data[];
  return { admin, variant: variant?.['id'] as string, shipping: shipping['id'] as string };
}

// All tests share one Vendure server per capture mode.
base.describe.configure({ mode: 'default' });

const test = base.extend<
  object,
  { merchant: ShopMerchant; start: (capture: string) => Promise<VendureShop>; shop: VendureShop }
>({
  merchant: [async ({ server }, use) => await use(await openMerchant(server)), { scope: 'worker' }],
  start: [
    async ({ urls, merchant }, use) => {
      const postgres = await startPostgres({ survivesPowerLoss: false });
      const proxy = await startFaultProxy(urls.url);
      const running: RunningShop[] = [];
      const started = new Map<string, VendureShop>();
      try {
        await use(async (capture) => {
          const opened = started.get(capture);
          if (opened) return opened;
          const env = {
            DATABASE_URL: postgres.url,
            PAYLATCH_URL: proxy.origin,
            PAYLATCH_TOKEN: merchant.token,
            PAYLATCH_MERCHANT_ID: String(merchant.id),
            PAYLATCH_WEBHOOK_KEY: merchant.callbackSecret,
            PAYLATCH_CAPTURE: capture,
            STOREFRONT_URL: `${urls.siteUrl}/orders/{orderCode}`,
          };
          const shop = await startShop(folder, () => ['server.cjs'], env, '/health');
          running.push(shop);
          const { origin, output } = shop;
          const webhookUrl = `${origin}/paylatch/webhook`;
          await merchant.setWebhookUrl(webhookUrl);
          const [first] = started.values();
          const stocked = first ?? (await createCatalog(origin));
          const admin = new Vendure(`${origin}/admin-api`);
          await admin.call('mutation { login(username: "superadmin", password: "kettle-and-co") { __typename } }');
          const setTotal = async (code: string, total: number) => {
            const database = new pg.Client(postgres.url);
            await database.connect();
            await database.query('update "order" set "subTotalWithTax" = $1 where code = $2', [total, code]);
            await database.end();
          };
          const newBuyer = () => new Vendure(`${origin}/shop-api`);
          const open = { ...stocked, admin, newBuyer, webhookUrl, output, proxy, setTotal };
          started.set(capture, open);
          return open;
        });
      } finally {
        await Promise.all(running.map(async (shop) => await shop.stop()));
        await proxy.close();
        await postgres.stop();
      }
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  shop: [async ({ start }, use) => await use(await start('automatic')), { scope: 'worker', timeout: 600_000 }],
});

const ORDER = 'id code state totalWithTax payments { id state amount transactionId metadata errorMessage }';

/** Adds the payment, and returns it. */
async function addPayment(buyer: Vendure): Promise<Data> {
  const order = await buyer.call(
    `mutation { addPaymentToOrder(input: { method: "cards", metadata: {} }) { ... on Order { ${ORDER} } ... on ErrorResult { message } } }`,
  );
  return (order['payments'] as Data[]).findLast(({ state }) => state === 'Created') ?? order;
}

async function moveTo(buyer: Vendure, state: string) {
  return await buyer.call(
    'mutation ($state: String!) { transitionOrderToState(state: $state) { ... on Order { state } ... on OrderStateTransitionError { transitionError } } }',
    { state },
  );
}

async function addKettle(buyer: Vendure, variant: string) {
  await buyer.call('mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename } }', {
    id: variant,
  });
}

/** An order of one kettle, with its open payment. */
async function checkOut({ newBuyer, variant, shipping }: VendureShop) {
  const buyer = newBuyer();
  await addKettle(buyer, variant);
  await buyer.call('mutation ($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { __typename } }', {
    input: { firstName: 'Ada', lastName: 'Lovelace', emailAddress: `ada-${randomUUID()}@example.com` },
  });
  await buyer.call('mutation ($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) { __typename } }', {
    input: { streetLine1: '1 Main St', countryCode: 'US' },
  });
  await buyer.call('mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename } }', {
    id: [shipping],
  });
  expect(await moveTo(buyer, 'ArrangingPayment')).toEqual({ state: 'ArrangingPayment' });
  const payment = await addPayment(buyer);
  const { id, code } = await buyer.call(`{ activeOrder { ${ORDER} } }`);
  return { buyer, id: id as string, code: code as string, payment, reference: payment['transactionId'] as string };
}

async function orderOf({ admin }: VendureShop, id: string): Promise<Data> {
  const fields = `${ORDER} history(options: { filter: { type: { eq: "ORDER_PAYMENT_TRANSITION" } } }) { items { data } }`;
  return await admin.call(
    `query ($id: ID!) { order(id: $id) { ${fields.replace('errorMessage', 'errorMessage refunds { id state total }')} } }`,
    { id },
  );
}

async function orderIn(shop: VendureShop, id: string, state: string): Promise<Data> {
  let order: Data = {};
  await until(`the order is ${state}`, async () => {
    order = await orderOf(shop, id);
    return order['state'] === state;
  });
  return order;
}

/** The transitions of an order's payments to a state. */
const transitionsTo = (order: Data, state: string) =>
  (order['history'].items as Data[]).filter(({ data }) => data.to === state);

async function applyCoupon(buyer: Vendure, couponCode = 'TEA') {
  return await buyer.call(
    'mutation ($code: String!) { applyCouponCode(couponCode: $code) { ... on Order { totalWithTax } ... on ErrorResult { message } } }',
    { code: couponCode },
  );
}

/** Waits for an error in the log of a shop. */
const logged = async ({ output }: VendureShop, text: string) =>
  await until(`the log contains ${text}`, async () => await Promise.resolve(output().includes(text)));

const refund = async ({ admin }: VendureShop, payment: string, amount: number) =>
  await admin.call(
    'mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { ... on Refund { state total } ... on ErrorResult { message } } }',
    { input: { paymentId: payment, amount, lines: [], shipping: 0, adjustment: 0 } },
  );

test('a buyer pays on the payment page, the webhook settles the order, and it is refunded in part', async ({
  page,
  linkPage,
  merchant,
  shop,
  urls,
}) => {
  const { id, code, payment, reference } = await checkOut(shop);
  expect(payment).toMatchObject({ state: 'Created', amount: 2550 });
  await merchant.syncClock();
  await page.goto(payment['metadata'].public.link);
  await linkPage.fillAndPay(scenarios.approved);
  await page.waitForURL(`${urls.siteUrl}/orders/${code}`);
  const order = await orderIn(shop, id, 'PaymentSettled');
  expect(order['payments']).toMatchObject([{ state: 'Settled', amount: 2550, transactionId: reference }]);
  expect(await refund(shop, payment['id'], 525)).toEqual({ state: 'Settled', total: 525 });
  expect(await refund(shop, payment['id'], 2026)).toHaveProperty('message');
  expect(await refund(shop, payment['id'], 2025)).toEqual({ state: 'Settled', total: 2025 });
  const detail = await merchant.detail(reference);
  expect(detail).toMatchObject({ amount: 25.5, refunded_amount: 25.5, refunds: [{ amount: 5.25 }, { amount: 20.25 }] });
});

test('concurrent deliveries of the same webhook settle the payment once', async ({ merchant, shop }) => {
  const { id, reference } = await checkOut(shop);
  await merchant.setWebhookUrl(null);
  await merchant.pay(reference, cards.visa);
  const send = async () => await sendWebhook(shop.webhookUrl, merchant, reference);
  expect(await Promise.all(Array.from({ length: 6 }, send))).toEqual(Array.from({ length: 6 }, () => 204));
  const order = await orderOf(shop, id);
  expect(order).toMatchObject({ state: 'PaymentSettled', payments: [{ state: 'Settled', amount: 2550 }] });
  expect(transitionsTo(order, 'Settled')).toHaveLength(1);
  await merchant.setWebhookUrl(shop.webhookUrl);
});

test('while the service is unreachable, a webhook is answered with an error, and a repeated refund is paid once', async ({
  merchant,
  shop,
}) => {
  const { id, payment, reference } = await checkOut(shop);
  await merchant.setWebhookUrl(null);
  await merchant.pay(reference, cards.visa);
  // The request and its two retries.
  const unreachable = ['bad_gateway', 'bad_gateway', 'bad_gateway'];
  // Only the second time that the transaction is read, as the payment is settled.
  shop.proxy.next.push(null, ...unreachable);
  expect(await sendWebhook(shop.webhookUrl, merchant, reference)).toBe(500);
  expect(await orderOf(shop, id)).toMatchObject({ state: 'ArrangingPayment', payments: [{ state: 'Created' }] });
  expect(await sendWebhook(shop.webhookUrl, merchant, reference)).toBe(204);
  expect(await orderOf(shop, id)).toMatchObject({ state: 'PaymentSettled' });
  // The service refunds, but its response is lost.
  shop.proxy.next.push(...unreachable);
  await expect(refund(shop, payment['id'], 525)).rejects.toThrow('Unexpected response');
  // Rejected before the service looks for the first request, so that one may have been paid.
  shop.proxy.next.push('unauthorized');
  await expect(refund(shop, payment['id'], 525)).rejects.toThrow('Revoked');
  expect(await refund(shop, payment['id'], 525)).toEqual({ state: 'Settled', total: 525 });
  expect(await merchant.detail(reference)).toMatchObject({ refunded_amount: 5.25 });
  expect(await refund(shop, payment['id'], 525)).toEqual({ state: 'Settled', total: 525 });
  expect(await merchant.detail(reference)).toMatchObject({ refunded_amount: 10.5 });
  await merchant.setWebhookUrl(shop.webhookUrl);
});

test('an order changed before payment gets a new link; after payment it cannot change', async ({ merchant, shop }) => {
  const { buyer, id, reference } = await checkOut(shop);
  expect(await moveTo(buyer, 'AddingItems')).toEqual({ state: 'AddingItems' });
  expect(await merchant.detail(reference)).toMatchObject({ reason: 'cancelled' });
  await addKettle(buyer, shop.variant);
  await moveTo(buyer, 'ArrangingPayment');
  const second = await addPayment(buyer);
  expect(second).toMatchObject({ amount: 5100 });
  await test.step('another payment replaces an open one', async () => {
    const third = await addPayment(buyer);
    expect(third).toMatchObject({ amount: 5100 });
    expect(await merchant.detail(second['transactionId'])).toMatchObject({ reason: 'cancelled' });
    await merchant.setWebhookUrl(null);
    await merchant.pay(third['transactionId'], cards.visa);
    const refused = await moveTo(buyer, 'AddingItems');
    expect(refused['transitionError']).toContain('has been paid');
    await merchant.setWebhookUrl(shop.webhookUrl);
    expect(await sendWebhook(shop.webhookUrl, merchant, third['transactionId'])).toBe(204);
  });
  const order = await orderIn(shop, id, 'PaymentSettled');
  expect(
    (order['payments'] as Data[]).map(({ state }) => String(state)).toSorted((one, other) => one.localeCompare(other)),
  ).toEqual(['Cancelled', 'Cancelled', 'Settled']);
});

test('a coupon for the whole order cancels the open link, and does not place the order', async ({ merchant, shop }) => {
  const { buyer, id, reference } = await checkOut(shop);
  expect(await applyCoupon(buyer, 'GIFT')).toEqual({ totalWithTax: 0 });
  expect(await merchant.detail(reference)).toMatchObject({ reason: 'cancelled' });
  expect((await orderIn(shop, id, 'ArrangingPayment'))['payments']).toMatchObject([{ state: 'Created' }]);
});

test('a coupon during checkout cancels the open link, and is rejected after the payment', async ({
  merchant,
  shop,
}) => {
  const { buyer, id, reference } = await checkOut(shop);
  expect(await applyCoupon(buyer)).toEqual({ totalWithTax: 2295 });
  expect(await merchant.detail(reference)).toMatchObject({ reason: 'cancelled' });
  const { transactionId: second, amount } = await addPayment(buyer);
  expect(amount).toBe(2295);
  await merchant.setWebhookUrl(null);
  await merchant.pay(second, cards.visa);
  const remove = buyer.call('mutation { removeCouponCode(couponCode: "TEA") { totalWithTax } }');
  await expect(remove).rejects.toThrow('has been paid');
  await merchant.setWebhookUrl(shop.webhookUrl);
  expect(await sendWebhook(shop.webhookUrl, merchant, second)).toBe(204);
  expect(await orderIn(shop, id, 'PaymentSettled')).toMatchObject({ totalWithTax: 2295 });
});

test('a payment that differs from the total, and a refund that fails later, are logged', async ({
  merchant,
  server,
  shop,
}) => {
  const { id, code, payment, reference } = await checkOut(shop);
  await shop.setTotal(code, 2000);
  await merchant.pay(reference, cards.refundFails);
  await logged(shop, `The payments of order ${code} exceed its total by 5.5 USD. Refund the difference.`);
  await orderIn(shop, id, 'PaymentSettled');
  expect(await refund(shop, payment['id'], 2550)).toEqual({ state: 'Settled', total: 2550 });
  await server.advance(60 * 1e6);
  await logged(shop, `Refund ${reference}/1 failed, but is Settled in Vendure.`);
});

test('a refused refund fails, and is paid when it is repeated after the cause was fixed', async ({
  merchant,
  server,
  shop,
}) => {
  const { id, payment, reference } = await checkOut(shop);
  await merchant.pay(reference, cards.refundFails);
  await orderIn(shop, id, 'PaymentSettled');
  await merchant.call('/fiat/v1/transaction/refund', { transaction_id: reference });
  expect(await refund(shop, payment['id'], 2550)).toEqual({ state: 'Failed', total: 2550 });
  await logged(shop, 'The payment is already fully refunded. [not_refundable]');
  // The refund in Paylatch fails, so the amount can be refunded again.
  await server.advance(60 * 1e6);
  expect(await refund(shop, payment['id'], 2550)).toEqual({ state: 'Settled', total: 2550 });
  const states = ((await orderOf(shop, id))['payments'][0].refunds as Data[]).map(({ state }) => String(state));
  expect(states.toSorted((one, other) => one.localeCompare(other))).toEqual(['Failed', 'Settled']);
  expect(await merchant.detail(reference)).toMatchObject({ refunds: [{ state: 'failed' }, { state: 'succeeded' }] });
});

test('declined cards, expired links and forged webhooks settle no order', async ({ merchant, server, shop }) => {
  const { buyer, id, reference } = await checkOut(shop);
  await merchant.pay(reference, cards.declined);
  expect(await forgeWebhook(shop.webhookUrl, merchant, reference)).toBe(401);
  const settle = await shop.admin.call(
    'mutation ($id: ID!) { settlePayment(id: $id) { ... on Payment { state } ... on ErrorResult { message } ... on SettlePaymentError { paymentErrorMessage } } }',
    { id: (await orderOf(shop, id))['payments'][0].id },
  );
  expect(settle['paymentErrorMessage']).toContain('has not been paid');
  expect(await orderOf(shop, id)).toMatchObject({ state: 'ArrangingPayment', payments: [{ state: 'Created' }] });
  await merchant.setLinkMinutes(1);
  const { transactionId: expiring } = await addPayment(buyer);
  await server.advance(2 * 60 * 1e6);
  await until('the link has expired', async () => (await merchant.detail(expiring)).reason === 'expired');
  await redeliver(merchant, expiring);
  await merchant.setLinkMinutes(1440);
  const { transactionId: again } = await addPayment(buyer);
  await merchant.pay(again, cards.visa);
  await orderIn(shop, id, 'PaymentSettled');
});

test('an authorized payment is captured when it is settled, and voided when it is canceled', async ({
  merchant,
  start,
}) => {
  const shop = await start('manual');
  const { id, payment, reference } = await checkOut(shop);
  await merchant.pay(reference, cards.visa);
  await orderIn(shop, id, 'PaymentAuthorized');
  const settle =
    'mutation ($id: ID!) { settlePayment(id: $id) { ... on Payment { state } ... on ErrorResult { message } } }';
  const results = await Promise.all([1, 2].map(async () => await shop.admin.call(settle, { id: payment['id'] })));
  expect(results.some(({ state }) => state === 'Settled')).toBe(true);
  const order = await orderIn(shop, id, 'PaymentSettled');
  expect(order['payments']).toHaveLength(1);
  expect(await merchant.detail(reference)).toMatchObject({
    amount_received: 25.5,
    authorization: { status: 'captured', captured_amount: 25.5 },
  });
  const canceled = await checkOut(shop);
  await merchant.pay(canceled.reference, cards.visa);
  await orderIn(shop, canceled.id, 'PaymentAuthorized');
  await shop.admin.call(
    'mutation ($id: ID!) { cancelPayment(id: $id) { ... on Payment { state } ... on ErrorResult { message } } }',
    { id: canceled.payment['id'] },
  );
  expect((await merchant.detail(canceled.reference)).authorization).toMatchObject({ status: 'voided' });
});

test('a canceled order releases the authorized amount, and a capture that fails later is logged', async ({
  merchant,
  server,
  start,
}) => {
  const shop = await start('manual');
  const canceled = await checkOut(shop);
  await merchant.pay(canceled.reference, cards.visa);
  await orderIn(shop, canceled.id, 'PaymentAuthorized');
  const result = await shop.admin.call(
    'mutation ($input: CancelOrderInput!) { cancelOrder(input: $input) { ... on Order { state payments { state } history { items { data } } } ... on ErrorResult { message } } }',
    { input: { orderId: canceled.id, cancelShipping: true } },
  );
  expect(result).toMatchObject({ state: 'Cancelled', payments: [{ state: 'Cancelled' }] });
  expect(JSON.stringify(result['history'])).not.toContain('PaymentSettled');
  expect((await merchant.detail(canceled.reference)).authorization).toMatchObject({ status: 'voided' });

  const captured = await checkOut(shop);
  await merchant.pay(captured.reference, cards.captureFails);
  await orderIn(shop, captured.id, 'PaymentAuthorized');
  await shop.admin.call('mutation ($id: ID!) { settlePayment(id: $id) { __typename } }', {
    id: captured.payment['id'],
  });
  await orderIn(shop, captured.id, 'PaymentSettled');
  await server.advance(60 * 1e6);
  await logged(shop, `Transaction ${captured.reference} of order ${captured.code} is no longer paid`);
});

test('the sources compile with Vendure’s own types', async () => {
  const tsc = join(folder, '../../../node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', folder]);
});
