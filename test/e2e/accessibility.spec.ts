import type { Page } from '@playwright/test';
import { scenarios } from '../../testing/index.ts';
import { expectTree } from './accessibility-tree.ts';
import { findings, horizontalOverflow, smallTargets } from './barriers.ts';
import { expect, returnToShop, test } from './fixtures.ts';
import { continuations, states } from './states.ts';
import { openAndWaitForUpdate } from './streams.ts';

/** Removes the browser's own messages about a lost connection. */
function withoutConnectionFaults(faults: readonly string[]): string[] {
  return faults.filter((fault) => !/net::ERR_(?:INTERNET_DISCONNECTED|CONNECTION_RESET)/.test(fault));
}

const viewport = { width: 1280, height: 720 };

/** Further checks of a page in a state, after those of its accessibility. */
const furtherChecks: Record<string, (page: Page) => Promise<void>> = {
  ready: expectErrorUnderItsField,
  checking: expectNoOfferWhileOffline,
};

for (const [first, open] of Object.entries(states)) {
  const reached = { [first]: open, ...continuations[first] };
  test(`${Object.keys(reached).join(', ')}: accessible in light, dark and right-to-left mode and at 400% zoom`, async ({
    page,
    linkPage,
    server,
    faults,
  }) => {
    for (const [name, reach] of Object.entries(reached)) {
      await test.step(name, async () => {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        await page.evaluate(() => (document.documentElement.dir = 'ltr'));
        await reach(linkPage, server);
        await expectTree(page, name);
        expect(await findings(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
        expect(await findings(page, { onlyColors: true })).toEqual([]);
        await page.evaluate(() => (document.documentElement.dir = 'rtl'));
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await findings(page)).toEqual([]);
        expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0);
        expect(await smallTargets(page)).toEqual([]);
        await page.evaluate(() => (document.documentElement.dir = 'ltr'));
        await furtherChecks[name]?.(page);
        expect(withoutConnectionFaults(faults.splice(0))).toEqual([]);
      });
    }
  });
}

/** An error appears under its field, in the right column too. */
async function expectErrorUnderItsField(page: Page) {
  await page.setViewportSize({ width: 1280, height: 900 });
  const code = page.getByLabel('Security code');
  await code.fill('12');
  await code.blur();
  const field = await code.boundingBox();
  const fieldError = await page
    .getByText(/security code must have/i)
    .last()
    .boundingBox();
  expect(fieldError?.x ?? 0).toBeGreaterThanOrEqual(field?.x ?? Number.POSITIVE_INFINITY);
  await code.fill('');
}

/** A buyer who is offline during a pending payment is not offered to pay. */
async function expectNoOfferWhileOffline(page: Page) {
  await page.context().setOffline(true);
  await expect(page.getByText(/You're offline/).first()).toBeVisible();
  expect(await page.locator('body').innerText()).not.toMatch(/you can pay/i);
  await expect(page.getByRole('status').first()).not.toContainText(/you can pay/i);
  await page.context().setOffline(false);
}

/** Sum of unexpected layout shifts so far (Layout Instability API). */
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
  test(`no layout shift when the script starts on a ${name}`, async ({ page, linkPage, server }) => {
    await page.setViewportSize(viewport);
    for (const { link } of [await server.createLink(), await server.createLinkWithMethods()]) {
      await openAndWaitForUpdate(page, link);
      await expect(linkPage.payButton).toBeEnabled();
      expect(await layoutShift(page)).toBe(0);
    }
  });
}

test('the offline state is shown, and the form is kept', async ({ page, linkPage, context, server, urls, faults }) => {
  await page.goto((await server.createLink()).link);
  await linkPage.fill(scenarios.approved);
  await context.setOffline(true);
  await expect(page.getByText(/You're offline/).first()).toBeVisible();
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  await expect(linkPage.field('card_number')).toHaveValue(scenarios.approved.card_number);
  await expect(linkPage.field('card_cvv')).toHaveValue('');
  await expect(linkPage.payButton).toBeDisabled();
  await context.setOffline(false);
  await expect(page.getByLabel('Payment').getByText(/You're offline\. We've/)).toBeHidden();
  await linkPage.field('card_cvv').fill(scenarios.approved.card_cvv);
  await linkPage.pay();
  await returnToShop(page, urls);
  expect(withoutConnectionFaults(faults.splice(0))).toEqual([]);
});

test('offline before live updates started: the notice stays, and the stream opens once online', async ({
  page,
  linkPage,
  context,
  server,
  faults,
}) => {
  const opened: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/events')) opened.push(request.url());
  });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/state-stream-*.js', async (route) => {
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  });
  await page.goto((await server.createLink()).link);
  await context.setOffline(true);
  await expect(page.getByText(/You're offline/).first()).toBeVisible();
  const script = page.waitForResponse('**/state-stream-*.js');
  release();
  await (await script).finished();
  // Importing again waits until the first import has run.
  await page.evaluate(async (address) => await import(address), (await script).url());
  expect(opened).toEqual([]);
  await expect(linkPage.page.getByText(/You're offline/).first()).toBeVisible();
  const request = page.waitForRequest('**/events');
  await context.setOffline(false);
  await request;
  expect(withoutConnectionFaults(faults.splice(0))).toEqual([]);
});
