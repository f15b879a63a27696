/*
 * Saves screenshots of every page that needs the running service to test-results/screenshots/: the account area,
 * reusable links, crypto invoices, the sandbox's simulators, the demo shop, the playground and the reference. Each at
 * three widths, in light and dark, and right to left. Reports pages that scroll horizontally, from 320 px. Build the
 * pages first. An argument selects pages by a pattern of their names:
 * `node --import ./scripts/decorators.mjs scripts/screenshots-account.ts 'shop|link_'`.
 * `--languages de,ja` uses other languages than English and Arabic; `--long` gives every name, text and URL the
 * longest usual form without spaces.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright';
import { createShop } from '../examples/shop/server.ts';
import { routeNames, routes, type RouteName } from '../pages/account/routes.ts';
import { listen } from '../src/http/server.ts';
import { packageRoot } from '../src/system/root.ts';
import { createBuyers } from '../test/support/buyer.ts';
import { enableEveryMethod } from '../test/support/every-method.ts';
import { openFixture } from '../test/support/fixture.ts';
import { invoicesOf } from '../test/support/invoices.ts';
import { cards, createLink, submission } from '../test/support/requests.ts';
import { makeUser, PASSWORD } from '../test/support/users.ts';
import { openEndpoint } from '../test/support/webhook-endpoint.ts';
import { external } from '../test/support/withdrawals.ts';
import { SERVICE_KEY } from '../test/support/signing.ts';
import { findFastChromium } from './chromium.mjs';

const SCREENSHOTS = join(packageRoot(), 'test-results/screenshots');
const {
  positionals: [filter = ''],
  values: { languages, long: isLong },
} = parseArgs({
  allowPositionals: true,
  options: { languages: { type: 'string', default: 'en-US,ar' }, long: { type: 'boolean', default: false } },
});

/** Long texts only matter at narrow widths. */
const WIDTHS = isLong ? [360] : [360, 768, 1280];
const CHECKED_WIDTHS = [320, ...WIDTHS];

const fixture = await openFixture({ env: { PAYLATCH_SECRET_KEY: SERVICE_KEY } });
/** Text of a record: with `--long`, one word of 60 characters that begins with it. */
const lengthened = (text: string) => (isLong ? text.replaceAll(' ', '').padEnd(60, 'Kesselflickerei') : text);
if (isLong) fixture.merchant = await fixture.makeMerchant(lengthened('Kettle & Co'));
const { merchant } = fixture;
const buyers = createBuyers(() => fixture);
const invoices = invoicesOf(() => fixture);
const webhookEndpoint = await openEndpoint();

async function call(path: string, body: object, { method = 'POST', token = merchant.token } = {}) {
  const response = await fixture.request(path, { method, body, token });
  if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
  return response.body;
}

async function payByCard(fields: Record<string, unknown>, number: string, payer: Record<string, string> = {}) {
  const { reference } = await createLink(fixture, fields);
  await call('/fiat/v1/transaction/submit', submission(reference, number, payer));
  return reference;
}

const metadata = { order_id: lengthened('10482'), channel: 'web', campaign: 'Autumn kettles', cost_center: '4400-UK' };
const items = [
  { name: lengthened('Kettle, blue enamel, 1.5 liters'), quantity: 1, unit_amount: 64 },
  { name: 'Cup', quantity: 2, unit_amount: 12.5 },
];

/** Creates records of every kind; returns the parameters of their pages. */
async function seed() {
  await enableEveryMethod(fixture, merchant);
  await call('/v1/merchant/preferences', { key: 'callback-url', value: webhookEndpoint.url }, { method: 'PATCH' });
  const endpoint = await call(
    '/v1/webhook-endpoints',
    {
      ...{
        url: `${webhookEndpoint.url}?${lengthened('books')}`,
        description: lengthened('Bookkeeping'),
        event_types: ['fiat.transaction.updated'],
      },
    },
    { token: merchant.managerToken },
  );
  await call(
    '/v1/tokens',
    { name: lengthened('Till 7'), scopes: ['link:write', 'transaction:read'] },
    { token: merchant.managerToken },
  );
  const payers = [
    { first_name: lengthened('Grace'), last_name: lengthened('Hopper'), email: `${lengthened('grace')}@example.com` },
    {
      first_name: 'Maximiliane',
      last_name: 'Oberländer-Schönefeld',
      email: 'maximiliane.oberlaender@versicherung.example',
    },
    { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
  ];
  for (let day = 0; day < 12; day += 1) {
    const [payer = {}] = payers.splice(day % payers.length, 1);
    payers.push(payer as (typeof payers)[number]);
    for (const [index, number] of [cards.visa, cards.mastercard, cards.amex, cards.insufficientFunds].entries())
      if ((day + index) % 3 !== 2)
        await payByCard(
          {
            amount: 19.5 + day * 17 + index,
            currency: index === 1 ? 'EUR' : 'USD',
            description: lengthened('Kettle, blue enamel'),
          },
          number,
          payer,
        );
    await fixture.advance(19 * 3_600_000_000);
  }
  const refunded = await payByCard({ amount: 89, line_items: items, metadata }, cards.visa, payers[1]);
  await call('/fiat/v1/transaction/refund', { transaction_id: refunded, amount: 12.5 });
  await payByCard({ amount: 42, description: 'Return of a kettle' }, cards.disputed);
  const authorized = await payByCard({ amount: 240, capture: 'manual', metadata }, cards.visa, payers[0]);
  const captured = await payByCard({ amount: 180, capture: 'manual' }, cards.mastercard, payers[0]);
  await call('/fiat/v1/transaction/capture', { transaction_id: captured, amount: 80 });
  const thai = { payment_method: 'qr_code', amount: 1250, country: 'THA', currency: 'THB' };
  for (const outcome of ['underpay', 'overpay'] as const) {
    const link = await createLink(fixture, { ...thai, description: lengthened('Repair of a kettle') });
    await buyers.simulate(await buyers.startPayment(link, 'qr_code'), outcome);
  }
  const named = await createLink(fixture, {
    ...{
      amount: 89,
      line_items: items,
      metadata,
      payer: { first_name: 'Katherine', last_name: 'Johnson', email: 'katherine@example.com' },
    },
  });
  const manual = await createLink(fixture, {
    amount: 240,
    capture: 'manual',
    line_items: [{ ...items[0], unit_amount: 240 }],
  });
  const qr = await createLink(fixture, thai);
  const started = await buyers.startPayment(qr, 'qr_code');
  const challenged = await createLink(fixture, {});
  await call('/fiat/v1/transaction/submit', submission(challenged.reference, cards.challenge));
  await fixture.work();
  for (const amount of [undefined, 100_000n, 300_000n]) {
    const invoice = await invoices.create();
    await invoices.pay(invoice, amount);
    await invoices.mine(2);
  }
  const paid = await invoices.create({ txId: 'coffee-paid' });
  await invoices.pay(paid);
  await invoices.mine(2);
  const withdrawn = await invoices.create({ txId: 'coffee-withdrawn' });
  await invoices.pay(withdrawn);
  await invoices.mine(2);
  await call(
    '/v1/withdrawals',
    { code: 'btc', walletAddress: withdrawn.walletAddress, source: 'credited', destination: external.bitcoin },
    { token: merchant.managerToken },
  );
  const open = await invoices.create({ txId: lengthened('coffee-open') });
  const reusable = await call('/fiat/v1/reusable-links', {
    ...{
      title: lengthened('Pottery workshop'),
      description: lengthened('Saturday, 10:00 to 13:00. Clay and tea included.'),
      country: 'USA',
    },
    ...{ currency: 'USD', payment_method: 'credit_card', amount: 45, quantity: { minimum: 1, maximum: 4 }, stock: 12 },
    ask: ['email'],
  });
  await makeUser(fixture, 'viewer', { email: `${lengthened('grace')}@shop.example`, name: lengthened('Grace Hopper') });
  await makeUser(fixture, 'operator', { email: 'katherine@shop.example', name: 'Katherine Johnson' });
  await fixture.work();
  const credentials = { secretKey: 'xnd_development_x', callbackToken: 'a1b2c3', accountCountry: 'TH' };
  // Last: payments above use the sandbox's own account.
  const acquirer = await call(
    '/v1/acquirer-accounts',
    {
      ...{ acquirer: 'xendit', name: lengthened('QR payments Thailand'), credentials },
      routes: [{ payment_method: 'qr_code', country: 'THA', currency: 'THB', priority: 1 }],
    },
    { token: merchant.managerToken },
  );
  const invited = await call(
    '/v1/people/invite',
    { email: `${lengthened('edsger')}@shop.example`, role: 'operator' },
    { token: merchant.managerToken },
  );
  await fixture.work();
  return {
    ...{
      endpoint: endpoint.id as string,
      reusable: reusable as { id: string; url: string },
      authorized,
      refunded,
      captured,
    },
    ...{
      crypto: paid.id,
      named,
      manual,
      qr: qr.link,
      simulator: started.simulatorUrl ?? '',
      challenged: challenged.link,
    },
    ...{ invoice: open, acquirer: acquirer.id as string, invitation: invited.link as string },
  };
}

interface Scene {
  url: string;
  isSignedIn?: boolean;
  /** Actions before the screenshot. */
  act?: (page: Page) => Promise<void>;
}

const seeded = await seed();
let shopFetch: (request: Request) => Response | Promise<Response> = () => new Response('', { status: 503 });
const shop = await listen({ fetch: (request) => shopFetch(request), port: 0, host: '127.0.0.1' });
const shopUrl = `http://127.0.0.1:${shop.port}`;
const access = { apiUrl: fixture.url, shopUrl, accessToken: merchant.token, callbackSecret: merchant.callbackSecret };
const { fetch: serveShop } = createShop(access, join(packageRoot(), 'dist', 'shop'));
shopFetch = (request) => serveShop(request);

const parameters: Partial<Record<RouteName, string>> = {
  ...{ transaction: seeded.refunded, reusable_link: seeded.reusable.id, webhook: seeded.endpoint },
  acquirer: seeded.acquirer,
};

function accountScene(name: RouteName): Scene {
  const { audience, path } = routes[name];
  const filled = path.replace(/:\w+/, parameters[name] ?? '');
  const prefix = audience === 'merchant' ? `${merchant.id}/` : '';
  return { url: `${fixture.url}/account/${prefix}${filled}`, isSignedIn: audience !== 'public' };
}

const ofMerchant = (path: string) => `${fixture.url}/account/${merchant.id}/${path}`;
const scenes: Record<string, Scene> = {
  ...Object.fromEntries(routeNames.map((name) => [`account_${name}`, accountScene(name)])),
  account_join: { url: seeded.invitation },
  account_transaction_authorized: { url: ofMerchant(`transactions/${seeded.authorized}`), isSignedIn: true },
  account_transaction_captured: { url: ofMerchant(`transactions/${seeded.captured}`), isSignedIn: true },
  account_transaction_open: { url: ofMerchant(`transactions/${seeded.named.reference}`), isSignedIn: true },
  account_transaction_crypto: { url: ofMerchant(`transactions/${seeded.crypto}`), isSignedIn: true },
  account_refund: {
    url: ofMerchant(`transactions/${seeded.refunded}`),
    isSignedIn: true,
    act: async (page) => await page.locator('.transaction-actions wa-button').first().click(),
  },
  account_withdrawals: { url: ofMerchant('crypto?tab=withdrawals'), isSignedIn: true },
  account_new_link_details: {
    url: ofMerchant('new-link'),
    isSignedIn: true,
    async act(page) {
      for (const index of [1, 2]) await page.locator('.link-section .row').nth(index).click();
      await page.locator('#link-line_items').click();
    },
  },
  account_reusable_form: {
    url: ofMerchant('reusable-links'),
    isSignedIn: true,
    act: async (page) => await page.locator('.page-head wa-button').first().click(),
  },
  account_delivery: {
    url: ofMerchant('webhooks'),
    isSignedIn: true,
    act: async (page) => await page.locator('.delivery-head').first().click(),
  },
  account_palette: {
    url: ofMerchant('overview'),
    isSignedIn: true,
    async act(page) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('katherine');
    },
  },
  link_items: { url: seeded.named.link },
  link_manual: { url: seeded.manual.link },
  link_qr: { url: seeded.qr },
  link_challenge: { url: seeded.challenged },
  reusable: { url: seeded.reusable.url },
  invoice: { url: seeded.invoice.link.payment },
  simulator_bank: { url: seeded.simulator },
  simulator_chain: { url: `${fixture.url}/sandbox/chain/${seeded.invoice.id}` },
  shop: { url: shopUrl },
  playground: {
    url: `${shopUrl}/playground`,
    act: async (page) => await page.locator('pay-form iframe[style*=height]').waitFor(),
  },
  reference: { url: `${fixture.url}/reference` },
};

const browser = await chromium.launch({ executablePath: findFastChromium() ?? '', args: ['--no-sandbox'] });
await mkdir(SCREENSHOTS, { recursive: true });
let problems = 0;
function reportProblem(scene: string, problem: string) {
  problems += 1;
  console.log(`${scene}: ${problem}`);
}

const { email } = await makeUser(fixture, 'manager');
const cookies = await signIn();

async function signIn() {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(`${fixture.url}/account/sign-in`);
  await page.locator('input[autocomplete~=username]').fill(email);
  await page.locator('input[autocomplete=current-password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  const stored = await context.cookies();
  await context.close();
  return stored;
}

/** Color schemes by locale: Arabic and other languages are captured in light colors only. */
const colorSchemesOf = (locale: string) => (locale === 'en-US' ? (['light', 'dark'] as const) : (['light'] as const));

async function takeScreenshots(page: Page, name: string, { url, act }: Scene, locale: string) {
  await page.goto(url);
  await page.locator('h1').first().waitFor();
  await waitUntilLoaded(page);
  await act?.(page);
  await showEveryRow(page);
  for (const colorScheme of colorSchemesOf(locale))
    for (const width of CHECKED_WIDTHS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: width < 500 ? 760 : 900 });
      await waitUntilLoaded(page);
      const variant = locale === 'en-US' ? colorScheme : locale === 'ar' ? 'rtl' : locale;
      const screenshot = `${name}-${width}-${variant}`;
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) reportProblem(screenshot, `scrolls horizontally by ${overflow} px`);
      if (WIDTHS.includes(width))
        await page.screenshot({ path: join(SCREENSHOTS, `${screenshot}.png`), fullPage: true });
    }
}

/** Rows outside the viewport are not rendered, and would be empty in the screenshot. */
async function showEveryRow(page: Page) {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets.push(sheet);
  });
}

async function waitUntilLoaded(page: Page) {
  await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy=true]'));
}

for (const [name, scene] of Object.entries(scenes).filter(([each]) => new RegExp(filter).test(each)))
  for (const locale of languages.split(',')) {
    const context = await browser.newContext({
      locale,
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 900 },
    });
    if (scene.isSignedIn) await context.addCookies(cookies);
    const page = await context.newPage();
    page.on('pageerror', (error) => reportProblem(name, error.message));
    await takeScreenshots(page, name, scene, locale).catch((error: unknown) => reportProblem(name, String(error)));
    await context.close();
  }

await browser.close();
await shop.close();
await webhookEndpoint.close();
await fixture.close({ isCounted: false });
console.log(`Problems: ${problems}`);
process.exitCode = problems === 0 ? 0 : 1;
