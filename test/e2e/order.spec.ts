import { scenarios } from '../../testing/index.ts';
import { expect, test } from './fixtures.ts';

const line_items = [
  { name: 'Cup', quantity: 2, unit_amount: 4.25 },
  { name: '<b>Saucer</b>', unit_amount: 4 },
];

test('the items are shown next to the form, also in another language', async ({ page, server }) => {
  const { link } = await server.createLink({ line_items, currency: 'EUR', country: 'DEU' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(link);
  const items = page.locator('.order li');
  await expect(items).toHaveText([/Cup\s*2 × €4\.25\s*€8\.50/, /<b>Saucer<\/b>\s*€4\.00/]);
  await expect(items.first()).toBeVisible();
  await page.getByLabel('Language').selectOption('de');
  await expect(items.first()).toHaveText(/Cup\s*2 × 4,25\s€\s*8,50\s€/);
  await expect(page.getByText('Gesamt')).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(items.first()).toBeHidden();
  await page.getByText('Zahlungsübersicht').click();
  await expect(items.first()).toBeVisible();
});

test('the receipt prints items, amount, card and date, without controls', async ({ page, linkPage, server }) => {
  const { link, reference } = await server.createLink({ line_items });
  // The return to the shop must not come before the click that stops its countdown.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto(link);
  await linkPage.fillAndPay(scenarios.approved);
  await expect(page.getByRole('link', { name: /Back to/ })).toHaveCount(1);
  await page.getByRole('button', { name: 'Stay here' }).click();
  await page.emulateMedia({ media: 'print' });
  for (const text of ['Kettle & Co', 'Cup', reference, 'Visa ending in 4242', 'Total', 'Paid on'])
    await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
  for (const control of await page.locator('button, a, select, summary').all()) await expect(control).toBeHidden();
});
