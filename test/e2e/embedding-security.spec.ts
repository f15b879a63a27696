import { scenarios } from '../../testing/index.ts';
import { findCard } from '../support/card-search.ts';
import { Checkout } from './checkout.ts';
import { expect, test } from './fixtures.ts';
import { captureEverything } from './hostile-page.ts';

test.describe('allowed origins', () => {
  test.afterEach(async ({ server }) => await server.setPreference('embed-origin-list', null));

  const ownError = "We couldn't load the payment form.";

  test('an origin on the list may embed', async ({ page, server, urls }) => {
    await server.setPreference('embed-origin-list', JSON.stringify(['https://shop.example', urls.siteUrl]));
    const checkout = await Checkout.open(page, server);
    await checkout.form.fillAndPay(scenarios.approved);
    expect(await checkout.form.outcome()).toBe('success');
  });

  for (const kind of ['a card form', 'a payment link'] as const) {
    test(`${kind} shows the reason and no payment data on a page of another origin`, async ({ page, server, urls }) => {
      await server.setPreference('embed-origin-list', '["https://shop.example"]');
      const { link, reference } = await server.createLink();
      const src = kind === 'a payment link' ? link : link.replace('/p/', '/e/');
      const result = page.waitForResponse((response) => response.url().startsWith(src));
      const logged = page.waitForEvent('console', (entry) => entry.type() === 'info');
      const checkout = await Checkout.open(page, server, { src });
      const message = `Pages of ${urls.siteUrl} are not allowed to embed this merchant’s payments. Add "${urls.siteUrl}" to the preference embed-origin-list (PATCH /v1/merchant/preferences).`;
      await expect(checkout.frame.getByText(message)).toBeVisible();
      expect((await logged).text()).toBe(message);
      await checkout.expectEvents([
        'pay-error',
        { code: 'origin_not_allowed', message, retryable: false, reference: null },
      ]);
      await expect(checkout.form.field('card_number')).toBeHidden();
      expect((await result).status()).toBe(403);
      const html = await (await result).text();
      for (const word of ['Kettle', 'Two cups', '12.50', reference, 'clientToken'])
        expect(html.includes(word), word).toBe(false);
    });
  }

  test('a page with a forged origin is blocked by the browser', async ({ page, server, faults }) => {
    await server.setPreference('embed-origin-list', '["https://shop.example"]');
    await page.clock.install();
    const checkout = await Checkout.open(page, server, {
      script: `
        const { set } = URLSearchParams.prototype;
        URLSearchParams.prototype.set = function (name, value) {
          set.call(this, name, name === 'origin' ? 'https://shop.example' : value);
        };`,
    });
    await page.clock.fastForward(4000);
    await expect(checkout.element.getByRole('alert')).toContainText(ownError);
    await expect(checkout.element.getByRole('button', { name: 'Try again' })).toBeVisible();
    await checkout.expectEvents([
      'pay-error',
      { code: 'frame_unreachable', message: ownError, retryable: true, reference: null },
    ]);
    await expect(checkout.form.field('card_number')).toHaveCount(0);
    // The browser logs what it has blocked.
    expect(faults.splice(0).filter((fault) => !/frame-ancestors|postMessage/.test(fault))).toEqual([]);
  });

  test('an unknown link shows an error', async ({ page, server, urls }) => {
    const checkout = await Checkout.open(page, server, { src: `${urls.url}/e/nothing-here` });
    await expect(checkout.frame.getByRole('paragraph').filter({ visible: true })).toHaveCount(1);
    await expect
      .poll(() => checkout.eventsWithoutChanges)
      .toMatchObject([{ type: 'pay-error', detail: { code: 'not_found', retryable: false, reference: null } }]);
    const end = await checkout.element.evaluate(
      async (element) => (await (element as HTMLElementTagNameMap['pay-form']).submit()).detail,
    );
    expect(end).toMatchObject({ code: 'not_found' });
  });
});

test('the frame cannot navigate the page or use device features', async ({ page, server, faults }) => {
  const checkout = await Checkout.open(page, server);
  await checkout.waitUntilReady();
  const results = await checkout.frame.locator('body').evaluate(async () => {
    const attempts = {
      navigate: () => {
        if (!top) throw new Error('The page is missing');
        top.location.href = 'about:blank';
      },
      locate: async () =>
        await new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject)),
      listen: async () => await navigator.mediaDevices.getUserMedia({ audio: true }),
    };
    const outcomes: Record<string, string> = {};
    for (const [name, attempt] of Object.entries(attempts)) {
      try {
        await attempt();
        outcomes[name] = 'done';
      } catch {
        outcomes[name] = 'refused';
      }
    }
    return outcomes;
  });
  expect(results).toEqual({ navigate: 'refused', locate: 'refused', listen: 'refused' });
  expect(page.url()).toBe(checkout.address);
  // Chromium logs each refusal.
  faults.length = 0;
});

test('the page’s policy needs only our origin, and no other host is requested', async ({
  page,
  context,
  server,
  urls,
}) => {
  const requested: string[] = [];
  context.on('request', (request) => requested.push(request.url()));
  const checkout = await Checkout.open(page, server);
  await checkout.form.fillAndPay(scenarios.challenge);
  await checkout.form.issuer.approve();
  expect(await checkout.form.outcome()).toBe('success');
  const paths = new Set(
    requested
      .filter((address) => address.startsWith(urls.url))
      .map((address) =>
        new URL(address).pathname.replace(/[^/]*-[\w-]{8}\.js$/, 'SCRIPT').replace(/\/(e|p|issuer)\/[\w-]+/, '/$1/ID'),
      ),
  );
  // The live update may close the challenge's frame before it returns.
  paths.delete('/p/ID/return');
  expect([...paths].toSorted()).toEqual([
    '/assets/SCRIPT',
    '/brands/visa.svg',
    '/e/ID',
    '/fiat/v1/transaction/submit',
    '/p/ID/events',
    '/p/ID/state',
    '/sandbox/assets/SCRIPT',
    '/sandbox/issuer/ID',
    '/widget/v1/pay-form.css',
    '/widget/v1/pay-form.js',
  ]);
  expect(await context.storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
});

/** Unique input of a buyer that nothing else on the page may see. */
const secrets = {
  card_number: '4539148803436467',
  card_expiry: '11 / 38',
  card_cvv: '739',
  first_name: 'Zephyrine',
  last_name: 'Quibblethwaite',
  country: 'MG',
  address: '77 Obelisk Mews',
  city: 'Antsiranana',
  state: 'Diana Region',
  postcode: 'QX7 9ZV',
  phone: '+261 32 07 123 45',
  email: 'zephyrine@quibble.example',
} as const;

function findSecrets(captured: string): string[] {
  const { card_number: number, card_cvv: cvv, country: _country, ...words } = secrets;
  return [
    ...findCard(captured, { number, cvv }),
    // Receipts contain the last four digits; six consecutive digits are a leak.
    ...(/\d{6}6467|453914/.test(captured) ? ['digits of the number'] : []),
    ...Object.entries(words).flatMap(([name, value]) =>
      captured.toLowerCase().includes(value.toLowerCase()) ? [name] : [],
    ),
  ];
}

const typeSecrets = async (checkout: Checkout) => {
  const { form, page } = checkout;
  const { card_number, card_cvv, ...rest } = secrets;
  // Key by key, so that every key fires events.
  for (const [name, value] of Object.entries({ card_number, card_cvv })) {
    await form.field(name as 'card_number').click();
    await page.keyboard.type(value);
  }
  await form.fill(rest);
  // Cut and paste within the form.
  await form.field('first_name').click({ clickCount: 3 });
  await page.keyboard.press('Control+X');
  await page.keyboard.press('Control+V');
  await expect(form.field('first_name')).toHaveValue(secrets.first_name);
};

test.describe('a hostile page', () => {
  const canary = 'canary-of-the-page';

  test('cannot read any input', async ({ page, server }) => {
    // The page's script runs first and has replaced everything that the element could use.
    const checkout = await Checkout.open(page, server, {
      script: `(${captureEverything.toString()})();`,
      around: (element) => `<form>${element}<input id="own" aria-label="Own"></form>`,
    });
    await page.getByLabel('Own').pressSequentially(canary);
    await typeSecrets(checkout);
    await checkout.form.pay();
    expect(await checkout.form.outcome()).toBe('success');
    const captured = await page.evaluate(() =>
      (globalThis as unknown as { captured: () => Promise<string> }).captured(),
    );
    // The page sees its own field and the public events.
    for (const seen of [canary, 'pay-change', 'pay-success', checkout.reference, 'permission'])
      expect(captured).toContain(seen);
    expect(findSecrets(captured)).toEqual([]);
  });

  test('cannot read input even if it takes over the channel', async ({ page, server }) => {
    const checkout = await Checkout.open(page, server, {
      script: `
        window.interceptedMessages = [];
        const OwnChannel = MessageChannel;
        const { port1, port2 } = new OwnChannel();
        port1.onmessage = ({ data }) => interceptedMessages.push(data);
        window.toFrame = (message) => port1.postMessage(message);
        // The page gets the port that the element sends to the frame; the element keeps an unconnected port.
        window.MessageChannel = function () {
          window.isTaken = true;
          return { port1: new OwnChannel().port1, port2 };
        };`,
    });
    const configuration = {
      type: 'configure',
      ...{ locale: '', direction: '', scheme: 'light', tokens: {}, disabled: false, redirect: '', button: true },
      billing: {},
    };
    const send = async (...messages: object[]) =>
      await page.evaluate((all) => {
        for (const message of all) (globalThis as unknown as { toFrame: (message: object) => void }).toFrame(message);
      }, messages);
    await page.waitForFunction(() => 'isTaken' in globalThis);
    await send(configuration);
    // The element hides a frame that never responds, so the page shows it.
    await checkout.element.evaluate(({ shadowRoot }) => {
      const frame = shadowRoot?.querySelector('iframe');
      if (frame) Object.assign(frame.style, { visibility: 'visible', height: '900px' });
      for (const cover of shadowRoot?.querySelectorAll('section') ?? []) cover.remove();
    });
    await typeSecrets(checkout);
    await send({ type: 'report' }, { type: 'focus' }, { type: 'submit' });
    await send({ ...configuration, billing: { first_name: 'x', email: 'x' } }, configuration, {
      type: 'permission',
      granted: false,
    });
    const interceptedMessages = async () =>
      await page.evaluate(() =>
        JSON.stringify((globalThis as unknown as { interceptedMessages: unknown[] }).interceptedMessages),
      );
    await expect.poll(interceptedMessages).toContain('prevented');
    expect(findSecrets(await interceptedMessages())).toEqual([]);
  });

  test('cannot open a second channel, not even from another window', async ({ page, server, urls }) => {
    const otherPage = await server.servePage('A stranger', { head: '' });
    const checkout = await Checkout.open(page, server, {
      around: (element) => `${element}<iframe id="stranger" src="${otherPage}" title="Stranger"></iframe>`,
      policy: `default-src 'none'; script-src ${urls.url} 'nonce-test'; style-src ${urls.url}; frame-src 'self' ${urls.url}`,
    });
    await checkout.waitUntilReady();
    /** Offers a port to the form's frame from the current window, and requests a payment through it. */
    const sendHandshake = (body: HTMLElement) => {
      const top = body.ownerDocument.defaultView?.top;
      const frame = top?.document.querySelector('pay-form')?.shadowRoot?.querySelector('iframe')?.contentWindow;
      if (!top || !frame) throw new Error('The frame is missing');
      const { port1, port2 } = new MessageChannel();
      const messages: unknown[] = [];
      Object.assign(top, { messages: [...((top as { messages?: unknown[] }).messages ?? []), messages] });
      port1.addEventListener('message', ({ data }) => messages.push(data));
      port1.start();
      frame.postMessage({ connect: 'paylatch/1' }, '*', [port2]);
      port1.postMessage({ type: 'submit' });
    };
    await page.locator('body').evaluate(sendHandshake);
    await page.frameLocator('#stranger').locator('body').evaluate(sendHandshake);
    // The element's own messages still arrive, once.
    await checkout.form.fillAndPay(scenarios.approved);
    expect(await checkout.form.outcome()).toBe('success');
    await checkout.expectEvents(['pay-ready'], ['pay-submit', { trigger: 'buyer' }], ['pay-success']);
    expect(await page.evaluate(() => (globalThis as unknown as { messages: unknown[] }).messages)).toEqual([[], []]);
  });
});
