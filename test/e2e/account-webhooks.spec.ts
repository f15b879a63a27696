import { creation, submission } from '../support/requests.ts';
import { openDialog, signInAs } from './account.ts';
import { expect, test } from './fixtures.ts';

test('an owner adds a webhook endpoint, tests it, reads a delivery, redelivers it, rotates the secret and removes the endpoint', async ({
  page,
  server,
  urls,
}) => {
  const { merchant } = await signInAs(page, server, 'owner', { path: 'webhooks' });
  const url = `${await server.receiverUrl()}?books`;
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await openDialog(page).getByLabel('Webhook URL').fill('http://10.0.0.1/');
  await openDialog(page).getByRole('button', { name: 'Add endpoint' }).click();
  await expect(openDialog(page).getByText(/must start with https/)).toBeVisible();
  await openDialog(page).getByLabel('Webhook URL').fill(url);
  await openDialog(page).getByLabel('Description').fill('Bookkeeping');
  await openDialog(page).getByText('Only selected events').click();
  await openDialog(page).getByText('fiat.transaction.updated').click();
  await openDialog(page).getByRole('button', { name: 'Add endpoint' }).click();
  await expect(page.locator('#endpoint-secret')).toHaveText(/^whsec_.{20}/);

  const headers = { authorization: `Bearer ${urls.token}`, 'content-type': 'application/json' };
  const call = async (path: string, body: object) =>
    await (await fetch(`${urls.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  const made = creation({ transaction_id: `hooks-${Date.now()}` });
  await call('/fiat/v1/transaction', made);
  await call('/fiat/v1/transaction/submit', submission(made.transaction_id));

  await page.getByRole('link', { name: url }).click();
  await expect(page).toHaveURL(new RegExp(`/account/${merchant}/webhooks/we_`));
  await page.getByRole('button', { name: 'Send test webhook' }).click();
  await expect(page.locator('.test-result')).toContainText('Test webhook delivered');
  await expect(page.locator('.test-result')).toContainText('HTTP 204');
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await openDialog(page).getByRole('button', { name: 'Rotate secret' }).click();
  await expect(page.locator('#new-endpoint-secret')).toHaveText(/^whsec_.{20}/);
  await page.getByRole('button', { name: 'I’ve saved it' }).click();

  const delivery = page.locator('.delivery', { hasText: made.transaction_id }).first();
  await expect(delivery).toContainText('Delivered');
  await delivery.getByRole('button').first().click();
  await expect(delivery.locator('.payload')).toContainText(`"transaction_id": "${made.transaction_id}"`);
  await delivery.getByText('Request headers').click();
  await expect(delivery.getByText(/webhook-id: evt_/)).toBeVisible();
  const count = async () => (await server.callbacks()).filter(({ body }) => body.includes(made.transaction_id)).length;
  const before = await count();
  await delivery.getByRole('button', { name: 'Redeliver' }).click();
  await expect.poll(count).toBe(before + 1);

  await page.setViewportSize({ width: 360, height: 780 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByRole('button', { name: 'Remove endpoint' }).click();
  await openDialog(page).getByRole('button', { name: 'Remove endpoint' }).click();
  await expect(page).toHaveURL(/\/webhooks$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.getByRole('link', { name: url })).toHaveCount(0);
});
