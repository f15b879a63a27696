import type { Page } from '@playwright/test';
import { SECOND } from '../../src/shared/time.ts';
import { PayForm, scenarios } from '../../testing/index.ts';
import { Checkout, type RecordedEvent, shortForm } from './checkout.ts';
import { expect, test } from './fixtures.ts';

type PayFormElement = HTMLElementTagNameMap['pay-form'];

const { card_number, card_expiry, card_cvv, ...billing } = scenarios.approved;
const card = { card_number, card_expiry, card_cvv };

/** Result of `submit()`. */
async function submit({ element }: Checkout) {
  return await element.evaluate(async (each) => {
    const { type, detail } = await (each as PayFormElement).submit();
    return { type, detail };
  });
}

const onSubmit = (body: string) => `document.addEventListener('pay-submit', (event) => { ${body} });`;

test('before a card is submitted, the page can prevent it, delay it, or fail', async ({ page, server, faults }) => {
  const checkout = await Checkout.open(page, server, { script: onSubmit('window.respond(event)') });
  const { form, reference } = checkout;
  const submitted = ['pay-submit', { trigger: 'buyer' }] as const;
  const prevented = ['pay-cancel', { reference, reason: 'prevented' }] as const;
  await page.evaluate(() => Object.assign(globalThis, { respond: (event: Event) => event.preventDefault() }));
  await form.fillAndPay(scenarios.approved);
  await checkout.expectEvents(['pay-ready'], submitted, prevented);
  await expect(form.payButton).toBeEnabled();
  await expect(form.field('card_number')).toHaveValue(card_number);
  expect((await server.detail(reference)).attempts).toEqual([]);

  await page.evaluate(() =>
    Object.assign(globalThis, {
      respond: ({ detail }: { detail: { waitUntil(allowed: Promise<void>): void } }) =>
        detail.waitUntil(Promise.reject(new Error('out of stock'))),
    }),
  );
  await form.fillAndPay(scenarios.approved);
  await checkout.expectEvents(['pay-ready'], submitted, prevented, submitted, prevented);
  expect((await server.detail(reference)).attempts).toEqual([]);
  await expect.poll(() => faults.splice(0)).toEqual(['Error: out of stock']);

  await page.evaluate(() => {
    const resumed = new Promise<void>((resumeSubmit) => Object.assign(globalThis, { resumeSubmit }));
    Object.assign(globalThis, {
      respond: ({ detail }: { detail: { waitUntil(allowed: Promise<void>): void } }) => detail.waitUntil(resumed),
    });
  });
  await form.fillAndPay(scenarios.approved);
  await expect(checkout.frame.getByRole('button', { name: 'Paying $12.50…' })).toBeVisible();
  // The form shows progress before the page has allowed the payment.
  await checkout.expectEvents(['pay-ready'], submitted, prevented, submitted, prevented, submitted);
  expect((await server.detail(reference)).attempts).toEqual([]);
  await page.evaluate(() => (globalThis as unknown as { resumeSubmit: () => void }).resumeSubmit());
  expect(await form.outcome()).toBe('success');
});

test.describe('submit()', () => {
  /** Submits, and expects this result, also as the last event. */
  async function expectResult(checkout: Checkout, type: RecordedEvent['type'], detail: object, during?: () => unknown) {
    const end = { type, detail: { reference: checkout.reference, ...detail } };
    const result = submit(checkout);
    await during?.();
    expect(await result).toEqual(end);
    await expect.poll(() => checkout.eventsWithoutChanges.at(-1)).toEqual(end);
  }

  test('resolves with the outcome: incomplete, disabled, declined, canceled, approved', async ({ page, server }) => {
    const checkout = await Checkout.open(page, server);
    const { form, element } = checkout;
    await checkout.waitUntilReady();
    const message = 'Enter the card details.';
    expect(await submit(checkout)).toEqual({
      type: 'pay-error',
      detail: { code: 'incomplete', message, retryable: true, reference: checkout.reference },
    });
    await expect(form.field('card_number')).toBeFocused();
    expect(Object.keys(await form.fieldErrors())).toHaveLength(7);

    await form.fill(scenarios.declined);
    await element.evaluate((each) => ((each as PayFormElement).disabled = true));
    await expect(form.payButton).toBeDisabled();
    expect((await submit(checkout)).type).toBe('pay-error');
    expect((await server.detail(checkout.reference)).attempts).toEqual([]);

    await element.evaluate((each) => ((each as PayFormElement).disabled = false));
    await expect(form.payButton).toBeEnabled();
    const declined = { code: 'card_declined', advice: 'use_other_card', retryable: true, attemptsLeft: 4 };
    await expectResult(checkout, 'pay-decline', declined);
    await form.fill(scenarios.challenge);
    await expectResult(checkout, 'pay-cancel', { reason: 'challenge' }, async () => await form.issuer.leave());
    await form.fill(scenarios.approved);
    await expectResult(checkout, 'pay-success', {});
    const submits = checkout.events.filter(({ type }) => type === 'pay-submit');
    expect(submits.map(({ detail }) => detail)).toEqual([1, 2, 3].map(() => ({ trigger: 'page' })));
  });

  test('resolves with pay-pending, and the later outcome does not move the focus', async ({ page, server }) => {
    const checkout = await Checkout.open(page, server, {
      around: (element) => `${element}<input aria-label="Message">`,
    });
    await checkout.form.fill(scenarios.unknown);
    await expectResult(checkout, 'pay-pending', {});
    await checkout.expectEvents(['pay-ready'], ['pay-submit', { trigger: 'page' }], ['pay-pending']);
    expect(await checkout.form.outcome()).toBe('pending');
    const message = page.getByLabel('Message');
    await message.pressSequentially('The blue');
    await server.advance(31 * SECOND);
    await expect.poll(() => checkout.eventsWithoutChanges.at(-1)?.type).toBe('pay-success');
    await page.keyboard.type(' one, please');
    await expect(message).toHaveValue('The blue one, please');
  });
});

test('a page pays with its own button', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server, {
    attributes: 'no-button',
    around: (element) => `${element}<button id="buy">Buy</button>`,
    script: `addEventListener('click', ({ target }) => target.id === 'buy' && document.querySelector('pay-form').submit());`,
  });
  const form = new PayForm(checkout.element, { payButton: page.getByRole('button', { name: 'Buy' }) });
  await checkout.waitUntilReady();
  await expect(checkout.form.payButton).toBeHidden();
  await form.fillAndPay(scenarios.approved);
  expect(await form.outcome()).toBe('success');
  await checkout.expectEvents(['pay-ready'], ['pay-submit', { trigger: 'page' }], ['pay-success']);
});

test.describe('in a native form', () => {
  /** A native form, with the events of the page's listener and the submitted bodies. */
  async function openForm(page: Page, server: Parameters<typeof Checkout.open>[1], attributes = 'name="payment"') {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/orders')) sent.push(request.postData() ?? '');
    });
    const checkout = await Checkout.open(page, server, {
      attributes: `no-button ${attributes}`,
      around: (element) =>
        `<form method="post" action="/orders"><input name="message" value="hello" aria-label="Message">${element}<button name="by" value="buy">Buy</button><button type="reset">Start over</button></form>`,
      script: `addEventListener('submit', ({ submitter }) => recordEvent({ type: 'submit', detail: { by: submitter.value } }));`,
    });
    const form = new PayForm(checkout.element, { payButton: page.getByRole('button', { name: 'Buy' }) });
    return { checkout, form, sent };
  }

  test('it is submitted once with the reference, after the payment and not before', async ({ page, server, urls }) => {
    const { checkout, form, sent } = await openForm(page, server);
    const { reference } = checkout;
    const message = page.getByLabel('Message');
    await checkout.waitUntilReady();
    await test.step('checkValidity() does not move the focus', async () => {
      await page.evaluate(() => addEventListener('input', () => document.forms[0]?.checkValidity()));
      await message.press('End');
      await page.keyboard.type(' there');
      await form.field('first_name').fill('Ada');
      await expect(message).toHaveValue('hello there');
      expect(await form.fieldErrors()).toEqual({});
    });
    await test.step('requestSubmit() waits for the payment, and the browser focuses the form', async () => {
      await message.focus();
      await page.evaluate(() => document.forms[0]?.requestSubmit());
      await expect(checkout.element).toBeFocused();
      await checkout.expectEvents(['pay-ready']);
      expect(sent).toEqual([]);
    });
    await test.step('an incomplete form shows what is missing', async () => {
      await checkout.press('Buy');
      await expect(form.field('card_number')).toBeFocused();
      await expect(form.field('card_number')).toHaveAccessibleDescription('Enter your card number.');
      await checkout.expectEvents(['pay-ready']);
      expect(sent).toEqual([]);
    });
    await test.step('a reset button clears the form', async () => {
      await form.fill(scenarios.approved);
      await checkout.press('Start over');
      for (const name of ['card_number', 'card_cvv', 'first_name', 'email'] as const)
        await expect(form.field(name)).toHaveValue('');
      await expect(message).toHaveValue('hello');
    });
    await test.step('a decline does not submit it', async () => {
      await form.fillAndPay(scenarios.declined);
      expect(await form.outcome()).toBe('decline');
      expect(sent).toEqual([]);
    });
    await form.fillAndPay(scenarios.approved);
    await page.waitForURL(`${urls.siteUrl}/orders`);
    expect(checkout.eventsWithoutChanges).toEqual([
      { type: 'pay-ready', detail: { reference } },
      { type: 'pay-submit', detail: { trigger: 'page' } },
      {
        type: 'pay-decline',
        detail: { reference, code: 'card_declined', advice: 'use_other_card', retryable: true, attemptsLeft: 4 },
      },
      { type: 'pay-submit', detail: { trigger: 'page' } },
      { type: 'pay-success', detail: { reference } },
      { type: 'submit', detail: { by: 'buy' } },
    ]);
    expect(sent).toEqual([`message=hello&payment=${reference}&by=buy`]);
    expect((await server.detail(reference)).attempts).toHaveLength(2);
  });

  test('if Enter is pressed in a field of the page, it is paid, also with a challenge, then submitted', async ({
    page,
    server,
    urls,
  }) => {
    const { form, sent } = await openForm(page, server);
    await form.fill(scenarios.challenge);
    await page.getByLabel('Message').press('Enter');
    await form.issuer.approve();
    await page.waitForURL(`${urls.siteUrl}/orders`);
    expect(sent).toHaveLength(1);
  });

  test('a disabled payment form does not block submission', async ({ page, server, urls }) => {
    const { checkout, sent } = await openForm(page, server, 'name="payment" disabled');
    await expect(checkout.form.field('card_number')).toBeDisabled();
    await checkout.press('Buy');
    await page.waitForURL(`${urls.siteUrl}/orders`);
    expect(sent).toEqual(['message=hello&by=buy']);
  });
});

test('an initially hidden form loads silently, and has the page’s theme when shown', async ({ page, server }) => {
  await page.clock.install();
  const checkout = await Checkout.open(page, server, { around: (element) => `<div id="tab" hidden>${element}</div>` });
  await checkout.expectEvents(['pay-ready']);
  await page.clock.fastForward(30_000);
  await checkout.element.evaluate((element: HTMLElement) => element.style.setProperty('--pay-form-radius', '21px'));
  /** Returns the height before the frame can react. */
  const show = async (isShown: boolean) =>
    await page.locator('#tab').evaluate((tab, is) => {
      tab.toggleAttribute('hidden', !is);
      return tab.querySelector('pay-form')?.offsetHeight ?? 0;
    }, isShown);
  const reserved = await show(true);
  await checkout.waitUntilReady();
  const radius = async () =>
    await checkout.form.field('first_name').evaluate((input) => getComputedStyle(input).borderTopLeftRadius);
  await expect.poll(radius).toBe('21px');
  const before = await checkout.element.evaluate((element: HTMLElement) => element.offsetHeight);
  expect(before).toBeGreaterThan(500);
  expect(Math.abs(before - reserved), 'nothing shifts').toBeLessThanOrEqual(1);
  await checkout.form.fill(scenarios.approved);
  await show(false);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => document.documentElement.style.setProperty('color-scheme', 'dark'));
  expect(await show(true)).toBe(before);
  await expect
    .poll(async () => await checkout.frame.locator('html').evaluate((each) => getComputedStyle(each).colorScheme))
    .toBe('dark');
  await checkout.form.pay();
  await checkout.expectEvents(['pay-ready'], ['pay-submit', { trigger: 'buyer' }], ['pay-success']);
});

test('a disabled fieldset disables every field and keeps the input', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server, { around: (element) => `<fieldset>${element}</fieldset>` });
  const { form } = checkout;
  await form.fill(scenarios.approved);
  const disable = async (isDisabled: boolean) =>
    await page.locator('fieldset').evaluate((set: HTMLFieldSetElement, is) => (set.disabled = is), isDisabled);
  await disable(true);
  for (const name of shortForm) await expect(form.field(name)).toBeDisabled();
  await expect(form.payButton).toBeDisabled();
  await disable(false);
  for (const name of shortForm) await expect(form.field(name)).toHaveValue(scenarios.approved[name]);
  await form.pay();
  expect(await form.outcome()).toBe('success');
});

test('validity follows the input, is checked silently, and reported at the fields', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  const { element, form } = checkout;
  await checkout.waitUntilReady();
  const readValidity = async () =>
    await element.evaluate((each) => {
      const payForm = each as PayFormElement;
      return [
        payForm.checkValidity(),
        payForm.matches(':invalid'),
        payForm.validity.valueMissing,
        payForm.validationMessage,
      ];
    });
  expect(await readValidity()).toEqual([false, true, true, 'Enter the card details.']);
  await expect(form.field('card_number')).toHaveAttribute('aria-invalid', 'false');
  expect(await element.evaluate((each) => (each as PayFormElement).reportValidity())).toBe(false);
  await expect(form.field('card_number')).toBeFocused();
  await expect(form.field('card_number')).toHaveAttribute('aria-invalid', 'true');
  await form.fill(scenarios.approved);
  await expect.poll(readValidity).toEqual([true, false, false, '']);
});

test('focus() moves into the form, to the first field or the first error', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await checkout.waitUntilReady();
  const focus = async () => await checkout.element.evaluate((element: HTMLElement) => element.focus());
  await focus();
  await expect(checkout.form.field('card_number')).toBeFocused();
  await checkout.form.fill({ ...scenarios.approved, email: 'ada@' });
  await checkout.form.field('email').blur();
  await focus();
  await expect(checkout.form.field('email')).toBeFocused();
});

test.describe('billing details from the page', () => {
  const withBilling = (details: object) =>
    `addEventListener('DOMContentLoaded', () => { document.querySelector('pay-form').billing = ${JSON.stringify(details)} });`;

  test('are submitted with hidden fields', async ({ page, server }) => {
    const checkout = await Checkout.open(page, server, { script: withBilling(billing) });
    await checkout.waitUntilReady();
    for (const name of Object.keys(billing) as (keyof typeof billing)[])
      await expect(checkout.form.field(name)).toBeHidden();
    await checkout.form.fill(card);
    await checkout.form.pay();
    expect(await checkout.form.outcome()).toBe('success');
  });

  test('show the fields of invalid values', async ({ page, server }) => {
    const details = { ...billing, country: 'Great Britain'.slice(0, 2), email: 'ada@', postcode: '' };
    const checkout = await Checkout.open(page, server, { script: withBilling(details) });
    const { form } = checkout;
    await checkout.waitUntilReady();
    for (const name of ['email', 'postcode', 'country'] as const) await expect(form.field(name)).toBeVisible();
    await expect(form.field('email')).toHaveValue('ada@');
    await expect(form.field('first_name')).toBeHidden();
    await form.fill({ ...card, email: 'ada@example.com', postcode: 'W1J 7NT', country: 'GB' });
    await form.pay();
    expect(await form.outcome()).toBe('success');
  });

  test('show a field that the server rejects, until it is fixed', async ({ page, server }) => {
    const checkout = await Checkout.open(page, server, {
      script: withBilling({ ...billing, email: 'ada..b@example.com' }),
    });
    const { form } = checkout;
    await checkout.waitUntilReady();
    await expect(form.field('email')).toBeHidden();
    await form.fill(card);
    await form.pay();
    await expect(form.field('email')).toBeFocused();
    await form.field('email').press('End');
    await form.field('email').pressSequentially('.uk');
    await expect(form.field('email')).toBeFocused();
    await form.fill({ email: 'ada@example.com' });
    await form.pay();
    expect(await form.outcome()).toBe('success');
  });

  test('may have missing entries', async ({ page, server }) => {
    const checkout = await Checkout.open(page, server);
    await checkout.element.evaluate((element) => {
      const record: Record<string, string | undefined> = { first_name: 'Ada', last_name: undefined };
      (element as PayFormElement).billing = record;
    });
    await expect(checkout.form.field('first_name')).toBeHidden();
    await expect(checkout.form.field('last_name')).toBeVisible();
  });
});
