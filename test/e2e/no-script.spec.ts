import { scenarios } from '../../testing/index.ts';
import { LinkPage } from '../../testing/link-page.ts';
import { expect, test as base } from './fixtures.ts';
import { readCode } from './read-code.ts';

/** A browser with scripts disabled. */
const test = base.extend({ javaScriptEnabled: false });
const thai = { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 1250.5 };

test('a card pays, and the page shows it', async ({ page, linkPage, server, urls }) => {
  const { link, reference } = await server.createLink();
  await page.goto(link);
  await expect(page.getByText('JavaScript is turned off.')).toBeVisible();
  await expect(page.getByText('$12.50').first()).toBeVisible();
  await expect(page.getByText('Kettle & Co').first()).toBeVisible();
  await expect(page.getByText('Two cups and a saucer')).toBeVisible();
  await expect(page.getByLabel('Card number')).toBeVisible();
  await linkPage.fillAndPay(scenarios.approved);
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  expect(page.url()).toBe(`${link}?paid=1`);
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
  await linkPage.backToShop();
  await page.waitForURL(`${urls.siteUrl}/paid`);
});

test('errors are shown at their fields, and all input except the card is kept', async ({ page, linkPage, server }) => {
  const { link, reference } = await server.createLink();
  await page.goto(link);
  await linkPage.fillAndPay({ ...scenarios.approved, card_number: '4242 4242 4242 4241', email: 'ada' });
  await expect(page.getByText('The card number is not valid. Check the digits.')).toBeVisible();
  await expect(page.getByText('Enter a complete email address')).toBeVisible();
  await expect(linkPage.field('first_name')).toHaveValue('Ada');
  await expect(linkPage.field('country')).toHaveValue(scenarios.approved.country);
  await expect(linkPage.field('card_number')).toHaveValue('');
  await expect(linkPage.field('card_cvv')).toHaveValue('');
  expect(await page.content()).not.toContain('4242');
  expect((await server.detail(reference)).attempts).toEqual([]);
  await linkPage.fillAndPay(scenarios.approved);
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
});

test('a decline is shown, and another card is accepted', async ({ page, linkPage, server }) => {
  await page.goto((await server.createLink()).link);
  await linkPage.fillAndPay(scenarios.declined);
  await expect(page.getByRole('heading', { name: 'Your card was declined' })).toBeVisible();
  await expect(linkPage.field('email')).toHaveValue(scenarios.declined.email);
  await expect(linkPage.field('country')).toHaveValue(scenarios.declined.country);
  await expect(linkPage.field('card_number')).toHaveValue('');
  await linkPage.fillAndPay(scenarios.approved);
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
});

test('a challenge is opened, abandoned and approved', async ({ page, linkPage, server, urls }) => {
  await page.goto((await server.createLink()).link);
  await linkPage.fillAndPay(scenarios.challenge);
  await linkPage.useAnotherCard();
  await expect(page.getByRole('heading', { name: 'Payment not confirmed' })).toBeVisible();
  await linkPage.fillAndPay(scenarios.challenge);
  await linkPage.continueToBank();
  await linkPage.issuer.approve();
  await page.waitForURL(`${urls.siteUrl}/paid`);
});

test('a pending outcome can be reloaded', async ({ page, linkPage, server }) => {
  await page.goto((await server.createLink()).link);
  await linkPage.fillAndPay(scenarios.unknown);
  await expect(page.getByRole('heading', { name: 'Confirming your payment' })).toBeVisible();
  await server.advance(31_000_000);
  await page.getByRole('link', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'This payment is complete' })).toBeVisible();
});

test('another method is selected, and its QR code can be scanned', async ({ page, linkPage, server, browser }) => {
  const { link } = await server.createLinkWithMethods({ ...thai, payment_method: 'truemoney_ewallet' });
  await page.goto(link);
  await linkPage.choose('PromptPay');
  await expect(linkPage.payButton).toHaveCount(1);
  await linkPage.pay();
  await expect(page.getByText('Scan this PromptPay code')).toBeVisible();
  const { started } = await server.pageState(link);
  const payload = started?.instructions.action === 'qr' ? started.instructions.payload : '';
  expect(await readCode(browser, await page.locator('.qr-card .qr-box').screenshot())).toBe(payload);
  await server.simulate(link, 'exact');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This payment is complete' })).toBeVisible();
});

test('a missing bank is reported, then selected and opened', async ({ page, linkPage, server, urls }) => {
  const { link } = await server.createLinkWithMethods({ ...thai, payment_method: 'online_banking' });
  await page.goto(link);
  // Controls that need a script are not offered.
  await expect(page.getByRole('searchbox')).toHaveCount(0);
  await linkPage.choose('TrueMoney');
  await linkPage.choose('Online banking');
  await linkPage.pay();
  await expect(page.getByText('Choose your bank.')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Online banking' })).toBeChecked();
  expect((await server.pageState(link)).started).toBe(null);
  await linkPage.chooseOption('SCB');
  await linkPage.pay();
  await page.getByRole('link', { name: 'Continue to SCB' }).click();
  await linkPage.simulator.decide('exact');
  await page.waitForURL(`${urls.siteUrl}/paid`);
});

test('a missing bank is shown in its panel, and no control needs a script', async ({ page, linkPage, server }) => {
  const { link } = await server.createLinkWithMethods({ ...thai, payment_method: 'qr_code' });
  await page.goto(link);
  await linkPage.choose('Online banking');
  await linkPage.pay();
  await expect(page.getByRole('radio', { name: 'Online banking' })).toBeChecked();
  await expect(page.getByText('Choose your bank.')).toBeVisible();
  await linkPage.choose('PromptPay');
  await linkPage.pay();
  await expect(page.getByText('Scan this PromptPay code')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0);
});

test('the language can be changed, and the link keeps it', async ({ page, server, browser }) => {
  const { link } = await server.createLink();
  await page.goto(link);
  await page.getByLabel('Language').selectOption('es');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', /^es/);
  const elsewhere = new LinkPage(await browser.newPage({ locale: 'en-US' }));
  await elsewhere.page.goto(link);
  await expect(elsewhere.page.locator('html')).toHaveAttribute('lang', /^es/);
  await elsewhere.page.close();
});
