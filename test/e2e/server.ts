/*
 * The service under test in a process of its own, in simulated time, with the demo shop and a
 * merchant's own site beside it. The test steers it over the IPC channel, one message a call.
 */
import { Hono } from 'hono';
import { createShop } from '../../pages/shop/server.ts';
import { listen } from '../../src/platform/http/server.ts';
import { openReceiver } from '../support/receiver.ts';
import { cards, creation, submission } from '../support/requests.ts';
import { openWorld } from '../support/world.ts';

const world = await openWorld({ env: { TRUSTED_PROXIES: 'loopback' } });
world.service().jobs.start();
const receiver = await openReceiver();

const site = new Hono().get('*', (context) =>
  context.html(
    `<!doctype html><html lang="en"><title>Kettle &amp; Co</title><link rel="icon" href="data:,"><h1>${new URL(context.req.url).pathname.slice(1)}</h1>`,
  ),
);
const siteServer = await listen({ fetch: site.fetch, port: 0, host: '127.0.0.1' });
const siteUrl = `http://127.0.0.1:${siteServer.port}`;

let shopFetch: Hono['fetch'] = () => new Response('', { status: 503 });
const shopServer = await listen({ fetch: (request, env) => shopFetch(request, env), port: 0, host: '127.0.0.1' });
const shopUrl = `http://127.0.0.1:${shopServer.port}`;
const shopMerchant = await world.makeMerchant('Demo shop');
shopFetch = createShop({
  apiUrl: world.url,
  shopUrl,
  accessToken: shopMerchant.token,
  callbackSecret: shopMerchant.callbackSecret,
}).fetch;
await setPreference('callback-url', `${shopUrl}/callbacks`, shopMerchant.token);

async function setPreference(key: string, value: string | null, token = world.merchant.token) {
  const answer = await world.request('/v1/merchant/preferences', { method: 'PATCH', token, body: { key, value } });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** What a test may ask for. */
const calls = {
  addresses: () => ({ url: world.url, siteUrl, shopUrl, token: world.merchant.token, shopToken: shopMerchant.token }),
  async createLink(fields: Record<string, unknown> = {}) {
    const body = creation({
      success_redirect_url: `${siteUrl}/paid`,
      fail_redirect_url: `${siteUrl}/not-paid`,
      ...fields,
    });
    const created = await world.request('/fiat/v1/transaction', { body });
    if (created.status !== 200) throw new Error(created.text);
    return { reference: body.transaction_id, link: created.body.value.link as string };
  },
  async detail(reference: string) {
    return (await world.request(`/fiat/v1/transaction?transaction_id=${reference}`)).body as {
      status: string;
      reason?: string;
      attempts: { state: string; last4: string }[];
    };
  },
  async submitByApi(reference: string) {
    return (await world.request('/fiat/v1/transaction/submit', { body: submission(reference, cards.visa) }))
      .body as unknown;
  },
  async cancel(reference: string) {
    await world.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
  },
  /** Lets simulated time pass; work that became due is done before this answers. */
  async advance(microseconds: number) {
    await world.advance(microseconds);
  },
  async setPreference(key: string, value: string | null) {
    await setPreference(key, value);
  },
  restart: async () => {
    await world.restart();
    world.service().jobs.start();
  },
  callbacks: () => receiver.received,
  receiverUrl: () => receiver.url,
  log: () => world.log(),
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
