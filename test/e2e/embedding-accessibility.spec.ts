import type { Page } from '@playwright/test';
import { HOUR } from '../../src/shared/time.ts';
import { scenarios } from '../../testing/index.ts';
import { findings } from './barriers.ts';
import { Checkout, type CheckoutOptions, shortForm } from './checkout.ts';
import { expect, test } from './fixtures.ts';

type Fixtures = { page: Page; server: Parameters<typeof Checkout.open>[1]; faults: string[] };

const around = (element: string) =>
  `<main><h1>Checkout</h1><input aria-label="Before">${element}<input aria-label="After"></main>`;

/** Brings one form into each state that a buyer can reach from an empty form, in this order. */
const journey = {
  async empty(checkout) {
    await checkout.waitUntilReady();
    const status = checkout.frame.getByRole('status');
    await expect(status).toHaveCount(1);
    await expect(status).toBeEmpty();
    // Screen readers do not observe a live region that is not rendered.
    const alert = checkout.element.getByRole('alert');
    await expect(alert).toHaveCount(1);
    await expect(alert).toBeEmpty();
    await expectAutofillTokens(checkout);
    await expectTabOrder(checkout);
  },
  async disabled({ element, form }) {
    await element.evaluate((each) => each.setAttribute('disabled', ''));
    await expect(form.field('card_number')).toBeDisabled();
  },
  async field_errors({ element, form }) {
    await element.evaluate((each) => each.removeAttribute('disabled'));
    await form.pay();
    await expect(form.field('card_number')).toBeFocused();
  },
  async declined({ form, frame }) {
    await form.fill(scenarios.declined);
    await form.field('email').press('Enter');
    expect(await form.outcome()).toBe('decline');
    await expect(frame.getByRole('status')).toHaveText(/^Your card was declined\. /);
  },
  async challenge({ form }) {
    await form.fillAndPay(scenarios.challenge);
    await expect(form.issuer.heading).toBeVisible();
  },
  async paid({ form }) {
    await form.issuer.approve();
    expect(await form.outcome()).toBe('success');
  },
} satisfies Record<string, (checkout: Checkout) => Promise<void>>;

/** Opens the form in each of the other states that a buyer can see. */
const states = {
  async busy({ page, server }, options) {
    const script = `document.addEventListener('pay-submit', ({ detail }) => detail.waitUntil(new Promise(() => {})));`;
    const checkout = await Checkout.open(page, server, { ...options, script });
    await checkout.form.fillAndPay(scenarios.approved);
    await expect(checkout.frame.getByRole('button', { name: 'Paying $12.50…' })).toBeVisible();
    // With reduced motion nothing moves.
    expect(await checkout.frame.locator('html').evaluate(() => document.getAnimations().length)).toBe(0);
    return checkout;
  },
  async pending({ page, server }, options) {
    const checkout = await Checkout.open(page, server, options);
    await checkout.form.fillAndPay(scenarios.unknown);
    expect(await checkout.form.outcome()).toBe('pending');
    return checkout;
  },
  async expired({ page, server }, options) {
    await server.setPreference('link-lifetime-minutes', '5');
    const checkout = await Checkout.serve(page, server, options);
    await server.setPreference('link-lifetime-minutes', null);
    await server.advance(HOUR);
    await page.goto(checkout.address);
    await expect(checkout.frame.getByRole('heading', { name: /expired/ })).toBeVisible();
    return checkout;
  },
  async refused({ page, server }, options) {
    await server.setPreference('embed-origin-list', '["https://shop.example"]');
    const checkout = await Checkout.open(page, server, options);
    await expect(checkout.frame.getByText(/not allowed to embed/)).toBeVisible();
    await server.setPreference('embed-origin-list', null);
    return checkout;
  },
  async 'not loaded'({ page, server, faults }, options) {
    await page.clock.install();
    const checkout = await Checkout.serve(page, server, options);
    await page.route('**/e/**', (route) => route.abort());
    await page.goto(checkout.address);
    await page.clock.fastForward(4000);
    await expect(checkout.element.getByRole('button', { name: 'Try again' })).toBeVisible();
    faults.length = 0;
    return checkout;
  },
  async 'of a payment link'({ page, server }, options) {
    const { link } = await server.createLink();
    const checkout = await Checkout.open(page, server, { ...options, src: link });
    await checkout.waitUntilReady();
    return checkout;
  },
} satisfies Record<string, (fixtures: Fixtures, options: CheckoutOptions) => Promise<Checkout>>;

/** A dark page, and one that does not declare `color-scheme`, with its colors as tokens. */
const style = `<style nonce="test">
  :root.dark { color-scheme: dark; background: #101010; color: #eee }
  .themed body { background: #0b1020; color: #e8ecf8 }
  .themed pay-form {
    --pay-form-background: #0b1020; --pay-form-text: #e8ecf8; --pay-form-text-muted: #aab4d4;
    --pay-form-error: #ff9d9d; --pay-form-accent: #ffd166; --pay-form-accent-text: #221a00;
    --pay-form-field-background: #18203c; --pay-form-field-text: #fff; --pay-form-placeholder: #aab4d4;
  }</style>`;

const options = { around: (element: string) => style + around(element) };

test('with the form in each state of a payment: no axe violations (WCAG 2.2 AA), and every text is readable on dark pages', async ({
  page,
  server,
}) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const checkout = await Checkout.open(page, server, options);
  for (const [name, reach] of Object.entries(journey)) {
    await test.step(name, async () => {
      await reach(checkout);
      await expectAccessible(checkout, name);
      await page.evaluate(() => (document.documentElement.className = ''));
      await checkout.element.evaluate((element: HTMLElement) => (element.dir = ''));
      await expect(checkout.frame.locator('html')).toHaveAttribute('dir', 'ltr');
    });
  }
});

for (const [name, reach] of Object.entries(states)) {
  test(`with the form ${name}: no axe violations (WCAG 2.2 AA), and every text is readable on dark pages`, async ({
    page,
    server,
    faults,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const checkout = await reach({ page, server, faults }, options);
    await expectAccessible(checkout, name);
  });
}

/** The states in which the form can be paid. */
const payable: readonly string[] = ['empty', 'field_errors', 'declined', 'of a payment link'] satisfies (
  | keyof typeof journey
  | keyof typeof states
)[];

/** Checks the form on a light, a dark and a themed page, and right to left. */
async function expectAccessible(checkout: Checkout, name: string) {
  const { page } = checkout;
  expect(await findings(page)).toEqual([]);
  const usePage = async (look: 'dark' | 'themed') =>
    await page.evaluate((className) => (document.documentElement.className = className), look);
  const colorOf = async () =>
    await checkout.frame.locator('html').evaluate((root) => getComputedStyle(root).getPropertyValue('color'));

  await page.emulateMedia({ colorScheme: 'dark' });
  await usePage('dark');
  if (name === 'not loaded') {
    expect(await findings(page)).toEqual([]);
    return;
  }
  await expect.poll(colorOf).toBe('rgb(240, 239, 233)');
  // Only colors depend on the scheme, and axe treats a transparent frame as white.
  expect(await unreadableIn(checkout, '#101010')).toEqual([]);
  // A refused page cannot style the frame.
  if (name === 'refused') return;

  // No tool can compute the background of a transparent frame, so the test checks every text against it.
  await page.emulateMedia({ colorScheme: 'light' });
  await usePage('themed');
  await expect.poll(colorOf).toBe('rgb(232, 236, 248)');
  expect(await unreadableIn(checkout, '#0b1020')).toEqual([]);
  if (payable.includes(name)) {
    await checkout.form.payButton.hover();
    expect(await unreadableIn(checkout, '#0b1020')).toEqual([]);
  }

  await checkout.element.evaluate((element: HTMLElement) => (element.dir = 'rtl'));
  await expect(checkout.frame.locator('html')).toHaveAttribute('dir', 'rtl');
  expect(await findings(page, { withoutRules: ['color-contrast'] })).toEqual([]);
}

const unreadableIn = async ({ frame }: Checkout, background: string) =>
  await frame.locator('html').evaluate(unreadableTexts, background);

/**
 * Texts with a contrast below 4.5 to their background; `ground` is the color of the page around the frame. Runs in
 * the frame.
 */
function unreadableTexts(root: HTMLElement, ground: string): string[] {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!canvas) throw new Error('The canvas is missing');
  /** Blends layered colors; the last one is on top. */
  const blend = (...colors: string[]): number[] => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (rgb: number[]) => {
    const [r = 0, g = 0, b = 0] = rgb.map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found: string[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    const element = node.parentElement;
    const text = node.textContent?.trim();
    if (!text || !element?.checkVisibility() || element.closest('.visually-hidden, option')) continue;
    const backgrounds = [];
    for (let each: Element | null = element; each; each = each.parentElement) {
      backgrounds.unshift(getComputedStyle(each).backgroundColor);
    }
    const [a, b] = [blend(ground, ...backgrounds, getComputedStyle(element).color), blend(ground, ...backgrounds)].map(
      luminance,
    );
    const [lighter, darker] = [Math.max(a ?? 0, b ?? 0), Math.min(a ?? 0, b ?? 0)];
    const contrast = (lighter + 0.05) / (darker + 0.05);
    if (contrast < 4.5) found.push(`${contrast.toFixed(2)}: ${text}`);
  }
  return found;
}

/** Tab moves through page, form and page in reading order, and back. */
async function expectTabOrder({ page, form, frame }: Checkout) {
  const stops = [
    page.getByLabel('Before'),
    ...shortForm.map((name) => form.field(name)),
    form.payButton,
    // Test cards of the sandbox, which production does not have.
    ...(await frame.getByRole('group', { name: 'Sandbox: test cards' }).getByRole('button').all()),
    page.getByLabel('After'),
  ];
  await stops[0]?.focus();
  for (const stop of stops.slice(1)) {
    await page.keyboard.press('Tab');
    await expect(stop).toBeFocused();
  }
  for (const stop of stops.toReversed().slice(1)) {
    await page.keyboard.press('Shift+Tab');
    await expect(stop).toBeFocused();
  }
}

/** All fields are in one form of one document, each with its autofill token. */
async function expectAutofillTokens({ frame }: Checkout) {
  const fields = await frame.locator('input, select').evaluateAll((controls) =>
    (controls as HTMLInputElement[]).map((control) => ({
      label: control.labels?.[0]?.textContent,
      token: control.autocomplete,
      form: control.form?.id,
    })),
  );
  const tokens = {
    'Card number': 'cc-number',
    Expiry: 'cc-exp',
    'Security code': 'cc-csc',
    'First name': 'given-name',
    'Last name': 'family-name',
    Country: 'country',
    'ZIP code': 'postal-code',
    Email: 'email',
  };
  expect(fields).toEqual(Object.entries(tokens).map(([label, token]) => ({ label, token, form: 'card-form' })));
}
