import type { Page } from '@playwright/test';
import type { RemoteServer } from '../support/server-process.ts';
import { Checkout, type CheckoutOptions } from './checkout.ts';
import { expect, test } from './fixtures.ts';

const thai = { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 1250.5 };

/** A payment link with every method, on a merchant's page. */
async function openLink(
  page: Page,
  server: RemoteServer,
  fields: Record<string, unknown>,
  options: CheckoutOptions = {},
) {
  const { link, reference } = await server.createLinkWithMethods(fields);
  const checkout = await Checkout.open(page, server, { src: link, ...options });
  await expect(checkout.frame.locator('.pay')).toBeVisible();
  return { checkout, link, reference };
}

/** Calls `submit()`. Once called, `ended` returns the code of the event that ends the attempt, or its type. */
async function startSubmit({ element }: Checkout): Promise<{ ended: () => Promise<string> }> {
  // An object, because `evaluateHandle` waits for a promise.
  const attempt = await element.evaluateHandle((each) => ({
    end: (each as HTMLElementTagNameMap['pay-form']).submit(),
  }));
  return {
    ended: async () =>
      await attempt.evaluate(async ({ end }) => {
        const { detail, type } = await end;
        return 'code' in detail ? detail.code : type;
      }),
  };
}

async function submitForm(checkout: Checkout): Promise<string> {
  const { ended } = await startSubmit(checkout);
  return await ended();
}

test('a QR code is shown and paid on the merchant’s page, which receives the events', async ({ page, server }) => {
  const { checkout, link, reference } = await openLink(page, server, thai);
  await checkout.form.pay();
  await expect(checkout.frame.getByRole('img', { name: 'QR code for PromptPay' })).toBeVisible();
  await server.simulate(link, 'exact');
  await expect(checkout.frame.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  await checkout.expectEvents(
    ['pay-ready', { reference }],
    ['pay-submit', { trigger: 'buyer' }],
    ['pay-success', { reference }],
  );
});

test('a bank opens in a new tab, and the page shows the outcome', async ({ page, context, server }) => {
  const { checkout, reference } = await openLink(page, server, { ...thai, payment_method: 'online_banking' });
  await checkout.frame.getByRole('radio', { name: 'SCB' }).check();
  await checkout.form.pay();
  const opened = context.waitForEvent('page');
  await checkout.frame.getByRole('link', { name: 'Continue to SCB' }).click();
  const bank = await opened;
  await bank.getByRole('button', { name: 'Pay in full' }).click();
  await expect(checkout.frame.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  expect(page.url()).toBe(checkout.address);
  await checkout.expectEvents(
    ['pay-ready', { reference }],
    ['pay-submit', { trigger: 'buyer' }],
    ['pay-success', { reference }],
  );
});

test('the page’s own button starts the open method, and reports a missing choice', async ({ page, server }) => {
  const { checkout, link, reference } = await openLink(page, server, { ...thai, payment_method: 'online_banking' });
  const submit = async () => await submitForm(checkout);
  expect(await submit()).toBe('incomplete');
  await expect(checkout.frame.getByText('Choose your bank.').last()).toBeVisible();
  await checkout.frame.getByRole('radio', { name: 'PromptPay' }).check();
  const paid = submit();
  await expect(checkout.frame.getByRole('img', { name: 'QR code for PromptPay' })).toBeVisible();
  await server.simulate(link, 'exact');
  expect(await paid).toBe('pay-success');
  expect((await server.pageState(link)).phase).toBe('paid');
  await expect
    .poll(() => checkout.eventsWithoutChanges.map(({ type }) => type))
    .toEqual(['pay-ready', 'pay-error', 'pay-submit', 'pay-success']);
  expect(checkout.eventsWithoutChanges.at(-1)?.detail).toEqual({ reference });
});

test('a prevented payment starts no method', async ({ page, server }) => {
  const script = "addEventListener('pay-submit', (event) => event.preventDefault());";
  const { checkout, link, reference } = await openLink(page, server, thai, { script });
  await checkout.form.pay();
  await checkout.expectEvents(
    ['pay-ready', { reference }],
    ['pay-submit', { trigger: 'buyer' }],
    ['pay-cancel', { reference, reason: 'prevented' }],
  );
  expect((await server.pageState(link)).started).toBe(null);
});

test('submit() ends when the method is refused, and does nothing while its instructions are shown', async ({
  page,
  server,
}) => {
  const { checkout, link } = await openLink(page, server, thai);
  const first = await startSubmit(checkout);
  await expect(checkout.frame.getByRole('img', { name: 'QR code for PromptPay' })).toBeVisible();
  const second = await startSubmit(checkout);
  await server.simulate(link, 'refuse');
  expect([await first.ended(), await second.ended()]).toEqual(['method_refused', 'method_refused']);
  await expect.poll(() => checkout.eventsWithoutChanges.at(-1)?.detail).toMatchObject({ retryable: true });
  const { message } = checkout.eventsWithoutChanges.at(-1)?.detail ?? {};
  await expect(checkout.frame.locator('page-notice')).toContainText(String(message));
});

test('a native form waits for the payment with a method other than the card', async ({ page, server }) => {
  const { checkout, link } = await openLink(page, server, thai, {
    around: (element) => `<form>${element}<button>Buy</button></form>`,
    script: "addEventListener('submit', (event) => { event.preventDefault(); document.title = 'Ordered'; });",
  });
  await checkout.press('Buy');
  await expect(checkout.frame.getByRole('img', { name: 'QR code for PromptPay' })).toBeVisible();
  expect(await page.title()).not.toBe('Ordered');
  await server.simulate(link, 'exact');
  await expect(page).toHaveTitle('Ordered');
});

test('the element is valid while a method is open that needs no input', async ({ page, server }) => {
  const { checkout } = await openLink(page, server, { payment_method: 'crypto_payment' });
  const isValid = async () =>
    await checkout.element.evaluate((each) => (each as HTMLElementTagNameMap['pay-form']).checkValidity());
  await expect.poll(isValid).toBe(true);
  const method = (code: string) => checkout.frame.locator(`[name=method][value=${code}]`);
  await method('credit_card').check();
  await expect.poll(isValid).toBe(false);
  await method('crypto_payment').check();
  await expect.poll(isValid).toBe(true);
});
