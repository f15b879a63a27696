import type { Page } from '@playwright/test';
import { languages } from '../../pages/locales/languages.ts';
import type { PageDocument } from '../../src/api/page-state.ts';
import { LinkPage, scenarios } from '../../testing/index.ts';
import { expect, returnToShop, stayOnPaidPage, test } from './fixtures.ts';

/** Overflow: horizontal scrolling or clipped text. */
async function overflow(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const cut = [...document.querySelectorAll<HTMLElement>('link-page *')].filter((element) => {
      const { overflowX } = getComputedStyle(element);
      const clips = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
      return clips && !element.closest('.visually-hidden') && !element.matches('input, select');
    });
    const wide = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [];
    return [...wide, ...cut.map((element) => `${element.className}: ${element.textContent.trim().slice(0, 60)}`)];
  });
}

/** Accented letters and 40% more of them: longer than any real language. */
function pseudo(text: string): string {
  const accents: Record<string, string> = { a: 'á', e: 'ë', i: 'î', o: 'ö', u: 'ü', n: 'ñ', c: 'ç', s: 'š' };
  const parts = text.split(/(\{\{\w+\}\})/);
  const written = parts.map((part) =>
    part.startsWith('{{') ? part : part.replace(/[aeiouncs]/g, (letter) => accents[letter] ?? letter),
  );
  const more = Math.ceil(parts.filter((part) => !part.startsWith('{{')).join('').length * 0.4);
  return `${written.join('')} ${'lörém ïpsúm '.repeat(Math.ceil(more / 12)).slice(0, more)}`.trim();
}

/** Makes the page's script use the pseudo-language. */
async function usePseudoLanguage(page: Page) {
  await page.route(/\/p\/[\w-]+$/, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const body = html.replace(
      /(<script type="application\/json" id="page-document">)(.*?)(<\/script>)/s,
      (_all, open: string, json: string, close: string) => {
        const pageDocument = JSON.parse(json) as PageDocument;
        const texts = Object.fromEntries(Object.entries(pageDocument.texts).map(([key, text]) => [key, pseudo(text)]));
        return open + JSON.stringify({ ...pageDocument, texts }).replaceAll('<', '\\u003c') + close;
      },
    );
    await route.fulfill({ response, body });
  });
}

test('a language 40% longer fits into every width', async ({ page, linkPage, server }) => {
  const expectFit = async (state: string) => {
    for (const width of [1280, 768, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect([state, width, await overflow(page)]).toEqual([state, width, []]);
    }
  };
  await usePseudoLanguage(page);
  const pay = page.getByRole('button', { name: pseudo('Pay {{amount}}').split('{{')[0] ?? '' });
  await page.goto((await server.createLinkWithMethods()).link);
  await pay.click();
  await expect(page.locator('.field-error').first()).toBeVisible();
  await expectFit('field errors');
  for (const [country, currency] of [
    ['BRA', 'BRL'],
    ['MEX', 'MXN'],
  ]) {
    await page.goto(
      (await server.createLinkWithMethods({ payment_method: 'virtual_account', country, currency })).link,
    );
    await pay.click();
    await expect(linkPage.instructions).toBeVisible();
    await expectFit(`bank details, ${country}`);
  }
  await page.goto((await server.createLinkWithMethods({ payment_method: 'crypto_payment' })).link);
  // Until the script starts, the page has the texts of the server.
  await expect(pay).toBeVisible();
  await expectFit('coins');
  await linkPage.chooseOption('Bitcoin');
  await pay.click();
  await expect(linkPage.instructions).toBeVisible();
  await expectFit('crypto');
});

test('every language renders in its direction at 320 pixels', async ({ page, server, faults, request }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { link } = await server.createLinkWithMethods();
  await page.goto(link);
  const picker = page.locator('language-picker select');
  for (const locale of [...Object.keys(languages).filter((tag) => tag !== 'en'), 'en']) {
    const direction = ['ar', 'fa', 'he', 'ur'].includes(locale) ? 'rtl' : 'ltr';
    const html = await (await request.get(`${link}?locale=${locale}`)).text();
    expect([locale, /<html[^>]* dir="(\w+)"/.exec(html)?.[1]]).toEqual([locale, direction]);
    expect(html).toMatch(/class="pay"[^]*12[.,]50/);
    await picker.selectOption(locale);
    await expect(page.locator('html')).toHaveAttribute('lang', /<html[^>]* lang="([\w-]+)"/.exec(html)?.[1] ?? '');
    await expect(page.locator('html')).toHaveAttribute('dir', direction);
    await expect(page.locator('.pay')).toContainText(/12[.,]50/);
    expect([locale, await overflow(page)]).toEqual([locale, []]);
    expect([locale, faults]).toEqual([locale, []]);
  }
});

test('the language changes on the page: the input stays, and the link keeps it', async ({
  page,
  linkPage,
  server,
  browser,
  urls,
}) => {
  const { link } = await server.createLink();
  await page.goto(link);
  await linkPage.fill(scenarios.approved);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.getByLabel('Language').selectOption('ar');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('html')).toHaveAttribute('lang', /^ar/);
  await expect(page.locator('input[name=first_name]')).toHaveValue('Ada');
  await expect(page.locator('input[name=card_number]')).toHaveCSS('direction', 'ltr');
  // Only the selected language is loaded.
  expect(fetched.filter((path) => path.endsWith('/locale'))).toHaveLength(1);
  await expect(page).toHaveTitle(/Kettle & Co/);
  await page.locator('.pay').click();
  await returnToShop(page, urls);
  const elsewhere = await browser.newContext({ locale: 'en-US' });
  const second = await elsewhere.newPage();
  await second.goto(link);
  await expect(second.locator('html')).toHaveAttribute('lang', /^ar/);
  await elsewhere.close();
});

test('a reload keeps the language that the buyer chose instead of the one in the URL', async ({ page, server }) => {
  const { link } = await server.createLink();
  await page.goto(`${link}?locale=de`);
  const html = page.locator('html');
  await expect(html).toHaveAttribute('lang', /^de/);
  await page.getByLabel('Sprache').selectOption('fr');
  await expect(html).toHaveAttribute('lang', /^fr/);
  await expect(page).toHaveURL(link);
  await page.reload();
  await expect(html).toHaveAttribute('lang', /^fr/);
});

test('a language that cannot load leaves the page unchanged', async ({ page, linkPage, server, context, faults }) => {
  await page.goto((await server.createLink()).link);
  // On a busy machine, a request sent right after the switch can still be answered.
  await page.route('**/locale', async (route) => await route.abort('internetdisconnected'));
  const checked = page.waitForResponse('**/state');
  await page.getByLabel('Language').selectOption('fr');
  await checked;
  await expect(page.getByLabel('Language')).toHaveValue('en');
  await expect(page.getByText(/You're offline/)).toHaveCount(0);
  await expect(linkPage.payButton).not.toHaveAttribute('aria-disabled');
  await context.setOffline(true);
  await page.getByLabel('Language').selectOption('fr');
  const notice = page.locator('page-notice').getByText(/You're offline/);
  await expect(notice).toBeVisible();
  await expect(page.getByLabel('Language')).toHaveValue('en');
  await expect(linkPage.payButton).toBeVisible();
  await context.setOffline(false);
  await expect(notice).toBeHidden();
  // The browser's own messages about the connection.
  expect(faults.splice(0).filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

/** Translates the text on the page as Chrome does: it replaces each text node by elements. */
async function translatePage(page: Page) {
  await page.locator('link-page').evaluate((root) => {
    const nodes: Text[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) nodes.push(walker.currentNode as Text);
    for (const node of nodes) {
      if (node.data.trim() === '' || node.parentElement?.closest('[translate=no]')) continue;
      const font = document.createElement('font');
      font.append(document.createElement('font'));
      font.firstElementChild?.append(`[${node.data}]`);
      node.replaceWith(font);
    }
  });
}

test('a page that the browser has translated shows changes of its text', async ({
  page,
  linkPage,
  context,
  server,
  urls,
}) => {
  const { link, reference } = await server.createLink();
  await stayOnPaidPage(page, urls);
  await page.goto(link);
  await linkPage.fill(scenarios.challenge);
  await translatePage(page);
  const button = page.locator('.pay');
  await expect(button).toHaveText('[Pay $12.50]');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/submit', async (route) => {
    await released;
    await route.continue();
  });
  await button.click();
  await expect(button).toHaveText('Paying $12.50…');
  release();
  await linkPage.issuer.heading.waitFor();
  await page.goto(link);
  await expect(linkPage.bankLink).toBeVisible();
  await translatePage(page);
  const heading = page.locator('.status-heading');
  await expect(heading).toHaveText('[Confirm with your bank]');
  const tab = new LinkPage(await context.newPage());
  await tab.page.goto(link);
  await tab.continueToBank();
  await tab.issuer.approve();
  await expect(heading).toHaveText('Payment received');
  await translatePage(page);
  await expect(page.locator('.status-facts').getByText(reference, { exact: true })).toBeVisible();
});
