import { readFile } from 'node:fs/promises';
import { choose, signInAs } from './account.ts';
import { findings } from './barriers.ts';
import { expect, test } from './fixtures.ts';
import { readCode } from './read-code.ts';

test('a link is created by keyboard, scanned, saved as an image, and previewed', async ({ page, server, browser }) => {
  await signInAs(page, server, 'operator', { path: 'new-link' });
  await choose(page, 'Buyer’s country', 'United States');
  await expect(page.getByRole('radio', { name: 'Card', exact: true })).toBeChecked();
  const amount = page.getByLabel('Amount (USD)');
  await amount.fill('12.505');
  await expect(page.getByText('USD amounts can have at most 2 decimal places.')).toBeVisible();
  await amount.fill('12,50');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByRole('alert')).toContainText('3 fields need attention');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('link', { name: /^Description:/ }).press('Enter');
  await page.keyboard.type('Two cups and a saucer');
  await page.getByLabel('Success URL').fill('https://shop.example/paid');
  await page.getByLabel('Failure URL').fill('https://user:secret@shop.example/');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('must not contain a user name or password');
  await page.getByLabel('Failure URL').fill('https://shop.example/not-paid');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { level: 1, name: 'Your payment link is ready' })).toBeFocused();
  const link = (await page.locator('.created-url').textContent())?.trim() ?? '';
  const code = page.getByRole('img', { name: 'QR code for the payment link' });
  await expect(code).toBeVisible();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await readCode(browser, await code.screenshot())).toBe(link);
  }
  for (const [kind, beginning] of [
    ['SVG', '<svg '],
    ['PNG', '\u{fffd}PNG'],
  ] as const) {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: kind }).click();
    const file = await (await downloading).path();
    expect((await readFile(file, 'utf8')).slice(0, beginning.length)).toBe(beginning);
  }
  const preview = page.frameLocator('iframe[title="Preview"]');
  await expect(preview.getByText('$12.50').first()).toBeVisible();
  await expect(preview.getByText('Two cups and a saucer')).toBeVisible();
  expect(await preview.locator('body').evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
  expect(
    await preview
      .getByText('Pay $12.50')
      .click({ timeout: 500, trial: true })
      .catch(() => 'inert'),
  ).toBe('inert');
  const opening = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open link', exact: true }).click();
  const buyers = await opening;
  await expect(buyers.getByText('$12.50').first()).toBeVisible();
  await expect(buyers.getByText('Two cups and a saucer').first()).toBeVisible();
});
