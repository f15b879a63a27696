import { LinkPage, scenarios } from '../../testing/index.ts';
import { cards } from '../support/requests.ts';
import { expect, returnToShop, test } from './fixtures.ts';

const anotherCard = { ...scenarios.approved, card_number: cards.mastercard };

async function payWithChallenge(linkPage: LinkPage, link: string) {
  await linkPage.page.goto(link);
  await linkPage.fillAndPay(scenarios.challenge);
  expect(await linkPage.outcome()).toBe('challenge');
}

test('an approved challenge returns to the shop', async ({ page, linkPage, server, urls }) => {
  const { link, reference } = await server.createLink();
  await payWithChallenge(linkPage, link);
  await expect(page.getByText('$12.50').first()).toBeVisible();
  await expect(page.getByText(/3220/)).toBeVisible();
  await linkPage.issuer.approve();
  await returnToShop(page, urls);
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
});

test('a refused challenge returns to the link page for another card', async ({ page, linkPage, server, urls }) => {
  const { link } = await server.createLink();
  await payWithChallenge(linkPage, link);
  await linkPage.issuer.decline();
  await page.waitForURL(link);
  expect(await linkPage.outcome()).toBe('decline');
  await linkPage.fillAndPay(scenarios.approved);
  await returnToShop(page, urls);
});

test('a frictionless payment returns to the shop', async ({ page, linkPage, server, urls }) => {
  const { link } = await server.createLink();
  await page.goto(link);
  await linkPage.fillAndPay(scenarios.frictionless);
  await page.waitForURL(`${urls.siteUrl}/paid`);
});

test('a challenge survives leaving, reloading and another tab', async ({ page, linkPage, context, server, urls }) => {
  const { link, reference } = await server.createLink();
  await payWithChallenge(linkPage, link);
  await page.goto(link);
  await expect(linkPage.bankLink).toBeVisible();
  await page.reload();
  await expect(linkPage.bankLink).toBeVisible();
  const tab = new LinkPage(await context.newPage());
  await tab.page.goto(link);
  await tab.continueToBank();
  await tab.issuer.approve();
  await returnToShop(tab.page, urls);
  // The first tab receives the outcome as a live update.
  await returnToShop(page, urls);
  expect((await server.detail(reference)).attempts).toHaveLength(1);
});

test('a buyer abandons the challenge and uses another card', async ({ page, linkPage, server, urls }) => {
  const { link, reference } = await server.createLink();
  await payWithChallenge(linkPage, link);
  await page.goto(link);
  await linkPage.useAnotherCard();
  await linkPage.fillAndPay(anotherCard);
  await returnToShop(page, urls);
  const { attempts } = await server.detail(reference);
  expect(attempts.map(({ state, last4 }) => `${state} ${last4}`)).toEqual(['declined 3220', 'approved 4444']);
});

test('the back button returns to the open challenge', async ({ linkPage, server }) => {
  const { link } = await server.createLink();
  await payWithChallenge(linkPage, link);
  await linkPage.issuer.leave();
  await expect(linkPage.bankLink).toBeVisible();
});

test('a challenge survives a restart of the service', async ({ page, linkPage, server, urls }) => {
  const { link } = await server.createLink();
  await payWithChallenge(linkPage, link);
  await server.restart();
  await linkPage.issuer.approve();
  await returnToShop(page, urls);
});
