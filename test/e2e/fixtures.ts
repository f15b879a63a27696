import { type BrowserContext, type Page, test as base, expect } from '@playwright/test';
import { LinkPage } from '../../testing/index.ts';
import { type RemoteServer, type ServerAddresses, startServerProcess } from '../support/server-process.ts';

/** Chromium logs every response with status 4xx, which some of our pages return on purpose. */
const isStatusMessage = (text: string) =>
  /^Failed to load resource: the server responded with a status of 4\d\d/.test(text);

export const test = base.extend<
  { linkPage: LinkPage; faults: string[]; expectNoFaults: undefined },
  { server: RemoteServer; urls: ServerAddresses }
>({
  server: [
    async ({}, use) => {
      const { server, stop } = await startServerProcess();
      await use(server);
      await stop();
    },
    { scope: 'worker' },
  ],
  urls: [async ({ server }, use) => await use(await server.addresses()), { scope: 'worker' }],
  linkPage: async ({ page }, use) => await use(new LinkPage(page)),
  /** Faults of pages: errors, policy violations, requests to other hosts. */
  faults: async ({ context }, use) => {
    const faults: string[] = [];
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    context.on('console', (message) => {
      if ((message.type() === 'error' || message.type() === 'warning') && !isStatusMessage(message.text()))
        faults.push(message.text());
    });
    context.on('weberror', (error) => faults.push(String(error.error())));
    context.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && hostname !== '127.0.0.1' && hostname !== 'localhost')
        faults.push(`request to ${hostname}`);
    });
    await use(faults);
  },
  expectNoFaults: [
    async ({ faults }, use) => {
      await use(undefined);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/** Clicks "Back to shop" on a paid page instead of waiting for its countdown. */
export async function returnToShop(page: Page, { siteUrl }: ServerAddresses) {
  const paid = `${siteUrl}/paid`;
  // On a busy machine the countdown can end first; then there is no link left to click.
  const clicked = page.locator(`a[href="${paid}"]`).click({ timeout: 5000 });
  await Promise.all([page.waitForURL(paid), clicked.catch(() => {})]);
}

/** Keeps the browser on a paid page when its countdown ends. */
export async function stayOnPaidPage(page: Page, { siteUrl }: ServerAddresses) {
  await page.route(`${siteUrl}/paid`, async (route) => await route.fulfill({ status: 204 }));
}

/** Blocks live updates, as some proxies do. */
export async function blockStreams(context: BrowserContext) {
  await context.route('**/p/*/events', async (route) => await route.fulfill({ status: 404 }));
}

/**
 * Opens a link page with delayed scripts. The returned function releases them and waits until they have started.
 */
export async function openWithHeldScripts(page: Page, link: string): Promise<() => Promise<void>> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(link, { waitUntil: 'commit' });
  // A part of the HTML may arrive, or be parsed, later than the rest.
  await expect.poll(() => page.evaluate(() => document.readyState)).toBe('interactive');
  return async () => {
    release();
    await expect
      .poll(async () => await page.locator('link-page').evaluate((page) => 'hasScript' in page && page.hasScript))
      .toBe(true);
  };
}

export { expect };
