import { scenarios } from '../../testing/index.ts';
import { Checkout } from './checkout.ts';
import { expect, returnToShop, test } from './fixtures.ts';

/** An address that many share, from which too many cards were tried. */
const address = '198.51.100.77';
const submitted = '/fiat/v1/transaction/submit';

test.beforeEach(async ({ page, server }) => {
  await server.useUp(address);
  // By the route, not the page: a merchant's page may not send us headers.
  await page.route(`**${submitted}`, async (route) => {
    await route.continue({ headers: { ...route.request().headers(), 'x-forwarded-for': address } });
  });
});

test('a buyer among too many pays all the same, after some work of the page’s own', async ({
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
  // Held until the test has looked at the page while it works.
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
  // The page draws while it works.
  expect(await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve('drawn'))))).toBe(
    'drawn',
  );
  await returnToShop(page, urls);
  expect(statuses).toEqual([429, 200]);
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
});

test('so does one in the form on a merchant’s page', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await checkout.form.fillAndPay(scenarios.approved);
  await expect.poll(async () => (await server.detail(checkout.reference)).status).toBe('transaction_status_confirmed');
});

test('who cannot do the work is told, and has not paid', async ({ page, linkPage, server, faults }) => {
  const { link, reference } = await server.createLink();
  await page.route('**/assets/proof-of-work-*.js', async (route) => await route.abort());
  await page.goto(link);
  await linkPage.fillAndPay(scenarios.approved);
  await expect(page.getByText(/^There were too many attempts\. Nothing was charged\./)).toBeVisible();
  await expect(linkPage.payButton).toBeEnabled();
  expect((await server.detail(reference)).attempts).toEqual([]);
  expect(faults.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
});
