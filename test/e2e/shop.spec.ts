import type { Page } from '@playwright/test';
import { LinkPage, PayForm, scenarios } from '../../testing/index.ts';
import { findings } from './barriers.ts';
import { expect, test } from './fixtures.ts';

/** Orders the product and returns the order number. */
async function checkOut(page: Page, shopUrl: string): Promise<string> {
  await page.goto(shopUrl);
  await page.getByText('2', { exact: true }).click();
  await page.getByRole('button', { name: 'Pay $49.80' }).click();
  await page.waitForURL(/\/orders\/[^/]+\/pay$/);
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}

const formOf = (page: Page) => new PayForm(page.locator('pay-form'));

/** Uses the keyboard: right after scrolling, a browser still sends clicks to the frame that was there before. */
async function payOnPaymentPage(page: Page, url: string) {
  await page.getByRole('button', { name: 'Pay on the payment page instead' }).press('Enter');
  await page.waitForURL(`${url}/p/**`);
}

test('a buyer pays on the shop’s page, the shop verifies the payment, and the order cannot be paid again', async ({
  page,
  server,
  urls,
}) => {
  const order = await checkOut(page, urls.shopUrl);
  const checkout = page.url();
  await expect(page.getByText('$49.80').first()).toBeVisible();
  const form = formOf(page);
  await expect(form.payButton).toHaveText('Pay $49.80');
  await form.fillAndPay(scenarios.approved);
  await page.waitForURL(/\/orders\/.+\/thanks$/);
  await expect(page.getByRole('heading')).toContainText(/thank|paid/i);
  expect(await server.detail(order, urls.shopToken)).toMatchObject({ status: 'transaction_status_confirmed' });
  await page.goto(checkout);
  await expect(page.getByRole('heading')).toHaveText('Thank you for your order');
});

test('the shop’s policy allows only the shop and the payment form, and the shop accepts no forged success event', async ({
  page,
  urls,
}) => {
  await checkOut(page, urls.shopUrl);
  const response = await page.request.get(page.url());
  const policy = response.headers()['content-security-policy'] ?? '';
  expect(policy).toContain(`script-src 'self' ${urls.url};`);
  expect(policy).toContain(`frame-src ${urls.url};`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(await response.text()).not.toContain(urls.shopToken);
  expect(await page.content()).not.toContain(urls.shopToken);
  await formOf(page).payButton.waitFor();
  await page
    .locator('pay-form')
    .evaluate((form) => form.dispatchEvent(new CustomEvent('pay-success', { detail: { reference: 'order-1' } })));
  await page.waitForURL(/\/thanks$/);
  await expect(page.getByRole('heading')).toHaveText('Your order is not paid yet');
  await page.getByRole('link', { name: 'Continue to payment' }).click();
  await formOf(page).fillAndPay(scenarios.approved);
  await expect(page.getByRole('heading', { name: 'Thank you for your order' })).toBeVisible();
});

test('the challenge is shown on the shop’s page, and a refusal keeps the buyer there', async ({ page, urls }) => {
  await checkOut(page, urls.shopUrl);
  const form = formOf(page);
  const otherWay = page.getByRole('button', { name: 'Pay on the payment page instead' });
  await expect(otherWay).toBeVisible();
  await form.fillAndPay(scenarios.challenge);
  await expect(form.issuer.heading).toBeVisible();
  await expect(otherWay).toBeHidden();
  await form.issuer.decline();
  await expect(form.issuer.heading).toBeHidden();
  expect(await form.outcome()).toBe('decline');
  await expect(otherWay).toBeVisible();
  await form.fillAndPay(scenarios.challenge);
  await form.issuer.approve();
  await page.waitForURL(/\/thanks$/);
});

test('a payment without an answer yet cannot be started again, and leads to the order’s status', async ({
  page,
  urls,
}) => {
  await checkOut(page, urls.shopUrl);
  await formOf(page).fillAndPay(scenarios.unknown);
  const status = page.getByRole('link', { name: 'View order status' });
  await expect(status).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pay on the payment page instead' })).toBeHidden();
  await status.click();
  await expect(page.getByRole('heading')).toHaveText('Your order is not paid yet');
});

test('a buyer can switch to the payment page, which closes the form', async ({ page, server, urls }) => {
  const order = await checkOut(page, urls.shopUrl);
  await formOf(page).payButton.waitFor();
  await payOnPaymentPage(page, urls.url);
  expect(await server.detail(order, urls.shopToken)).toMatchObject({
    status: 'transaction_status_failed',
    reason: 'cancelled',
  });
  await expect(page.getByText('Demo shop').first()).toBeVisible();
  await new LinkPage(page).fillAndPay(scenarios.approved);
  await page.waitForURL(/\/orders\/.+\/thanks$/);
  await expect(page.getByRole('heading')).toContainText(/thank|paid/i);
});

test('without scripts the checkout page offers the payment page, which returns to the shop unpaid', async ({
  browser,
  urls,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await checkOut(page, urls.shopUrl);
  await expect(page.getByText('The card form needs JavaScript')).toBeVisible();
  await payOnPaymentPage(page, urls.url);
  await new LinkPage(page).backToShop();
  await page.waitForURL(/\/orders\/.+\/failed$/);
  await expect(page.getByRole('heading')).toHaveText('Your order is not paid yet');
  await context.close();
});

test('the checkout page of a canceled payment offers a new order', async ({ page, server, urls }) => {
  const order = await checkOut(page, urls.shopUrl);
  const form = formOf(page);
  await form.payButton.waitFor();
  await server.cancel(order, urls.shopToken);
  expect(await form.outcome()).toBe('cancel');
  await page.getByRole('link', { name: 'Start a new order' }).click();
  await page.waitForURL(`${urls.shopUrl}/`);
});

test('the checkout page is accessible, does not scroll sideways, and its form has the shop’s theme', async ({
  page,
  urls,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await checkOut(page, urls.shopUrl);
  const { payButton } = formOf(page);
  await payButton.waitFor();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${width} pixels`).toBe(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const accent = colorScheme === 'light' ? 'rgb(29, 79, 143)' : 'rgb(156, 195, 245)';
      await expect(payButton).toHaveCSS('background-color', accent);
      // axe cannot know the background behind the frame. The frame's content has its own tests.
      expect(await findings(page, { exclude: ['pay-form'] }), `${width} pixels, ${colorScheme}`).toEqual([]);
    }
  }
});
