import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cards } from '../support/requests.ts';
import { type EngineFixtures, onEveryEngine } from './fixtures.ts';
import { cardFields, fillCard, waitForScript } from './card-form.ts';
import { call, elementAt } from './driver.ts';
import { eventually } from './eventually.ts';
import type { Page } from './page.ts';

const labels = cardFields.map(({ label }) => label);
const pay = 'Pay $12.50';
const frame = 'pay-form >>> iframe';

/** A merchant's checkout page on another site, with the policy from the documentation. */
async function openCheckout({ page, server }: EngineFixtures) {
  const { embedUrl, reference } = await server.createEmbed();
  const address = await server.servePage(`
    <form action="/ordered" method="post">
      <p><label>Voucher <input name="voucher"></label></p>
      <pay-form name="payment" src="${embedUrl}"></pay-form>
      <p><label>Note <input name="note"></label></p>
      <button>Order</button>
    </form>
    <script nonce="test">
      globalThis.receivedEvents = [];
      for (const type of ['pay-ready', 'pay-challenge', 'pay-success', 'pay-decline', 'pay-cancel', 'pay-error'])
        addEventListener(type, ({ type, detail }) => receivedEvents.push(detail.reference ? type + ' ' + detail.reference : type));
    </script>`);
  await page.open(address);
  const form = page.inFrame(frame);
  await waitForScript(form);
  // The skeleton covers the frame until the element has received its height.
  const visibility = `getComputedStyle(${call(elementAt, frame)}).visibility`;
  await eventually(async () => assert.equal(await page.evaluate(visibility), 'visible'));
  await waitForFrameHeight(form);
  return { form, reference };
}

/** Waits until the frame has the height of its content. Before that, the layout still shifts. */
async function waitForFrameHeight(form: Page) {
  const missing = 'Math.ceil(document.body.getBoundingClientRect().height) - innerHeight';
  await eventually(async () => assert.equal(await form.evaluate(missing), 0));
}

onEveryEngine((fixtures) => {
  /** Waits for these events on the merchant's page, without changes of the form. */
  const expectEvents = async (...events: string[]) =>
    await eventually(async () => assert.deepEqual(await fixtures.page.evaluate('receivedEvents'), events));

  test('a buyer pays on the merchant’s page, which receives the events', async () => {
    const { form, reference } = await openCheckout(fixtures);
    const address = await fixtures.page.tab.address();
    await fillCard(form, cards.visa);
    await form.waitForFocus(pay);
    await form.press('Enter');
    await expectEvents(`pay-ready ${reference}`, `pay-success ${reference}`);
    await form.waitForText(/Payment received/);
    assert.equal(await fixtures.page.tab.address(), address);
    assert.equal((await fixtures.server.detail(reference)).status, 'transaction_status_confirmed');
  });

  test('the challenge is shown in the form', async () => {
    const { form, reference } = await openCheckout(fixtures);
    const address = await fixtures.page.tab.address();
    await fillCard(form, cards.challenge);
    await form.click('button', pay);
    const challenge = form.inFrame('dialog iframe');
    await challenge.waitForEnabled('button', 'Approve');
    await waitForFrameHeight(form);
    await challenge.click('button', 'Approve');
    await expectEvents(`pay-ready ${reference}`, `pay-challenge ${reference}`, `pay-success ${reference}`);
    await form.waitForText(/Payment received/);
    assert.equal(await fixtures.page.tab.address(), address);
    assert.equal((await fixtures.server.detail(reference)).status, 'transaction_status_confirmed');
  });

  test('fields have autofill tokens; Tab moves from the page through the form and back out, and Shift+Tab back', async () => {
    const { page } = fixtures;
    const { form } = await openCheckout(fixtures);
    for (const { label, autocomplete } of cardFields)
      assert.equal(await form.attribute(label, 'autocomplete'), autocomplete);
    const buttons = await form.names('button');
    // Focusing a test card shows all of them, so the button for the others is not a tab stop.
    const tabStops = buttons.slice(buttons.indexOf(pay)).filter((name) => name !== 'More test cards');
    const order = [...labels, ...tabStops];
    await page.click('field', 'Voucher');
    for (const name of order) {
      await page.press('Tab');
      await form.waitForFocus(name);
    }
    await page.press('Tab');
    await page.waitForFocus('Note');
    for (const name of order.reverse()) {
      await page.press('Tab', 'Shift');
      await form.waitForFocus(name);
    }
    await page.press('Tab', 'Shift');
    await page.waitForFocus('Voucher');
  });

  test('the page’s own form contains the reference, pays first, and is then submitted', async () => {
    const { page, urls } = fixtures;
    const { form, reference } = await openCheckout(fixtures);
    await expectEvents(`pay-ready ${reference}`);
    const formData = await page.evaluate('Object.fromEntries(new FormData(document.forms[0]))');
    assert.deepEqual(formData, { voucher: '', payment: reference, note: '' });
    await fillCard(form, cards.visa);
    await waitForFrameHeight(form);
    await page.click('button', 'Order');
    await page.waitForAddress(`${urls.siteUrl}/ordered`);
    assert.equal((await fixtures.server.detail(reference)).status, 'transaction_status_confirmed');
  });

  test('the page’s own form is not submitted while a field is empty, and the error is shown', async () => {
    const { page } = fixtures;
    const { form } = await openCheckout(fixtures);
    const address = await page.tab.address();
    // Browsers may not focus a frame that the user has not interacted with.
    await form.click('field', 'Card number');
    await form.type(cards.visa);
    await waitForFrameHeight(form);
    await page.click('button', 'Order');
    await form.waitForFocus('Expiry');
    assert.equal(await form.attribute('Expiry', 'aria-invalid'), 'true');
    assert.notEqual(await form.description('Expiry'), '');
    await page.waitForAddress(address);
  });

  test('the form fits into the page at any width', async () => {
    const { page } = fixtures;
    await page.tab.resize(360, 740);
    const { form } = await openCheckout(fixtures);
    await form.click('button', pay);
    await form.waitForFocus('Card number');
    const root = 'document.documentElement';
    for (const [width, height] of [
      [360, 740],
      [1280, 800],
    ] as const) {
      await page.tab.resize(width, height);
      await eventually(async () => assert.equal(await page.evaluate('innerWidth'), width));
      await waitForFrameHeight(form);
      assert.equal(await page.evaluate(`${root}.scrollWidth <= innerWidth`), true, `${width} pixels`);
      assert.equal(await form.evaluate(`${root}.scrollWidth <= innerWidth`), true, `${width} pixels`);
      assert.equal(await form.evaluate(`${root}.scrollHeight <= innerHeight`), true, `${width} pixels`);
    }
  });
});
