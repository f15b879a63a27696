import type { Page } from '@playwright/test';
import type { RemoteServer } from '../support/server-process.ts';
import { Checkout } from './checkout.ts';
import { expect, test } from './fixtures.ts';

const thai = { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 1250.5 };

/** A payment link with every method, on a merchant's page. */
async function openLink(page: Page, server: RemoteServer, fields: Record<string, unknown>, script = '') {
  const { link, reference } = await server.createLinkWithMethods(fields);
  const checkout = await Checkout.open(page, server, { src: link, script });
  await expect(checkout.frame.locator('.pay')).toBeVisible();
  return { checkout, link, reference };
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
  const submit = async () =>
    await checkout.element.evaluate(async (element) => {
      const end = await (element as HTMLElementTagNameMap['pay-form']).submit();
      return 'code' in end.detail ? end.detail.code : end.type;
    });
  expect(await submit()).toBe('incomplete');
  await expect(checkout.frame.getByText('Choose your bank.').last()).toBeVisible();
  await checkout.frame.getByRole('radio', { name: 'PromptPay' }).check();
  const paid = submit();
  await expect(checkout.frame.getByRole('img', { name: 'QR code for PromptPay' })).toBeVisible();
  await server.simulate(link, 'exact');
  expect(await paid).toBe('pay-success');
  expect((await server.pageState(link)).phase).toBe('paid');
  expect(checkout.eventsWithoutChanges.map(({ type }) => type)).toEqual([
    'pay-ready',
    'pay-error',
    'pay-submit',
    'pay-success',
  ]);
  expect(checkout.eventsWithoutChanges.at(-1)?.detail).toEqual({ reference });
});

test('a prevented payment starts no method', async ({ page, server }) => {
  const script = "addEventListener('pay-submit', (event) => event.preventDefault());";
  const { checkout, link, reference } = await openLink(page, server, thai, script);
  await checkout.form.pay();
  await checkout.expectEvents(
    ['pay-ready', { reference }],
    ['pay-submit', { trigger: 'buyer' }],
    ['pay-cancel', { reference, reason: 'prevented' }],
  );
  expect((await server.pageState(link)).started).toBe(null);
});
