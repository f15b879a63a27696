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

/** The merchant's checkout page, on another site than the form's, under the policy that the documents give to copy. */
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
  // Until the element has heard from it, a skeleton stands before the frame.
  const visibility = `getComputedStyle(${call(elementAt, frame)}).visibility`;
  await eventually(async () => assert.equal(await page.evaluate(visibility), 'visible'));
  await isSettled(form);
  return { form, reference };
}

/** The page gives the form the height that it asks for; until then what is on the page has yet to move. */
async function isSettled(form: Page) {
  const missing = 'Math.ceil(document.body.getBoundingClientRect().height) - innerHeight';
  await eventually(async () => assert.equal(await form.evaluate(missing), 0));
}

onEveryEngine((bench) => {
  /** The events that the merchant's page was told of, but for those of typing. */
  const isTold = async (...events: string[]) =>
    await eventually(async () => assert.deepEqual(await bench.page.evaluate('told'), events));

  test('a buyer pays within the merchant’s page, which hears of it', async () => {
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

  test('the bank’s confirmation stands within the form', async () => {
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

  test('Tab goes from the page into the form, through it and out of it, and Shift+Tab back', async () => {
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

  test('the fields say to autofill what they are for', async () => {
    const { form } = await openCheckout(bench);
    for (const { label, autocomplete } of cardFields)
      assert.equal(await form.attribute(label, 'autocomplete'), autocomplete);
  });

  test('the page’s own form carries the reference, pays first, and is then sent', async () => {
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

  test('the page’s own form is not sent while a field is empty, and that is told at the field', async () => {
    const { page } = bench;
    const { form } = await openCheckout(bench);
    const address = await page.tab.address();
    // A browser may keep a frame that nobody has touched from taking the focus.
    await form.click('field', 'Card number');
    await form.type(cards.visa);
    await page.click('button', 'Order');
    await form.focuses('Expiry');
    assert.equal(await form.attribute('Expiry', 'aria-invalid'), 'true');
    assert.notEqual(await form.description('Expiry'), '');
    await page.isAt(address);
  });

  test('a declined card is told to the buyer and to the page', async () => {
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
    test(`the form stands whole in the page at ${width} pixels`, async () => {
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
