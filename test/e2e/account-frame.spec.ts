import { accountLanguages } from '../../pages/locales/account/languages.ts';
import { choose, openDialog, signInAs } from './account.ts';
import { findings, horizontalOverflow, smallTargets } from './barriers.ts';
import { expect, test } from './fixtures.ts';

/** Policy violations and console messages of a page. */
const watch = () => {
  const reports: string[] = [];
  Object.assign(globalThis, { refused: reports });
  addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile, sample }) =>
    reports.push(`${violatedDirective} ${sourceFile} ${sample}`),
  );
};

const paths = ['team', 'audit-log'];

for (const [name, viewport, colorScheme] of [
  ['a phone in light mode', { width: 390, height: 844 }, 'light'],
  ['a desktop in dark mode', { width: 1280, height: 800 }, 'dark'],
] as const)
  test(`the frame of the account area complies with its policy and is accessible on ${name}`, async ({
    page,
    server,
  }) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.addInitScript(watch);
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const { merchant } = await signInAs(page, server, 'owner');
    const { url } = await server.addresses();
    for (const path of paths) {
      await page.goto(`${url}/account/${merchant}/${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      expect(await findings(page)).toEqual([]);
      expect(await horizontalOverflow(page)).toBeLessThan(1);
    }
    if (viewport.width < 960) {
      expect(await smallTargets(page)).toEqual([]);
      await page.getByRole('button', { name: 'More' }).click();
      await expect(openDialog(page).getByRole('link', { name: 'Settings' })).toBeVisible();
    } else {
      // The menu is a Web Awesome component with icons of our own sheet.
      await page.locator('wa-button', { has: page.locator('.user') }).click();
      await expect(page.getByRole('menuitem', { name: 'Keyboard shortcuts' })).toBeVisible();
      // It is fully opaque once it has the focus.
      await expect(page.getByRole('menuitem').first()).toBeFocused();
    }
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => (globalThis as unknown as { refused: string[] }).refused)).toEqual([]);
    expect(errors).toEqual([]);
  });

test('a menu that is clicked before its code has loaded opens afterward', async ({ page, server }) => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/user-menu-*.js', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  await signInAs(page, server, 'owner');
  const trigger = page.locator('wa-button', { has: page.locator('.user') });
  await trigger.click();
  await trigger.click();
  await trigger.click();
  arrive();
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
  await expect(trigger).toBeFocused();
  await trigger.click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
});

test('keeps the last selected language, even if another one fails to load', async ({ page, server }) => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/texts/account/team/pt', async (route) => {
    await arrived;
    await route.continue();
  });
  // A captive portal responds instead of the service.
  await page.route('**/texts/account/*/vi', async (route) => await route.fulfill({ body: 'Please sign in' }));
  await page.setViewportSize({ width: 1280, height: 800 });
  await signInAs(page, server, 'owner', { path: 'team' });
  await choose(page, 'Language', 'Português');
  await choose(page, 'Language', 'Español');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Equipo');
  const slowTexts = page.waitForResponse('**/texts/account/team/pt');
  arrive();
  await (await slowTexts).finished();
  await choose(page, 'Idioma', 'Tiếng Việt');
  await expect(page.getByRole('combobox', { name: 'Idioma' })).toHaveValue('Español');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Equipo');
});

test('the bottom bar of a phone shows complete labels in every language', async ({ page, server }) => {
  await signInAs(page, server, 'owner', { path: 'team' });
  const languages = Object.keys(accountLanguages);
  // English last: selecting the current language changes nothing.
  for (const language of [...languages.filter((tag) => tag !== 'en'), 'en']) {
    await page.locator('account-app').evaluate((app, tag) => {
      const select = app.querySelector('wa-select');
      if (!select) throw new Error('There is no language select');
      select.value = tag;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }, language);
    await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${new Intl.Locale(language).language}`));
    const texts = accountLanguages[language]?.shell as { more: string } | undefined;
    await expect(page.locator('.bottom-label')).toHaveCount(5);
    await expect(page.locator('.bottom-label').last()).toHaveText(texts?.more ?? '');
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 640 });
      const cut = await page.locator('.bottom-label').evaluateAll((labels) =>
        labels
          .filter((label) => {
            const lines = Math.round(label.clientHeight / parseFloat(getComputedStyle(label).lineHeight));
            const availableWidth = label.parentElement?.clientWidth ?? 0;
            return label.scrollWidth > availableWidth || lines > label.textContent.trim().split(/\s+/).length;
          })
          .map((label) => label.textContent),
      );
      expect([language, width, cut, await horizontalOverflow(page)]).toEqual([language, width, [], 0]);
    }
  }
  await page.setViewportSize({ width: 800, height: 640 });
  const widths = await page
    .locator('.bottom > *')
    .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().width));
  const shown = widths.filter((width) => width > 0);
  expect(shown).toHaveLength(5);
  // Links have a padding of 2 px.
  expect(Math.max(...shown) - Math.min(...shown)).toBeLessThan(5);
});

test('the account area runs from right to left in Arabic', async ({ page, server }) => {
  const { reference } = await server.createLink();
  await server.submitByApi(reference);
  await page.setViewportSize({ width: 1280, height: 800 });
  const { merchant } = await signInAs(page, server, 'owner');
  const { url } = await server.addresses();
  await page.goto(`${url}/account/${merchant}/overview?locale=ar`);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  expect(await findings(page)).toEqual([]);
  // The navigation is on the right, and amounts have Latin digits.
  const navigation = await page.getByRole('navigation').filter({ visible: true }).boundingBox();
  expect(navigation?.x).toBeGreaterThan(640);
  await expect(page.locator('.recent-amount').first()).toHaveText(/\d/);
  // The texts of a page are loaded while the pointer is on its link.
  const texts = page.waitForRequest('**/texts/account/crypto/ar');
  await page.getByRole('link', { name: 'المعاملات', exact: true }).hover();
  await texts;
  await page.getByRole('link', { name: 'المعاملات', exact: true }).click();
  await page.locator('.transaction-row').first().click();
  await expect(page.locator('.split-detail, transaction-page').first()).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${url}/account/${merchant}/transactions/${reference}?locale=ar`);
  await expect(page.locator('.amount-line').first()).toBeVisible();
  expect(await findings(page)).toEqual([]);
  expect(await horizontalOverflow(page)).toBe(0);
});

test('the palette finds a page by keyboard, and Escape closes it', async ({ page, server }) => {
  await signInAs(page, server, 'owner', { path: 'team' });
  await expect(page.getByRole('heading', { level: 1, name: 'Team' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('audit');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeFocused();
  const field = page.getByRole('combobox', { name: /^Search pages/ });
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
});

test('the first page of the account area sends few requests, each once, to its own host only', async ({
  page,
  server,
}) => {
  const { merchant } = await signInAs(page, server, 'owner');
  const { url } = await server.addresses();
  const { reference } = await server.createEmbed();
  await server.submitByApi(reference);
  const session = await page.context().storageState();
  // A browser with an empty cache.
  const context = await page.context().browser()?.newContext({ storageState: session });
  if (!context) throw new Error('There is no browser');
  const fresh = await context.newPage();
  // The payment is one of the last thirty days by the page's clock.
  await fresh.clock.setFixedTime((await server.now()).serverTime);
  const requestUrls: string[] = [];
  fresh.on('request', (request) => requestUrls.push(request.url()));
  // A live stream that opens after the first read repeats that read, so that no change is missed.
  await fresh.route('**/v1/events/stream?*', () => {});
  await fresh.goto(`${url}/account/${merchant}/overview`);
  await expect(fresh.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(fresh.locator('[aria-busy=true]')).toHaveCount(0);
  // Loads last, after the figures.
  await expect(fresh.locator('.plot-canvas canvas').first()).toBeVisible();
  await fresh.waitForLoadState('load');
  const paths = requestUrls.map((each) => each.replace(url, ''));
  expect(paths.filter((path) => path.startsWith('/assets/')).length).toBeLessThanOrEqual(9);
  expect(paths.length, paths.join('\n')).toBeLessThanOrEqual(21);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => !path.startsWith('/'))).toEqual([]);
  await context.close();
});
