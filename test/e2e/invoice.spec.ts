import { devices, type Locator, type Page } from '@playwright/test';
import { languages } from '../../pages/locales/languages.ts';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { MINUTE } from '../../src/shared/time.ts';
import { SimulatorPage } from '../../testing/index.ts';
import { findings, horizontalOverflow, smallTargets } from './barriers.ts';
import { expect, test as base } from './fixtures.ts';
import { tabTo } from './keys.ts';
import { readCode } from './read-code.ts';
import type { Server } from './states.ts';
import { recordStreams } from './streams.ts';

const test = base.extend<{ invoicePage: InvoicePage }>({
  invoicePage: async ({ page }, use) => await use(new InvoicePage(page)),
});

/** The invoice page, as its payer sees it. */
class InvoicePage {
  readonly page: Page;
  readonly amount: Locator;
  readonly code: Locator;
  readonly wallet: Locator;
  readonly confirmations: Locator;
  readonly simulator: Locator;

  constructor(page: Page) {
    this.page = page;
    this.amount = page.getByRole('heading', { level: 1 });
    this.code = page.getByRole('img', { name: /^QR code for / });
    this.wallet = page.getByRole('link', { name: 'Open in wallet' });
    this.confirmations = page.getByRole('progressbar', { name: 'Confirmations' });
    this.simulator = page.getByRole('link', { name: 'Sandbox: simulate the payment' });
  }

  async open({ link }: Pick<CryptoTransaction, 'link'>) {
    await this.page.goto(link.payment);
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 2, name });
  }

  copyButton(what: string): Locator {
    return this.page.getByRole('button', { name: `Copy ${what}` });
  }

  /** Value of a fact. */
  fact(label: string): Locator {
    return this.page
      .locator('dl > div')
      .filter({ has: this.page.getByText(label, { exact: true }) })
      .locator('bdi');
  }

  async openSimulator(): Promise<SimulatorPage> {
    const opened = this.page.context().waitForEvent('page');
    await this.simulator.click();
    return new SimulatorPage(await opened);
  }

  async clipboard(): Promise<string> {
    return await this.page.evaluate(() => navigator.clipboard.readText());
  }
}

const OPEN = 1;
const CLOSED = 2;

const streamOpens = async (page: Page) => await page.waitForResponse((response) => response.url().endsWith('/events'));

test('an invoice is read, scanned, copied and paid, and its page shows each confirmation live', async ({
  page,
  invoicePage,
  server,
  browser,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const invoice = await server.createInvoice();
  const readStreams = await recordStreams(page);
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await invoicePage.open(invoice);
  await expect(invoicePage.amount).toHaveText(/0\.0015\sBTC/);
  await expect(page).toHaveTitle(/^Pay .*0\.0015\sBTC.* to Kettle & Co$/);
  await expect(page.getByRole('timer')).toHaveText(/^(29|30) min left$/);
  await expect(invoicePage.fact('Address')).toHaveText(invoice.walletAddress);
  await expect(invoicePage.wallet).toHaveAttribute('href', invoice.uri);
  expect(await readCode(browser, await invoicePage.code.screenshot())).toBe(invoice.uri);
  for (const [what, value] of [
    ['Amount', '0.0015'],
    ['Address', invoice.walletAddress],
  ] as const) {
    await invoicePage.copyButton(what).click();
    await expect(page.getByRole('status').first()).toContainText(`${what} copied`);
    expect(await invoicePage.clipboard()).toBe(value);
  }

  // Until the first live update, the page polls.
  await expect.poll(async () => (await readStreams()).statesReceived).toBeGreaterThan(0);
  expect((await readStreams()).streams).toEqual([OPEN]);
  const pollCount = () => requestedPaths.filter((path) => path.endsWith(invoice.id) || path.endsWith('/state')).length;
  const before = pollCount();
  await page.emulateMedia({ media: 'print' });
  await expect(invoicePage.simulator).toBeHidden();
  await page.emulateMedia({ media: null });
  const simulator = await invoicePage.openSimulator();
  await simulator.decide('exact');
  await expect(invoicePage.heading('Payment detected')).toBeVisible();
  await expect(page.getByText(/Waiting for the first confirmation on .*Don't pay again/).last()).toBeVisible();
  await expect(invoicePage.fact('Confirmations')).toHaveText('0 / 2');
  await expect(invoicePage.code).toHaveCount(0);
  await simulator.decide('block');
  await expect(page.getByText('1 of 2 confirmations.').last()).toBeVisible();
  await expect(page.getByRole('status').first()).toContainText('1 of 2 confirmations');
  await expect(invoicePage.confirmations).toHaveJSProperty('position', 0.5);
  await simulator.decide('block');
  await expect(invoicePage.heading('Payment received')).toBeVisible();
  await expect(page.getByText(invoice.walletAddress)).toHaveCount(0);

  // All updates were live, and the state is final.
  expect((await readStreams()).streams).toEqual([CLOSED]);
  expect(pollCount()).toBe(before);
});

test('an open invoice page shows the expiry and a late payment', async ({ page, invoicePage, server }) => {
  // Expires before the stream's lifetime ends, so that the page learns of it on the same stream.
  const { createdAt } = await server.createInvoice();
  const expiredAt = new Date(Date.parse(createdAt) + 5 * 60_000).toISOString();
  const invoice = await server.createInvoice({ expiredAt });
  const opened = streamOpens(page);
  await invoicePage.open(invoice);
  await opened;
  await server.advance(5 * MINUTE);
  await expect(invoicePage.heading('This link has expired')).toBeVisible();
  await expect(page.getByText("If you haven't, ask Kettle & Co for a new link.").last()).toBeVisible();
  await expect(invoicePage.code).toHaveCount(0);
  await server.runChainAction(invoice.id, 'pay exact');
  await expect(invoicePage.heading('Your payment arrived late')).toBeVisible();
});

interface State {
  fields?: Record<string, unknown>;
  arrange?: (invoice: CryptoTransaction, server: Server) => Promise<void>;
  undo?: (server: Server) => Promise<void>;
  heading: RegExp;
  /** Expected instruction to the payer. */
  instruction: RegExp;
}

const runChainActions =
  (...acts: string[]) =>
  async ({ id }: CryptoTransaction, server: Server) => {
    for (const act of acts) await server.runChainAction(id, act, { amount: '0.0007' });
  };

/** Every state in which a payer can see the page. */
const states: Record<string, State> = {
  ready: { heading: /^Send 0\.\d+ BTC on the Bitcoin .*network/, instruction: /Network fees are extra/ },
  'any amount': {
    fields: { type: 'user' },
    heading: /^Send BTC on the Bitcoin .*network/,
    instruction: /You can pay as often as you like/,
  },
  'any amount, seen': {
    fields: { type: 'user' },
    arrange: runChainActions('pay amount'),
    heading: /^Payment detected/,
    instruction: /complete after 2 confirmations/,
  },
  seen: {
    arrange: runChainActions('pay exact'),
    heading: /^Payment detected/,
    instruction: /Don't pay again/,
  },
  confirming: {
    arrange: runChainActions('pay exact', 'mine 1'),
    heading: /^Payment detected/,
    instruction: /1 of 2 confirmations\. Don't pay again/,
  },
  less: {
    arrange: runChainActions('pay underpay'),
    heading: /^You paid too little/,
    instruction:
      /0\.00015\sBTC.* short\)\. .*Kettle & Co.* will review your payment\. Contact them before you send more/,
  },
  more: {
    arrange: runChainActions('pay overpay'),
    heading: /^You paid too much/,
    instruction: /Don't pay again/,
  },
  late: {
    async arrange({ id }, server) {
      await server.advance(31 * MINUTE);
      await server.runChainAction(id, 'pay exact');
    },
    heading: /^Your payment arrived late/,
    instruction: /will review it\. Don't pay again/,
  },
  paid: {
    arrange: runChainActions('pay exact', 'mine 6'),
    heading: /^Payment received/,
    instruction: /You.re all set/,
  },
  expired: {
    arrange: async (_invoice, server) => await server.advance(31 * MINUTE),
    heading: /^This link has expired/,
    instruction: /ask .*Kettle & Co.* for a new link/,
  },
  replaced: {
    async arrange({ id }, server) {
      await server.runChainAction(id, 'pay exact');
      await server.doubleSpendPayment(id);
    },
    heading: /^Transaction replaced/,
    instruction: /wasn't credited\. If your wallet sends another one/,
  },
  refused: {
    async arrange(invoice, server) {
      await runChainActions('pay underpay', 'mine 6')(invoice, server);
      await server.reviewInvoice(invoice.id, 'reject');
    },
    heading: /^Your payment was not accepted/,
    instruction: /Questions\? Contact .*Kettle & Co/,
  },
  'sent back': {
    async arrange(invoice, server) {
      await runChainActions('pay underpay', 'mine 6')(invoice, server);
      const refundAddress = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
      await server.reviewInvoice(invoice.id, 'reject', { refundAddress });
    },
    heading: /^Your refund is on its way/,
    instruction: /Questions\? Contact .*Kettle & Co/,
  },
  restricted: {
    arrange: async (_invoice, server) => await server.setPreference('unknown-country', 'refuse'),
    undo: async (server) => await server.setPreference('unknown-country', null),
    heading: /are not supported/,
    instruction: /reload the page/,
  },
};

/** Brings an invoice into each state in turn and opens its page. */
async function* everyState(invoicePage: InvoicePage, server: Server) {
  for (const [name, { fields, arrange, undo, heading, instruction }] of Object.entries(states)) {
    const invoice = await server.createInvoice(fields);
    await arrange?.(invoice, server);
    await invoicePage.open(invoice);
    yield { name, heading, instruction };
    await undo?.(server);
  }
}

test('the invoice page shows instructions and is accessible in every state, even after a reload', async ({
  page,
  invoicePage,
  server,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for await (const { name, heading, instruction } of everyState(invoicePage, server)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(invoicePage.heading(heading), name).toBeVisible();
      await expect(page.getByText(instruction).last(), name).toBeVisible();
      const found = await findings(page, { onlyColors: colorScheme === 'dark' });
      expect([name, colorScheme, found]).toEqual([name, colorScheme, []]);
      if (colorScheme === 'light') await page.reload();
    }
  }
});

test.describe('on a phone', () => {
  const { defaultBrowserType: _other, ...phone } = devices['Pixel 5'];
  test.use({ ...phone, locale: 'ar' });

  test('the invoice page is accessible in every state, right to left and at 400% zoom', async ({
    page,
    invoicePage,
    server,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for await (const { name } of everyState(invoicePage, server)) {
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
      for (const [colorScheme, width] of [
        ['light', phone.viewport.width],
        ['dark', 320],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 640 });
        const found = await findings(page, { onlyColors: colorScheme === 'light' });
        expect([name, colorScheme, found]).toEqual([name, colorScheme, []]);
        expect([name, width, await horizontalOverflow(page)]).toEqual([name, width, 0]);
        expect([name, width, await smallTargets(page)]).toEqual([name, width, []]);
      }
    }
  });
});

test('the invoice page supports every language and direction at 320 pixels, and its URL keeps the language', async ({
  page,
  invoicePage,
  server,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await invoicePage.open(await server.createInvoice({ code: 'eth', amount: '46666666666666667' }));
  const picker = page.locator('select[name=locale]');
  for (const locale of [...Object.keys(languages).filter((tag) => tag !== 'ar'), 'ar']) {
    await picker.selectOption(locale);
    await expect(page).toHaveURL(new RegExp(`\\?locale=${locale}$`));
    const isRightToLeft = ['ar', 'fa', 'he', 'ur'].includes(locale);
    await expect(page.locator('html')).toHaveAttribute('dir', isRightToLeft ? 'rtl' : 'ltr');
    expect([locale, await horizontalOverflow(page)]).toEqual([locale, 0]);
  }
  // Wide enough for the amount in one line.
  await page.setViewportSize({ width: 420, height: 640 });
  for (const look of ['chosen', 'reloaded']) {
    await expect(picker).toHaveValue('ar');
    await expect(invoicePage.amount).toHaveText(/0\.046666666666666667\sETH/);
    // Values align with their labels, whatever their own direction.
    const [label, value] = await page.locator('.facts > div:first-child :is(dt, bdi)').evaluateAll((all) =>
      all.map((element) => {
        const words = document.createRange();
        words.selectNodeContents(element);
        return Math.round(words.getBoundingClientRect().right);
      }),
    );
    expect([look, value]).toEqual([look, label]);
    await page.reload();
  }
});

test('an invoice is paid with the keyboard', async ({ page, invoicePage, server, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const invoice = await server.createInvoice();
  await invoicePage.open(invoice);
  await tabTo(page, invoicePage.wallet);
  for (const [what, value] of [
    ['Amount', '0.0015'],
    ['Address', invoice.walletAddress],
  ] as const) {
    await page.keyboard.press('Tab');
    await expect(invoicePage.copyButton(what)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(() => invoicePage.clipboard()).toBe(value);
  }
  // The focus moves to the change only if the focused element was removed.
  await server.runChainAction(invoice.id, 'pay exact');
  await expect(invoicePage.heading('Payment detected')).toBeFocused();
  await tabTo(page, page.getByLabel('Language'));
  await server.runChainAction(invoice.id, 'mine 6');
  await expect(page.getByRole('status').first()).toContainText('Payment received');
  await expect(page.getByLabel('Language')).toBeFocused();
});

test('the invoice page shows the offline state, and catches up when online', async ({
  page,
  invoicePage,
  server,
  context,
  faults,
}) => {
  const invoice = await server.createInvoice();
  const opened = streamOpens(page);
  await invoicePage.open(invoice);
  await opened;
  await context.setOffline(true);
  const notice = page.getByLabel('Payment').getByText("You're offline. This page updates");
  await expect(notice).toBeVisible();
  await expect(page.getByRole('status').first()).toContainText("You're offline");
  await expect(invoicePage.code).toBeVisible();
  await server.runChainAction(invoice.id, 'pay exact');
  await context.setOffline(false);
  await expect(invoicePage.heading('Payment detected')).toBeVisible();
  await expect(notice).toBeHidden();
  // The browser's own messages about the connection.
  expect(faults.splice(0).filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  test('the invoice page is complete and shows updates after a reload', async ({
    page,
    invoicePage,
    server,
    browser,
  }) => {
    const invoice = await server.createInvoice();
    await invoicePage.open(invoice);
    await expect(page.getByText('JavaScript is turned off. You can still pay; reload')).toBeVisible();
    await expect(invoicePage.amount).toHaveText(/0\.0015\sBTC/);
    await expect(invoicePage.fact('Address')).toHaveText(invoice.walletAddress);
    await expect(invoicePage.wallet).toHaveAttribute('href', invoice.uri);
    expect(await readCode(browser, await invoicePage.code.screenshot())).toBe(invoice.uri);
    // Controls that need a script are not offered.
    await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0);
    const simulator = await invoicePage.openSimulator();
    await simulator.decide('exact');
    await page.getByRole('link', { name: 'Reload' }).click();
    await expect(invoicePage.heading('Payment detected')).toBeVisible();
    await simulator.decide('block');
    await simulator.decide('block');
    await page.getByRole('link', { name: 'Reload' }).click();
    await expect(invoicePage.heading('Payment received')).toBeVisible();
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de-DE');
  });
});

const simulatorOf = ({ link }: CryptoTransaction) => link.payment.replace('/i/', '/sandbox/chain/');

test('the chain simulator works with the keyboard', async ({ page, invoicePage, server }) => {
  const invoice = await server.createInvoice();
  await page.goto(simulatorOf(invoice));
  const amount = page.getByRole('textbox', { name: 'Amount in coins' });
  await tabTo(page, amount);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('0.0014');
  await page.keyboard.press('Enter');
  await expect(invoicePage.fact('Invoice status')).toHaveText('Approved required');
  await expect(page.getByText('Underpaid')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Double-spend' }));
  await page.keyboard.press('Enter');
  await expect(invoicePage.fact('Invoice status')).toHaveText('Pending');
  await tabTo(page, page.getByRole('button', { name: 'Pay in full' }));
  await page.keyboard.press('Space');
  await expect(invoicePage.fact('Invoice status')).toHaveText('Waiting');
  await tabTo(page, page.getByRole('group', { name: 'Mine' }).getByRole('button', { name: '6 blocks' }));
  await page.keyboard.press('Enter');
  await expect(invoicePage.fact('Invoice status')).toHaveText('Complete');
  await tabTo(page, page.getByRole('link', { name: 'Back to the payment' }));
  await page.keyboard.press('Enter');
  await expect(invoicePage.heading('Payment received')).toBeVisible();
});

test('the chain simulator is accessible in light and dark mode and at 400% zoom', async ({ page, server }) => {
  const bitcoin = await server.createInvoice();
  await runChainActions('pay exact', 'pay amount')(bitcoin, server);
  const ether = await server.createInvoice({ code: 'eth', amount: '46666666666666667' });
  await server.runChainAction(ether.id, 'pay other');
  for (const invoice of [bitcoin, ether]) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(simulatorOf(invoice));
    expect(await findings(page)).toEqual([]);
    // Button labels do not wrap.
    const heights = await page.locator('.plain-row button').evaluateAll((all) => all.map((each) => each.clientHeight));
    expect(heights.length).toBeGreaterThan(5);
    expect(Math.max(...heights)).toBeLessThan(50);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await findings(page)).toEqual([]);
    expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0);
    expect(await smallTargets(page)).toEqual([]);
  }
});
