import { scenarios } from '../../testing/index.ts';
import { Checkout } from './checkout.ts';
import { expect, test } from './fixtures.ts';

type PayFormElement = HTMLElementTagNameMap['pay-form'];

const style = `<style nonce="test">
  :root { color-scheme: light dark }
  .bright { color-scheme: light }
  .night { color-scheme: dark; --pay-form-accent: #ffd166; --pay-form-accent-text: #221a00 }
  @media (max-width: 600px) { pay-form { --pay-form-radius: 21px } }
</style>`;
const around = (element: string) => style + element;

const propertyOf = async ({ frame }: Checkout, selector: string, property: string) =>
  await frame
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

interface Change {
  change: (checkout: Checkout) => Promise<unknown>;
  read: (checkout: Checkout) => Promise<string>;
  expected: string;
}

/** Changes of the page while the buyer types, in this order, and their expected effect in the frame. */
const changes: Record<string, Change> = {
  'another language': {
    change: async ({ element }) => await element.evaluate((each) => ((each as PayFormElement).locale = 'en-GB')),
    read: async ({ frame }) => await frame.getByRole('button', { name: /^Pay/ }).innerText(),
    expected: 'Pay US$12.50',
  },
  'another direction': {
    change: async ({ element }) => await element.evaluate((each: HTMLElement) => (each.dir = 'rtl')),
    read: async (checkout) => await propertyOf(checkout, 'label', 'direction'),
    expected: 'rtl',
  },
  'a font from the page': {
    change: async ({ page }) =>
      await page.evaluate(() => document.documentElement.style.setProperty('--pay-form-font-family', 'Georgia, serif')),
    read: async (checkout) => await propertyOf(checkout, 'input', 'font-family'),
    expected: 'Georgia, serif',
  },
  'a token in a media query': {
    change: async ({ page }) => await page.setViewportSize({ width: 500, height: 800 }),
    read: async (checkout) => await propertyOf(checkout, 'input', 'border-radius'),
    expected: '21px',
  },
  'another theme': {
    change: async ({ element }) => await element.evaluate((each) => ((each as PayFormElement).theme = 'dark')),
    read: async (checkout) => await propertyOf(checkout, 'label', 'color'),
    expected: 'rgb(240, 239, 233)',
  },
  'the theme of the page': {
    change: async ({ element }) => await element.evaluate((each) => each.removeAttribute('theme')),
    read: async (checkout) => await propertyOf(checkout, 'html', 'color-scheme'),
    expected: 'light',
  },
  'a class with tokens': {
    change: async ({ page }) => await page.evaluate(() => document.documentElement.classList.add('night')),
    read: async (checkout) => await propertyOf(checkout, '.pay', 'background-color'),
    expected: 'rgb(255, 209, 102)',
  },
  'a class with a scheme': {
    change: async ({ page }) =>
      await page.evaluate(() => document.documentElement.classList.replace('night', 'bright')),
    read: async (checkout) => await propertyOf(checkout, 'html', 'color-scheme'),
    expected: 'light',
  },
  'the system’s color scheme': {
    change: async ({ page }) => {
      await page.evaluate(() => document.documentElement.classList.remove('bright'));
      await page.emulateMedia({ colorScheme: 'dark' });
    },
    read: async (checkout) => await propertyOf(checkout, 'input', 'background-color'),
    expected: 'rgb(29, 31, 28)',
  },
  'a token on the element': {
    change: async ({ element }) =>
      await element.evaluate((each: HTMLElement) => each.style.setProperty('--pay-form-text', 'rgb(230 231 255)')),
    read: async (checkout) => await propertyOf(checkout, 'label', 'color'),
    expected: 'rgb(230, 231, 255)',
  },
};

test('each change of language, direction, tokens and scheme applies immediately and keeps the input', async ({
  page,
  server,
}) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const checkout = await Checkout.open(page, server, { around });
  const { form } = checkout;
  await form.fill(scenarios.approved);
  await form.field('first_name').focus();
  await form.field('first_name').evaluate((input: HTMLInputElement) => input.setSelectionRange(1, 3));
  for (const [what, { change, read, expected }] of Object.entries(changes)) {
    expect(await read(checkout), what).not.toBe(expected);
    await change(checkout);
    await expect.poll(async () => await read(checkout), what).toBe(expected);
    for (const name of ['card_number', 'card_expiry', 'last_name', 'country', 'postcode', 'email'] as const)
      await expect(form.field(name), what).toHaveValue(scenarios.approved[name]);
    await expect(form.field('first_name'), what).toBeFocused();
    expect(
      await form
        .field('first_name')
        .evaluate(({ selectionStart, selectionEnd }: HTMLInputElement) => [selectionStart, selectionEnd]),
      what,
    ).toEqual([1, 3]);
  }
  await form.pay();
  await checkout.expectEvents(['pay-ready'], ['pay-submit', { trigger: 'buyer' }], ['pay-success']);
});

test('language and direction can change together, and an invalid value does not affect the others', async ({
  page,
  server,
  faults,
}) => {
  const checkout = await Checkout.open(page, server);
  await checkout.waitUntilReady();
  await checkout.element.evaluate((element) => {
    (element as PayFormElement).locale = 'de-DE';
    (element as PayFormElement).dir = 'rtl';
  });
  await expect(checkout.frame.getByRole('button', { name: '12,50\u00a0$ zahlen' })).toBeVisible();
  expect(await propertyOf(checkout, 'html', 'direction')).toBe('rtl');
  await checkout.element.evaluate((element) => ((element as PayFormElement).locale = ''));
  await expect(checkout.frame.getByRole('button', { name: 'Pay $12.50' })).toBeVisible();

  await checkout.element.evaluate((element: HTMLElement) => {
    const fonts = Array.from({ length: 60 }, (_, index) => `"A font of the house, number ${index}"`).join();
    element.style.setProperty('--pay-form-font-family', fonts);
    element.style.setProperty('--pay-form-radius', '21px');
    Object.assign(element, { billing: 'Ada', disabled: true });
  });
  await expect(checkout.form.field('first_name')).toBeDisabled();
  await expect.poll(async () => await propertyOf(checkout, 'input', 'border-radius')).toBe('21px');
  expect(faults.splice(0)).toEqual(['<pay-form>: ignored billing fields that are unknown or not strings: Ada.']);
});

test('the form follows the color scheme of its place on the page, not of the system, and forced colors keep all outlines', async ({
  page,
  server,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const checkout = await Checkout.open(page, server, {
    around: (element) => `${style}<div class="bright">${element}</div>`,
  });
  await checkout.waitUntilReady();
  expect(await propertyOf(checkout, 'html', 'color-scheme')).toBe('light');
  await checkout.element.evaluate((element: HTMLElement) =>
    element.parentElement?.classList.replace('bright', 'night'),
  );
  await expect.poll(async () => await propertyOf(checkout, 'html', 'color-scheme')).toBe('dark');

  await page.emulateMedia({ forcedColors: 'active' });
  for (const selector of ['.pay', '.field']) {
    expect(await propertyOf(checkout, selector, 'border-top-width')).toBe('1px');
    expect(await propertyOf(checkout, selector, 'border-top-style')).toBe('solid');
  }
  await checkout.form.pay();
  await expect(checkout.form.field('card_number')).toBeFocused();
  expect(await propertyOf(checkout, '[aria-invalid=true]', 'border-top-width')).toBe('3px');
});

const unreadable = {
  attributes: 'class="pale"',
  around: (element: string) =>
    `<style nonce="test">.pale { --pay-form-accent: #ffe680; --pay-form-accent-text: #fff }</style>${element}`,
};
const contrastWarning =
  '<pay-form>: --pay-form-accent-text on --pay-form-accent has a contrast of 1.24 but needs 4.5 (WCAG 2.2, 1.4.3). The form uses its defaults.';
const DEFAULT_ACCENT = 'rgb(31, 95, 74)';

test('a disabled form is dimmed', async ({ page, server }) => {
  const checkout = await Checkout.open(page, server, { attributes: 'disabled' });
  const opacities = async () =>
    await Promise.all(['.group', 'select', '.pay'].map(async (each) => await propertyOf(checkout, each, 'opacity')));
  await expect.poll(opacities).toEqual(['0.5', '1', '0.5']);
  await checkout.element.evaluate((each) => each.removeAttribute('disabled'));
  await expect.poll(opacities).toEqual(['1', '1', '1']);
});

test('unreadable colors are not used, and the console names them unless forced colors are active', async ({
  page,
  server,
  faults,
}) => {
  const checkout = await Checkout.open(page, server, unreadable);
  await checkout.waitUntilReady();
  expect(await propertyOf(checkout, '.pay', 'background-color')).toBe(DEFAULT_ACCENT);
  await expect.poll(() => faults.splice(0)).toEqual([contrastWarning]);
  await checkout.form.payButton.hover();
  expect(await propertyOf(checkout, '.pay', 'color')).toBe('rgb(255, 255, 255)');

  await page.emulateMedia({ forcedColors: 'active' });
  await page.reload();
  await checkout.waitUntilReady();
  expect(faults).toEqual([]);
  await page.emulateMedia({ forcedColors: 'none' });
  await expect.poll(async () => await propertyOf(checkout, '.pay', 'background-color')).toBe(DEFAULT_ACCENT);
  await expect.poll(() => faults.splice(0)).toEqual([contrastWarning]);
});
