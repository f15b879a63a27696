import { expect, test } from '@playwright/test';
import { IssuerPage, LinkPage, PayForm, scenarios } from '@paylatch/testing';

test('a buyer pays', async ({ page }) => {
  const form = new PayForm(page.locator('pay-form'), { payButton: page.getByRole('button', { name: 'Buy' }) });
  await form.fillAndPay(scenarios.challenge);
  await form.issuer.approve();
  await new IssuerPage(page).decline();
  expect(await form.outcome()).toBe('success');
  const fieldErrors = await form.fieldErrors();
  expect(fieldErrors.card_cvv).toBe(undefined);
  const link = new LinkPage(page);
  await link.fill({ card_number: '4242 4242 4242 4242' });
  await expect(link.field('email')).toBeVisible();

  // @ts-expect-error -- no such field
  await link.fill({ pin: '1234' });
  // @ts-expect-error -- no such scenario
  await link.fillAndPay(scenarios.free);
  // @ts-expect-error -- a page is not an element
  new PayForm(page);
});
