import { scenarios } from '../../testing/index.ts';
import { Checkout } from './checkout.ts';
import { expect, test } from './fixtures.ts';

test('x', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await checkout.form.fillAndPay(scenarios.approved);
  expect(await checkout.form.outcome()).toBe('success');
  console.log(JSON.stringify(checkout.events, null, 1));
  await page.screenshot({ path: '/tmp/a.png', fullPage: true });
});
test('c', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await checkout.form.fillAndPay(scenarios.challenge);
  expect(await checkout.form.outcome()).toBe('challenge');
  await page.screenshot({ path: '/tmp/c.png', fullPage: true });
  await page.keyboard.press('Escape');
  expect(await checkout.form.outcome()).toBe('cancel');
  console.log(JSON.stringify(checkout.told, null, 1));
  await page.screenshot({ path: '/tmp/b.png', fullPage: true });
});
