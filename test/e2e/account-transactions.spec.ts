import { readFile } from 'node:fs/promises';
import { creation, submission } from '../support/requests.ts';
import type { ServerAddresses } from '../support/server-process.ts';
import { signInAs, watchFor } from './account.ts';
import { expect, test } from './fixtures.ts';

/** Calls the API with the merchant's token. */
async function call(urls: ServerAddresses, path: string, body: unknown, token = urls.token) {
  const response = await fetch(urls.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return await response.json();
}

test('a list is filtered by its URL, a transaction is opened, and back returns to the same list', async ({
  page,
  server,
  urls,
}) => {
  const prefix = `narrow-${Date.now()}`;
  for (const [index, amount] of [10, 20].entries())
    await call(urls, '/fiat/v1/transaction', creation({ transaction_id: `${prefix}-${index}`, amount }));
  await call(urls, '/fiat/v1/transaction/cancel', { transaction_id: `${prefix}-0` });

  await signInAs(page, server, 'owner', { path: 'transactions' });
  const rows = page.locator('.transaction-row');
  await page.getByRole('searchbox').fill(prefix);
  await expect(page).toHaveURL(new RegExp(`\\?search=${prefix}$`));
  await expect(rows).toHaveCount(2);
  await page.getByRole('radio', { name: 'Failed 1' }).click();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`\\?status=transaction_status_failed&search=${prefix}$`));

  await rows.first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\$10\.00/);
  await page.goBack();
  await expect(rows).toHaveCount(1);
  await page.goBack();
  await expect(rows).toHaveCount(2);
  await page.reload();
  await expect(rows).toHaveCount(2);
});

test('a payment appears live, and its webhook is redelivered', async ({ page, server, urls }) => {
  const reference = `live-${Date.now()}`;
  const listen = async (value: string | null) =>
    await call(urls, '/v1/merchant/preferences', { preferences: [{ key: 'callback-url', value }] });
  await listen(`${urls.siteUrl}/callbacks`);
  const made = creation({ transaction_id: reference, transaction_type: 'custom_form' });
  const { client_token } = await call(urls, '/fiat/v1/transaction', made);
  await signInAs(page, server, 'owner', { path: `transactions?search=${reference}` });
  const row = page.locator('.transaction-row');
  await expect(row).toContainText('Pending');
  await call(urls, '/fiat/v1/transaction/submit', submission(reference), client_token);
  await expect(row).toContainText('Confirmed');

  await row.click();
  await expect(page.getByText('4242').first()).toBeVisible();
  const list = page.locator('callback-list');
  const redeliverButton = list.getByRole('button', { name: 'Redeliver' }).first();
  // The list is closed if all were delivered before it was read.
  await expect(list.locator('.callbacks')).toContainText(/(\d+) of \1 delivered/);
  if (!(await list.locator('.callback-head').first().isVisible())) await list.locator('.callbacks').click();
  // The button to redeliver a delivered webhook is in the expanded row.
  await list.locator('.callback-head').first().click();
  const sawMessage = await watchFor(page, '[role=status]', /Webhook redelivered/);
  await redeliverButton.click();
  await sawMessage();
  await expect(list.locator('.callback-head').first()).toContainText('2 attempts');
  await listen(null);
});

test('a wide screen shows a transaction next to the list, and prints it alone', async ({ page, server, urls }) => {
  const prefix = `split-${Date.now()}`;
  for (const index of [0, 1])
    await call(urls, '/fiat/v1/transaction', creation({ transaction_id: `${prefix}-${index}`, amount: 10 + index }));
  await page.setViewportSize({ width: 1600, height: 900 });
  await signInAs(page, server, 'owner', { path: `transactions?search=${prefix}` });
  const rows = page.locator('.transaction-row');
  await rows.filter({ hasText: `${prefix}-0` }).click();
  const detail = page.getByRole('complementary', { name: 'Selected transaction' });
  await expect(detail.getByRole('heading', { level: 1 })).toHaveText(/\$10\.00/);
  await expect(page).toHaveURL(new RegExp(`open=${prefix}-0`));
  await rows.filter({ hasText: `${prefix}-1` }).click();
  await expect(detail.getByRole('heading', { level: 1 })).toHaveText(/\$11\.00/);
  await page.reload();
  await expect(detail.getByRole('heading', { level: 1 })).toHaveText(/\$11\.00/);
  await page.emulateMedia({ media: 'print' });
  await expect(rows.first()).toBeHidden();
  await expect(page.getByRole('navigation').first()).toBeHidden();
  const box = await detail.boundingBox();
  expect(box?.width ?? 0).toBeGreaterThan(1500);
  await page.emulateMedia({ media: 'screen' });
  await detail.getByRole('button', { name: 'Close' }).click();
  await expect(detail).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(rows).toHaveCount(2);
  expect((await page.locator('transaction-table').boundingBox())?.width ?? 0).toBeGreaterThan(1500);
});

test('an export contains the filtered list', async ({ page, server, urls }) => {
  const prefix = `csv-${Date.now()}`;
  for (const index of [0, 1, 2])
    await call(
      urls,
      '/fiat/v1/transaction',
      creation({ transaction_id: `${prefix}-${index}`, description: 'Two, "quoted"' }),
    );
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await signInAs(page, server, 'viewer', { path: `transactions?search=${prefix}` });
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await (await downloaded).path();
  const text = await readFile(file, 'utf8');
  expect(text.match(new RegExp(`${prefix}-\\d`, 'g'))?.sort()).toEqual([0, 1, 2].map((index) => `${prefix}-${index}`));
  await expect(page.locator('.export-state')).toContainText('3 rows exported');
});

test('the overview draws its charts under the strict policy', async ({ page, server, urls }) => {
  await call(urls, '/fiat/v1/transaction', creation());
  // The last thirty days by the page's clock.
  await page.clock.setFixedTime((await server.now()).serverTime);
  await signInAs(page, server, 'owner', { path: 'overview' });
  await expect(page.locator('canvas')).toHaveCount(2);
  await page.getByText('View as table').first().click();
  await expect(page.getByRole('table').first()).toBeVisible();
});
