import type { Page, Request } from '@playwright/test';
import { LinkPage, scenarios } from '../../testing/index.ts';
import { expect, returnToShop, test } from './fixtures.ts';
import { openAndWaitForUpdate } from './streams.ts';

/** Records the requests of a page for its payment's state. */
function recordRequests(page: Page) {
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  const endingIn = (end: string) => requests.filter((request) => new URL(request.url()).pathname.endsWith(end));
  return { streamCount: () => endingIn('/events').length, pollCount: () => endingIn('/state').length };
}

const streamOpens = async (page: Page) => await page.waitForResponse((response) => response.url().endsWith('/events'));

/** Shows or hides the tab from its page's point of view. */
async function setHidden(page: Page, isHidden: boolean) {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

test('an open page receives a payment made elsewhere without polling', async ({ page, server, urls }) => {
  const { link, reference } = await server.createLink();
  const requests = recordRequests(page);
  const opened = streamOpens(page);
  await openAndWaitForUpdate(page, link);
  const response = await opened;
  expect(response.headers()['content-type']).toBe('text/event-stream; charset=utf-8');
  const before = requests.pollCount();
  await server.submitByApi(reference);
  await returnToShop(page, urls);
  expect(requests.pollCount()).toBe(before);
  expect(requests.streamCount()).toBe(1);
});

test('a challenge is followed without polling', async ({ page, linkPage, context, server, urls }) => {
  const { link } = await server.createLink();
  await page.goto(link);
  await linkPage.fillAndPay(scenarios.challenge);
  expect(await linkPage.outcome()).toBe('challenge');
  const requests = recordRequests(page);
  await openAndWaitForUpdate(page, link);
  const before = requests.pollCount();
  const tab = new LinkPage(await context.newPage());
  await tab.page.goto(link);
  await tab.continueToBank();
  await tab.issuer.approve();
  await returnToShop(page, urls);
  expect(requests.pollCount()).toBe(before);
});

test('a page with a blocked stream polls', async ({ page, linkPage, context, server, urls, faults }) => {
  const { link } = await server.createLink();
  await page.route('**/events', async (route) => await route.abort());
  await page.goto(link);
  await linkPage.fillAndPay(scenarios.challenge);
  expect(await linkPage.outcome()).toBe('challenge');
  const requests = recordRequests(page);
  await page.goto(link);
  const tab = new LinkPage(await context.newPage());
  await tab.page.goto(link);
  await tab.continueToBank();
  await tab.issuer.approve();
  await returnToShop(page, urls);
  expect(requests.pollCount()).toBeGreaterThan(0);
  // Chromium logs the blocked request; no other fault is allowed.
  for (const fault of faults.splice(0)) expect(fault).toMatch(/^Failed to load resource: net::ERR_FAILED/);
});

test('a hidden tab closes its stream; when visible again it polls and opens another', async ({
  page,
  server,
  urls,
}) => {
  const { link, reference } = await server.createLink();
  const requests = recordRequests(page);
  const opened = streamOpens(page);
  await page.goto(link);
  await opened;
  const closed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/events'));
  await setHidden(page, true);
  await closed;
  const reopened = streamOpens(page);
  await setHidden(page, false);
  await reopened;
  expect(requests.streamCount()).toBe(2);
  await server.submitByApi(reference);
  await returnToShop(page, urls);
  // A live update during the poll triggers a second poll.
  expect([1, 2]).toContain(requests.pollCount());
});

test('an open page shows a canceled payment', async ({ page, server }) => {
  const { link, reference } = await server.createLink();
  const opened = streamOpens(page);
  await page.goto(link);
  await opened;
  await server.cancel(reference);
  await expect(page.getByRole('heading', { name: /canceled/i })).toBeVisible();
});
