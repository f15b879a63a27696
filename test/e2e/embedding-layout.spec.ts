import type { Page } from '@playwright/test';
import { PayForm, scenarios } from '../../testing/index.ts';
import { Checkout } from './checkout.ts';
import { expect, test } from './fixtures.ts';

/** Records every layout shift, including those with recent input. */
const countShifts = `
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) window.shifts.push(value);
}).observe({ type: 'layout-shift', buffered: true });
`;
const shiftsOf = async (page: Page) =>
  await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts);

/** Typical content of a merchant's page, with an element below that would shift. */
const around = (element: string) => `<h1>Checkout</h1><p>One kettle</p>${element}<p id="below">Free returns</p>`;

const sized =
  '<style nonce="test">.sized{--pay-form-field-height:40px;--pay-form-gap:10px;--pay-form-label-size:15px;--pay-form-button-height:70px}</style>';

for (const width of [320, 360, 1280]) {
  test(`nothing shifts while forms load at ${width} px: by default, without a button, with custom sizes`, async ({
    page,
    server,
  }) => {
    // High enough for all forms: only shifts of what is visible are recorded.
    await page.setViewportSize({ width, height: 3600 });
    const others: string[] = [];
    for (const attributes of ['no-button', 'class="sized"'])
      others.push(`<pay-form src="${(await server.createEmbed()).embedUrl}" ${attributes}></pay-form>`);
    const checkout = await Checkout.serve(page, server, {
      script: countShifts,
      around: (element) => sized + around([element, ...others].join('<hr>')),
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
    await expect(page.locator('#below')).toBeInViewport();
    const topsOf = async () =>
      await page
        .locator('hr, #below')
        .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
    await page.waitForFunction(() => customElements.get('pay-form') !== undefined);
    const reservedTops = await topsOf();
    release();
    for (const element of await page.locator('pay-form').all()) {
      await expect(element.locator('iframe')).toBeVisible();
      await expect(checkout.formAt(element).field('card_number')).toBeEditable();
    }
    const tops = await topsOf();
    expect(tops).toHaveLength(3);
    for (const [index, top] of tops.entries())
      expect(Math.abs(top - (reservedTops[index] ?? 0)), `below form ${index + 1}`).toBeLessThanOrEqual(1);
    expect(await shiftsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    for (const element of await page.locator('pay-form').all()) {
      const frame = element.locator('iframe').contentFrame().locator('html');
      expect(await frame.evaluate((root) => root.scrollWidth - root.clientWidth)).toBeLessThanOrEqual(0);
    }
  });
}

test('all rows of a form have the same distance', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await expect(checkout.form.field('card_number')).toBeEditable();
  const rows = await checkout.frame.locator('.two, text-field').evaluateAll((all) =>
    all
      .filter((each) => !each.parentElement?.matches('.two'))
      .map((each) => each.getBoundingClientRect())
      .map(({ top, bottom }) => ({ top, bottom })),
  );
  expect(rows).toHaveLength(5);
  const gaps = rows.slice(1).map(({ top }, index) => Math.round(top - (rows[index]?.bottom ?? 0)));
  expect(gaps).toEqual([16, 16, 16, 16]);
});

test('a form pays inside nested shadow roots', async ({ page, server }) => {
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
  // Composed events reach the document from any depth.
  await checkout.expectEvents(['pay-ready'], ['pay-submit', { trigger: 'buyer' }], ['pay-success']);
});

test('several forms on one page have separate input, theme and outcome', async ({ page, server }) => {
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

test('a form that is removed, inserted and moved leaks nothing, keeps its input when moved, and still pays', async ({
  page,
  server,
}) => {
  const checkout = await Checkout.open(page, server, {
    around: (element) => `<form>${element}</form><div id="target"></div>`,
  });
  await checkout.waitUntilReady();
  const client = await page.context().newCDPSession(page);
  /** Number of live objects of a class after garbage collection. */
  const countLive = async (prototype: string) => {
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
  const count = async () => await Promise.all(classes.map(async (name) => await countLive(name)));

  /** Waits for the form in each round, so that its port and frame really existed. */
  const reinsert = async (times: number) =>
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

  await reinsert(2);
  const before = await count();
  await reinsert(10);
  // Unreferenced objects may survive one collection.
  await expect.poll(async () => (await count()).filter((living, index) => living > (before[index] ?? 0))).toEqual([]);
  expect(page.frames()).toHaveLength(2);

  // Neither do elements created and removed in a form.
  const left = await page.evaluate(async () => {
    const form = document.querySelector('form');
    const src = document.querySelector('pay-form')?.src ?? '';
    const seen: WeakRef<Element>[] = [];
    for (let round = 0; round < 10; round++) {
      const element = document.createElement('pay-form');
      element.src = src;
      form?.append(element);
      element.remove();
      seen.push(new WeakRef(element));
    }
    // A dereferenced WeakRef keeps its target alive until the task ends.
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    Object.assign(globalThis, { seen });
    return seen.length;
  });
  expect(left).toBe(10);
  await expect
    .poll(async () => {
      await client.send('HeapProfiler.collectGarbage');
      return await page.evaluate(
        () => (globalThis as unknown as { seen: WeakRef<Element>[] }).seen.filter((each) => each.deref()).length,
      );
    })
    .toBe(0);

  await checkout.form.fill(scenarios.approved);
  await checkout.element.evaluate((element) => {
    const target = document.getElementById('target') as HTMLElement & { moveBefore(node: Node, child: null): void };
    target.moveBefore(element, null);
  });
  await expect(page.locator('#target pay-form')).toBeAttached();
  await checkout.form.pay();
  expect(await checkout.form.outcome()).toBe('success');
});
