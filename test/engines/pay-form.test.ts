import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cards } from '../support/requests.ts';
import { type Bench, onEveryEngine } from './bench.ts';
import { cardFields, fillCard, isAlive } from './card-form.ts';
import { call, elementAt } from './driver.ts';
import { eventually } from './eventually.ts';
import type { Page } from './page.ts';

const labels = cardFields.map(({ label }) => label);
const pay = 'Pay $12.50';
const frame = 'pay-form >>> iframe';

/** A merchant's checkout page on another site, with the policy from the documentation. */
async function openCheckout({ page, server }: Bench) {
  const { embedUrl, reference } = await server.createEmbed();
  const address = await server.servePage(`
    <form action="/ordered" method="post">
      <p><label>Voucher <input name="voucher"></label></p>
      <pay-form name="payment" src="${embedUrl}"></pay-form>
      <p><label>Note <input name="note"></label></p>
      <button>Order</button>
    </form>
    <script nonce="test">
      globalThis.told = [];
      for (const type of ['pay-ready', 'pay-challenge', 'pay-success', 'pay-decline', 'pay-cancel', 'pay-error'])
        addEventListener(type, ({ type, detail }) => told.push(detail.reference ? type + ' ' + detail.reference : type));
    </script>`);
  await page.open(address);
  const form = page.within(frame);
  await isAlive(form);
  // The skeleton covers the frame until the element has received its height.
  const visibility = `getComputedStyle(${call(elementAt, frame)}).visibility`;
  await eventually(async () => assert.equal(await page.evaluate(visibility), 'visible'));
  await isSettled(form);
  return { form, reference };
}

/** Waits until the frame has the height of its content. Before that, the layout still shifts. */
async function isSettled(form: Page) {
  const missing = 'Math.ceil(document.body.getBoundingClientRect().height) - innerHeight';
  await eventually(async () => assert.equal(await form.evaluate(missing), 0));
}

onEveryEngine((bench) => {
  /** Waits for these events on the merchant's page, without changes of the form. */
  const isTold = async (...events: string[]) =>
    await eventually(async () => assert.deepEqual(await bench.page.evaluate('told'), events));

  test('a buyer pays on the merchant’s page, which receives the events', async () => {
    const { form, reference } = await openCheckout(bench);
    const address = await bench.page.tab.address();
    await fillCard(form, cards.visa);
    await form.focuses(pay);
    await form.press('Enter');
    await isTold(`pay-ready ${reference}`, `pay-success ${reference}`);
    await form.shows(/Payment received/);
    assert.equal(await bench.page.tab.address(), address);
    assert.equal((await bench.server.detail(reference)).status, 'transaction_status_confirmed');
  });

  test('the challenge is shown in the form', async () => {
    const { form, reference } = await openCheckout(bench);
    const address = await bench.page.tab.address();
    await fillCard(form, cards.challenge);
    await form.click('button', pay);
    const bank = form.within('dialog iframe');
    await bank.offers('button', 'Approve');
    await isSettled(form);
    await bank.click('button', 'Approve');
    await isTold(`pay-ready ${reference}`, `pay-challenge ${reference}`, `pay-success ${reference}`);
    await form.shows(/Payment received/);
    assert.equal(await bench.page.tab.address(), address);
    assert.equal((await bench.server.detail(reference)).status, 'transaction_status_confirmed');
  });

  test('Tab moves from the page through the form and back out, and Shift+Tab back', async () => {
    const { page } = bench;
    const { form } = await openCheckout(bench);
    const buttons = await form.names('button');
    const order = [...labels, ...buttons.slice(buttons.indexOf(pay))];
    await page.click('field', 'Voucher');
    for (const name of order) {
      await page.press('Tab');
      await form.focuses(name);
    }
    await page.press('Tab');
    await page.focuses('Note');
    for (const name of order.reverse()) {
      await page.press('Tab', 'Shift');
      await form.focuses(name);
    }
    await page.press('Tab', 'Shift');
    await page.focuses('Voucher');
  });

  test('fields have autofill tokens', async () => {
    const { form } = await openCheckout(bench);
    for (const { label, autocomplete } of cardFields)
      assert.equal(await form.attribute(label, 'autocomplete'), autocomplete);
  });

  test('the page’s own form contains the reference, pays first, and is then submitted', async () => {
    const { page, urls } = bench;
    const { form, reference } = await openCheckout(bench);
    await isTold(`pay-ready ${reference}`);
    const carried = await page.evaluate('Object.fromEntries(new FormData(document.forms[0]))');
    assert.deepEqual(carried, { voucher: '', payment: reference, note: '' });
    await fillCard(form, cards.visa);
    await page.click('button', 'Order');
    await page.isAt(`${urls.siteUrl}/ordered`);
    assert.equal((await bench.server.detail(reference)).status, 'transaction_status_confirmed');
  });

  test('the page’s own form is not submitted while a field is empty, and the mistake is shown', async () => {
    const { page } = bench;
    const { form } = await openCheckout(bench);
    const address = await page.tab.address();
    // Browsers may not focus a frame that the user has not interacted with.
    await form.click('field', 'Card number');
    await form.type(cards.visa);
    await page.click('button', 'Order');
    await form.focuses('Expiry');
    assert.equal(await form.attribute('Expiry', 'aria-invalid'), 'true');
    assert.notEqual(await form.description('Expiry'), '');
    await page.isAt(address);
  });

  test('a decline is reported to the buyer and to the page', async () => {
    const { form, reference } = await openCheckout(bench);
    await fillCard(form, cards.declined);
    await form.click('button', pay);
    await isTold(`pay-ready ${reference}`, `pay-decline ${reference}`);
    await form.shows(/declined/);
    await form.offers('button', pay);
  });

  for (const [width, height] of [
    [360, 740],
    [1280, 800],
  ] as const) {
    test(`the form fits into the page at ${width} pixels`, async () => {
      const { page } = bench;
      await page.tab.resize(width, height);
      const { form } = await openCheckout(bench);
      await form.click('button', pay);
      await form.focuses('Card number');
      const root = 'document.documentElement';
      assert.equal(await page.evaluate('innerWidth'), width);
      assert.equal(await page.evaluate(`${root}.scrollWidth <= innerWidth`), true);
      assert.equal(await form.evaluate(`${root}.scrollWidth <= innerWidth`), true);
      await isSettled(form);
      assert.equal(await form.evaluate(`${root}.scrollHeight <= innerHeight`), true);
    });
  }
});
