import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as braintree from '../../examples/moving/braintree-drop-in/after.mjs';
import * as checkout from '../../examples/moving/checkout-com-frames/after.mjs';
import { paylatch } from '../../examples/moving/paylatch.mjs';
import { packageRoot } from '../../src/system/root.ts';
import { PayForm, scenarios } from '../../testing/index.ts';
import { expect, test as base } from '../e2e/fixtures.ts';

const samples = { 'braintree-drop-in': braintree, 'checkout-com-frames': checkout };
type Sample = keyof typeof samples;

const test = base.extend<{ openShop: (sample: Sample) => Promise<string> }>({
  /** Serves a sample's page and the two routes that it requests, and returns the URL of the page. */
  openShop: async ({ urls, page }, use) => {
    Object.assign(process.env, { SERVICE_URL: urls.url, ACCESS_TOKEN: urls.token });
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await use(async (sample) => {
      const html = readFileSync(join(packageRoot(), 'examples/moving', sample, 'after.html'), 'utf8');
      const routes: Record<string, () => string | Promise<string>> = {
        'GET /': () => `<!doctype html><title>Shop</title>${html.replace('http://localhost:8080', urls.url)}`,
        'POST /payments': async () => await samples[sample].startPayment({ ...order, id: sample }),
        'GET /thanks': () => '<!doctype html><title>Shop</title><h1>Thank you</h1>',
      };
      const respond = async (request: string, response: ServerResponse) => {
        const body = await routes[request]?.();
        response.writeHead(body === undefined ? 204 : 200, { 'content-type': 'text/html' }).end(body);
      };
      server.on('request', ({ method, url }, response) => void respond(`${method} ${url}`, response));
      return `http://localhost:${(server.address() as AddressInfo).port}/`;
    });
    await page.goto('about:blank');
    server.close();
    server.closeAllConnections();
  },
});

const order = { name: 'Two cups', amount: 12.5, currency: 'USD', country: 'USA' };

for (const sample of Object.keys(samples) as Sample[]) {
  test(`${sample}: a declined card, then an approved card`, async ({ page, openShop }) => {
    const shop = await openShop(sample);
    await page.goto(shop);
    const payButton = page.getByRole('button', { name: 'Pay $12.50' });
    const form = new PayForm(page.locator('pay-form'), { payButton });
    // The page with Frames disables its button until the card is complete.
    if (sample === 'checkout-com-frames') await expect(payButton).toBeDisabled();
    await form.fillAndPay(scenarios.declined);
    expect(await form.outcome()).toBe('decline');
    await form.fillAndPay(scenarios.approved);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    const { status, amount, currency, attempts } = await paylatch(`/fiat/v1/transaction?transaction_id=${sample}`);
    expect({ status, amount, currency }).toEqual({
      ...{ status: 'transaction_status_confirmed', amount: 12.5, currency: 'USD' },
    });
    expect(attempts).toHaveLength(2);
  });
}
