// Databases: sqlite
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { expect as playwrightExpect } from '@playwright/test';
import { type Browser, type BrowserContext, chromium } from 'playwright';
import { chromiumSwitches, findFastChromium } from '../../scripts/chromium.mjs';
import { toMillis } from '../../src/shared/time.ts';
import { LinkPage, PayForm, scenarios } from '../../testing/index.ts';
import { SimulatedClock } from '../support/clock.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { createLink, detailOf } from '../support/requests.ts';
import { credentials } from './adyen/account.ts';
import { createCardEncryption } from './simulators/adyen/card-decryption.ts';
import { startAdyen } from './simulators/adyen/index.ts';

const expect = playwrightExpect.configure({ timeout: 60_000 });
const card = { ...scenarios.approved, card_number: '4111 1111 1111 1111', card_cvv: '737' };
const challenged = { ...card, card_number: '4212 3456 7890 1237' };

/** Pages with an account that accepts only encrypted cards: the requests of the browser. */
describe('a card that the page encrypts', () => {
  const clock = new SimulatedClock();
  let fixture: Fixture;
  let vendor: Awaited<ReturnType<typeof startAdyen>>;
  let browser: Browser;
  let context: BrowserContext;
  /** Addresses and bodies of all requests of the browser. */
  let sent: string[] = [];
  const faults: string[] = [];

  before(async () => {
    fixture = await openFixture({ clock });
    const encryption = createCardEncryption();
    vendor = await startAdyen({ now: () => toMillis(clock.now()), encryption });
    const { webhookUser, webhookPassword } = vendor.credentials;
    const { status, text } = await fixture.request('/v1/acquirer-accounts', {
      token: fixture.merchant.managerToken,
      body: {
        ...{ acquirer: 'adyen', name: 'Adyen', routes: [{ payment_method: 'credit_card' }] },
        credentials: {
          ...{ ...credentials, apiUrl: vendor.url, webhookUser, webhookPassword },
          encryptionCertificate: encryption.certificate.replaceAll('\n', ''),
        },
      },
    });
    assert.equal(status, 200, text);
    await fixture.work();
    browser = await chromium.launch({ executablePath: findFastChromium() ?? '', args: [...chromiumSwitches] });
  });
  after(async () => {
    await browser.close();
    await fixture.close();
    await vendor.close();
    assert.deepEqual(faults, []);
  });
  afterEach(async () => await context.close());

  const openContext = async (options: { javaScriptEnabled?: boolean } = {}) => {
    context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(60_000);
    sent = [];
    context.on('request', (request) => sent.push(`${request.url()}\n${request.postData() ?? ''}`));
    context.on('weberror', (error) => faults.push(String(error.error())));
    context.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    return await context.newPage();
  };
  const assertNoCardSent = ({ card_number, card_cvv }: typeof card) => {
    const submitted =
      sent.find((request) => request.includes('encrypted_card')) ?? assert.fail('Nothing was submitted');
    const { encrypted_card: encrypted } = JSON.parse(submitted.slice(submitted.indexOf('\n')));
    const number = card_number.replaceAll(' ', '');
    assert.deepEqual([encrypted.first6, encrypted.last4], [number.slice(0, 6), number.slice(-4)]);
    for (const request of sent) {
      assert.ok(!request.replaceAll(/[\s+]|%20/g, '').includes(number), request);
      assert.doesNotMatch(request, new RegExp(`"card_(?:number|cvv|expiry\\w*)"|"${card_cvv}"`));
    }
    assert.ok(!fixture.log().includes(number));
  };
  const statusOf = async (reference: string) => (await detailOf(fixture, reference)).status;

  test('is paid on the payment page, with a challenge', async () => {
    const page = await openContext();
    const link = await createLink(fixture);
    const linkPage = new LinkPage(page);
    await page.goto(fixture.url + link.path);
    assert.ok(!sent.some((request) => request.includes('card-encryption')), 'loaded only to submit');
    await linkPage.fillAndPay(challenged);
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(async () => await statusOf(link.reference)).toBe('transaction_status_confirmed');
    assertNoCardSent(challenged);
    assert.equal(sent.filter((request) => request.includes('card-encryption')).length, 1);
  });

  test('is paid in the form on a merchant’s page', async () => {
    const page = await openContext();
    const link = await createLink(fixture);
    const html = `<!doctype html><title>Shop</title>
      <script type="module" src="${fixture.url}/widget/v1/pay-form.js"></script>
      <pay-form src="${fixture.url}${link.path.replace('/p/', '/e/')}"></pay-form>`;
    const shop = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
    await once(shop.unref().listen(0, '127.0.0.1'), 'listening');
    await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}`);
    const form = new PayForm(page.locator('pay-form'));
    await form.fillAndPay(card);
    await expect.poll(async () => await statusOf(link.reference)).toBe('transaction_status_confirmed');
    assertNoCardSent(card);
    shop.close();
  });

  test('cannot be paid without JavaScript', async () => {
    const page = await openContext({ javaScriptEnabled: false });
    const link = await createLink(fixture);
    await page.goto(fixture.url + link.path);
    await expect(page.getByText('This page needs JavaScript to handle your card securely.')).toBeVisible();
    const pay = page.getByRole('button', { name: /^Pay/ });
    await expect(pay).toBeDisabled();
    await page.getByLabel('Card number').fill(card.card_number);
    await page.getByLabel('Card number').press('Enter');
    assert.deepEqual(
      sent.filter((request) => !request.endsWith('\n')),
      [],
    );
  });
});
