// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { type Browser, chromium, type Page } from 'playwright';
import { expect as playwrightExpect } from '@playwright/test';
import { chromiumSwitches, findFastChromium } from '../../scripts/chromium.mjs';
import { HOUR, MINUTE, toMillis } from '../../src/shared/time.ts';
import { LinkPage, scenarios } from '../../testing/index.ts';
import { enterPassword, openDialog } from '../e2e/account.ts';
import { SimulatedClock } from '../support/clock.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { createLink, detailOf } from '../support/requests.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';
import { makeUser } from '../support/users.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { credentials } from './adyen/account.ts';
import { startAdyen } from './simulators/adyen/index.ts';
import { paidTwice } from './simulators/charges.ts';
import { sendTo } from './simulators/webhooks.ts';

const HOST = 'pay.example';
const expect = playwrightExpect.configure({ timeout: 60_000 });

/** Production from setup to dispute, in a browser: the service behind TLS, and a simulated Adyen. */
describe('an acquirer account in production', () => {
  const clock = new SimulatedClock();
  let fixture: Fixture;
  let vendor: Awaited<ReturnType<typeof startAdyen>>;
  let proxy: Awaited<ReturnType<typeof startTlsProxy>>;
  let browser: Browser;
  let page: Page;
  /** Errors of pages, and violations of their policy. */
  const faults: string[] = [];

  before(async () => {
    fixture = await openFixture({
      clock,
      env: {
        ...{ PAYLATCH_ENV: 'production', PUBLIC_URL: `https://${HOST}` },
        ...{ PAYLATCH_SECRET_KEY: 'ab'.repeat(32), SEALING_KEY: 'cd'.repeat(32) },
      },
    });
    fixture.service().jobs.start();
    await enableEveryMethod(fixture, fixture.merchant);
    vendor = await startAdyen({ now: () => toMillis(clock.now()) });
    proxy = await startTlsProxy(HOST, fixture.url);
    browser = await chromium.launch({
      executablePath: findFastChromium() ?? '',
      // The shop's page is not found there, which is enough.
      args: [
        ...chromiumSwitches,
        `--host-resolver-rules=${[HOST, 'shop.example'].map((host) => `MAP ${host}:443 127.0.0.1:${proxy.port}`).join(',')}`,
      ],
    });
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US', reducedMotion: 'reduce' });
    context.setDefaultTimeout(60_000);
    context.on('weberror', (error) => faults.push(String(error.error())));
    context.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    page = await context.newPage();
  });
  after(async () => {
    await browser.close();
    proxy.close();
    await fixture.close();
    assert.deepEqual(paidTwice(vendor.charges()), []);
    await vendor.close();
    assert.deepEqual(faults, []);
  });

  const open = async (path: string) =>
    await page.goto(`https://${HOST}/account/${fixture.merchant.id}/${path}`, { waitUntil: 'domcontentloaded' });
  const deliver = async () => {
    const results = await vendor.webhooks.deliver();
    assert.ok(results.length > 0 && results.every(({ status }) => status === 200), JSON.stringify(results));
    await fixture.work();
  };
  const visit = async (link: string) => await page.goto(link, { waitUntil: 'domcontentloaded' });
  const linkUrl = ({ path }: { path: string }) => `https://${HOST}${path}`;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label }).last().click();
    await page.getByRole('option', { name: option, exact: true }).filter({ visible: true }).click();
  };
  let code = () => '';

  test('is added in the account area, after a second factor and a test', async () => {
    const { email } = await makeUser(fixture, 'manager');
    await page.goto(`https://${HOST}/account/sign-in`);
    await enterPassword(page, email);
    const shownSecret = page.locator('.secret code');
    await expect(shownSecret).not.toBeEmpty();
    const secret = (await shownSecret.innerText()).replaceAll(' ', '');
    code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: toMillis(clock.now()) });
    await page.getByLabel('Enter the code shown in the app').fill(code());
    await button('Confirm').click();
    await button('I’ve saved them').click();
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
    // The confirmation of the sign-in has expired.
    clock.advance(10 * MINUTE);
    await open('acquirers');
    await expect(page.getByText('No acquirer accounts yet')).toBeVisible();
    await button('Add account')
      .or(page.getByRole('link', { name: 'Add account' }))
      .first()
      .click();
    await page.getByRole('radio', { name: 'Adyen' }).check();
    await button('Add account').click();
    await expect(page.getByText('Enter a value.').first()).toBeVisible();
    await page.getByLabel('Name', { exact: true }).fill('Adyen Asia');
    await page.getByLabel('Merchant account').fill(credentials.merchantAccount);
    await page.getByLabel('API key', { exact: true }).fill('AQEwrongKey');
    await choose('Environment', 'test');
    await page.getByLabel('HMAC key', { exact: true }).fill(credentials.hmacKey);
    await page.getByLabel('Webhook user name').fill(vendor.credentials.webhookUser);
    await page.getByLabel('Webhook password').fill(vendor.credentials.webhookPassword);
    await page.getByLabel('API URL').fill(vendor.url);
    await button('Test credentials').click();
    await openDialog(page)
      .getByLabel('Six-digit code')
      .or(openDialog(page).locator('#step-up-code'))
      .first()
      .fill(code());
    await openDialog(page).getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Credentials rejected')).toBeVisible();
    await page.getByLabel('API key', { exact: true }).fill(credentials.apiKey);
    await button('Test credentials').click();
    await expect(page.getByText('Credentials accepted')).toBeVisible();
    await button('Add all methods').click();
    await button('Add account').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Adyen Asia' })).toBeVisible();
    const webhookUrl = (await page.locator('#webhook ~ .panel code').textContent()) ?? '';
    assert.match(webhookUrl, new RegExp(`^https://${HOST}/acquirers/[^/]+/webhooks$`));
    vendor.webhooks.send = sendTo(fixture.url + new URL(webhookUrl).pathname);
    for (const hidden of [credentials.apiKey, credentials.hmacKey, vendor.credentials.webhookPassword])
      assert.ok(!(await page.content()).includes(hidden));
  });

  test('accepts a card payment with a 3-D Secure challenge, and refunds it', async () => {
    const link = await createLink(fixture);
    const linkPage = new LinkPage(page);
    await visit(linkUrl(link));
    await linkPage.fillAndPay({ ...scenarios.approved, card_number: '4212 3456 7890 1237' });
    await button('Approve').click();
    await page.waitForURL('https://shop.example/paid');
    assert.equal((await detailOf(fixture, link.reference)).status, 'transaction_status_confirmed');
    await deliver();

    await open(`transactions/${link.reference}`);
    await button('Refund payment').first().click();
    // A refund is stored before the acquirer is called.
    const responded = page.waitForResponse('**/fiat/v1/transaction/refund');
    await openDialog(page)
      .getByRole('button', { name: /refund/i })
      .click();
    await responded;
    assert.equal((await detailOf(fixture, link.reference)).refunds.length, 1);
    const refund = vendor.requests.filter(({ path }) => path.endsWith('/refunds')).at(-1);
    assert.ok(refund);
    vendor.settleRefund((refund.body as { reference: string }).reference, 'succeeded');
    await deliver();
    const { refunds } = await detailOf(fixture, link.reference);
    assert.equal(refunds[0].state, 'succeeded');
  });

  test('accepts a PromptPay payment by QR code', async () => {
    const link = await createLink(fixture, {
      ...{ payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 1250.5 },
    });
    const linkPage = new LinkPage(page);
    await visit(linkUrl(link));
    await linkPage.pay();
    await expect(linkPage.instructions).toBeVisible();
    await expect(page.locator('.instructions svg, .instructions qr-code').first()).toBeVisible();
    vendor.receiveFunds(vendor.charges().at(-1)?.reference ?? '');
    await deliver();
    assert.equal((await detailOf(fixture, link.reference)).status, 'transaction_status_confirmed');
    await expect(page.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  });

  test('shows a dispute and its deadline on the payment and the account', async () => {
    const link = await createLink(fixture);
    await visit(linkUrl(link));
    await new LinkPage(page).fillAndPay({ ...scenarios.approved, card_number: '4111 1111 1111 1111' });
    await page.waitForURL('https://shop.example/paid');
    await deliver();
    vendor.openDispute(vendor.charges().at(-1)?.reference ?? '');
    clock.advance(HOUR);
    await deliver();
    await open(`transactions/${link.reference}`);
    await expect(page.getByText(/Respond through your acquirer by/).first()).toBeVisible();
    await open('acquirers');
    await page.getByRole('link', { name: 'Adyen Asia' }).click();
    const fact = (name: string) => page.locator('.fact-list > div', { hasText: name }).locator('dd');
    await expect(fact('Open disputes')).toHaveText('1');
    await expect(fact('Response rate')).toHaveText(/^100% of \d+$/);
    await expect(fact('Last webhook')).not.toHaveText('None received');
  });

  test('is disabled in the account area', async () => {
    await button('Disable account').click();
    await openDialog(page).getByRole('button', { name: 'Disable account' }).click();
    // An hour has passed since the last confirmation.
    await openDialog(page).locator('#step-up-code').fill(code());
    await openDialog(page).getByRole('button', { name: 'Confirm' }).click();
    await expect(button('Enable account')).toBeVisible();
    const { accounts } = (await fixture.request('/v1/acquirer-accounts', { token: fixture.merchant.managerToken }))
      .body;
    assert.deepEqual([accounts[0].name, accounts[0].enabled], ['Adyen Asia', false]);
  });
});
