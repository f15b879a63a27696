import type { Locator, Page } from '@playwright/test';
import { IssuerPage, scenarios } from '../../testing/index.ts';
import { Checkout, shortForm } from './checkout.ts';
import { expect, test } from './fixtures.ts';

const submitted = ['pay-submit', { trigger: 'buyer' }] as const;

const challenged = ({ reference }: Checkout, redirect = false) => ['pay-challenge', { reference, redirect }] as const;
const challengeClosed = ({ reference }: Checkout) => ['pay-cancel', { reference, reason: 'challenge' }] as const;

async function challenge(checkout: Checkout) {
  await checkout.form.fillAndPay(scenarios.challenge);
  expect(await checkout.form.outcome()).toBe('challenge');
}

/** Pays by a challenge outside the frame, after returning from the issuer's page once. */
async function payOnIssuerPage(page: Page, checkout: Checkout, { url, siteUrl }: { url: string; siteUrl: string }) {
  await checkout.form.fillAndPay(scenarios.challenge);
  await page.waitForURL(`${url}/sandbox/issuer/*`);
  await checkout.expectEvents(['pay-ready'], submitted, challenged(checkout, true));
  await page.goBack();
  await checkout.frame.getByRole('button', { name: 'Continue to your bank' }).click();
  await page.waitForURL(`${url}/sandbox/issuer/*`);
  await new IssuerPage(page).approve();
  await page.waitForURL(`${siteUrl}/paid`);
}

const dialogOf = ({ frame }: Checkout) => frame.getByRole('dialog', { name: 'Confirm with your bank' });

test('refusing the challenge in the dialog is a decline, and a frictionless card pays without a dialog', async ({
  page,
  server,
}) => {
  const checkout = await Checkout.open(page, server);
  const { form, reference } = checkout;
  await challenge(checkout);
  await form.issuer.decline();
  expect(await form.outcome()).toBe('decline');
  await form.fillAndPay(scenarios.frictionless);
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
  await expect(dialogOf(checkout)).toBeHidden();
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
});

const closingActions = {
  'its button': async (checkout: Checkout) => await checkout.form.issuer.leave(),
  Escape: async (checkout: Checkout) => {
    await expect(dialogOf(checkout).getByRole('button', { name: 'Cancel' })).toBeFocused();
    await checkout.page.keyboard.press('Escape');
  },
};
test('closing the dialog returns to the form without the security code', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  const { form } = checkout;
  const rounds = [];
  for (const [way, leave] of Object.entries(closingActions)) {
    await challenge(checkout);
    await leave(checkout);
    await expect(dialogOf(checkout), way).toBeHidden();
    expect(await form.outcome(), way).toBe('cancel');
    rounds.push(submitted, challenged(checkout), challengeClosed(checkout));
    await checkout.expectEvents(['pay-ready'], ...rounds);
    const kept = { ...scenarios.challenge, card_cvv: '' };
    for (const name of shortForm) await expect(form.field(name), way).toHaveValue(kept[name]);
  }
  await form.fill({ card_cvv: '123' });
  await form.pay();
  await form.issuer.approve();
  expect(await form.outcome()).toBe('success');
  const { attempts } = await server.detail(checkout.reference);
  expect(attempts.map(({ state }) => state)).toEqual(['declined', 'declined', 'approved']);
});

test('the form continues the challenge if the browser has closed the dialog, as for a second Escape', async ({
  page,
  server,
}) => {
  const abandoned = Promise.withResolvers<void>();
  // Before the frame loads: a key may arrive at an open frame before its interception.
  await page.route('**/abandon', async (route) => {
    await abandoned.promise;
    await route.fulfill({ status: 409 });
  });
  const checkout = await Checkout.open(page, server);
  await challenge(checkout);
  await expect(dialogOf(checkout).getByRole('button', { name: 'Cancel' })).toBeFocused();
  const requested = page.waitForRequest('**/abandon');
  await page.keyboard.press('Escape');
  await requested;
  // Whether the second Escape closes the dialog depends on the browser's memory of the last click.
  await dialogOf(checkout).evaluate((dialog) => (dialog as HTMLDialogElement).close());
  await expect(dialogOf(checkout)).toBeHidden();
  await expect(checkout.frame.getByRole('heading', { name: 'Confirm with your bank' })).toBeVisible();
  abandoned.resolve();
  await checkout.frame.getByRole('button', { name: 'Continue to your bank' }).click();
  await checkout.form.issuer.approve();
  expect(await checkout.form.outcome()).toBe('success');
});

test('the issuer’s page can open another page, such as the bank’s app', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  await challenge(checkout);
  const bank = dialogOf(checkout).locator('iframe').contentFrame();
  await bank.locator('body').evaluate((body) => {
    const link = document.createElement('a');
    Object.assign(link, { href: location.href, target: '_blank', textContent: 'Open the app' });
    body.prepend(link);
  });
  const opened = page.waitForEvent('popup');
  await bank.getByRole('link', { name: 'Open the app' }).click();
  await new IssuerPage(await opened).heading.waitFor();
  await (await opened).close();
  await checkout.form.issuer.approve();
  expect(await checkout.form.outcome()).toBe('success');
});

test('the page is left for the challenge if the dialog does not load', async ({ page, server, urls, faults }) => {
  await page.route('**/challenge-dialog-*.js', (route) => route.abort());
  const checkout = await Checkout.open(page, server);
  await payOnIssuerPage(page, checkout, urls);
  expect(new Set(faults.splice(0))).toEqual(new Set(['Failed to load resource: net::ERR_FAILED']));
});

test('approving pays on the page, even after the dialog could not be abandoned', async ({ page, server, faults }) => {
  await page.route('**/abandon', (route) => route.abort());
  const checkout = await Checkout.open(page, server);
  const { form } = checkout;
  await challenge(checkout);
  await expect(dialogOf(checkout).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialogOf(checkout).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialogOf(checkout).getByRole('alert')).toHaveText('Something went wrong. Try again in a moment.');
  await form.issuer.approve();
  expect(await form.outcome()).toBe('success');
  await expect(dialogOf(checkout)).toBeHidden();
  // No error in between: it would end the attempt.
  await checkout.expectEvents(['pay-ready'], submitted, challenged(checkout), ['pay-success']);
  expect(page.url()).toBe(checkout.address);
  expect((await server.detail(checkout.reference)).status).toBe('transaction_status_confirmed');
  expect(faults.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
});

test('a reloaded page accepts another card, with the billing details, or continues the challenge', async ({
  page,
  server,
}) => {
  const { card_number: _number, card_expiry: _expiry, card_cvv: _cvv, ...billing } = scenarios.challenge;
  const checkout = await Checkout.open(page, server, {
    script: `addEventListener('DOMContentLoaded', () => { document.querySelector('pay-form').billing = ${JSON.stringify(billing)} });`,
  });
  await challenge(checkout);
  await page.reload();
  await checkout.frame.getByRole('button', { name: 'Use another card' }).click();
  await expect(checkout.form.field('card_number')).toBeEditable();
  await expect(checkout.form.field('email')).toBeHidden();
  await challenge(checkout);
  await page.reload();
  await checkout.frame.getByRole('button', { name: 'Continue to your bank' }).click();
  await checkout.form.issuer.approve();
  expect(await checkout.form.outcome()).toBe('success');
  await checkout.expectEvents(
    ['pay-ready'],
    submitted,
    challenged(checkout),
    ['pay-ready'],
    challengeClosed(checkout),
    submitted,
    challenged(checkout),
    ['pay-ready'],
    challenged(checkout),
    ['pay-success'],
  );
  expect((await server.detail(checkout.reference)).attempts).toHaveLength(2);
});

// The page has a margin of 8 pixels, and the dialog a border.
const windowSizes = [
  { viewport: 360, size: { width: 342, height: 600 }, name: 'a phone' },
  { viewport: 800, size: { width: 782, height: 600 }, name: 'a wide form' },
];
test('the challenge is as wide as the form, and is not cut off', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server);
  for (const { viewport, size, name } of windowSizes) {
    await page.setViewportSize({ width: viewport, height: 740 });
    await challenge(checkout);
    const challengeFrame = dialogOf(checkout).locator('iframe');
    const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { y: 0, width: 0, height: 0 };
    await expect
      .poll(async () => {
        const { width, height } = await boxOf(challengeFrame);
        return { width: Math.round(width), height: Math.round(height) };
      }, name)
      .toEqual(size);
    // The frame grows with its dialog, so that nothing is cut off.
    await expect
      .poll(async () => {
        const [form, box] = [await boxOf(checkout.element), await boxOf(challengeFrame)];
        return form.y + form.height - (box.y + size.height);
      }, name)
      .toBeGreaterThanOrEqual(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBeLessThanOrEqual(0);
    // The sandbox's issuer page fits without scrolling.
    const scrolled = challengeFrame.contentFrame().locator(':root');
    await expect
      .poll(async () => await scrolled.evaluate((root) => root.scrollHeight - root.clientHeight), name)
      .toBe(0);
    if (viewport === windowSizes.at(-1)?.viewport) break;
    await checkout.form.issuer.leave();
    await expect(dialogOf(checkout)).toBeHidden();
  }
  await checkout.form.issuer.approve();
  expect(await checkout.form.outcome()).toBe('success');
});

test.describe('with redirect="top"', () => {
  const attributes = 'redirect="top"';

  test('returns to the failure URL, where the same form accepts another card', async ({ page, server, urls }) => {
    const checkout = await Checkout.open(page, server, { attributes });
    await checkout.form.fillAndPay(scenarios.challenge);
    await page.waitForURL(`${urls.url}/sandbox/issuer/*`);
    await new IssuerPage(page).decline();
    await page.waitForURL(`${urls.siteUrl}/not-paid`);
    await page.goto(checkout.address);
    await checkout.form.fillAndPay(scenarios.approved);
    expect(await checkout.form.outcome()).toBe('success');
  });

  test('returns to the success URL, even after the back button', async ({ page, server, urls }) => {
    const checkout = await Checkout.open(page, server, { attributes });
    await payOnIssuerPage(page, checkout, urls);
    expect((await server.detail(checkout.reference)).status).toBe('transaction_status_confirmed');
  });
});
