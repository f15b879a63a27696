import { HOUR, SECOND } from '../../src/shared/time.ts';
import { scenarios } from '../../testing/index.ts';
import { cards } from '../support/requests.ts';
import { Checkout } from './checkout.ts';
import { expect, test, blockStreams } from './fixtures.ts';

const submitted = ['pay-submit', { trigger: 'buyer' }] as const;
const otherCard = { ...scenarios.approved, card_number: cards.mastercard };

function declined(reference: string, code: string, attemptsLeft: number) {
  const retryable = attemptsLeft > 0;
  const advice = retryable ? 'use_other_card' : 'do_not_retry';
  return ['pay-decline', { reference, code, advice, retryable, attemptsLeft }] as const;
}

function failed(reference: string, code: string, message: string) {
  return ['pay-error', { reference, code, message, retryable: false }] as const;
}

test('a card pays, and the page receives all events in order', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  const { reference } = checkout;
  // Input before `pay-ready` would merge several changes into one event.
  await checkout.expectEvents(['pay-ready']);
  await checkout.form.fillAndPay(scenarios.approved);
  expect(await checkout.form.outcome()).toBe('success');
  const change = (detail: object) => ({
    type: 'pay-change',
    detail: { complete: false, empty: false, brand: 'visa', invalid: [], ...detail },
  });
  await expect
    .poll(() => checkout.events)
    .toEqual([
      { type: 'pay-ready', detail: { reference } },
      change({ empty: true, brand: null }),
      change({}),
      change({ complete: true }),
      { type: 'pay-submit', detail: { trigger: 'buyer' } },
      { type: 'pay-success', detail: { reference } },
    ]);
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
});

test('a payment link pays in the frame', async ({ page, server }) => {
  const { link, reference } = await server.createLink();
  const checkout = await Checkout.open(page, server, { src: link });
  await expect(checkout.frame.getByText('Two cups and a saucer')).toBeVisible();
  await checkout.form.fillAndPay(scenarios.approved);
  expect(await checkout.form.outcome()).toBe('success');
  await checkout.expectEvents(['pay-ready', { reference }], submitted, ['pay-success', { reference }]);
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
  // The merchant's page decides where to go.
  expect(page.url()).toBe(checkout.address);
});

test('a decline is shown, all input except the security code is kept, and another card pays', async ({
  page,
  server,
}) => {
  const checkout = await Checkout.open(page, server);
  const { form, reference } = checkout;
  await form.fillAndPay(scenarios.insufficientFunds);
  expect(await form.outcome()).toBe('decline');
  await expect(form.field('first_name')).toHaveValue('Ada');
  await expect(form.field('card_cvv')).toHaveValue('');
  await form.fill({ card_number: cards.mastercard, card_cvv: '321' });
  await form.pay();
  await expect.poll(async () => (await server.detail(reference)).status).toBe('transaction_status_confirmed');
  await checkout.expectEvents(['pay-ready'], submitted, declined(reference, 'insufficient_funds', 4), submitted, [
    'pay-success',
  ]);
  const { attempts } = await server.detail(reference);
  expect(attempts.map(({ state, last4 }) => `${state} ${last4}`)).toEqual(['declined 9995', 'approved 4444']);
});

test('five declines are reported, then the failed link', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  const { form, reference } = checkout;
  await form.fill(scenarios.declined);
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await form.fill({ card_cvv: '123' });
    await form.pay();
    await expect
      .poll(() => checkout.eventsWithoutChanges.filter(({ type }) => type === 'pay-decline').length)
      .toBe(attempt);
  }
  await checkout.expectEvents(
    ['pay-ready'],
    ...[4, 3, 2, 1, 0].flatMap((left) => [submitted, declined(reference, 'card_declined', left)]),
    failed(
      reference,
      'link_failed',
      "Your card was declined. You weren't charged and there are no attempts left. Start checkout again.",
    ),
  );
  await expect(form.field('card_number')).toBeHidden();
  expect(await server.detail(reference)).toMatchObject({ status: 'transaction_status_failed', reason: 'declined' });
});

test('an unknown outcome is reported as pending, then with its result', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  const { form, reference } = checkout;
  await form.fillAndPay(scenarios.unknown);
  await checkout.expectEvents(['pay-ready'], submitted, ['pay-pending']);
  await expect(form.payButton).toBeHidden();
  expect((await server.detail(reference)).status).toBe('transaction_status_waiting');
  await page.reload();
  await checkout.expectEvents(['pay-ready'], submitted, ['pay-pending'], ['pay-ready'], ['pay-pending']);
  await server.advance(31 * SECOND);
  await expect.poll(() => checkout.eventsWithoutChanges.at(-1)?.type).toBe('pay-success');
  expect(await form.outcome()).toBe('success');
  expect(checkout.eventsWithoutChanges).toHaveLength(6);
  expect(await server.detail(reference)).toMatchObject({
    status: 'transaction_status_confirmed',
    attempts: [{ state: 'approved' }],
  });
});

test('a final payment shows its outcome and accepts no card', async ({ page, server }) => {
  const endings = {
    paid: {
      reach: async (reference: string) => void (await server.submitByApi(reference)),
      outcome: 'success',
      expectedEvent: (reference: string) => ['pay-success', { reference }] as const,
    },
    cancelled: {
      reach: async (reference: string) => await server.cancel(reference),
      outcome: 'cancel',
      expectedEvent: (reference: string) => ['pay-cancel', { reference, reason: 'merchant' }] as const,
    },
  } as const;
  for (const { reach, outcome, expectedEvent } of Object.values(endings)) {
    const { reference, embedUrl } = await server.createEmbed();
    await reach(reference);
    const tab = await page.context().newPage();
    const checkout = await Checkout.open(tab, server, { src: embedUrl });
    expect(await checkout.form.outcome()).toBe(outcome);
    await expect(checkout.form.field('card_number')).toBeHidden();
    await checkout.expectEvents(['pay-ready', { reference }], expectedEvent(reference));
    // `submit()` reports the same outcome again.
    const end = await checkout.element.evaluate(
      async (element) => (await (element as HTMLElementTagNameMap['pay-form']).submit()).type,
    );
    expect(end).toBe(expectedEvent(reference)[0]);
    await tab.close();
  }
});

test('a payment that expires while the form is open shows it', async ({ page, context, server }) => {
  // Live updates would remove the button before the click.
  await blockStreams(context);
  await server.setPreference('link-lifetime-minutes', '5');
  const checkout = await Checkout.open(page, server);
  await server.setPreference('link-lifetime-minutes', null);
  const { form, reference } = checkout;
  await form.fill(scenarios.approved);
  await server.advance(HOUR);
  await form.pay();
  expect(await form.outcome()).toBe('error');
  const expectedEvent = failed(
    reference,
    'link_expired',
    "This payment has expired. You weren't charged. Start checkout again.",
  );
  await checkout.expectEvents(['pay-ready'], submitted, expectedEvent);
  await page.reload();
  await checkout.expectEvents(['pay-ready'], submitted, expectedEvent, ['pay-ready'], expectedEvent);
  await expect(form.field('card_number')).toBeHidden();
  expect(await server.detail(reference)).toMatchObject({ status: 'transaction_status_failed', reason: 'expired' });
});

test('a payment that is canceled while the form is open shows it', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await server.cancel(checkout.reference);
  await checkout.expectEvents(['pay-ready'], ['pay-cancel', { reference: checkout.reference, reason: 'merchant' }]);
  expect(await checkout.form.outcome()).toBe('cancel');
});

test('a form without live updates reports a cancellation on submit', async ({ page, context, server }) => {
  await blockStreams(context);
  const checkout = await Checkout.open(page, server);
  await checkout.form.fill(scenarios.approved);
  await server.cancel(checkout.reference);
  await checkout.form.pay();
  await checkout.expectEvents(['pay-ready'], submitted, [
    'pay-cancel',
    { reference: checkout.reference, reason: 'merchant' },
  ]);
  expect(await checkout.form.outcome()).toBe('cancel');
});

test('a buyer from an unsupported country sees the reason and no card form', async ({ page, server, urls }) => {
  await server.setPreference('restricted-country-list', '["THA"]');
  const checkout = await Checkout.serve(page, server);
  await page.route(`${urls.url}/e/**`, async (route) => {
    await route.continue({ headers: { ...route.request().headers(), 'x-forwarded-for': '1.0.128.1' } });
  });
  await page.goto(checkout.address);
  await expect(checkout.frame.getByRole('heading', { name: 'Your country is not supported' })).toBeVisible();
  await checkout.expectEvents(
    ['pay-ready'],
    failed(
      checkout.reference,
      'country_not_supported',
      "Your country is not supported. You weren't charged. Detected country: Thailand. If you're somewhere else, turn off your VPN or switch networks, then reload the page.",
    ),
  );
  await expect(checkout.form.field('card_number')).toBeHidden();
  await server.setPreference('restricted-country-list', null);
});

test('two tabs with the same form charge once, and both show the payment', async ({ page, context, server }) => {
  // Live updates would remove the button of the other tab.
  await blockStreams(context);
  const { reference, embedUrl } = await server.createEmbed();
  const tabs = [
    await Checkout.open(page, server, { src: embedUrl }),
    await Checkout.open(await context.newPage(), server, { src: embedUrl }),
  ];
  for (const { form } of tabs) await form.fill(scenarios.approved);
  await Promise.all(tabs.map(({ form }) => form.pay()));
  for (const { form, eventsWithoutChanges: events } of tabs) {
    await expect.poll(async () => await form.outcome()).toBe('success');
    expect(events.filter(({ type }) => type === 'pay-decline' || type === 'pay-error')).toEqual([]);
  }
  expect((await server.detail(reference)).attempts).toHaveLength(1);
});

test('fifty clicks on pay fire pay-submit once and charge once', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await checkout.form.fill(scenarios.approved);
  let submits = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/submit')) submits += 1;
  });
  await checkout.form.payButton.evaluate((button: HTMLButtonElement) => {
    for (let click = 0; click < 50; click += 1) button.click();
  });
  await checkout.expectEvents(['pay-ready'], submitted, ['pay-success']);
  expect(submits).toBe(1);
  expect((await server.detail(checkout.reference)).attempts).toHaveLength(1);
});

test('fifty calls of submit() charge once', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await checkout.form.fill(otherCard);
  const ends = await checkout.element.evaluate(async (element) => {
    const form = element as HTMLElementTagNameMap['pay-form'];
    const ended = await Promise.all(Array.from({ length: 50 }, () => form.submit()));
    return ended.map(({ type }) => type);
  });
  expect(new Set(ends)).toEqual(new Set(['pay-success']));
  await checkout.expectEvents(['pay-ready'], ['pay-submit', { trigger: 'page' }], ['pay-success']);
  expect((await server.detail(checkout.reference)).attempts).toHaveLength(1);
});

test('two forms on a page pay concurrently', async ({ page, server }) => {
  const second = await server.createEmbed();
  const checkout = await Checkout.open(page, server, {
    around: (element) => `${element}<pay-form id="second" src="${second.embedUrl}"></pay-form>`,
  });
  const forms = [checkout.formAt(page.locator('pay-form').first()), checkout.formAt(page.locator('#second'))];
  for (const form of forms) await form.fill(scenarios.approved);
  await page.evaluate(async () => {
    await Promise.all([...document.querySelectorAll('pay-form')].map((element) => element.submit()));
  });
  for (const form of forms) expect(await form.outcome()).toBe('success');
  for (const reference of [checkout.reference, second.reference]) {
    await expect.poll(() => checkout.events).toContainEqual({ type: 'pay-success', detail: { reference } });
    expect((await server.detail(reference)).attempts).toHaveLength(1);
  }
});

test('a field that the server rejects is shown and reported as an error', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  const { form, reference } = checkout;
  await form.fillAndPay({ ...scenarios.approved, email: `a..b@example.com` });
  await expect(form.field('email')).toBeFocused();
  expect(Object.keys(await form.fieldErrors())).toEqual(['email']);
  await checkout.expectEvents(['pay-ready'], submitted, [
    'pay-error',
    { code: 'validation_failed', message: 'Check 1 field.', retryable: true, reference },
  ]);
  await form.fill({ email: 'ada@example.com' });
  await form.pay();
  expect(await form.outcome()).toBe('success');
});
