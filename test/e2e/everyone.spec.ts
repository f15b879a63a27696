import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { type LinkPage, scenarios } from '../../testing/index.ts';
import { cards } from '../support/requests.ts';
import { expect, test } from './fixtures.ts';

type Server = Parameters<Parameters<typeof test>[2]>[0]['server'];

/** Ways to bring a page into each state that a buyer can meet. */
const states: Record<string, (linkPage: LinkPage, server: Server) => Promise<void>> = {
  async ready(linkPage, server) {
    await linkPage.page.goto((await server.createLink()).link);
  },
  async mistakes(linkPage, server) {
    await linkPage.page.goto((await server.createLink()).link);
    await linkPage.pay();
    await expect(linkPage.field('card_number')).toBeFocused();
  },
  async declined(linkPage, server) {
    await linkPage.page.goto((await server.createLink()).link);
    await linkPage.fillAndPay(scenarios.declined);
    expect(await linkPage.outcome()).toBe('decline');
  },
  async challenge(linkPage, server) {
    const { link } = await server.createLink();
    await linkPage.page.goto(link);
    await linkPage.fillAndPay(scenarios.challenge);
    await expect(linkPage.issuer.question).toBeVisible();
    await linkPage.page.goto(link);
    await expect(linkPage.bankLink).toBeVisible();
  },
  async issuer(linkPage, server) {
    await linkPage.page.goto((await server.createLink()).link);
    await linkPage.fillAndPay(scenarios.challenge);
    await expect(linkPage.issuer.question).toBeVisible();
  },
  async checking(linkPage, server) {
    await linkPage.page.goto((await server.createLink()).link);
    await linkPage.fillAndPay(scenarios.unknown);
    expect(await linkPage.outcome()).toBe('pending');
  },
  async paid(linkPage, server) {
    const { link, reference } = await server.createLink();
    await server.submitByApi(reference);
    await linkPage.page.goto(link);
    expect(await linkPage.outcome()).toBe('success');
  },
  async cancelled(linkPage, server) {
    const { link, reference } = await server.createLink();
    await server.cancel(reference);
    await linkPage.page.goto(link);
    expect(await linkPage.outcome()).toBe('cancel');
  },
};

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [name, reach] of Object.entries(states)) {
    test(`${name}, ${colorScheme}: no finding of axe under WCAG 2.2 AA`, async ({ page, linkPage, server }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await reach(linkPage, server);
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
  test(`nothing shifts while the page comes alive on a ${name}`, async ({ page, linkPage, server }) => {
    await page.setViewportSize(viewport);
    await page.goto((await server.createLink()).link);
    await expect(linkPage.payButton).toBeEnabled();
    await page.waitForLoadState('networkidle');
    expect(await layoutShift(page)).toBe(0);
  });
}

test('the whole payment goes by keyboard alone, in the order in which it is read', async ({
  page,
  linkPage,
  server,
  urls,
}) => {
  await page.goto((await server.createLink()).link);
  await expect(linkPage.payButton).toBeEnabled();
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
  await expect(linkPage.payButton).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${urls.siteUrl}/paid`);
});

for (const name of ['ready', 'mistakes', 'challenge', 'paid'] as const) {
  test(`${name}: nothing is cut off or scrolls sideways at 320 pixels (400 % zoom)`, async ({
    page,
    linkPage,
    server,
  }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await states[name]?.(linkPage, server);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
}

test('offline is said, and the form is kept', async ({ page, linkPage, context, server, urls }) => {
  await page.goto((await server.createLink()).link);
  await linkPage.fill(scenarios.approved);
  await context.setOffline(true);
  await expect(page.getByText(/No connection/).first()).toBeVisible();
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  await context.setOffline(false);
  await expect(page.getByLabel('Payment').getByText(/No connection\. What/)).toBeHidden();
  await linkPage.pay();
  await page.waitForURL(`${urls.siteUrl}/paid`);
});

test('offline while the outcome is unknown does not say that one can pay', async ({
  page,
  linkPage,
  context,
  server,
}) => {
  await states.checking?.(linkPage, server);
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
