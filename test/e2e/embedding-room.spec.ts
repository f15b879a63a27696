import type { Page } from '@playwright/test';
import { PayForm, scenarios } from '../../testing/index.ts';
import { Checkout } from './checkout.ts';
import { expect, test } from './fixtures.ts';

/** Counts every shift of the page's layout, also those that the browser forgives. */
const countShifts = `
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) window.shifts.push(value);
}).observe({ type: 'layout-shift', buffered: true });
`;
const shiftsOf = async (page: Page) =>
  await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts);

/** With what merchants have around it: a heading above, and something below that would jump. */
const around = (element: string) => `<h1>Checkout</h1><p>One kettle</p>${element}<p id="below">Free returns</p>`;

const looks = {
  'as it is': '',
  'without a button': 'no-button',
  'with sizes of its own': 'class="sized"',
} as const;
const sized =
  '<style nonce="test">.sized{--pay-form-field-height:40px;--pay-form-gap:10px;--pay-form-label-size:15px;--pay-form-button-height:70px}</style>';

for (const width of [320, 360, 1280]) {
  for (const [look, attributes] of Object.entries(looks)) {
    test(`nothing moves while the form comes, ${look}, on ${width} px`, async ({ page, server }) => {
      await page.setViewportSize({ width, height: 900 });
      const checkout = await Checkout.serve(page, server, {
        attributes,
        script: countShifts,
        around: (element) => sized + around(element),
      });
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/e/*', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(checkout.address, { waitUntil: 'commit' });
      const below = page.locator('#below');
      const topOf = async () => Math.round((await below.boundingBox())?.y ?? 0);
      await page.waitForFunction(() => customElements.get('pay-form') !== undefined);
      const kept = await topOf();
      release();
      await checkout.isReady();
      expect(Math.abs((await topOf()) - kept)).toBeLessThanOrEqual(1);
      expect(await shiftsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const frame = checkout.frame.locator('html');
      expect(await frame.evaluate((root) => root.scrollWidth - root.clientWidth)).toBeLessThanOrEqual(0);
    });
  }
}

test('a form stands inside shadow roots inside shadow roots, and pays there', async ({ page, server }) => {
  const nested = (element: string) => `
    <template id="inner">${element}</template><div id="outer"></div>
    <script nonce="test">
      const shadow = document.getElementById('outer').attachShadow({ mode: 'open' });
      const host = shadow.appendChild(document.createElement('section'));
      host.attachShadow({ mode: 'open' }).append(document.getElementById('inner').content.cloneNode(true));
    </script>`;
  const checkout = await Checkout.open(page, server, { around: nested });
  await checkout.form.fillAndPay(scenarios.approved);
  expect(await checkout.form.outcome()).toBe('success');
  // Composed events reach the document from however deep.
  await checkout.hears(['pay-ready'], ['pay-submit', { trigger: 'buyer' }], ['pay-success']);
});

test('forms on one page are told apart: each has its own card, look and outcome', async ({ page, server }) => {
  const second = await server.createEmbed();
  const checkout = await Checkout.open(page, server, {
    around: (element) => `${element}<pay-form id="second" theme="dark" src="${second.embedUrl}"></pay-form>`,
  });
  const [one, two] = [new PayForm(page.locator('pay-form').first()), new PayForm(page.locator('#second'))];
  await one.fill(scenarios.approved);
  await expect(two.field('card_number')).toHaveValue('');
  await two.fillAndPay(scenarios.declined);
  expect(await two.outcome()).toBe('decline');
  await one.pay();
  expect(await one.outcome()).toBe('success');
  const { attempts } = await server.detail(second.reference);
  expect(attempts.map(({ state }) => state)).toEqual(['declined']);
  expect((await server.detail(checkout.reference)).status).toBe('transaction_status_confirmed');
});

test('taken out and put in again fifty times it leaves nothing behind, and still pays', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await checkout.isReady();
  const client = await page.context().newCDPSession(page);
  /** Living objects of a class, after what nobody needs has been collected. */
  const living = async (prototype: string) => {
    await client.send('HeapProfiler.collectGarbage');
    const { result } = await client.send('Runtime.evaluate', { expression: `${prototype}.prototype` });
    const { objects } = await client.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
    const counted = await client.send('Runtime.callFunctionOn', {
      objectId: objects.objectId ?? '',
      functionDeclaration: 'function () { return this.length; }',
      returnByValue: true,
    });
    await client.send('Runtime.releaseObject', { objectId: objects.objectId ?? '' });
    return counted.result.value as number;
  };
  const classes = ['HTMLIFrameElement', 'MessagePort', 'AbortController', "customElements.get('pay-form')"];
  const count = async () => await Promise.all(classes.map(async (name) => await living(name)));

  /** Each time the form is awaited, so that ports and frames have really been there. */
  const comeAndGo = async (times: number) =>
    await checkout.element.evaluate(async (element, rounds) => {
      for (let round = 0; round < rounds; round++) {
        element.remove();
        const ready = new Promise((resolve) => {
          element.addEventListener('pay-ready', resolve, { once: true });
        });
        document.body.append(element);
        await ready;
      }
    }, times);

  await comeAndGo(2);
  const before = await count();
  await comeAndGo(50);
  // What nobody holds any more may outlive one collection.
  await expect.poll(async () => (await count()).filter((living, index) => living > (before[index] ?? 0))).toEqual([]);
  expect(page.frames()).toHaveLength(2);
  await checkout.form.fillAndPay(scenarios.approved);
  expect(await checkout.form.outcome()).toBe('success');
});

test('new elements made and thrown away in a form leave nothing behind', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server, { around: (element) => `<form>${element}</form>` });
  await checkout.isReady();
  const left = await page.evaluate(async () => {
    const form = document.querySelector('form');
    const src = document.querySelector('pay-form')?.src ?? '';
    const seen: WeakRef<Element>[] = [];
    for (let round = 0; round < 20; round++) {
      const element = document.createElement('pay-form');
      element.src = src;
      form?.append(element);
      element.remove();
      seen.push(new WeakRef(element));
    }
    // A reference that has been looked at lives until the task ends.
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    Object.assign(globalThis, { seen });
    return seen.length;
  });
  expect(left).toBe(20);
  const client = await page.context().newCDPSession(page);
  await expect
    .poll(async () => {
      await client.send('HeapProfiler.collectGarbage');
      return await page.evaluate(
        () => (globalThis as unknown as { seen: WeakRef<Element>[] }).seen.filter((each) => each.deref()).length,
      );
    })
    .toBe(0);
});

test('moved without being taken out it keeps what has been typed', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server, { around: (element) => `${element}<div id="there"></div>` });
  await checkout.form.fill(scenarios.approved);
  await checkout.element.evaluate((element) => {
    const there = document.getElementById('there') as HTMLElement & { moveBefore(node: Node, child: null): void };
    there.moveBefore(element, null);
  });
  await expect(page.locator('#there pay-form')).toBeAttached();
  await checkout.form.pay();
  expect(await checkout.form.outcome()).toBe('success');
});
