import { readFile } from 'node:fs/promises';
import { devices, type Route } from '@playwright/test';
import type { PageState } from '../../src/api/page-state.ts';
import { MINUTE, SECOND } from '../../src/shared/time.ts';
import { paymentMethods } from '../../src/methods/catalog.ts';
import { creation } from '../support/requests.ts';
import { LinkPage } from '../../testing/index.ts';
import { blockStreams, expect, returnToShop, stayOnPaidPage, test } from './fixtures.ts';
import { readCode } from './read-code.ts';

const thai = { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 1250.5 };
const indian = { payment_method: 'upi', country: 'IND', currency: 'INR', amount: 899 };
const heading = (name: string | RegExp) => ['heading', { name }] as const;

/** A country and a currency that a method supports. */
function countryAndCurrency({ countries, currencies }: (typeof paymentMethods)[number]) {
  return { country: countries === 'world' ? 'FRA' : countries[0], currency: currencies[0] };
}

/** One method for each kind of page; `push-payment.test.ts` starts and pays all of them. */
const onePerKind = paymentMethods.filter(
  (method, index, all) =>
    method.action !== 'card' &&
    all.findIndex(({ action, choice }) => action === method.action && choice === method.choice) === index,
);

for (const method of onePerKind) {
  test(`${method.code} is started on the page and paid`, async ({ page, linkPage, server, urls }) => {
    const { link, reference } = await server.createLinkWithMethods({
      payment_method: method.code,
      amount: 50_000,
      ...countryAndCurrency(method),
    });
    if (method.action !== 'redirect') await stayOnPaidPage(page, urls);
    await page.goto(link);
    if (method.choice === 'bank') await linkPage.chooseOption((await firstChoice(server, link, method.code)) ?? '');
    if (method.choice === 'currency') await linkPage.chooseOption('USDT');
    await linkPage.pay();
    if (method.action === 'redirect') await linkPage.simulator.decide('exact');
    else {
      await expect(linkPage.instructions).toBeVisible();
      await server.simulate(link, 'exact');
      if (method.action === 'crypto') for (let block = 0; block < 12; block += 1) await server.simulate(link, 'block');
    }
    await expect.poll(async () => (await server.detail(reference, urls.allMethodsToken)).status).toMatch(/_confirmed$/);
    if (method.action === 'redirect') await returnToShop(page, urls);
    else await expect(page.getByRole(...heading('Payment received'))).toBeVisible();
  });
}

async function firstChoice(server: { pageState(link: string): Promise<PageState> }, link: string, code: string) {
  const { methods } = await server.pageState(link);
  return methods.find((offered) => offered.code === code)?.choices?.[0]?.name;
}

for (const [name, place] of Object.entries({
  PromptPay: thai,
  VietQR: { payment_method: 'qr_code', country: 'VNM', currency: 'VND', amount: 250_000 },
})) {
  test(`a ${name} code can be read on the page and from the saved image`, async ({
    page,
    linkPage,
    browser,
    context,
    server,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { link } = await server.createLinkWithMethods(place);
    await page.goto(link);
    await linkPage.pay();
    const code = page.getByRole('img', { name: `QR code for ${name}` });
    await expect(code).toBeVisible();
    const { started } = await server.pageState(link);
    const instructions = started?.instructions;
    const payload = instructions?.action === 'qr' ? instructions.payload : '';
    expect(await readCode(browser, await page.locator('.qr-card .qr-box').screenshot())).toBe(payload);
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save image' }).click();
    const saved = await downloads;
    expect(saved.suggestedFilename()).toBe('payment-code.png');
    expect(await readCode(browser, await readFile(await saved.path()))).toBe(payload);
    await page.getByRole('button', { name: 'Copy code' }).click();
    await expect(page.getByRole('status').first()).toContainText('Code as text copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(payload);
  });
}

test('UPI is a button on a phone and a QR code on a desktop', async ({ browser, server }) => {
  const { link } = await server.createLinkWithMethods(indian);
  const phone = await browser.newContext({ ...devices['Pixel 5'] });
  const phonePage = new LinkPage(await phone.newPage());
  await phonePage.page.goto(link);
  await phonePage.pay();
  const open = phonePage.page.getByRole('link', { name: 'Open UPI' });
  await expect(open).toHaveAttribute('href', /^upi:\/\/pay\?/);
  await expect(phonePage.page.getByRole('img')).toHaveCount(0);
  const desktop = await browser.newContext();
  const desktopPage = new LinkPage(await desktop.newPage());
  await desktopPage.page.goto(link);
  await expect(desktopPage.page.getByRole('img', { name: 'QR code for UPI' })).toBeVisible();
  await expect(desktopPage.page.getByRole('link', { name: 'Open UPI' })).toBeHidden();
  const address = await open.getAttribute('href');
  expect(await readCode(browser, await desktopPage.page.locator('.pointer-only .qr-box').screenshot())).toBe(address);
  await phone.close();
  await desktop.close();
});

test('bank details are complete, each with a copy button', async ({ page, linkPage, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { link } = await server.createLinkWithMethods({
    payment_method: 'virtual_account',
    country: 'MEX',
    currency: 'MXN',
    amount: 1250.5,
  });
  await page.goto(link);
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
  const { started } = await server.pageState(link);
  const details = started?.instructions.action === 'bank_details' ? started.instructions.details : [];
  expect(details.map(({ name }) => name)).toEqual([
    'bank_name',
    'clabe',
    'account_name',
    'reference',
    'transfer_content',
    'amount',
  ]);
  await expect(page.getByText('MX$1,250.50').last()).toBeVisible();
  for (const [label, name] of [
    ['CLABE', 'clabe'],
    ['Amount', 'amount'],
    ['Transfer message', 'transfer_content'],
  ] as const) {
    await page.getByRole('button', { name: `Copy ${label}` }).click();
    const value = details.find((detail) => detail.name === name)?.value;
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(value);
  }
});

test('a bank is found and selected with the keyboard, and a missing choice is shown', async ({
  page,
  linkPage,
  server,
}) => {
  const { link } = await server.createLinkWithMethods({ ...indian, payment_method: 'online_banking' });
  await page.goto(link);
  await linkPage.pay();
  await expect(page.getByText('Choose your bank.').last()).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search for your bank' });
  await expect(search).toBeFocused();
  await page.keyboard.type('zzz');
  await expect(page.getByText('No matching bank.').last()).toBeVisible();
  await search.clear();
  await page.keyboard.type('kOták');
  await expect(page.getByRole('radio', { name: 'HDFC Bank' })).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: 'Kotak Mahindra Bank' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Kotak Mahindra Bank' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: "Simulate the buyer's bank" })).toBeVisible();
  expect((await server.pageState(link)).started?.choice).toBe('kotak_mahindra_bank');
});

test('an underpayment is shown, and the remainder is requested', async ({ page, linkPage, server, urls }) => {
  const { link, reference } = await server.createLinkWithMethods(thai);
  await page.goto(link);
  await linkPage.pay();
  const simulator = await linkPage.openSimulator();
  await simulator.decide('underpay');
  await expect(page.getByRole(...heading('Partial payment received'))).toBeFocused();
  expect(await linkPage.outcome()).toBe('pending');
  await expect(page.getByText(/We received ฿1,125\.45 of ฿1,250\.50/).last()).toBeVisible();
  await expect(page.getByRole('radio')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('฿125.05');
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
  await server.simulate(link, 'exact');
  await returnToShop(page, urls);
  expect((await server.detail(reference, urls.allMethodsToken)).status).toBe('transaction_status_confirmed');
});

test('an overpayment waits for the merchant’s review and cannot be paid again', async ({ page, linkPage, server }) => {
  const { link } = await server.createLinkWithMethods(thai);
  await page.goto(link);
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
  await server.simulate(link, 'overpay');
  await expect(page.getByRole(...heading('You paid too much'))).toBeFocused();
  await expect(
    page.getByText(/We received ฿1,375\.55 instead of ฿1,250\.50\. Kettle & Co will review it/).last(),
  ).toBeVisible();
  await expect(linkPage.payButton).toBeHidden();
});

test('a duplicate payment is confirmed, and the buyer is referred to the merchant', async ({
  page,
  linkPage,
  server,
  urls,
}) => {
  const { link, reference } = await server.createLinkWithMethods(thai);
  await stayOnPaidPage(page, urls);
  await page.goto(link);
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
  await server.simulate(link, 'duplicate');
  await expect(page.getByRole(...heading('Payment received'))).toBeFocused();
  await expect(page.getByText(/You paid more than the amount due\. Ask Kettle & Co/).last()).toBeVisible();
  await expect(page.getByText(/฿2,501\.00/).last()).toBeVisible();
  const detail = await server.detail(reference, urls.allMethodsToken);
  expect([detail.status, detail.reason]).toEqual(['transaction_status_confirmed', 'overpaid']);
});

test('a late payment is shown on the page after its expiry', async ({ page, linkPage, server, urls }) => {
  await server.setPreferenceForAll('link-lifetime-minutes', '5');
  const { link, reference } = await server.createLinkWithMethods(thai);
  await stayOnPaidPage(page, urls);
  await server.setPreferenceForAll('link-lifetime-minutes', null);
  await page.goto(link);
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
  await server.simulate(link, 'late');
  await server.advance(5 * MINUTE + SECOND);
  await expect(page.getByRole(...heading('This link has expired'))).toBeFocused();
  await expect(page.getByText(/If you've sent it, don't send it again/).last()).toBeVisible();
  expect((await server.detail(reference, urls.allMethodsToken)).status).toBe('transaction_status_failed');
  await server.advance(2 * MINUTE);
  expect((await server.detail(reference, urls.allMethodsToken)).status).toBe('transaction_status_confirmed');
  await expect(page.getByRole(...heading('Payment received'))).toBeFocused();
});

test('a refused payment can be retried with another method', async ({ page, linkPage, server, urls }) => {
  const { link } = await server.createLinkWithMethods({ ...thai, payment_method: 'online_banking' });
  await page.goto(link);
  await linkPage.chooseOption('SCB');
  await linkPage.pay();
  await linkPage.simulator.decide('refuse');
  await expect(page.getByRole(...heading('Payment not completed'))).toBeVisible();
  await linkPage.choose('PromptPay');
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
  await server.simulate(link, 'exact');
  await returnToShop(page, urls);
});

test('expired instructions are removed, and new ones can be requested', async ({ page, linkPage, server }) => {
  const { link } = await server.createLinkWithMethods(thai);
  await page.clock.install();
  await page.goto(link);
  await linkPage.pay();
  await expect(linkPage.instructions.getByText('Pay by')).toBeHidden();
  await expect(linkPage.instructions.getByRole('timer')).toContainText(/\b1[45] min left/);
  await page.emulateMedia({ media: 'print' });
  await expect(linkPage.instructions.getByText('Pay by')).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await server.advance(15 * MINUTE);
  await page.clock.fastForward('15:01');
  await expect(page.getByRole(...heading('Time ran out'))).toBeVisible();
  await expect(linkPage.instructions).toBeHidden();
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  await linkPage.choose('PromptPay');
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
});

test('switching methods withdraws the instructions', async ({ page, linkPage, server, urls }) => {
  const { link, reference } = await server.createLinkWithMethods(thai);
  await page.goto(link);
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
  await linkPage.choose('TrueMoney');
  await expect(linkPage.instructions).toBeHidden();
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
  const { instructions } = await server.detail(reference, urls.allMethodsToken);
  expect(instructions.map(({ payment_method, state }) => [payment_method, state])).toEqual([
    ['qr_code', 'withdrawn'],
    ['truemoney_ewallet', 'issued'],
  ]);
});

test('instructions survive a reload and appear on a second device', async ({ page, linkPage, browser, server }) => {
  const { link } = await server.createLinkWithMethods(thai);
  await page.goto(link);
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
  const text = await linkPage.instructions.innerText();
  await page.reload();
  await expect(linkPage.instructions).toHaveText(text, { useInnerText: true });
  const second = await browser.newContext({ javaScriptEnabled: false });
  const secondPage = await second.newPage();
  await secondPage.goto(link);
  await expect(secondPage.locator('.instructions')).toContainText('Scan this PromptPay code');
  await second.close();
});

test('a crypto payment waits for confirmations, and the page shows them', async ({ page, linkPage, server, urls }) => {
  const { link } = await server.createLinkWithMethods({ payment_method: 'crypto_payment', amount: 20 });
  await page.goto(link);
  await linkPage.chooseOption('Bitcoin');
  await linkPage.pay();
  await expect(page.getByRole('link', { name: 'Open in wallet' })).toHaveAttribute('href', /^bitcoin:bcrt1/);
  await server.simulate(link, 'exact');
  await expect(page.getByRole(...heading('Payment detected'))).toBeFocused();
  await expect(page.getByText(/0 of 2 confirmations/).last()).toBeVisible();
  await server.simulate(link, 'block');
  await expect(page.getByText(/1 of 2 confirmations/).last()).toBeVisible();
  await server.simulate(link, 'block');
  await returnToShop(page, urls);
});

test('quotes are shown before a coin is selected, and refreshed when they expire', async ({
  page,
  linkPage,
  server,
}) => {
  const { link } = await server.createLinkWithMethods({ payment_method: 'crypto_payment', amount: 20 });
  // Another test may have started the 15 minutes of a quote.
  await server.advance(16 * MINUTE);
  await page.clock.install();
  await page.goto(link);
  const bitcoin = page.getByRole('radio', { name: 'Bitcoin', exact: true });
  await expect(bitcoin).toHaveAccessibleDescription('0.00020409 BTC');
  await linkPage.chooseOption('Bitcoin');
  const timeLeft = page.locator('method-panel').getByRole('timer');
  await expect(timeLeft).toContainText(/\b1[45] min left/);
  // Both clocks: after a long sleep the page polls and uses the server's response.
  await server.advance(14 * MINUTE);
  await page.clock.fastForward('14:00');
  await expect(timeLeft).toContainText(/\b[01]:\d\d left/);
  await server.advance(MINUTE);
  await page.clock.fastForward('01:01');
  await expect(timeLeft).toContainText(/\b1[45] min left/);
  await expect(bitcoin).toBeChecked();
});

test('a wallet’s page returns to the shop', async ({ browser, server, urls }) => {
  const { link } = await server.createLinkWithMethods({ ...thai, payment_method: 'truemoney_ewallet' });
  const phone = await browser.newContext({ ...devices['Pixel 5'] });
  const linkPage = new LinkPage(await phone.newPage());
  await linkPage.page.goto(link);
  await linkPage.pay();
  await linkPage.page.getByRole('link', { name: 'Open TrueMoney' }).click();
  await linkPage.simulator.decide('exact');
  await returnToShop(linkPage.page, urls);
  await linkPage.page.goto(link);
  await expect(linkPage.page.getByRole(...heading('This payment is complete'))).toBeVisible();
  await expect(linkPage.page.getByText('TrueMoney')).toBeVisible();
  await phone.close();
});

for (const [what, path] of [
  ['texts', '**/texts/methods/*'],
  ['module', '**/assets/methods-on-demand-*.js'],
] as const) {
  test(`a method that is enabled after the page opened can be paid, although its ${what} failed to load`, async ({
    context,
    page,
    linkPage,
    server,
    faults,
  }) => {
    const { token, managerToken } = await server.makeMerchant('Kettle & Co');
    const { body } = await server.callApi('/fiat/v1/transaction', { body: creation(), token });
    await blockStreams(context);
    await page.goto(body.value.link);
    let hasFailed = false;
    const fail = async (route: Route) => {
      await route.abort();
      hasFailed = true;
    };
    await page.route(path, fail, { times: 1 });
    const enabled = [{ payment_method: 'crypto_payment', currency: 'USD', status: 'enable' }];
    await server.callApi('/fiat/v1/merchant/payment-methods', {
      ...{ method: 'PATCH', body: { payment_methods: enabled }, token: managerToken },
    });
    // The page reads its state. A read in progress may have begun before the change.
    await expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event('online')));
        return hasFailed;
      })
      .toBe(true);
    // If the module failed, the first click reloads the page.
    await expect(async () => {
      await page.getByText('Crypto', { exact: true }).click();
      await expect(page.getByRole('radio', { name: 'Bitcoin', exact: true })).toBeVisible({ timeout: 3000 });
    }).toPass();
    await linkPage.chooseOption('Bitcoin');
    await linkPage.pay();
    await expect(page.getByRole('link', { name: 'Open in wallet' })).toBeVisible();
    // Chromium logs the blocked request; no other fault is allowed.
    for (const fault of faults.splice(0)) expect(fault).toMatch(/^Failed to load resource: net::ERR_FAILED/);
  });
}
