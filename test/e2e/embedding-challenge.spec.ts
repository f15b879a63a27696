import type { Locator } from '@playwright/test';
import { IssuerPage, scenarios } from '../../testing/index.ts';
import { cards } from '../support/requests.ts';
import { Checkout, shortForm } from './checkout.ts';
import { expect, test } from './fixtures.ts';

const submitted = ['pay-submit', { trigger: 'buyer' }] as const;

const challenged = ({ reference }: Checkout, redirect = false) => ['pay-challenge', { reference, redirect }] as const;
const challengeClosed = ({ reference }: Checkout) => ['pay-cancel', { reference, reason: 'challenge' }] as const;

async function challenge(checkout: Checkout) {
  await checkout.form.fillAndPay(scenarios.challenge);
  expect(await checkout.form.outcome()).toBe('challenge');
}

const dialogOf = ({ frame }: Checkout) => frame.getByRole('dialog', { name: 'Confirm with your bank' });

test('approving the challenge in the dialog pays on the page', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await challenge(checkout);
  await expect(dialogOf(checkout).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await checkout.form.issuer.approve();
  expect(await checkout.form.outcome()).toBe('success');
  await expect(dialogOf(checkout)).toBeHidden();
  await checkout.expectEvents(['pay-ready'], submitted, challenged(checkout), ['pay-success']);
  expect(page.url()).toBe(checkout.address);
  expect((await server.detail(checkout.reference)).status).toBe('transaction_status_confirmed');
});

test('refusing the challenge in the dialog is a decline, and another card pays', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  const { form, reference } = checkout;
  await challenge(checkout);
  await form.issuer.refuse();
  expect(await form.outcome()).toBe('decline');
  await form.fill({ card_number: cards.mastercard, card_cvv: '321' });
  await form.pay();
  await checkout.expectEvents(
    ['pay-ready'],
    submitted,
    challenged(checkout),
    [
      'pay-decline',
      { reference, code: 'authentication_failed', advice: 'use_other_card', retryable: true, attemptsLeft: 4 },
    ],
    submitted,
    ['pay-success'],
  );
});

const closingActions = {
  'its button': async (checkout: Checkout) => await checkout.form.issuer.leave(),
  Escape: async (checkout: Checkout) => {
    await expect(dialogOf(checkout).getByRole('button', { name: 'Cancel' })).toBeFocused();
    await checkout.page.keyboard.press('Escape');
  },
};
for (const [way, leave] of Object.entries(closingActions)) {
  test(`closing the dialog with ${way} returns to the form without the security code`, async ({ page, server }) => {
    const checkout = await Checkout.open(page, server);
    const { form } = checkout;
    await challenge(checkout);
    await leave(checkout);
    await expect(dialogOf(checkout)).toBeHidden();
    expect(await form.outcome()).toBe('cancel');
    await checkout.expectEvents(['pay-ready'], submitted, challenged(checkout), challengeClosed(checkout));
    const kept = { ...scenarios.challenge, card_cvv: '' };
    for (const name of shortForm) await expect(form.field(name)).toHaveValue(kept[name]);
    await form.fill({ card_cvv: '123' });
    await form.pay();
    await form.issuer.approve();
    expect(await form.outcome()).toBe('success');
    const { attempts } = await server.detail(checkout.reference);
    expect(attempts.map(({ state }) => state)).toEqual(['declined', 'approved']);
  });
}

test('a dialog that cannot be abandoned shows an error and still completes', async ({ page, server, faults }) => {
  const checkout = await Checkout.open(page, server);
  const { form } = checkout;
  await challenge(checkout);
  await page.route('**/abandon', (route) => route.abort());
  await dialogOf(checkout).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialogOf(checkout).getByRole('alert')).toHaveText('Something went wrong. Try again in a moment.');
  await form.issuer.approve();
  // No error in between: it would end the attempt.
  await checkout.expectEvents(['pay-ready'], submitted, challenged(checkout), ['pay-success']);
  expect(faults.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
});

test('a frictionless payment raises no challenge', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await checkout.form.fillAndPay(scenarios.frictionless);
  await checkout.expectEvents(['pay-ready'], submitted, ['pay-success']);
  await expect(dialogOf(checkout)).toBeHidden();
  expect((await server.detail(checkout.reference)).status).toBe('transaction_status_confirmed');
});

test('a reloaded page can continue the challenge', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await challenge(checkout);
  await page.reload();
  await checkout.frame.getByRole('button', { name: 'Continue to your bank' }).click();
  await checkout.form.issuer.approve();
  expect(await checkout.form.outcome()).toBe('success');
  await checkout.expectEvents(['pay-ready'], submitted, challenged(checkout), ['pay-ready'], challenged(checkout), [
    'pay-success',
  ]);
  expect((await server.detail(checkout.reference)).attempts).toHaveLength(1);
});

test('a reloaded page accepts another card, with the billing details', async ({ page, server }) => {
  const { card_number, card_expiry, card_cvv, ...billing } = scenarios.approved;
  const checkout = await Checkout.open(page, server, {
    script: `addEventListener('DOMContentLoaded', () => { document.querySelector('pay-form').billing = ${JSON.stringify(billing)} });`,
  });
  await challenge(checkout);
  await page.reload();
  await checkout.frame.getByRole('button', { name: 'Use another card' }).click();
  await expect(checkout.form.field('card_number')).toBeEditable();
  await expect(checkout.form.field('email')).toBeHidden();
  await checkout.form.fillAndPay({ ...scenarios.approved, card_number, card_expiry, card_cvv });
  await checkout.expectEvents(
    ['pay-ready'],
    submitted,
    challenged(checkout),
    ['pay-ready'],
    challengeClosed(checkout),
    submitted,
    ['pay-success'],
  );
});

// EMV 3-D Secure, challengeWindowSize. The page has a margin of 8 pixels, and the dialog a border.
const windowSizes = [
  { viewport: 360, size: { width: 342, height: 600 }, name: 'as wide as possible' },
  { viewport: 420, size: { width: 390, height: 400 }, name: '390 by 400' },
  { viewport: 800, size: { width: 500, height: 600 }, name: '500 by 600' },
];
for (const { viewport, size, name } of windowSizes) {
  test(`the challenge is ${name} on a page of ${viewport} pixels, and not cut off`, async ({ page, server }) => {
    await page.setViewportSize({ width: viewport, height: 740 });
    const checkout = await Checkout.open(page, server);
    await challenge(checkout);
    const challengeFrame = dialogOf(checkout).locator('iframe');
    const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { y: 0, width: 0, height: 0 };
    await expect
      .poll(async () => {
        const { width, height } = await boxOf(challengeFrame);
        return { width: Math.round(width), height: Math.round(height) };
      })
      .toEqual(size);
    // The frame grows with its dialog, so that nothing is cut off.
    await expect
      .poll(async () => {
        const [form, box] = [await boxOf(checkout.element), await boxOf(challengeFrame)];
        return form.y + form.height - (box.y + size.height);
      })
      .toBeGreaterThanOrEqual(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await checkout.form.issuer.approve();
    expect(await checkout.form.outcome()).toBe('success');
  });
}

test.describe('with redirect="top"', () => {
  const attributes = 'redirect="top"';

  test('returns to the success URL', async ({ page, server, urls }) => {
    const checkout = await Checkout.open(page, server, { attributes });
    await checkout.form.fillAndPay(scenarios.challenge);
    await page.waitForURL(`${urls.url}/sandbox/issuer/*`);
    await new IssuerPage(page).approve();
    await page.waitForURL(`${urls.siteUrl}/paid`);
    await checkout.expectEvents(['pay-ready'], submitted, challenged(checkout, true));
    expect((await server.detail(checkout.reference)).status).toBe('transaction_status_confirmed');
  });

  test('returns to the failure URL, where the same form accepts another card', async ({ page, server, urls }) => {
    const checkout = await Checkout.open(page, server, { attributes });
    await checkout.form.fillAndPay(scenarios.challenge);
    await page.waitForURL(`${urls.url}/sandbox/issuer/*`);
    await new IssuerPage(page).refuse();
    await page.waitForURL(`${urls.siteUrl}/not-paid`);
    await page.goto(checkout.address);
    await checkout.form.fillAndPay(scenarios.approved);
    expect(await checkout.form.outcome()).toBe('success');
  });

  test('the back button returns to the open challenge', async ({ page, server, urls }) => {
    const checkout = await Checkout.open(page, server, { attributes });
    await checkout.form.fillAndPay(scenarios.challenge);
    await page.waitForURL(`${urls.url}/sandbox/issuer/*`);
    await page.goBack();
    await checkout.frame.getByRole('button', { name: 'Continue to your bank' }).click();
    await page.waitForURL(`${urls.url}/sandbox/issuer/*`);
    await new IssuerPage(page).approve();
    await page.waitForURL(`${urls.siteUrl}/paid`);
  });
});
