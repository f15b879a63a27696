import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { packageRoot } from '../../src/system/root.ts';
import { LinkPage, scenarios } from '../../testing/index.ts';
import { freePort } from '../support/ports.ts';
import { enterPassword } from './account.ts';
import { expect, test } from './fixtures.ts';

const MAX_CLICKS = 12;
/** Sign-in, brand, amount and description: 6. The buyer's card, name and address: 8. */
const MAX_FIELDS = 14;
/** The account area, and the payment page. */
const MAX_PAGES = 2;

interface Fresh {
  account: string;
  email: string;
  password: string;
  end(): Promise<void>;
}

/** Runs the command of `npm start` with an empty database; reads what it prints. */
async function startFresh(): Promise<Fresh> {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-newcomer-'));
  const { scripts } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  const child = spawn('sh', ['-c', scripts.start], {
    cwd: packageRoot(),
    env: {
      PATH: `${join(packageRoot(), 'node_modules/.bin')}:${process.env.PATH}`,
      PORT: String(await freePort()),
      DATABASE_URL: `sqlite:${join(folder, 'paylatch.db')}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await expect.poll(() => /Webhook secret/.test(output) || child.exitCode !== null, { timeout: 120_000 }).toBe(true);
  const [, account = ''] = /Account area +(\S+)/.exec(output) ?? [];
  const [, email = '', password = ''] = /Sign in as +(\S+), password (\S+)/.exec(output) ?? [];
  expect(account, output).toContain('/account');
  return {
    ...{ account, email, password },
    async end() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Counts the clicks, filled fields and loaded pages of all pages of a context. */
async function countWork(context: BrowserContext, work: Record<'clicks' | 'fields' | 'pages', number>) {
  await context.exposeFunction('countWork', (kind: keyof typeof work) => (work[kind] += 1));
  await context.addInitScript(() => {
    const { countWork } = window as unknown as { countWork: (kind: string) => void };
    if (window === top && location.protocol !== 'about:') countWork('pages');
    addEventListener('pointerdown', () => countWork('clicks'), true);
    const filled = new WeakSet<EventTarget>();
    const countField = (event: Event) => {
      const [field] = event.composedPath();
      if (!field || filled.has(field)) return;
      filled.add(field);
      countWork('fields');
    };
    addEventListener('input', countField, true);
  });
}

test('from `npm start` to a branded, shared and paid link in few steps', async ({ page, context, browser }) => {
  const work = { clicks: 0, fields: 0, pages: 0 };
  const startedMs = performance.now();
  const fresh = await startFresh();
  try {
    await countWork(context, work);
    // The share sheet of the operating system, which headless browsers lack.
    let shared = '';
    await context.exposeFunction('openShareSheet', (url: string) => (shared = url));
    await context.addInitScript(() => {
      const { openShareSheet } = window as unknown as { openShareSheet: (url?: string) => Promise<void> };
      navigator.share = async (data) => await openShareSheet(data?.url);
    });

    await page.goto(fresh.account);
    await enterPassword(page, fresh.email, fresh.password);
    await page.getByRole('link', { name: 'Branding' }).click();
    await page.locator('[data-key="brand-name"]').getByRole('textbox').fill('Kettle & Daughters');
    await page.getByLabel('Brand color', { exact: true }).fill('#ffcc00');
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('link', { name: 'New link' }).click();
    await page.getByLabel('Amount (USD)').fill('12.50');
    await page.getByLabel('Description').fill('Two cups and a saucer');
    await expect(page.locator('link-preview')).toContainText('Kettle & Daughters');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('button', { name: 'Share link' }).click();
    // The page passes the link after the click.
    await expect.poll(() => shared).toContain('/p/');

    // The buyer has a browser of their own.
    const buyerContext = await browser.newContext();
    await countWork(buyerContext, work);
    const buyer = await buyerContext.newPage();
    await buyer.goto(shared);
    await expect(buyer.locator('.merchant-name')).toHaveText('Kettle & Daughters');
    await expect(buyer.locator('button.pay').first()).toHaveCSS('background-color', 'rgb(255, 204, 0)');
    const linkPage = new LinkPage(buyer);
    await linkPage.fillAndPay(scenarios.approved);
    expect(await linkPage.outcome()).toBe('success');
    await buyerContext.close();

    await page.getByRole('link', { name: 'View transaction' }).click();
    await expect(page.locator('.transaction-head')).toContainText('Paid');
    await expect(page.locator('.transaction-head')).toContainText('12.50');
  } finally {
    // An open page reports the requests that fail once the service has stopped.
    await page.close();
    await fresh.end();
  }
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const { clicks, fields, pages } = work;
  console.log(`\nNewcomer: ${clicks} clicks, ${fields} fields, ${pages} pages; ${seconds} s, of a limit of 180 s`);
  expect(clicks, 'every click was counted').toBeGreaterThan(5);
  expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
  expect(fields, 'every field was counted').toBeGreaterThan(5);
  expect(fields).toBeLessThanOrEqual(MAX_FIELDS);
  expect(pages).toBe(MAX_PAGES);
});
