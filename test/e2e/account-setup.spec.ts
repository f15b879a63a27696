import type { Page } from '@playwright/test';
import { onePixelPng } from '../support/operation-calls.ts';
import { openDialog } from './account.ts';
import { expect, test } from './fixtures.ts';

interface Person {
  email: string;
  password: string;
  merchant: number;
}

async function signIn(page: Page, url: string, { email, password }: Person) {
  await page.goto(`${url}/account/sign-in`);
  await page.locator('input[autocomplete~=username]').fill(email);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/account\/(\d+\/|merchants)/);
}

const setting = (page: Page, key: string) => page.locator(`[data-key="${key}"]`);

test('an owner changes settings, which are saved', async ({ page, server, urls }) => {
  const owner = await server.createUserInNewMerchant('owner');
  await signIn(page, urls.url, owner);
  await page.goto(`${urls.url}/account/${owner.merchant}/settings`);
  await setting(page, 'link-lifetime-minutes').getByRole('textbox').fill('0');
  await setting(page, 'auto-withdrawal').getByRole('switch').press('Space');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await expect(bar).toContainText('2 unsaved changes');

  await bar.getByRole('button', { name: 'Save' }).click();
  await expect(setting(page, 'link-lifetime-minutes').getByRole('textbox')).toBeFocused();
  await expect(setting(page, 'link-lifetime-minutes')).toContainText('Enter a whole number from 1 to 525,600.');

  const team = page.getByRole('link', { name: 'Team' });
  await team.click();
  await openDialog(page).getByRole('button', { name: 'Cancel' }).click();
  // Until the dialog has closed and returned focus, typed text does not reach the field.
  await expect(team).toBeFocused();
  await expect(page).toHaveURL(/settings$/);

  await setting(page, 'link-lifetime-minutes').getByRole('textbox').fill('60');
  await bar.getByRole('button', { name: 'Save' }).click();
  await expect(bar).toHaveCount(0);
  await page.reload();
  await expect(setting(page, 'link-lifetime-minutes')).toContainText('Some owner');
  await expect(setting(page, 'link-lifetime-minutes').getByRole('textbox')).toHaveValue('60');
  await expect(setting(page, 'auto-withdrawal').getByRole('switch')).toBeChecked();
  // Only managers can change settings of the service.
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('min-amount-btc');
  await expect(setting(page, 'min-amount-btc')).toContainText('Set by a manager');
  await expect(setting(page, 'min-amount-btc').getByRole('textbox')).not.toBeEditable();
});

test('an owner uploads a logo, and the preview and payment page show the branding', async ({ page, server, urls }) => {
  const owner = await server.createUserInNewMerchant('owner');
  await signIn(page, urls.url, owner);
  await page.goto(`${urls.url}/account/${owner.merchant}/branding`);
  const preview = page.locator('iframe[data-shown]').contentFrame();
  await expect(preview.locator('.merchant-mark')).toBeVisible();
  await setting(page, 'brand-name').getByRole('textbox').fill('Kettle');
  await page.getByLabel('Brand color', { exact: true }).fill('#aa0000');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload logo' }).click();
  const buffer = Buffer.from(onePixelPng, 'base64');
  await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await expect(preview.locator('.merchant-name')).toHaveText('Kettle');
  const logo = preview.locator('.merchant-logo');
  await expect(logo).toHaveAttribute('src', /^data:image\/png/);
  await expect.poll(async () => await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await expect(preview.locator('button.pay').first()).toHaveCSS('background-color', 'rgb(170, 0, 0)');
  const ground = async () => await preview.locator('html').evaluate((root) => getComputedStyle(root).backgroundColor);
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await ground(), 'a light preview stays light on a dark device').toBe(light);

  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await expect(bar).toContainText('3 unsaved changes');
  await bar.getByRole('button', { name: 'Save' }).click();
  await expect(bar).toHaveCount(0);
  await page.reload();
  await expect(logo).toHaveAttribute('src', /^\/logos\/[0-9a-f]{64}\.png$/);
  await expect.poll(async () => await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);

  // The preview of emails is a sandboxed frame: Chromium reports code that a test runs in it.
  const loaded = page.waitForResponse(
    (response) => response.url().includes('/logos/') && response.frame().url().includes('kind=receipt'),
  );
  await page.goto(`${urls.url}/account/${owner.merchant}/email`);
  const email = page.frameLocator('iframe[src*="kind=receipt"]');
  await expect(email.locator('img[src*="/logos/"]')).toBeVisible();
  expect((await loaded).status()).toBe(200);
});

test('an owner creates a token, revokes it, and tries the form', async ({ page, server, urls, faults }) => {
  const owner = await server.createUserInNewMerchant('owner');
  await signIn(page, urls.url, owner);
  await page.goto(`${urls.url}/account/${owner.merchant}/integration`);
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Till 7');
  await page.locator('form').getByRole('button', { name: 'Create token' }).click();
  const token = (await page.locator('#new-token').textContent()) ?? '';
  const status = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${urls.url}/fiat/v1/transactions`, { headers })).status;
  };
  expect(await status()).toBe(200);
  await page.getByRole('button', { name: 'Revoke Till 7' }).click();
  await openDialog(page).getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('button', { name: 'Revoke Till 7' })).toHaveCount(0);
  expect(await status()).toBe(401);

  await page.getByRole('button', { name: 'Show form' }).click();
  await expect(page.locator('pay-form')).toBeVisible();
  await page.getByText('Dark', { exact: true }).click();
  await expect(page.locator('#embed-code')).toContainText('<pay-form src="EMBED_URL" theme="dark">');
  await expect(page.frameLocator('pay-form iframe').getByLabel('Card number')).toBeVisible();
  // The warning is about a frame of the same origin, which exists only in the account area.
  const isOfOwnFrame = (fault: string) => fault.startsWith('An iframe which has both allow-scripts');
  faults.splice(0, faults.length, ...faults.filter((fault) => !isOfOwnFrame(fault)));
});

test('a manager creates a merchant, sets its fees, and switches merchants', async ({ page, server, urls }) => {
  const manager = await server.createUserInNewMerchant('manager', 'Saucer & Daughters');
  await signIn(page, urls.url, manager);
  await page.goto(`${urls.url}/account/merchants`);
  await page.getByRole('button', { name: 'Add merchant' }).click();
  await openDialog(page).getByLabel('Name').fill('Teapot & Sons');
  await openDialog(page).getByRole('button', { name: 'Add merchant' }).click();
  await expect(page.locator('#merchant-secret')).toHaveText(/^whsec_/);
  await page.getByRole('link', { name: 'Methods and fees: Teapot & Sons' }).click();
  const card = page.locator('[data-method=credit_card]');
  await expect(card.getByRole('switch')).not.toBeChecked();
  await card.getByRole('switch').press('Space');
  await card.getByLabel('Percentage fee (%): Card').fill('2.9');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.save-bar')).toHaveCount(0);
  await expect(card.getByRole('switch')).toBeChecked();

  await page.goto(`${urls.url}/account/${manager.merchant}/settings`);
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('min-amount-btc');
  await setting(page, 'min-amount-btc').getByRole('textbox').fill('150000');
  await expect(setting(page, 'min-amount-btc')).toContainText('0.0015');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.save-bar')).toHaveCount(0);
  await page.goto(`${urls.url}/account/merchants`);
  await page.getByRole('searchbox', { name: 'Search by name or ID' }).fill('Saucer');
  await expect(page.getByRole('link', { name: 'Saucer & Daughters', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Teapot & Sons', exact: true })).toHaveCount(0);
});

test('an owner neither finds nor opens pages for managers', async ({ page, server, urls }) => {
  const owner = await server.createUserInNewMerchant('owner');
  await signIn(page, urls.url, owner);
  await page.goto(`${urls.url}/account/${owner.merchant}/methods`);
  await expect(page.getByRole('heading', { name: 'This page is for managers' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Methods and fees' })).toHaveCount(0);
});
