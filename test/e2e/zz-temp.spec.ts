import { signInAs } from './account.ts';
import { findings } from './barriers.ts';
import { readCode } from './read-code.ts';
import { expect, test } from './fixtures.ts';

test('temp', async ({ page, server, browser }) => {
  const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGOQj/cCAAFpAMkwulAvAAAAAElFTkSuQmCC';
  await signInAs(page, server, 'owner', { path: 'overview' });
  const results = await page.evaluate(async (image) => {
    const id = location.pathname.split('/')[2] ?? '';
    const send = async (path: string, method: string, body: object) => {
      const response = await fetch(path, { method, headers: { 'content-type': 'application/json', 'Paylatch-Merchant': id }, body: JSON.stringify(body) });
      return `${response.status} ${await response.text()}`;
    };
    return [
      await send('/v1/merchant/preferences', 'PATCH', { key: 'brand-color', value: '#ffcc00' }),
      await send('/v1/merchant/logo', 'POST', { image }),
    ];
  }, image);
  console.log(results);
  await page.goto(page.url().replace('overview', 'new-link'));
  await page.getByLabel('Amount (USD)').fill('12,50');
  await page.getByLabel('Description').fill('Two cups and a saucer');
  await expect(page.locator('.preview-logo, .preview-mark')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.screenshot({ path: 'test-results/temp-preview.png' });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Your payment link is ready' })).toBeFocused();
  await page.screenshot({ path: 'test-results/temp-created.png' });
  console.log(await findings(page));
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.screenshot({ path: 'test-results/temp-poster.png' });
  const link = (await page.locator('.created-url').textContent())?.trim() ?? '';
  expect(await readCode(browser, await page.locator('.poster qr-code').screenshot())).toBe(link);
  const pdf = await page.pdf({ path: 'test-results/temp-poster.pdf', format: 'A4' });
  console.log('pages', (pdf.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length);
});
