import { devices, type Page } from '@playwright/test';
import type { RemoteServer } from '../support/server-process.ts';
import { openDialog, signInAs, watchFor } from './account.ts';
import { findings, horizontalOverflow, smallTargets } from './barriers.ts';
import { expect, test } from './fixtures.ts';

/** A merchant with invoices that are underpaid by a tenth. */
async function merchantWith(server: RemoteServer, references: readonly string[]) {
  const { id: merchant, token } = await server.makeMerchant('Kettle & Co');
  const pay = async (txId: string) => {
    const invoice = { txId, code: 'btc', amount: '150000', type: 'revolver' };
    const { body } = await server.callApi('/v1/transaction/invoice', { method: 'POST', token, body: invoice });
    await server.runChainAction(body['id'] as string, 'pay underpay');
    await server.runChainAction(body['id'] as string, 'mine 1');
    return body['id'] as string;
  };
  const ids: string[] = [];
  for (const each of references) ids.push(await pay(each));
  const decided = async (id: string) => {
    const { body } = await server.callApi(`/v1/transaction?id=${id}`, { token });
    return body['decision'] as { isApproved: boolean; reason: string | null; by: string } | null;
  };
  return { merchant, ids, pay, decided };
}

/** A merchant with underpaid transfers: THB 1,125 of 1,250. */
async function merchantWithUnderpayments(server: RemoteServer, references: readonly string[]) {
  const { id: merchant, token, managerToken } = await server.makeMerchant('Kettle & Co');
  const method = { payment_method: 'qr_code', currency: 'THB', status: 'enable', fee_percent: 1 };
  const path = '/fiat/v1/merchant/payment-methods';
  await server.callApi(path, { method: 'PATCH', token: managerToken, body: { payment_methods: [method] } });
  for (const reference of references) {
    const body = {
      ...{ transaction_id: reference, payment_method: 'qr_code', amount: 1250, country: 'THA', currency: 'THB' },
      ...{ description: 'A teapot', type_of_calculation: 'forward_without_fee' },
      ...{ success_redirect_url: 'https://shop.example/paid', fail_redirect_url: 'https://shop.example/failed' },
    };
    const { body: created } = await server.callApi('/fiat/v1/transaction', { token, body });
    const link = created['value'].link as string;
    const { clientToken } = await server.pageState(link);
    const begin = { payment_method: 'qr_code', choice: null };
    await server.callApi(`${new URL(link).pathname}/method`, { token: clientToken ?? '', body: begin });
    await server.simulate(link, 'underpay');
  }
  const read = async (reference: string) =>
    (await server.callApi(`/fiat/v1/transaction?transaction_id=${reference}`, { token })).body;
  return { merchant, read };
}

const row = (page: Page, reference: string) => page.getByRole('listitem').filter({ hasText: reference });
const dialog = openDialog;
const emptyQueue = (page: Page) => page.getByText('All caught up');

test('an operator accepts and rejects by keyboard; new payments appear live', async ({ page, server }) => {
  const { merchant, ids, pay, decided } = await merchantWith(server, ['order-1', 'order-2']);
  await signInAs(page, server, 'operator', { merchant, path: 'reviews' });
  await expect(row(page, 'order-1')).toContainText(/0\.00135\sBTC\s+0\.00015\sBTC short\s+Requested/);
  await expect(page.getByRole('link', { name: /Review queue 2 to review/ }).first()).toBeVisible();
  expect(await findings(page)).toEqual([]);

  await page.keyboard.press('j');
  await expect(row(page, 'order-2')).toBeFocused();
  await page.keyboard.press('a');
  await dialog(page).getByLabel('Reason').fill('Regular customer');
  await page.keyboard.press('Enter');
  await expect(row(page, 'order-1')).toBeFocused();
  await page.keyboard.press('r');
  await dialog(page).getByLabel('Reason').fill('Not ours');
  await page.keyboard.press('Enter');
  await expect(emptyQueue(page)).toBeVisible();
  expect(await decided(ids[1] ?? '')).toMatchObject({ isApproved: true, reason: 'Regular customer' });
  expect(await decided(ids[0] ?? '')).toMatchObject({ isApproved: false, reason: 'Not ours' });

  await pay('order-3');
  await expect(row(page, 'order-3')).toBeVisible();
});

test('several payments are accepted on a phone', async ({ browser, server, urls }) => {
  const { merchant, ids, decided } = await merchantWith(server, ['order-1', 'order-2', 'order-3']);
  const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
  const context = await browser.newContext({ ...phone, baseURL: urls.url });
  const page = await context.newPage();
  await signInAs(page, server, 'operator', { merchant, path: 'reviews' });
  // A tap hits the control that the component draws for the checkbox.
  await page.locator('wa-checkbox', { has: page.getByText(/^Select all/) }).tap();
  await page.locator('wa-checkbox', { hasText: /order-2/ }).tap();
  const bar = page.getByRole('group', { name: '2 selected' });
  await expect(bar).toContainText(/0\.0027\sBTC/);
  expect(await horizontalOverflow(page)).toBe(0);
  expect(await smallTargets(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Approve' }).tap();
  await expect(dialog(page)).toContainText(/Approve 2 payments\?\s*0\.0027\sBTC/);
  await dialog(page).getByRole('button', { name: 'Approve' }).tap();
  await expect(page.getByRole('heading', { name: '2 reviewed.' })).toBeFocused();
  await expect(row(page, 'order-2').getByRole('button', { name: /^Approve/ })).toBeVisible();
  const decisions = await Promise.all(ids.map(decided));
  expect(decisions.map((decision) => decision?.isApproved ?? null)).toEqual([true, null, true]);
  await context.close();
});

test('of two users who review the same coins, the second sees the first one’s decision', async ({
  page,
  browser,
  server,
}) => {
  const { merchant, ids, decided } = await merchantWith(server, ['order-1', 'order-2']);
  await signInAs(page, server, 'operator', { merchant, path: 'reviews' });
  const context = await browser.newContext();
  const other = await context.newPage();
  await signInAs(other, server, 'owner', { merchant, path: 'reviews' });

  // Both have the prompt open.
  await row(page, 'order-1')
    .getByRole('button', { name: /^Reject/ })
    .click();
  await row(other, 'order-1')
    .getByRole('button', { name: /^Approve/ })
    .click();
  await dialog(page).getByLabel('Reason').fill('Not ours');
  await dialog(page).getByRole('button', { name: 'Reject' }).click();
  await expect(row(page, 'order-1')).toHaveCount(0);
  await dialog(other).getByRole('button', { name: 'Approve' }).click();
  await expect(other.getByRole('heading', { name: /1 already reviewed/ })).toBeVisible();
  await expect(other.getByText(/Already rejected by Some operator\. Reason: Not ours/).first()).toBeVisible();
  expect(await decided(ids[0] ?? '')).toMatchObject({ isApproved: false, reason: 'Not ours' });

  // One watches while the other reviews.
  await row(other, 'order-2')
    .getByRole('button', { name: /^Approve/ })
    .click();
  const sawDecision = await watchFor(page, 'li', /order-2[^]*Already approved by Some owner\./);
  await dialog(other).getByRole('button', { name: 'Approve' }).click();
  await sawDecision();
  await expect(emptyQueue(page)).toBeVisible();
  await context.close();
});

test('payments of a link are accepted and rejected by keyboard; rejected ones are refunded', async ({
  page,
  server,
}) => {
  const { merchant, read } = await merchantWithUnderpayments(server, ['tea-1', 'tea-2']);
  await signInAs(page, server, 'operator', { merchant, path: 'reviews' });
  await expect(row(page, 'tea-1')).toContainText(/THB\s1,125\.00\s+THB\s125\.00 short\s+Requested/);
  await expect(page.getByRole('link', { name: /Review queue 2 to review/ }).first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(row(page, 'tea-2')).toBeFocused();
  await page.keyboard.press('r');
  await expect(dialog(page)).toContainText('refunded to the buyer in full');
  await dialog(page).getByLabel('Reason').fill('Sold out');
  await page.keyboard.press('Enter');
  await expect(row(page, 'tea-1')).toBeFocused();
  await page.keyboard.press('a');
  await dialog(page).getByLabel('Reason').fill('Regular customer');
  await page.keyboard.press('Enter');
  await expect(emptyQueue(page)).toBeVisible();
  expect((await read('tea-1'))['decision']).toMatchObject({ is_approved: true, reason: 'Regular customer' });
  expect(await read('tea-2')).toMatchObject({ reason: 'rejected', refunds: [{ amount: 1125 }] });

  await page.goto(page.url().replace('/reviews', '/transactions/tea-2'));
  await expect(page.getByRole('region', { name: 'Review' })).toContainText(/Rejected by Some operator\s+Sold out/);
  expect(await findings(page)).toEqual([]);
});

test('of two users who review the same payment, the second sees the first one’s name and decision', async ({
  page,
  browser,
  server,
}) => {
  const { merchant, read } = await merchantWithUnderpayments(server, ['tea-1']);
  await signInAs(page, server, 'operator', { merchant, path: 'transactions/tea-1' });
  const context = await browser.newContext();
  const other = await context.newPage();
  await signInAs(other, server, 'owner', { merchant, path: 'reviews' });
  await page.getByRole('button', { name: 'Approve payment' }).click();
  await row(other, 'tea-1')
    .getByRole('button', { name: /^Reject/ })
    .click();
  await dialog(page).getByLabel('Reason').fill('Regular customer');
  const sawDecision = await watchFor(
    other,
    'li',
    /tea-1[^]*Already approved by Some operator\. Reason: Regular customer/,
  );
  await dialog(page).getByRole('button', { name: 'Approve payment' }).click();
  await expect(page.getByRole('region', { name: 'Review' })).toContainText('Approved by Some operator');
  const notice = /Already approved by Some operator\. Reason: Regular customer/;
  await sawDecision();
  await dialog(other).getByRole('button', { name: 'Reject' }).click();
  await expect(other.getByRole('heading', { name: /1 already reviewed/ })).toBeVisible();
  await expect(other.locator('.results')).toContainText(notice);
  expect(await read('tea-1')).toMatchObject({ status: 'transaction_status_confirmed', refunds: [] });
  await context.close();
});

test('a viewer sees neither the review queue nor link creation', async ({ page, server, urls }) => {
  const { merchant } = await merchantWith(server, ['order-1']);
  await signInAs(page, server, 'viewer', { merchant, path: 'crypto' });
  await expect(page.getByRole('heading', { name: 'Wallets' })).toBeVisible();
  await expect(page.getByText(/0\.00135\sBTC/).first()).toBeVisible();
  await expect(page.locator('.wallet wa-dropdown')).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^(Review queue|New link)/ })).toHaveCount(0);
  for (const path of ['reviews', 'new-link']) {
    await page.goto(`${urls.url}/account/${merchant}/${path}`);
    await expect(page.getByText('Your role doesn’t have access to this page').last()).toBeVisible();
  }
});
