import type { Locator } from '@playwright/test';
import { scenarios } from '../../testing/index.ts';
import { cards } from '../support/requests.ts';
import { expect, openWithHeldScripts, returnToShop, test } from './fixtures.ts';
import { tabTo, selectByTyping } from './keys.ts';

/* Every flow through the page with the keyboard only: no clicks, and the focus moves only by key presses. */

const thai = { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 1250.5 };

test('the whole payment works with the keyboard, in reading order', async ({ page, linkPage, server, urls }) => {
  await page.goto((await server.createLink()).link);
  await tabTo(page, page.getByLabel('Card number'));
  const typed: [string, string][] = [
    ['Card number', cards.visa],
    ['Expiry', '0430'],
    ['Security code', '123'],
    ['First name', 'Ada'],
    ['Last name', 'Lovelace'],
    ['Country', 'Portugal'],
    ['Postal code', '1000-001'],
    ['Email', 'ada@example.com'],
  ];
  for (const [label, text] of typed) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toBeFocused();
    if (label === 'Country') await selectByTyping(page, field, text);
    else await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await expect(linkPage.payButton).toBeFocused();
  await page.keyboard.press('Enter');
  await returnToShop(page, urls);
});

// When it changes, Firefox forgets the letters of an option that were typed so far.
test('the country field keeps its layout when the country has no postcode', async ({ page, server }) => {
  const { link } = await server.createLink();
  await page.goto(link);
  const country = page.getByLabel('Country', { exact: true });
  const describeLayout = async () =>
    await country.evaluate((select) => {
      const field = select.closest('country-field');
      const row = field?.parentElement;
      const displays = [field, row].map((element) => element && getComputedStyle(element).display);
      return { displays, share: select.clientWidth / (row?.clientWidth ?? 1) };
    });
  const beside = await describeLayout();
  await country.selectOption('Gabon');
  await expect(page.getByLabel('ZIP code')).toBeHidden();
  const alone = await describeLayout();
  expect(alone.displays).toEqual(beside.displays);
  expect(beside.share).toBeLessThan(0.7);
  expect(alone.share).toBeGreaterThan(0.95);
});

test('a QR code is started, copied and saved, and another method is selected', async ({
  page,
  linkPage,
  context,
  server,
  urls,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { link } = await server.createLinkWithMethods(thai);
  await page.goto(link);
  await tabTo(page, page.getByRole('radio', { name: 'PromptPay' }));
  await tabTo(page, linkPage.payButton);
  await page.keyboard.press('Space');
  // The focus moves to the instructions.
  await expect(linkPage.instructions).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Copy code' }));
  await page.keyboard.press('Enter');
  const { started } = await server.pageState(link);
  const payload = started?.instructions.action === 'qr' ? started.instructions.payload : '';
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(payload);
  const saved = page.waitForEvent('download');
  await tabTo(page, page.getByRole('button', { name: 'Save image' }));
  await page.keyboard.press('Enter');
  expect((await saved).suggestedFilename()).toBe('payment-code.png');
  // The next method's row gets the focus: Space selects it, and an arrow key returns to PromptPay.
  await tabTo(page, page.getByRole('button', { name: 'Pay another way' }));
  await page.keyboard.press('Enter');
  const next = page.locator('.method:has(:checked) + .method').getByRole('radio');
  await expect(next).toBeFocused();
  await expect(next).toBeInViewport();
  await page.keyboard.press('Space');
  await expect(page.getByRole('radio', { name: 'PromptPay' })).not.toBeChecked();
  await page.keyboard.press('ArrowUp');
  await expect(linkPage.instructions).toBeVisible();
  await server.simulate(link, 'exact');
  await returnToShop(page, urls);
});

test('arrow keys select a method, and Tab enters its panel, before and after the script starts', async ({
  page,
  server,
}) => {
  const { link } = await server.createLinkWithMethods({ ...thai, payment_method: 'online_banking' });
  const releaseScripts = await openWithHeldScripts(page, link);
  const row = (name: string) => page.getByRole('radio', { name, exact: true });
  const check = async (firstInPanel: Locator) => {
    await tabTo(page, row('Online banking'));
    await page.keyboard.press('ArrowDown');
    await expect(row('PromptPay')).toBeFocused();
    await expect(row('PromptPay')).toBeChecked();
    await expect(firstInPanel).toBeHidden();
    await page.keyboard.press('ArrowUp');
    await expect(row('Online banking')).toBeChecked();
    await page.keyboard.press('Tab');
    await expect(firstInPanel).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(row('Online banking')).toBeFocused();
  };
  await check(page.getByRole('searchbox'));
  await releaseScripts();
  await check(page.getByRole('searchbox'));
});

test('each bank detail is copied', async ({ page, linkPage, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { link } = await server.createLinkWithMethods({
    payment_method: 'virtual_account',
    country: 'BRA',
    currency: 'BRL',
  });
  await page.goto(link);
  await tabTo(page, linkPage.payButton);
  await page.keyboard.press('Enter');
  await expect(linkPage.instructions).toBeFocused();
  const { started } = await server.pageState(link);
  const details = started?.instructions.action === 'bank_details' ? started.instructions.details : [];
  const copies = await linkPage.instructions.getByRole('button', { name: /^Copy / }).all();
  // Banking apps have a list of banks.
  const copied = details.filter(({ name }) => name !== 'bank_name');
  expect(copies).toHaveLength(copied.length);
  for (const [index, copy] of copies.entries()) {
    await tabTo(page, copy);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(copied[index]?.value);
  }
});

test('a bank is searched, selected and opened', async ({ page, linkPage, server, urls }) => {
  const { link } = await server.createLinkWithMethods({ ...thai, payment_method: 'online_banking' });
  await page.goto(link);
  await tabTo(page, page.getByRole('searchbox'));
  await page.keyboard.type('kasi');
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('radio', { name: 'KBank' }).or(page.getByRole('radio', { name: /Kasikorn/ })),
  ).toBeFocused();
  await tabTo(page, linkPage.payButton);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Pay in full' }));
  await page.keyboard.press('Enter');
  await returnToShop(page, urls);
});

test('a wallet’s page is opened', async ({ page, linkPage, server }) => {
  const { link } = await server.createLinkWithMethods({ ...thai, payment_method: 'truemoney_ewallet' });
  await page.goto(link);
  await tabTo(page, linkPage.payButton);
  await page.keyboard.press('Enter');
  await expect(linkPage.instructions).toBeFocused();
  await tabTo(page, linkPage.instructions.getByRole('link', { name: 'Continue in this browser' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: "Simulate the buyer's bank" })).toBeVisible();
});

test('a coin is selected with arrow keys, and its address copied', async ({ page, linkPage, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { link } = await server.createLinkWithMethods({ payment_method: 'crypto_payment', amount: 20 });
  await page.goto(link);
  await tabTo(page, page.getByRole('radio', { name: 'Bitcoin' }));
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'Bitcoin' })).not.toBeChecked();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('radio', { name: 'Bitcoin' })).toBeChecked();
  await tabTo(page, linkPage.payButton);
  await page.keyboard.press('Enter');
  await expect(linkPage.instructions).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Copy Address' }));
  await page.keyboard.press('Enter');
  const { started } = await server.pageState(link);
  const address = started?.instructions.action === 'crypto' ? started.instructions.address : '';
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);
});

test('the language is changed, and the focus stays', async ({ page, server }) => {
  await page.goto((await server.createLink()).link);
  const list = page.locator('language-picker select');
  await tabTo(page, page.getByLabel('Language'));
  await selectByTyping(page, list, 'Deutsch');
  await expect(page.locator('html')).toHaveAttribute('lang', /^de/);
  await expect(list).toBeFocused();
});

test('a challenge is approved', async ({ page, linkPage, server, urls }) => {
  await page.goto((await server.createLink()).link);
  await linkPage.fill(scenarios.challenge);
  await tabTo(page, linkPage.payButton);
  await page.keyboard.press('Enter');
  await expect(linkPage.issuer.heading).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Approve' }));
  await page.keyboard.press('Enter');
  await returnToShop(page, urls);
});
