import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cards } from '../support/requests.ts';
import { type EngineFixtures, onEveryEngine } from './fixtures.ts';
import { eventually } from './eventually.ts';
import { cardFields, fillCard, waitForScript } from './card-form.ts';

/** Opens a new link and waits for the script. */
async function openLink({ page, server }: EngineFixtures) {
  const created = await server.createLink();
  await page.open(created.link);
  await waitForScript(page);
  return created;
}

const widths = [
  [360, 740],
  [1280, 800],
] as const;

onEveryEngine((fixtures) => {
  test('a buyer pays by card with the keyboard and returns to the shop', async () => {
    const { page, server, urls } = fixtures;
    const { reference } = await openLink(fixtures);
    await page.waitForText(/Kettle & Co[^]*\$12\.50/);
    await fillCard(page, cards.visa);
    await page.waitForFocus('Pay $12.50');
    await page.press('Enter');
    await page.waitForAddress(`${urls.siteUrl}/paid`);
    assert.equal((await server.detail(reference)).status, 'transaction_status_confirmed');
  });

  test('fields have autofill tokens; Tab moves through all in reading order, and Shift+Tab back', async () => {
    const { page } = fixtures;
    await openLink(fixtures);
    for (const { label, autocomplete } of cardFields)
      assert.equal(await page.attribute(label, 'autocomplete'), autocomplete);
    const order = [...cardFields.map(({ label }) => label), 'Pay $12.50'];
    await page.click('field', 'Card number');
    for (const label of order.slice(1)) {
      await page.press('Tab');
      await page.waitForFocus(label);
    }
    for (const label of order.reverse().slice(1)) {
      await page.press('Tab', 'Shift');
      await page.waitForFocus(label);
    }
  });

  test('an error is shown at its field until it is fixed', async () => {
    const { page } = fixtures;
    await openLink(fixtures);
    await page.click('field', 'Card number');
    await page.type('4242424242424241');
    assert.equal(await page.value('Card number'), '4242 4242 4242 4241');
    assert.equal(await page.attribute('Card number', 'aria-invalid'), 'false');
    await page.press('Tab');
    await eventually(async () => assert.equal(await page.attribute('Card number', 'aria-invalid'), 'true'));
    assert.match(await page.description('Card number'), /card number is not valid/);
    await fillCard(page, cards.visa);
    assert.equal(await page.attribute('Card number', 'aria-invalid'), 'false');
    await page.click('button', /^Pay/);
    await page.waitForText(/Payment received/);
  });

  test('paying with an empty form focuses the first error, and nothing scrolls sideways at any width', async () => {
    const { page } = fixtures;
    await page.tab.resize(...widths[0]);
    await openLink(fixtures);
    await page.click('button', /^Pay/);
    await page.waitForFocus('Card number');
    for (const { label } of cardFields) {
      const isPreselected = label === 'Country';
      assert.equal(await page.attribute(label, 'aria-invalid'), String(!isPreselected), label);
    }
    for (const [width, height] of widths) {
      await page.tab.resize(width, height);
      await eventually(async () => assert.equal(await page.evaluate('innerWidth'), width));
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, `${width} pixels`);
    }
  });

  test('an approved challenge returns to the shop', async () => {
    const { page, server, urls } = fixtures;
    const { reference } = await openLink(fixtures);
    await fillCard(page, cards.challenge);
    await page.click('button', /^Pay/);
    await page.waitForText(/3220/);
    await page.click('button', 'Approve');
    await page.waitForAddress(`${urls.siteUrl}/paid`);
    assert.equal((await server.detail(reference)).status, 'transaction_status_confirmed');
  });

  test('an open page shows a payment made elsewhere', async () => {
    const { page, server } = fixtures;
    const { reference } = await openLink(fixtures);
    await server.submitByApi(reference);
    await page.waitForText(/Payment received/);
  });

  test('a selected bank redirects back to the shop', async () => {
    const { page, server, urls } = fixtures;
    const { link } = await server.createLinkWithMethods({
      payment_method: 'online_banking',
      country: 'IND',
      currency: 'INR',
    });
    await page.open(link);
    await waitForScript(page);
    await page.click('button', 'Continue to payment');
    await page.waitForText(/Choose your bank\./);
    await page.type('kotak');
    await page.press('Enter');
    await page.press('Enter');
    await page.waitForText(/Simulate the buyer's bank/);
    await page.click('button', 'Pay in full');
    await page.waitForAddress(`${urls.siteUrl}/paid`);
  });

  test('a QR code is shown, then the payment', async () => {
    const { page, server } = fixtures;
    const { link } = await server.createLinkWithMethods({ payment_method: 'qr_code', country: 'THA', currency: 'THB' });
    await page.open(link);
    await waitForScript(page);
    await page.click('button', 'Continue to payment');
    await page.waitForExpression(`document.querySelector('method-panel qr-code path') !== null`, 'No QR code');
    await server.simulate(link, 'exact');
    await page.waitForText(/Payment received/);
  });

  test('a reusable link leads to the payment of the chosen quantity', async () => {
    const { page, server } = fixtures;
    const { body } = await server.callApi('/fiat/v1/reusable-links', {
      body: {
        title: 'Pottery workshop',
        ...{ country: 'USA', currency: 'USD', payment_method: 'credit_card', amount: 12.5 },
        quantity: { minimum: 1, maximum: 4 },
      },
    });
    await page.open(String(body['url']));
    await page.waitForEnabled('button', 'Continue to payment');
    await page.click('button', '+');
    await page.waitForText(/\$25\.00/);
    await page.click('button', 'Continue to payment');
    await waitForScript(page);
    await fillCard(page, cards.visa);
    await page.press('Enter');
    await page.waitForText(/Payment received/);
  });

  test('a crypto invoice shows its QR code, and the payment with its confirmations', async () => {
    const { page, server } = fixtures;
    const invoice = await server.createInvoice();
    await page.open(invoice.link.payment);
    await page.waitForExpression(`document.querySelector('qr-code path') !== null`, 'No QR code');
    await server.runChainAction(invoice.id, 'pay exact');
    await page.waitForText(/Payment detected/);
    await server.runChainAction(invoice.id, 'mine 6');
    await page.waitForText(/Payment received/);
  });

  test('faults of a page are detected', async () => {
    const { page, server } = fixtures;
    await openLink(fixtures);
    await page.evaluate("void (new Image().src = 'https://elsewhere.example/')");
    await page.evaluate("void Promise.reject('on purpose')");
    const seen: string[] = [];
    await eventually(async () => {
      seen.push(...(await server.takePageFaults()));
      assert.match(seen.join('\n'), /img-src/);
      assert.match(seen.join('\n'), /on purpose/);
    });
    // By the time another page is open, the browser has reported all faults of the first.
    await page.open('about:blank');
    page.tab.takeFaults();
  });
});
