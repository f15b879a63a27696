import { scenarios } from '../../testing/index.ts';
import { Checkout } from './checkout.ts';
import { expect, returnToShop, test } from './fixtures.ts';

/** A shared IP address that has exceeded its limit of card submissions. */
const address = '198.51.100.77';
const submitted = '/fiat/v1/transaction/submit';

test.beforeEach(async ({ page, server }) => {
  await server.exhaustRateLimit(address);
  // Set by the route, because a merchant's page cannot set headers of our requests.
  await page.route(`**${submitted}`, async (route) => {
    await route.continue({ headers: { ...route.request().headers(), 'x-forwarded-for': address } });
  });
});

test('a buyer behind a rate-limited IP address pays after a proof of work', async ({
  page,
  linkPage,
  server,
  urls,
}) => {
  const { link, reference } = await server.createLink();
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith(submitted)) statuses.push(response.status());
  });
  // Delayed until the test has checked the page during the proof of work.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/proof-of-work-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(link);
  await linkPage.fillAndPay(scenarios.approved);
  const button = page.locator('button.pay');
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expect.poll(() => statuses).toEqual([429]);
  release();
  // The page stays responsive during the proof of work.
  expect(await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve('drawn'))))).toBe(
    'drawn',
  );
  await returnToShop(page, urls);
  expect(statuses).toEqual([429, 200]);
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
});

test('a buyer on a merchant’s page pays after a proof of work', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await checkout.form.fillAndPay(scenarios.approved);
  await expect.poll(async () => (await server.detail(checkout.reference)).status).toBe('transaction_status_confirmed');
});

test('a browser that cannot solve the proof of work shows an error and pays nothing', async ({
  page,
  linkPage,
  server,
  faults,
}) => {
  const { link, reference } = await server.createLink();
  await page.route('**/assets/proof-of-work-*.js', async (route) => await route.abort());
  await page.goto(link);
  await linkPage.fillAndPay(scenarios.approved);
  await expect(page.getByText(/^Too many attempts\. You weren't charged\./)).toBeVisible();
  await expect(linkPage.payButton).toBeEnabled();
  expect((await server.detail(reference)).attempts).toEqual([]);
  expect(faults.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
});
