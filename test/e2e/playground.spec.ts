import type { FrameLocator, Locator, Page } from '@playwright/test';
import { themeTokens, type ThemeToken } from '../../src/shared/frame/theme.ts';
import { PayForm, scenarios } from '../../testing/index.ts';
import { watchFor } from './account.ts';
import { findings } from './barriers.ts';
import { expect, test } from './fixtures.ts';

/** Opens the playground and returns the form's frame. */
async function openPlayground(page: Page, shopUrl: string): Promise<FrameLocator> {
  await page.goto(`${shopUrl}/playground`);
  const frame = page.locator('pay-form').frameLocator('iframe');
  await frame.getByLabel('Card number').waitFor();
  return frame;
}

const control = (page: Page, token: string) => page.locator(`[data-token="${token}"]`);

/** The element that shows each token. None shows `background`, which describes the page. */
const tokenTargets: Record<
  Exclude<ThemeToken, 'background'>,
  { in: (frame: FrameLocator) => Locator; as: string; of?: '::placeholder'; set: string }
> = (() => {
  const field = (frame: FrameLocator) => frame.getByLabel('Card number');
  const wrong = (frame: FrameLocator) => frame.getByText('Enter your card number.');
  const focused = (frame: FrameLocator) => frame.getByLabel('First name');
  const hinted = (frame: FrameLocator) => frame.getByLabel('Expiry');
  const plain = (frame: FrameLocator) => frame.getByLabel('Last name');
  const button = (frame: FrameLocator) => frame.getByRole('button', { name: /^Pay/ });
  const label = (frame: FrameLocator) => frame.getByText('Card number', { exact: true });
  return {
    accent: { in: button, as: 'background-color', set: '#8a1c1c' },
    'accent-text': { in: button, as: 'color', set: '#fff2cc' },
    text: { in: label, as: 'color', set: '#102a43' },
    'text-muted': { in: (frame) => frame.getByText('Sandbox', { exact: true }), as: 'color', set: '#3f5061' },
    focus: { in: focused, as: 'border-top-color', set: '#8a1c1c' },
    'field-background': { in: plain, as: 'background-color', set: '#fdf6e3' },
    'field-text': { in: plain, as: 'color', set: '#102a43' },
    'field-border': { in: plain, as: 'border-top-color', set: '#102a43' },
    placeholder: { in: hinted, as: 'color', of: '::placeholder', set: '#4a4a4a' },
    radius: { in: field, as: 'border-top-left-radius', set: '20' },
    'button-radius': { in: button, as: 'border-top-left-radius', set: '28' },
    'border-width': { in: field, as: 'border-top-width', set: '3' },
    'field-height': { in: field, as: 'height', set: '64' },
    'button-height': { in: button, as: 'height', set: '72' },
    gap: { in: (frame) => frame.getByRole('group', { name: 'Billing address' }), as: 'column-gap', set: '28' },
    'font-size': { in: field, as: 'font-size', set: '20' },
    'label-size': { in: label, as: 'font-size', set: '18' },
    'font-family': { in: label, as: 'font-family', set: 'Georgia, "Times New Roman", serif' },
    // Last, because fields with errors look different.
    error: { in: wrong, as: 'color', set: '#7a0f0f' },
  };
})();

/** Converts a control's value to a computed style. */
function computed(value: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16));
  if (value.startsWith('#')) return `rgb(${red}, ${green}, ${blue})`;
  return /^\d+$/.test(value) ? `${value}px` : value;
}

test('each control starts with the form’s default, and changes the form and the style sheet', async ({
  page,
  urls,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const frame = await openPlayground(page, urls.shopUrl);
  const reportErrors = async () => await page.getByRole('button', { name: 'reportValidity()' }).press('Enter');
  const tokens = Object.keys(tokenTargets).filter((token) => token !== 'font-family') as (keyof typeof tokenTargets)[];
  const { error, ...others } = tokenTargets;
  const expectDefaults = async (targets: Partial<typeof tokenTargets>) => {
    for (const [token, { in: place, as, of }] of Object.entries(targets)) {
      if (token === 'font-family') continue;
      const initial = computed(await control(page, token).inputValue());
      await expect.poll(() => styleOf(place(frame), as, of), token).toBe(initial);
    }
  };
  await frame.getByLabel('First name').focus();
  await expectDefaults(others);
  const darkAccent = await control(page, 'accent').inputValue();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(control(page, 'accent')).not.toHaveValue(darkAccent);
  await expectDefaults(others);
  // A field that lost the focus shows an error.
  await page.reload();
  await frame.getByLabel('Card number').waitFor();
  for (const token of tokens) {
    const { in: place, as, of, set } = tokenTargets[token];
    if (token === 'error') {
      await reportErrors();
      await expectDefaults({ error });
      await page.emulateMedia({ colorScheme: 'dark' });
      await expect(control(page, 'accent')).toHaveValue(darkAccent);
      await expectDefaults({ error });
      await page.emulateMedia({ colorScheme: 'light' });
    }
    await control(page, token).fill(set);
    if (token === 'focus') await place(frame).focus();
    await expect.poll(() => styleOf(place(frame), as, of), token).toBe(computed(set));
    const written = /^\d+$/.test(set) ? `${set}px` : set;
    await expect(page.locator('#css')).toContainText(`--pay-form-${token}: ${written};`);
    await page.getByRole('button', { name: 'Default' }).press('Enter');
    await expect(page.locator('#css')).toHaveText('/* No changes yet. */');
  }
  // The font control changes the form on its own.
  const { in: place, as, set } = tokenTargets['font-family'];
  await control(page, 'font-family').selectOption(set);
  await expect.poll(async () => await styleOf(place(frame), as)).toBe(set);
  await expect(page.locator('#css')).toContainText(`--pay-form-font-family: ${set};`);
});

async function styleOf(place: Locator, property: string, pseudo?: string): Promise<string> {
  return await place.evaluate(
    (element, [name, of]) => getComputedStyle(element, of).getPropertyValue(name ?? ''),
    [property, pseudo],
  );
}

test('input survives changes of theme, language, direction and preset', async ({ page, urls }) => {
  const frame = await openPlayground(page, urls.shopUrl);
  const form = new PayForm(page.locator('pay-form'));
  await form.fill(scenarios.approved);
  // Located by name, because the labels change with the language.
  const number = frame.locator('input[name=card_number]');
  await page.getByLabel('Theme').selectOption('dark');
  await expect(frame.locator('html')).toHaveCSS('color-scheme', 'dark');
  await page.getByLabel('Language').fill('de-DE');
  await page.getByLabel('Language').press('Enter');
  await expect(frame.getByRole('button', { name: /24,90/ })).toBeVisible();
  await page.getByLabel('Direction').selectOption('rtl');
  await expect(frame.locator('html')).toHaveAttribute('dir', 'rtl');
  for (const name of ['Ink', 'Round', 'Compact']) await page.getByRole('button', { name }).press('Enter');
  await expect(number).toHaveCSS('height', '40px');
  await expect(number).toHaveValue(scenarios.approved.card_number);
  await expect(frame.locator('input[name=email]')).toHaveValue(scenarios.approved.email);
  await expect(page.locator('#markup')).toHaveText(
    '<pay-form src="EMBED_URL" theme="dark" locale="de-DE" dir="rtl"></pay-form>',
  );
});

test('the style sheet can be copied, a change reset, and settings survive a reload', async ({
  context,
  page,
  urls,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const frame = await openPlayground(page, urls.shopUrl);
  await control(page, 'accent').fill('#8a1c1c');
  await control(page, 'radius').press('ArrowRight');
  const sawMessage = await watchFor(page, '[role=status]', /^Copied$/);
  await page.getByRole('button', { name: 'Copy Style sheet' }).click();
  await sawMessage();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'pay-form {\n  --pay-form-accent: #8a1c1c;\n  --pay-form-radius: 9px;\n}',
  );
  await page.reload();
  await expect(frame.getByRole('button', { name: /^Pay/ })).toHaveCSS('background-color', 'rgb(138, 28, 28)');
  await page.getByRole('button', { name: 'Reset Button' }).click();
  await expect(frame.getByRole('button', { name: /^Pay/ })).toHaveCSS('background-color', 'rgb(31, 95, 74)');
  await expect(page.locator('#css')).toHaveText('pay-form { --pay-form-radius: 9px; }');
});

test('a style that a slow script sets before the page’s first frame reaches the form', async ({ page, urls }) => {
  await page.addInitScript(() => {
    if (top !== window) return;
    sessionStorage.setItem('playground', JSON.stringify({ tokens: { accent: '#8a1c1c' } }));
    document.addEventListener('pay-ready', () => console.debug('form is ready'));
  });
  // The script blocks rendering, and sets the style after the form was configured without it.
  await page.route('**/playground.js', async (route) => {
    await page.waitForEvent('console', (message) => message.text() === 'form is ready');
    await route.continue();
  });
  const frame = await openPlayground(page, urls.shopUrl);
  await expect(frame.getByRole('button', { name: /^Pay/ })).toHaveCSS('background-color', 'rgb(138, 28, 28)');
});

test('unreadable colors are reported like in the form', async ({ page, urls, faults }) => {
  const frame = await openPlayground(page, urls.shopUrl);
  await control(page, 'accent').fill('#ffd400');
  await expect(page.getByText('accent-text on accent: contrast 1.43')).toBeVisible();
  await expect(frame.getByRole('button', { name: /^Pay/ })).toHaveCSS('background-color', 'rgb(31, 95, 74)');
  await expect.poll(() => faults.join()).toContain('has a contrast of 1.43');
  faults.splice(0);
  await control(page, 'accent').fill('#8a1c1c');
  await expect(page.getByText('accent-text on accent')).toBeHidden();
});

test('events are shown with their details, and the page’s own button pays', async ({ page, urls }) => {
  const frame = await openPlayground(page, urls.shopUrl);
  const log = page.getByRole('list', { name: 'Events' });
  await expect(log).toContainText('pay-ready{"reference":"playground-');
  await page.getByLabel('Hide button').check();
  await expect(frame.getByRole('button', { name: /^Pay/ })).toBeHidden();
  await expect(page.locator('#markup')).toContainText('no-button');
  const payButton = page.getByRole('button', { name: 'submit()' });
  const form = new PayForm(page.locator('pay-form'), { payButton });
  await form.fillAndPay(scenarios.approved);
  await expect(log).toContainText('pay-submit{"trigger":"page"}');
  await expect(log).toContainText('submit()"pay-success"');
  await expect(log).not.toContainText('4242');

  await page.getByRole('button', { name: 'New payment' }).click();
  await expect(frame.getByLabel('Card number')).toHaveValue('');
  await page.getByLabel('Disabled').check();
  await expect(frame.getByLabel('Card number')).toBeDisabled();
});

test('settings survive a redirect to the challenge', async ({ page, urls }) => {
  const frame = await openPlayground(page, urls.shopUrl);
  await page.getByLabel('3-D Secure').selectOption('top');
  await new PayForm(page.locator('pay-form')).fillAndPay(scenarios.challenge);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL(/\/playground\?back=success_redirect_url$/);
  await expect(page.getByRole('list', { name: 'Events' })).toContainText('"success_redirect_url"');
  await expect(page.getByLabel('3-D Secure')).toHaveValue('top');
  await frame.getByLabel('Card number').waitFor();
});

for (const width of [320, 768, 1280])
  test(`at ${width} pixels nothing of the playground is cut off, and its preview stays in view`, async ({
    page,
    urls,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const frame = await openPlayground(page, urls.shopUrl);
    const cards = frame.getByRole('group', { name: 'Sandbox: test cards' });
    const more = frame.getByRole('button', { name: 'More test cards' });
    /** Test cards by how much of them shows. */
    const shown = async () =>
      await cards.evaluate((list) => {
        const { top, bottom, left, right } = list.getBoundingClientRect();
        return [...list.children].map((card) => {
          const box = card.getBoundingClientRect();
          if (box.top >= bottom || box.bottom <= top) return 'hidden';
          return box.top >= top && box.bottom <= bottom && box.left >= left && box.right <= right ? 'whole' : 'cut';
        });
      });
    await expect(more).toBeVisible();
    await expect.poll(async () => new Set(await shown())).toEqual(new Set(['whole', 'hidden']));
    const pastEdge = await more.evaluate(
      (button) => button.getBoundingClientRect().right - document.documentElement.clientWidth,
    );
    expect(pastEdge).toBeLessThanOrEqual(0);
    await more.click();
    await expect.poll(async () => new Set(await shown())).toEqual(new Set(['whole']));
    await expect(more).toBeHidden();
    const closed = page.locator('details:not([open]) summary');
    while ((await closed.count()) > 0) await closed.first().press('Enter');
    const panel = page.locator('.controls');
    expect(await panel.evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0);
    // The stage is no taller than its form.
    const [stage, form] = [page.locator('.stage'), frame.locator('card-frame')];
    const heightOf = async (place: Locator) => await place.evaluate((each) => each.getBoundingClientRect().height);
    await expect.poll(async () => (await heightOf(stage)) - (await heightOf(form))).toBeLessThan(120);
    if (width < 700) return;
    await control(page, 'font-family').scrollIntoViewIfNeeded();
    await expect(frame.getByRole('button', { name: /^Pay/ })).toBeInViewport();
    if (width < 960) return;
    await control(page, 'accent').focus();
    await expect(page.locator('#css')).not.toBeInViewport();
    await page.setViewportSize({ width, height: 1100 });
    await control(page, 'accent').focus();
    await expect(page.locator('#css')).toBeInViewport();
  });

test('the playground is accessible, narrow and wide', async ({ page, urls }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const frame = await openPlayground(page, urls.shopUrl);
  // The script opens the groups on wide screens; without this, the page would be painted before and shift.
  await expect(page.locator('script[src="/playground.js"]')).toHaveAttribute('blocking', 'render');
  const closed = page.locator('details:not([open]) summary');
  while ((await closed.count()) > 0) await closed.first().press('Enter');
  for (const token of Object.values(themeTokens).flat()) await control(page, token).focus();
  await page.getByRole('button', { name: 'Round' }).press('Enter');
  await expect(frame.getByLabel('Card number')).toHaveCSS('border-top-left-radius', '16px');
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${width} pixels`).toBe(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // axe cannot know the background behind the frame. The frame's content has its own tests.
      expect(await findings(page, { exclude: ['pay-form'] }), `${width} pixels, ${colorScheme}`).toEqual([]);
    }
  }
});
