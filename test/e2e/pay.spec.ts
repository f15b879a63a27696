import type { CardFieldName } from '../../src/shared/card-form.ts';
import { HOUR, SECOND } from '../../src/shared/time.ts';
import { LinkPage, scenarios } from '../../testing/index.ts';
import { cards } from '../support/requests.ts';
import { expect, openWithHeldScripts, returnToShop, test, blockStreams } from './fixtures.ts';

test('a buyer sees the payment on every screen, pays, and returns to the shop; the access token reaches no browser', async ({
  page,
  linkPage,
  context,
  server,
  urls,
}) => {
  const { link, reference } = await server.createLink({ amount: 1250 });
  const seen: string[] = [];
  context.on('response', (response) => {
    seen.push(JSON.stringify(response.headers()), JSON.stringify(response.request().headers()));
    response.text().then(
      (text) => seen.push(text),
      () => undefined,
    );
  });
  await page.goto(link);
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 768, height: 1024 },
    { width: 360, height: 740 },
  ]) {
    await page.setViewportSize(viewport);
    await expect(page.getByText('Kettle & Co').first()).toBeVisible();
    await expect(page.getByText('$1,250.00').first()).toBeVisible();
    await expect(page.getByText('Two cups and a saucer')).toBeVisible();
    await expect(linkPage.payButton).toHaveText('Pay $1,250.00');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
  await linkPage.fillAndPay(scenarios.approved);
  await returnToShop(page, urls);
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
  expect(seen.length).toBeGreaterThan(4);
  expect(seen.some((text) => text.includes(urls.token))).toBe(false);
});

test('on a phone, short fields share a line, all lines have one gap, and errors are below their fields', async ({
  page,
  server,
  linkPage,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto((await server.createLink()).link);
  const boxOf = async (name: CardFieldName) =>
    (await linkPage.field(name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const tops: number[] = [];
  for (const name of ['card_number', 'card_expiry', 'first_name', 'country', 'email'] as const)
    tops.push((await boxOf(name)).y);
  const steps = tops.slice(1).map((top, index) => Math.round(top - (tops[index] ?? 0)));
  expect(new Set(steps).size, String(steps)).toBe(1);
  expect((await boxOf('postcode')).y).toBe((await boxOf('country')).y);
  await linkPage.pay();
  for (const name of ['card_expiry', 'card_cvv', 'first_name', 'last_name', 'postcode'] as const) {
    const field = await boxOf(name);
    const error = await page.locator(`#field-${name}-error`).boundingBox();
    expect([error?.x, error?.width], name).toEqual([field.x, field.width]);
  }
});

test('the amount is formatted for the buyer’s language', async ({ browser, request, server }) => {
  const { link } = await server.createLink({ amount: 1250, currency: 'EUR', country: 'DEU' });
  for (const [locale, button] of Object.entries({
    'en-IE': 'Pay €1,250.00',
    'de-DE': '1.250,00\u00a0€ zahlen',
    'fr-CA': 'Payer 1\u00a0250,00\u00a0€',
  })) {
    const html = await (await request.get(link, { headers: { 'accept-language': locale } })).text();
    expect(html.replaceAll('&nbsp;', '\u00a0'), locale).toContain(button);
  }
  const context = await browser.newContext({ locale: 'fr-CA' });
  const page = await context.newPage();
  await page.goto(link);
  await expect(page.locator('.pay')).toHaveText('Payer 1\u00a0250,00\u00a0€', { useInnerText: true });
  await context.close();
});

test('input before the script starts is kept, with the caret position', async ({ page, server }) => {
  const { link } = await server.createLink();
  const release = await openWithHeldScripts(page, link);
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Card number').pressSequentially('4242');
  await release();
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  await expect(page.getByLabel('Card number')).toBeFocused();
  await page.keyboard.type('4242');
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242');
});

test('the button pays before the script starts', async ({ page, linkPage, server }) => {
  const { link, reference } = await server.createLink();
  await openWithHeldScripts(page, link);
  await linkPage.fillAndPay(scenarios.approved);
  await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
});

test('a method and a bank selected before the script starts stay selected', async ({ page, linkPage, server }) => {
  const { link } = await server.createLinkWithMethods({ payment_method: 'qr_code', country: 'THA', currency: 'THB' });
  const release = await openWithHeldScripts(page, link);
  await linkPage.choose('Online banking');
  await expect(linkPage.payButton).toHaveCount(1);
  await linkPage.chooseOption('SCB');
  await release();
  await expect(page.getByRole('radio', { name: 'Online banking' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'SCB' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'SCB' })).toBeFocused();
  await linkPage.pay();
  await linkPage.simulator.decide('exact');
});

test('a language selected before the script starts is applied', async ({ page, server }) => {
  const { link } = await server.createLink();
  const release = await openWithHeldScripts(page, link);
  await page.getByLabel('Language').selectOption('es');
  await release();
  await expect(page.locator('html')).toHaveAttribute('lang', /^es/);
});

test('a bank missing before the script starts is still reported', async ({ page, linkPage, server }) => {
  const { link } = await server.createLinkWithMethods({ payment_method: 'qr_code', country: 'THA', currency: 'THB' });
  const release = await openWithHeldScripts(page, link);
  await linkPage.choose('Online banking');
  await page.getByRole('searchbox').fill('kas');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Choose your bank.').last()).toBeVisible();
  await release();
  await expect(page.getByRole('radio', { name: 'Online banking' })).toBeChecked();
  await expect(page.getByText('Choose your bank.').last()).toBeVisible();
});

test('a method selected before the script starts has its own button', async ({ page, linkPage, server }) => {
  const { link } = await server.createLinkWithMethods({
    payment_method: 'online_banking',
    country: 'THA',
    currency: 'THB',
  });
  await openWithHeldScripts(page, link);
  await linkPage.choose('PromptPay');
  await linkPage.pay();
  await expect(page.getByText('Scan this PromptPay code')).toBeVisible();
});

test('errors are shown on blur, after paying, and after the server rejects a field', async ({
  page,
  linkPage,
  server,
}) => {
  const { link, reference } = await server.createLink();
  await page.goto(link);
  const tokens = {
    'Card number': 'cc-number',
    Expiry: 'cc-exp',
    'Security code': 'cc-csc',
    'First name': 'given-name',
    'Last name': 'family-name',
    Country: 'country',
    'ZIP code': 'postal-code',
    Email: 'email',
  };
  for (const [label, token] of Object.entries(tokens)) {
    await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('autocomplete', new RegExp(`(^| )${token}$`));
  }
  const number = page.getByLabel('Card number');
  await number.fill('4242 4242 4242 4241');
  await expect(number).not.toHaveAttribute('aria-invalid', 'true');
  await number.blur();
  await expect(number).toHaveAttribute('aria-invalid', 'true');
  await expect(number).toHaveAccessibleDescription(/card number is not valid/);
  await page.getByLabel('Expiry').fill('04 / 24');
  await page.getByLabel('Expiry').blur();
  await expect(page.getByLabel('Expiry')).toHaveAccessibleDescription(/expired in April 2024/);
  await linkPage.pay();
  await expect(number).toBeFocused();
  for (const label of ['Security code', 'First name', 'Last name', 'ZIP code', 'Email']) {
    await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('aria-invalid', 'true');
  }
  await number.fill(cards.visa);
  await expect(number).not.toHaveAttribute('aria-invalid', 'true');
  await linkPage.fillAndPay({ ...scenarios.approved, email: 'ada@example' });
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Email')).toBeFocused();
  expect((await server.detail(reference)).attempts).toEqual([]);
});

test('a decline is shown, all input except the security code is kept, and another card pays', async ({
  page,
  linkPage,
  server,
  urls,
}) => {
  const { link } = await server.createLink();
  await page.goto(link);
  await linkPage.fillAndPay(scenarios.insufficientFunds);
  await expect(page.getByText(/declined/i).first()).toBeVisible();
  await expect(page.getByText(/insufficient funds/).last()).toBeVisible();
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  await expect(page.getByLabel('Security code')).toHaveValue('');
  await page.getByLabel('Card number').fill(cards.mastercard);
  await page.getByLabel('Security code').fill('321');
  await linkPage.pay();
  await returnToShop(page, urls);
});

test('five declined cards end the payment', async ({ page, linkPage, server, urls }) => {
  const { link, reference } = await server.createLink();
  await page.goto(link);
  await linkPage.fill(scenarios.declined);
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await page.getByLabel('Security code').fill('123');
    const responded = page.waitForResponse('**/fiat/v1/transaction/submit');
    await linkPage.pay();
    await responded;
    if (attempt < 5) await expect(page.getByLabel('Security code')).toHaveValue('');
  }
  await expect(page.getByLabel('Card number')).toBeHidden();
  await expect(page.getByRole('link', { name: /Back to/ })).toHaveAttribute('href', `${urls.siteUrl}/not-paid`);
  expect((await server.detail(reference)).reason).toBe('declined');
});

test('fifty clicks on pay charge once, even with an extra origin parameter in the URL', async ({
  page,
  linkPage,
  server,
  urls,
}) => {
  const { link, reference } = await server.createLink();
  await page.goto(`${link}?origin=newsletter`);
  await linkPage.fill(scenarios.approved);
  let submits = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/submit')) submits += 1;
  });
  await linkPage.payButton.evaluate((button: HTMLButtonElement) => {
    for (let click = 0; click < 50; click += 1) button.click();
  });
  await returnToShop(page, urls);
  expect(submits).toBe(1);
  expect((await server.detail(reference)).attempts).toHaveLength(1);
});

test('two tabs that pay concurrently charge once, and both succeed', async ({ context, server, urls }) => {
  // Live updates would remove the button of the other tab.
  await blockStreams(context);
  const { link, reference } = await server.createLink();
  const tabs = [new LinkPage(await context.newPage()), new LinkPage(await context.newPage())];
  for (const tab of tabs) {
    await tab.page.goto(link);
    await tab.fill(scenarios.approved);
  }
  await Promise.all(tabs.map((tab) => tab.pay()));
  await Promise.all(
    tabs.map(({ page: tab }) =>
      expect
        .poll(
          async () =>
            tab.url() === `${urls.siteUrl}/paid` ||
            (await tab.getByText(/payment is complete|payment received/i).count()) > 0,
        )
        .toBe(true),
    ),
  );
  expect((await server.detail(reference)).attempts).toHaveLength(1);
});

test('an unknown outcome is pending, cannot be paid again, and updates automatically', async ({
  page,
  linkPage,
  server,
  urls,
}) => {
  const { link, reference } = await server.createLink();
  await page.goto(link);
  await linkPage.fillAndPay(scenarios.unknown);
  await expect(page.getByText(/don't pay again/i).first()).toBeVisible();
  await expect(linkPage.payButton).toBeHidden();
  await page.reload();
  await expect(page.getByText(/don't pay again/i).first()).toBeVisible();
  await server.advance(31 * SECOND);
  await returnToShop(page, urls);
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
});

test('a submit without a response checks the state before reporting', async ({
  page,
  linkPage,
  server,
  urls,
  faults,
}) => {
  const { link, reference } = await server.createLink();
  await page.goto(link);
  await linkPage.fill(scenarios.approved);
  await page.route('**/fiat/v1/transaction/submit', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await linkPage.pay();
  await returnToShop(page, urls);
  expect((await server.detail(reference)).attempts).toHaveLength(1);
  // The browser logs the broken connection.
  expect(faults.splice(0)).toEqual(['Failed to load resource: net::ERR_CONNECTION_RESET']);
});

test('a paid link shows that it is paid', async ({ page, server, urls }) => {
  const { link, reference } = await server.createLink();
  await server.submitByApi(reference);
  const response = await page.goto(link);
  expect(response?.status()).toBe(410);
  await expect(page.getByRole('heading', { name: /payment is complete/i })).toBeVisible();
  await expect(page.getByText(reference)).toBeVisible();
  await expect(page.getByLabel('Card number')).toBeHidden();
  await expect(page.getByRole('link', { name: /Back to/ })).toHaveAttribute('href', `${urls.siteUrl}/paid`);
});

test('an expired link shows that it has expired', async ({ page, linkPage, server }) => {
  await server.setPreference('link-lifetime-minutes', '5');
  const { link, reference } = await server.createLink();
  await server.setPreference('link-lifetime-minutes', null);
  await blockStreams(page.context());
  await page.goto(link);
  await expect(page.getByRole('timer')).toContainText(/left/);
  await linkPage.fill(scenarios.approved);
  await server.advance(HOUR);
  await linkPage.pay();
  await expect(page.getByRole('heading', { name: /expired/i })).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: /expired/i })).toBeVisible();
  expect(await server.detail(reference)).toMatchObject({ status: 'transaction_status_failed', reason: 'expired' });
});

test('a buyer from a restricted country sees the reason', async ({ page, server, urls }) => {
  await server.setPreference('restricted-country-list', '["THA"]');
  const { link } = await server.createLink();
  await page.route(`${urls.url}/p/**`, async (route) => {
    await route.continue({ headers: { ...route.request().headers(), 'x-forwarded-for': '1.0.128.1' } });
  });
  const response = await page.goto(link);
  expect(response?.status()).toBe(403);
  await expect(page.getByText(/not supported/).first()).toBeVisible();
  await expect(page.getByLabel('Card number')).toBeHidden();
  await server.setPreference('restricted-country-list', null);
  await page.getByRole('link', { name: 'Reload' }).click();
  await expect(page.getByLabel('Card number')).toBeVisible();
});

test('an unknown URL is an HTML page, not a problem document', async ({ request, urls }) => {
  const response = await request.get(`${urls.url}/p/nothing-here`, { headers: { accept: 'text/html' } });
  expect(response.status()).toBe(404);
  expect(response.headers()['content-type']).toContain('text/html');
  const html = await response.text();
  expect(html).toContain('<h1');
  expect(html).toMatch(/req_/);
});

test('card digits that an input method composes are entered once', async ({ page, linkPage, server }) => {
  await page.goto((await server.createLink()).link);
  await linkPage.field('card_number').focus();
  const devtools = await page.context().newCDPSession(page);
  const digits = '42424242';
  for (let length = 1; length <= digits.length; length++) {
    const text = digits.slice(0, length);
    await devtools.send('Input.imeSetComposition', { text, selectionStart: length, selectionEnd: length });
  }
  await devtools.send('Input.insertText', { text: digits });
  await expect(linkPage.field('card_number')).toHaveValue('4242 4242');
});
