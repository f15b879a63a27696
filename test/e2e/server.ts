/*
 * The service under test in its own process, with simulated time, the demo shop and a merchant's site. Tests control
 * it over IPC, one message per call.
 */
import { join } from 'node:path';
import { Hono } from 'hono';
import { createShop } from '../../examples/shop/server.ts';
import { listen, type Timeouts } from '../../src/http/server.ts';
import { packageRoot } from '../../src/system/root.ts';
import { openEndpoint } from '../support/webhook-endpoint.ts';
import { openPageWatch } from '../support/page-watch.ts';
import { cards, creation, submission } from '../support/requests.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { makeUser, PASSWORD } from '../support/users.ts';
import { SERVICE_KEY } from '../support/signing.ts';
import { openFixture } from '../support/fixture.ts';
import { invoicesOf } from '../support/invoices.ts';
import type { UserRole } from '../../src/shared/roles.ts';
import type { PageState } from '../../src/api/page-state.ts';
import { simulatorForm, type SimulatorAction } from '../support/simulator-form.ts';

const watch = openPageWatch();
const isWatched = process.argv.includes('--watch-pages');
const usesExternalKeys = process.argv.includes('--external-keys');
const timeouts = process.argv.find((argument) => argument.startsWith('--timeouts='));
const fixture = await openFixture({
  ...(process.argv.includes('--localhost') && { host: 'localhost' }),
  env: { TRUSTED_PROXIES: 'loopback', ...(usesExternalKeys && { PAYLATCH_SECRET_KEY: SERVICE_KEY }) },
  simulatedKeys: !usesExternalKeys,
  ...(timeouts && { timeouts: JSON.parse(timeouts.slice('--timeouts='.length)) as Partial<Timeouts> }),
  ...(isWatched && { wrapFetch: (fetch) => watch.wrap(fetch) }),
});
fixture.service().jobs.start();
const receiver = await openEndpoint();
const invoices = invoicesOf(() => fixture);

/** Pages of the merchant that tests have created, by path. */
const merchantPages = new Map<string, { html: string; policy: string }>();

const site = new Hono();
site.get('/pages/*', (context) => {
  const page = merchantPages.get(context.req.path);
  if (!page) return context.notFound();
  context.header('Content-Security-Policy', page.policy);
  return context.html(page.html);
});
site.get('/favicon.ico', (context) => context.body(null, 204));
site.on(['GET', 'POST'], '*', (context) =>
  context.html(
    `<!doctype html><html lang="en"><title>Kettle &amp; Co</title><link rel="icon" href="data:,"><h1>${new URL(context.req.url).pathname.slice(1)}</h1>`,
  ),
);
const siteServer = await listen({ fetch: isWatched ? watch.wrap(site.fetch) : site.fetch, port: 0, host: '127.0.0.1' });
// A different site, not only a different origin, so that browsers isolate it.
const siteUrl = `http://localhost:${siteServer.port}`;

let shopFetch: Hono['fetch'] = () => new Response('', { status: 503 });
const shopServer = await listen({ fetch: (request, env) => shopFetch(request, env), port: 0, host: '127.0.0.1' });
const shopUrl = `http://127.0.0.1:${shopServer.port}`;
const shopMerchant = await fixture.makeMerchant('Demo shop');
const shopAccess = {
  apiUrl: fixture.url,
  shopUrl,
  accessToken: shopMerchant.token,
  callbackSecret: shopMerchant.callbackSecret,
};
shopFetch = createShop(shopAccess, join(packageRoot(), 'dist', 'shop')).fetch;
await setPreference('callback-url', `${shopUrl}/callbacks`, shopMerchant.token);
/** A merchant with every payment method enabled. */
const allMethodsMerchant = await fixture.makeMerchant('Kettle & Co');
await enableEveryMethod(fixture, allMethodsMerchant);

async function setPreference(key: string, value: string | null, token = fixture.merchant.token) {
  const response = await fixture.request('/v1/merchant/preferences', { method: 'PATCH', token, body: { key, value } });
  if (response.status !== 200) throw new Error(response.text);
}

/** Calls that tests can make. */
const calls = {
  addresses: () => ({
    url: fixture.url,
    siteUrl,
    shopUrl,
    token: fixture.merchant.token,
    shopToken: shopMerchant.token,
    allMethodsToken: allMethodsMerchant.token,
  }),
  async createLink(fields: Record<string, unknown> = {}) {
    const body = creation({
      success_redirect_url: `${siteUrl}/paid`,
      fail_redirect_url: `${siteUrl}/not-paid`,
      ...fields,
    });
    const created = await fixture.request('/fiat/v1/transaction', { body });
    if (created.status !== 200) throw new Error(created.text);
    return { reference: body.transaction_id, link: created.body.value.link as string };
  },
  /** A link of the merchant with every payment method. */
  async createLinkWithMethods(fields: Record<string, unknown> = {}) {
    const body = creation({
      success_redirect_url: `${siteUrl}/paid`,
      fail_redirect_url: `${siteUrl}/not-paid`,
      ...fields,
    });
    const created = await fixture.request('/fiat/v1/transaction', { body, token: allMethodsMerchant.token });
    if (created.status !== 200) throw new Error(created.text);
    const link = created.body.value.link as string;
    return { reference: body.transaction_id, link };
  },
  async pageState(link: string) {
    return (await fixture.request(`${new URL(link).pathname}/state`, { token: null })).body as PageState;
  },
  /** Performs a simulator action for the started method of a link. */
  async simulate(link: string, move: SimulatorAction) {
    const { started } = await calls.pageState(link);
    if (!started?.simulatorUrl) throw new Error('No method is started');
    const { status, text } = await fixture.request(new URL(started.simulatorUrl).pathname, {
      body: simulatorForm(started.simulatorUrl, move) ?? '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    });
    if (status !== 303) throw new Error(text);
  },
  /** A crypto invoice: by default 0.0015 BTC to its own wallet. */
  createInvoice: async (fields: Record<string, unknown> = {}) => await invoices.create(fields),
  /** Presses a button of the chain simulator, by the value that it posts. */
  async runChainAction(id: string, act: string, fields: Record<string, string> = {}) {
    const { status, text } = await fixture.request(`/sandbox/chain/${id}`, {
      body: new URLSearchParams({ do: act, ...fields }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    });
    if (status !== 303) throw new Error(text);
  },
  /** Double-spends the unconfirmed payment of an invoice. */
  async doubleSpendPayment(id: string) {
    const { text } = await fixture.request(`/sandbox/chain/${id}`, { token: null });
    const [, act = ''] = /value="(double_spend \w+)"/.exec(text) ?? [];
    await calls.runChainAction(id, act);
  },
  /** Records the merchant's review of an invoice. */
  async reviewInvoice(id: string, action: 'approve' | 'reject', fields: Record<string, unknown> = {}) {
    const { status, text } = await invoices.review(action, { id }, fields);
    if (status !== 200) throw new Error(text);
  },
  /** A `custom_form` transaction; its `embed_url` is for `<pay-form>`. */
  async createEmbed(fields: Record<string, unknown> = {}) {
    const body = creation({
      transaction_type: 'custom_form',
      success_redirect_url: `${siteUrl}/paid`,
      fail_redirect_url: `${siteUrl}/not-paid`,
      ...fields,
    });
    const created = await fixture.request('/fiat/v1/transaction', { body });
    if (created.status !== 200) throw new Error(created.text);
    return { reference: body.transaction_id, embedUrl: created.body.embed_url as string };
  },
  /** Serves a page on the merchant's site, by default with the policy from the documentation. */
  servePage(content: string, options: { policy?: string; head?: string } = {}) {
    const path = `/pages/${merchantPages.size + 1}`;
    const policy =
      options.policy ??
      `default-src 'none'; script-src ${fixture.url} 'self' 'nonce-test'; style-src ${fixture.url} 'nonce-test'; img-src 'self'; frame-src ${fixture.url}; form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Checkout</title>${
      options.head ??
      `<link rel="stylesheet" href="${fixture.url}/widget/v1/pay-form.css"><script type="module" src="${fixture.url}/widget/v1/pay-form.js"></script>`
    }</head><body>${content}</body></html>`;
    merchantPages.set(path, { html, policy });
    return `${siteUrl}${path}`;
  },
  async detail(reference: string, token = fixture.merchant.token) {
    return (await fixture.request(`/fiat/v1/transaction?transaction_id=${reference}`, { token })).body as {
      status: string;
      reason?: string;
      attempts: { state: string; last4: string }[];
      instructions: { payment_method: string; state: string }[];
    };
  },
  /** A user of the account area with `PASSWORD`, by default for the default merchant. */
  makeUser: async (role: UserRole, options: Parameters<typeof makeUser>[2] = {}) =>
    await makeUser(fixture, role, options),
  /** Creates another merchant. */
  makeMerchant: async (name: string) => await fixture.makeMerchant(name),
  merchantId: () => fixture.merchant.id,
  /** Calls the merchant API. */
  async callApi(path: string, options: { method?: string; body?: unknown; token?: string } = {}) {
    const { status, body } = await fixture.request(path, options);
    return { status, body: body as Record<string, any> };
  },
  /** Server time in milliseconds since the epoch. */
  now: () => ({ serverTime: Math.floor(fixture.clock.now() / 1000) }),
  async submitByApi(reference: string, card: string = cards.visa) {
    return (await fixture.request('/fiat/v1/transaction/submit', { body: submission(reference, card) }))
      .body as unknown;
  },
  /** Submits cards from an IP address until its rate limit is reached. */
  async exhaustRateLimit(address: string) {
    const { enforceRateLimit } = fixture.service().payments;
    const isWithin = async () =>
      await enforceRateLimit('submit_address', address).then(
        () => true,
        () => false,
      );
    while (await isWithin());
  },
  async cancel(reference: string, token = fixture.merchant.token) {
    await fixture.request('/fiat/v1/transaction/cancel', { token, body: { transaction_id: reference } });
  },
  /** Advances simulated time and runs all due jobs. */
  async advance(microseconds: number) {
    await fixture.advance(microseconds);
  },
  async setPreference(key: string, value: string | null) {
    await setPreference(key, value);
  },
  /** Also sets the preference of the merchant with every payment method. */
  async setPreferenceForAll(key: string, value: string | null) {
    await setPreference(key, value);
    await setPreference(key, value, allMethodsMerchant.token);
  },
  /** A user of the account area with a password, in a new merchant. */
  async createUserInNewMerchant(role: UserRole, merchantName = 'Kettle & Co') {
    const merchant = await fixture.makeMerchant(merchantName);
    const { email } = await makeUser(fixture, role, { merchant: merchant.id });
    return { email, password: PASSWORD, merchant: merchant.id, token: merchant.token };
  },
  restart: async () => {
    await fixture.restart();
    fixture.service().jobs.start();
  },
  callbacks: () => receiver.received,
  receiverUrl: () => receiver.url,
  log: () => fixture.log(),
  /** Faults of watched pages since the last call. */
  takePageFaults: () => watch.takeFaults(),
};
export type ServerCalls = typeof calls;

interface Call {
  id: number;
  name: keyof ServerCalls;
  args: unknown[];
}

process.on('message', ({ id, name, args }: Call) => {
  const call = calls[name] as (...args: unknown[]) => unknown;
  Promise.resolve()
    .then(() => call(...args))
    .then(
      (result) => process.send?.({ id, result }),
      (error: unknown) => process.send?.({ id, error: String(error) }),
    );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ id: 0, result: 'ready' });
