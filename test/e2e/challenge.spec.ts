import type { Page } from '@playwright/test';
import { cards } from '../support/requests.ts';
import { expect, fillCard, payButton, test } from './fixtures.ts';

const approve = (page: Page) => page.getByRole('button', { name: 'Approve' });
const refuse = (page: Page) => page.getByRole('button', { name: 'Refuse' });

async function payWithChallenge(page: Page, link: string) {
  await page.goto(link);
  await fillCard(page, cards.challenge);
  await payButton(page).click();
  await expect(approve(page)).toBeVisible();
}

test('approving at the bank leads to the shop', async ({ page, server, urls }) => {
  const { link, reference } = await server.createLink();
  await payWithChallenge(page, link);
  await expect(page.getByText('$12.50').first()).toBeVisible();
  await expect(page.getByText(/3220/)).toBeVisible();
  await approve(page).click();
  await page.waitForURL(`${urls.siteUrl}/paid`);
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
});

test('refusing at the bank leads back to the page with the choice of another card', async ({ page, server, urls }) => {
  const { link } = await server.createLink();
  await payWithChallenge(page, link);
  await refuse(page).click();
  await page.waitForURL(link);
  await expect(page.getByText(/declined/i).first()).toBeVisible();
  await fillCard(page, cards.visa);
  await payButton(page).click();
  await page.waitForURL(`${urls.siteUrl}/paid`);
});

test('a bank that asks nothing sends straight back', async ({ page, server, urls }) => {
  const { link } = await server.createLink();
  await page.goto(link);
  await fillCard(page, cards.frictionless);
  await payButton(page).click();
  await page.waitForURL(`${urls.siteUrl}/paid`);
});

test('walking away from the bank, reloading, coming back in another tab: nothing is lost', async ({
  page,
  context,
  server,
  urls,
}) => {
  const { link, reference } = await server.createLink();
  await payWithChallenge(page, link);
  await page.goto(link);
  await expect(page.getByRole('link', { name: /Continue to your bank/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: /Continue to your bank/ })).toBeVisible();
  const tab = await context.newPage();
  await tab.goto(link);
  await tab.getByRole('link', { name: /Continue to your bank/ }).click();
  await approve(tab).click();
  await tab.waitForURL(`${urls.siteUrl}/paid`);
  // The first tab follows by itself.
  await page.waitForURL(`${urls.siteUrl}/paid`);
  expect((await server.detail(reference)).attempts).toHaveLength(1);
});

test('another card instead of the confirmation', async ({ page, server, urls }) => {
  const { link, reference } = await server.createLink();
  await payWithChallenge(page, link);
  await page.goto(link);
  await page.getByRole('button', { name: /another card/i }).click();
  await fillCard(page, cards.mastercard);
  await payButton(page).click();
  await page.waitForURL(`${urls.siteUrl}/paid`);
  const { attempts } = await server.detail(reference);
  expect(attempts.map(({ state, last4 }) => `${state} ${last4}`)).toEqual(['declined 3220', 'approved 4444']);
});

test('going back from the bank with the back button finds the confirmation still open', async ({ page, server }) => {
  const { link } = await server.createLink();
  await payWithChallenge(page, link);
  await page.goBack();
  await expect(page.getByRole('link', { name: /Continue to your bank/ })).toBeVisible();
});

test('a confirmation goes on across a restart of the service', async ({ page, server, urls }) => {
  const { link } = await server.createLink();
  await payWithChallenge(page, link);
  await server.restart();
  await approve(page).click();
  await page.waitForURL(`${urls.siteUrl}/paid`);
});
