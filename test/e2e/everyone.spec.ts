import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { cards } from '../support/requests.ts';
import { expect, fillCard, payButton, test } from './fixtures.ts';

type Server = Parameters<Parameters<typeof test>[2]>[0]['server'];

/** Ways to bring a page into each state that a buyer can meet. */
const states: Record<string, (page: Page, server: Server) => Promise<void>> = {
  async ready(page, server) {
    await page.goto((await server.createLink()).link);
  },
  async mistakes(page, server) {
    await page.goto((await server.createLink()).link);
    await payButton(page).click();
    await expect(page.getByLabel('Card number')).toBeFocused();
  },
  async declined(page, server) {
    await page.goto((await server.createLink()).link);
    await fillCard(page, cards.declined);
    await payButton(page).click();
    await expect(page.getByText(/declined/i).first()).toBeVisible();
  },
  async challenge(page, server) {
    const { link } = await server.createLink();
    await page.goto(link);
    await fillCard(page, cards.challenge);
    await payButton(page).click();
    await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
    await page.goto(link);
    await expect(page.getByRole('link', { name: /Continue to your bank/ })).toBeVisible();
  },
  async issuer(page, server) {
    await page.goto((await server.createLink()).link);
    await fillCard(page, cards.challenge);
    await payButton(page).click();
    await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
  },
  async checking(page, server) {
    await page.goto((await server.createLink()).link);
    await fillCard(page, cards.unknown);
    await payButton(page).click();
    await expect(page.getByText(/do not pay again/i).first()).toBeVisible();
  },
  async paid(page, server) {
    const { link, reference } = await server.createLink();
    await server.submitByApi(reference);
    await page.goto(link);
    await expect(page.getByRole('heading', { name: /paid/i })).toBeVisible();
  },
  async cancelled(page, server) {
    const { link, reference } = await server.createLink();
    await server.cancel(reference);
    await page.goto(link);
    await expect(page.getByRole('heading', { name: /cancelled/i })).toBeVisible();
  },
};

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [name, reach] of Object.entries(states)) {
    test(`${name}, ${colorScheme}: no finding of axe under WCAG 2.2 AA`, async ({ page, server }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await reach(page, server);
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
    });
  }
}

/** The sum of unexpected layout shifts so far (Layout Instability API). */
async function layoutShift(page: Page): Promise<number> {
  return await page.evaluate(
    async () =>
      await new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
            if (!entry.hadRecentInput) sum += entry.value;
          }
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
}

for (const [name, viewport] of Object.entries({
  phone: { width: 360, height: 740 },
  desktop: { width: 1280, height: 800 },
})) {
  test(`nothing shifts while the page comes alive on a ${name}`, async ({ page, server }) => {
    await page.setViewportSize(viewport);
    await page.goto((await server.createLink()).link);
    await expect(payButton(page)).toBeEnabled();
    await page.waitForLoadState('networkidle');
    expect(await layoutShift(page)).toBe(0);
  });
}

test('the whole payment goes by keyboard alone, in the order in which it is read', async ({ page, server, urls }) => {
  await page.goto((await server.createLink()).link);
  await expect(payButton(page)).toBeEnabled();
  await page.getByLabel('Card number').focus();
  const typed: [string, string][] = [
    ['Card number', cards.visa],
    ['Expiry', '0430'],
    ['Security code', '123'],
    ['First name', 'Ada'],
    ['Last name', 'Lovelace'],
    ['Country', 'United Kingdom'],
    ['Address', '12 St James’s Square'],
    ['City', 'London'],
    ['State or province', 'London'],
    ['Postcode', 'W1J 7NT'],
    ['Phone', '+44 20 7946 0000'],
    ['Email', 'ada@example.com'],
  ];
  for (const [label, text] of typed) {
    await expect(page.getByLabel(label, { exact: true })).toBeFocused();
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await expect(payButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${urls.siteUrl}/paid`);
});

for (const name of ['ready', 'mistakes', 'challenge', 'paid'] as const) {
  test(`${name}: nothing is cut off or scrolls sideways at 320 pixels (400 % zoom)`, async ({ page, server }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await states[name]?.(page, server);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
}

test('offline is said, and the form is kept', async ({ page, context, server, urls }) => {
  await page.goto((await server.createLink()).link);
  await fillCard(page, cards.visa);
  await context.setOffline(true);
  await expect(page.getByText(/No connection/).first()).toBeVisible();
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  await context.setOffline(false);
  await expect(page.getByLabel('Payment').getByText(/No connection\. What/)).toBeHidden();
  await payButton(page).click();
  await page.waitForURL(`${urls.siteUrl}/paid`);
});

test('offline while the outcome is unknown does not say that one can pay', async ({ page, context, server }) => {
  await states.checking?.(page, server);
  await context.setOffline(true);
  await expect(page.getByText(/No connection/).first()).toBeVisible();
  expect(await page.locator('body').innerText()).not.toMatch(/you can pay/i);
  await expect(page.getByRole('status').first()).not.toContainText(/you can pay/i);
  await context.setOffline(false);
});

test('a mistake stands under its own field, also on the right of a pair', async ({ page, server }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto((await server.createLink()).link);
  const code = page.getByLabel('Security code');
  await code.fill('12');
  await code.blur();
  const field = await code.boundingBox();
  const mistake = await page
    .getByText(/security code has/i)
    .last()
    .boundingBox();
  expect(mistake?.x ?? 0).toBeGreaterThanOrEqual(field?.x ?? Number.POSITIVE_INFINITY);
});
