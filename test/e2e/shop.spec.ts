import { cards } from '../support/requests.ts';
import { expect, fillCard, payButton, test } from './fixtures.ts';

test('a buyer goes from the shop to the page and back, and the shop knows by the callback', async ({ page, urls }) => {
  await page.goto(urls.shopUrl);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(`${urls.url}/p/**`);
  await expect(page.getByText('Demo shop').first()).toBeVisible();
  await fillCard(page, cards.visa);
  await payButton(page).click();
  await page.waitForURL(/\/orders\/.+\/thanks$/);
  await expect(page.getByRole('heading')).toContainText(/thank|paid/i);
});

test('a buyer who gives up is back at the shop, unpaid', async ({ page, urls }) => {
  await page.goto(urls.shopUrl);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(`${urls.url}/p/**`);
  await page.getByRole('link', { name: /Back to/ }).click();
  await page.waitForURL(/\/orders\/.+\/failed$/);
  await expect(page.getByRole('heading')).toBeVisible();
});
