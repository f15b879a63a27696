import { readFile } from 'node:fs/promises';
import { signInAs } from './account.ts';
import { findings } from './barriers.ts';
import { expect, test } from './fixtures.ts';
import { readCode } from './read-code.ts';

test('a link is created by keyboard, scanned, saved as an image, and previewed', async ({ page, server, browser }) => {
  await signInAs(page, server, 'operator', { path: 'new-link' });
  await expect(page.locator('.link-section').first()).toContainText('United States · Card');
  const amount = page.getByLabel('Amount (USD)');
  await amount.fill('12.505');
  await expect(page.getByText('USD amounts can have at most 2 decimal places.')).toBeVisible();
  await amount.fill('12,50');
  const preview = page.locator('link-preview');
  await expect(preview).toContainText('Pay $12.50');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Description')).toHaveAttribute('aria-invalid', 'true');
  expect(await findings(page)).toEqual([]);
  await page.getByText('After payment').click();
  await page.getByLabel('Failure URL').fill('https://user:secret@shop.example/');
  await page.getByLabel('Description').focus();
  await page.keyboard.type('Two cups and a saucer');
  await expect(preview).toContainText('Two cups and a saucer');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('must not contain a user name or password');
  await page.getByLabel('Failure URL').fill('');
  await page.keyboard.press('Enter');

  // Without redirect URLs: from the form to a shared link by Enter and one click.
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
  await expect(page.getByRole('button', { name: 'Copy Payment link' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('href', /^https:\/\/wa\.me\/\?text=/);
  const paymentPage = page.frameLocator('iframe[title="Preview"]');
  await expect(paymentPage.getByText('$12.50').first()).toBeVisible();
  await expect(paymentPage.getByText('Two cups and a saucer')).toBeVisible();
  expect(await paymentPage.locator('body').evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
  const takesFocus = (control: HTMLElement) => {
    control.focus();
    return control.matches(':focus');
  };
  expect(await paymentPage.getByLabel('Card number').evaluate(takesFocus)).toBe(false);
  const opening = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open link', exact: true }).click();
  const buyers = await opening;
  await expect(buyers.getByText('$12.50').first()).toBeVisible();
  await expect(buyers.getByText('Two cups and a saucer').first()).toBeVisible();
});
