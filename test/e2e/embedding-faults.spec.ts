import { scenarios } from '../../testing/index.ts';
import { Checkout } from './checkout.ts';
import { expect, test } from './fixtures.ts';

const message = "We couldn't load the payment form.";
const unreachable = ['pay-error', { code: 'frame_unreachable', message, retryable: true, reference: null }] as const;
const submitted = ['pay-submit', { trigger: 'buyer' }] as const;

/** Timeouts of the element: for the frame to load, and then to respond. */
const LOAD_TIMEOUT_MS = 20_000;
const RESPONSE_TIMEOUT_MS = 4000;

/** Messages of Chromium about failed requests, and about messages to a missing window. */
const isNetworkFault = (fault: string) => /^Failed to load resource|postMessage|Failed to fetch/.test(fault);

/** Checks the element's own error with its retry button, without the height of the form. */
async function expectLoadError({ element }: Checkout) {
  await expect(element.getByRole('alert')).toHaveText(`${message}Try again`);
  await expect(element.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect(element.locator('iframe')).not.toBeVisible();
  expect(await element.evaluate((each: HTMLElement) => each.offsetHeight)).toBeLessThan(200);
}

async function expectPayment(checkout: Checkout) {
  await checkout.form.fillAndPay(scenarios.approved);
  expect(await checkout.form.outcome()).toBe('success');
  await expect(checkout.element.locator('[role=alert]')).toBeEmpty();
}

test.describe('a form that does not load', () => {
  /** Failures by request. */
  const failures = {
    'its frame is blocked': ['/e/**', 'blockedbyclient'],
    'its host refuses connections': ['/e/**', 'connectionrefused'],
    'its script is blocked': ['/assets/*.js', 'blockedbyclient'],
    'a proxy returns an error': ['/e/**', 502],
    'its script is an error page': ['/assets/*.js', 503],
  } as const;
  for (const [failure, [path, result]] of Object.entries(failures)) {
    test(`shows an error with a retry button when ${failure}`, async ({ page, server, urls, faults }) => {
      await page.clock.install();
      const checkout = await Checkout.serve(page, server);
      await page.route(`${urls.url}${path}`, async (route) => {
        if (typeof result === 'string') await route.abort(result);
        else await route.fulfill({ status: result, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
      });
      await page.goto(checkout.address);
      await page.clock.fastForward(RESPONSE_TIMEOUT_MS);
      await expectLoadError(checkout);
      await checkout.expectEvents(unreachable);
      await page.unroute(`${urls.url}${path}`);
      await checkout.press('Try again');
      await expectPayment(checkout);
      await checkout.expectEvents(unreachable, ['pay-ready'], submitted, ['pay-success']);
      expect(faults.splice(0).filter((fault) => !isNetworkFault(fault))).toEqual([]);
    });
  }

  test('shows an error after a timeout if its host never responds', async ({ page, server, urls }) => {
    // Otherwise time would also pass between the steps below.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    const checkout = await Checkout.serve(page, server);
    const held: (() => void)[] = [];
    await page.route(`${urls.url}/e/**`, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.goto(checkout.address, { waitUntil: 'commit' });
    await expect.poll(() => held.length).toBe(1);
    await page.clock.fastForward(LOAD_TIMEOUT_MS - 1000);
    await expect(checkout.element.locator('[role=alert]')).toBeEmpty();
    await page.clock.fastForward(1000);
    await expectLoadError(checkout);
    await checkout.expectEvents(unreachable);
    // A frame that loads late replaces the error.
    await page.clock.resume();
    held[0]?.();
    await expectPayment(checkout);
  });

  test('shows the page’s own error text, and still retries', async ({ page, server, urls, faults }) => {
    await page.clock.install();
    const checkout = await Checkout.serve(page, server, {
      around: (element) => element.replace('</', '<p slot="error">Call us: 555 0100</p></'),
    });
    await page.route(`${urls.url}/e/**`, (route) => route.abort());
    await page.goto(checkout.address);
    await page.clock.fastForward(RESPONSE_TIMEOUT_MS);
    await expect(page.getByText('Call us: 555 0100')).toBeVisible();
    await expect(page.getByText(message)).toBeHidden();
    // `submit()` of the page's own button resolves with the error.
    const end = await checkout.element.evaluate(
      async (element) => (await (element as HTMLElementTagNameMap['pay-form']).submit()).detail,
    );
    expect(end).toEqual(unreachable[1]);
    await page.unroute(`${urls.url}/e/**`);
    await checkout.press('Try again');
    await expectPayment(checkout);
    await expect(page.getByText('Call us: 555 0100')).toBeHidden();
    faults.length = 0;
  });

  test('shows the error again after a failed retry', async ({ page, server, urls, faults }) => {
    await page.clock.install();
    const checkout = await Checkout.serve(page, server);
    const held: (() => void)[] = [];
    await page.route(`${urls.url}/e/**`, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.abort();
    });
    await page.goto(checkout.address, { waitUntil: 'commit' });
    for (const times of [1, 2, 3]) {
      await expect.poll(() => held.length).toBe(times);
      // Held until here: a frame that has failed shows the error soon.
      await expect(checkout.element.locator('[role=alert]')).toBeEmpty();
      held.at(-1)?.();
      await page.clock.fastForward(RESPONSE_TIMEOUT_MS);
      await expectLoadError(checkout);
      await checkout.expectEvents(...Array.from({ length: times }, () => unreachable));
      // A frame that is still being blocked when the test ends would be reported as a fault.
      if (times < 3) await checkout.press('Try again');
    }
    faults.length = 0;
  });

  test('loads automatically once online', async ({ page, context, server, faults }) => {
    await page.clock.install();
    const checkout = await Checkout.open(page, server, { src: '' });
    await context.setOffline(true);
    const { reference, embedUrl } = await server.createEmbed();
    await checkout.element.evaluate((element, src) => element.setAttribute('src', src), embedUrl);
    await page.clock.fastForward(RESPONSE_TIMEOUT_MS);
    await expectLoadError(checkout);
    await context.setOffline(false);
    await checkout.form.fillAndPay(scenarios.approved);
    expect(await checkout.form.outcome()).toBe('success');
    await checkout.expectEvents(unreachable, ['pay-ready', { reference }], submitted, ['pay-success', { reference }]);
    expect(faults.splice(0).filter((fault) => !isNetworkFault(fault))).toEqual([]);
  });
});

test.describe('a payment with a broken connection', () => {
  test('is not sent while offline, and can be made when online', async ({ page, context, server, faults }) => {
    const checkout = await Checkout.open(page, server);
    const { form, reference } = checkout;
    await form.fill(scenarios.approved);
    await context.setOffline(true);
    await expect(checkout.frame.getByText(/^You're offline/).last()).toBeVisible();
    await expect(form.field('card_cvv')).toHaveValue('');
    await form.fill({ card_cvv: scenarios.approved.card_cvv });
    await expect(form.payButton).toBeDisabled();
    await checkout.element.evaluate((element) => void (element as HTMLElementTagNameMap['pay-form']).submit());
    await checkout.expectEvents(
      ['pay-ready'],
      ['pay-submit', { trigger: 'page' }],
      [
        'pay-error',
        {
          code: 'no_connection',
          message: 'You were offline and nothing was sent. You can try again.',
          retryable: true,
          reference,
        },
      ],
    );
    await context.setOffline(false);
    await form.pay();
    await expect.poll(() => checkout.eventsWithoutChanges.at(-1)?.type).toBe('pay-success');
    expect((await server.detail(reference)).attempts).toHaveLength(1);
    expect(faults.splice(0).filter((fault) => !isNetworkFault(fault))).toEqual([]);
  });

  for (const [what, end] of Object.entries({ 'is cut': 'connectionreset', 'is a proxy’s error': 502 } as const)) {
    test(`is pending until it is found if the response ${what}`, async ({ page, server, faults }) => {
      const checkout = await Checkout.open(page, server);
      const { form, reference } = checkout;
      await form.fill(scenarios.approved);
      await page.route('**/fiat/v1/transaction/submit', async (route) => {
        await route.fetch();
        if (typeof end === 'string') await route.abort(end);
        else await route.fulfill({ status: end, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
      });
      await form.pay();
      await checkout.expectEvents(['pay-ready'], submitted, ['pay-pending'], ['pay-success']);
      expect(await form.outcome()).toBe('success');
      expect((await server.detail(reference)).attempts).toHaveLength(1);
      expect(faults.splice(0).filter((fault) => !isNetworkFault(fault))).toEqual([]);
    });
  }

  test('is pending, then reported as not received, and can be made again', async ({ page, server, faults }) => {
    await page.clock.install();
    const checkout = await Checkout.open(page, server);
    const { form, reference } = checkout;
    await form.fill(scenarios.approved);
    await page.route('**/fiat/v1/transaction/submit', (route) => route.abort('connectionreset'));
    await form.pay();
    await checkout.expectEvents(['pay-ready'], submitted, ['pay-pending']);
    await expect(form.field('card_number')).toBeHidden();
    await page.unroute('**/fiat/v1/transaction/submit');
    // Polled until the request can no longer arrive.
    await expect(async () => {
      await page.clock.runFor(2000);
      expect(checkout.eventsWithoutChanges.at(-1)?.type).toBe('pay-error');
    }).toPass();
    expect(checkout.eventsWithoutChanges.at(-1)?.detail).toMatchObject({
      code: 'not_received',
      retryable: true,
      reference,
    });
    await expect(form.field('first_name')).toHaveValue('Ada');
    await form.fill({ card_cvv: '123' });
    await form.pay();
    await expect.poll(() => checkout.eventsWithoutChanges.at(-1)?.type).toBe('pay-success');
    expect((await server.detail(reference)).attempts).toHaveLength(1);
    expect(faults.splice(0).filter((fault) => !isNetworkFault(fault))).toEqual([]);
  });

  test('keeps the form if a new language cannot load', async ({ page, context, server, faults }) => {
    const checkout = await Checkout.open(page, server);
    const { form } = checkout;
    await form.fill(scenarios.approved);
    // On a busy machine, a request sent right after the switch can still be answered.
    await page.route('**/en-GB', async (route) => await route.abort('internetdisconnected'));
    await context.setOffline(true);
    await checkout.element.evaluate((element) => element.setAttribute('locale', 'en-GB'));
    await expect
      .poll(() => faults.filter((fault) => !isNetworkFault(fault)))
      .toEqual(['<pay-form>: could not load the translation for "en-GB". The form keeps its language.']);
    await context.setOffline(false);
    await expect(form.field('card_number')).toHaveValue(scenarios.approved.card_number);
    // The language is not part of an attempt, so no error event is fired.
    await checkout.expectEvents(['pay-ready']);
    faults.length = 0;
  });
});
