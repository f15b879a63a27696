import { LinkPage, scenarios } from '../../testing/index.ts';
import { choose, signInAs } from './account.ts';
import { findings } from './barriers.ts';
import { expect, test } from './fixtures.ts';

test('a reusable link is created by keyboard, bought from, and sold out', async ({ page, server, context }) => {
  await signInAs(page, server, 'operator', { path: 'reusable-links' });
  await page.getByRole('link', { name: 'Create reusable link' }).press('Enter');
  await page.getByLabel('Title').fill('Pottery workshop');
  await choose(page, 'Buyer’s country', 'United States');
  await expect(page.getByRole('radio', { name: 'Card', exact: true })).toBeChecked();
  await page.getByLabel('Price (USD)').fill('12,50');
  await page.getByText('More options').click();
  await page.getByLabel('Maximum quantity per purchase').fill('4');
  await page.getByLabel('Stock').fill('2');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Pottery workshop' })).toBeVisible();
  const url = (await page.locator('.created-url').textContent())?.trim() ?? '';

  const buyer = await context.newPage();
  await buyer.goto(url);
  for (const colorScheme of ['dark', 'light'] as const) {
    await buyer.emulateMedia({ colorScheme });
    expect(await findings(buyer)).toEqual([]);
  }
  const quantity = buyer.getByLabel('Quantity');
  await quantity.fill('3');
  // Another language keeps the input.
  await buyer.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await expect(buyer.getByLabel('Menge')).toHaveValue('3');
  await buyer.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
  await expect(quantity).toHaveValue('3');
  await quantity.press('Enter');
  await expect(quantity).toBeFocused();
  await expect(quantity).toHaveAccessibleDescription('Choose a quantity from 1 to 2.');
  expect(await findings(buyer)).toEqual([]);
  await quantity.fill('2');
  await expect(buyer.locator('.total')).toHaveText('Total $25.00');
  await expect(buyer.getByRole('button', { name: 'Continue to payment' })).toBeVisible();
  await quantity.press('Enter');
  const linkPage = new LinkPage(buyer);
  await linkPage.fillAndPay(scenarios.approved);
  expect(await linkPage.outcome()).toBe('success');

  await expect(page.locator('.reusable-link')).toContainText('$25.00');
  await page.locator('#content').getByRole('link', { name: 'Reusable links' }).click();
  await expect(page.getByText('Sold: 2 of 2')).toBeVisible();
  await buyer.goto(url);
  await expect(buyer.getByRole('heading', { name: 'Sold out' })).toBeVisible();
  expect(await findings(buyer)).toEqual([]);
});

test('an amount keeps its value in another language', async ({ page, server }) => {
  const { body } = await server.callApi('/fiat/v1/reusable-links', {
    body: {
      ...{ title: 'Donation', country: 'USA', currency: 'USD', payment_method: 'credit_card', amount: null },
      custom_amount: { minimum: 1, maximum: 5000, suggested: 20 },
    },
  });
  await page.goto(`${body.url}?locale=de`);
  const amount = page.locator('[name=amount]');
  const total = page.locator('.total b');
  await expect(amount).toHaveValue('20,00');
  await amount.fill('1.234');
  await expect(total).toHaveText('1.234,00 $');
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en');
  await expect(amount).toHaveValue('1234.00');
  await expect(total).toHaveText('$1,234.00');
});
