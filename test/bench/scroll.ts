/*
 * Measures the frames of the transaction list while it scrolls through thousands of rows: down, while further rows load,
 * and back up. The browser draws without a GPU, so the same run also scrolls two pages without script: a copy
 * of the rows, and lines of text. Real machines have more time per frame.
 *
 *   npm run bench:scroll [-- ROWS]
 */
import { chromium, type Page } from 'playwright';
import { chromiumSwitches, findFastChromium } from '../../scripts/chromium.mjs';
import { db } from '../support/tables.ts';
import { openFixture } from '../support/fixture.ts';
import { copyTransaction } from '../support/many-transactions.ts';
import { cards, createLink, submitCard } from '../support/requests.ts';
import { makeUser, PASSWORD } from '../support/users.ts';
import { at, print, report } from './support/figures.ts';
import { measureScroll, scrollByFrame, scrollByWheel, type ScrollFigures } from './support/frames.ts';

const ROWS = Number(process.argv[2] ?? 5000);
const viewport = { width: 1280, height: 900 };
/** Of pages without script, this part is representative. In pixels. */
const STATIC_DISTANCE = 30_000;

const fixture = await openFixture();
const browser = await chromium.launch({ executablePath: findFastChromium() ?? '', args: chromiumSwitches });
try {
  await createTransactions();
  const page = await openList();
  const copy = await copyRows(page);
  const list = await measurePage('list', page, Infinity);
  const baseline = await measurePage('static copy', await openStatic(copy), STATIC_DISTANCE);
  await measurePage('lines of text', await openStatic(linesOfText()), STATIC_DISTANCE);
  for (const [index, title] of ['down', 'up'].entries()) {
    const [figures, other] = [at(list, index), at(baseline, index)];
    const ratio = figures.framesPerSecond / other.framesPerSecond;
    print(`${title}: list relative to its static copy ${ratio.toFixed(2)}`);
    const measure = `Frames a second, ${ROWS} transactions, scrolling ${title}, relative to a static copy`;
    report({ measure, value: ratio, unit: '', target: { min: 0.95 } });
  }
} finally {
  await browser.close();
  await fixture.close();
}

async function createTransactions(): Promise<void> {
  const seeds = [
    { amount: 64, description: 'Kettle, blue enamel', card: cards.visa },
    { amount: 1250.5, currency: 'EUR', description: 'Teapot', card: cards.mastercard },
    { amount: 12, description: 'Cup', card: cards.declined },
  ];
  for (const [index, { card, ...fields }] of seeds.entries()) {
    await createLink(fixture, { transaction_id: `order-${index}`, ...fields });
    await submitCard(fixture, `order-${index}`, card);
  }
  const { database } = fixture.service();
  const rows = await db(database).selectFrom('fiat_transactions').select('id').orderBy('id').execute();
  const { id } = at(rows, 0);
  await copyTransaction(database, id, ROWS - rows.length);
}

/** Signs in and opens the list. */
async function openList(): Promise<Page> {
  const { email } = await makeUser(fixture, 'manager');
  const page = await browser.newPage({ viewport });
  await page.goto(`${fixture.url}/account/sign-in`);
  await page.locator('input[autocomplete~=username]').fill(email);
  await page.locator('input[autocomplete=current-password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  await page.goto(`${fixture.url}/account/${fixture.merchant.id}/transactions`);
  await page.locator('.transaction-item').first().waitFor();
  return page;
}

/** The page with its style and without script; its rendered rows are repeated for all transactions. */
async function copyRows(page: Page): Promise<string> {
  return await page.evaluate((count) => {
    const styles = [...document.styleSheets, ...document.adoptedStyleSheets]
      .flatMap(({ cssRules }) => [...cssRules])
      .map(({ cssText }) => cssText);
    const rows = [...document.querySelectorAll('.transaction-item')].slice(0, 20).map(({ outerHTML }) => outerHTML);
    const all = Array.from({ length: count }, (_, index) => rows[index % rows.length]);
    const columns = document.querySelector('.transaction-list')?.parentElement?.style.cssText ?? '';
    return `<!doctype html><html lang="en"><style>${styles.join('\n')}</style>
      <main class="main"><div class="section transaction-section"><div class="panel" style="${columns}">
      <div class="transaction-list">${all.join('\n')}</div></div></div></main>`;
  }, ROWS);
}

function linesOfText(): string {
  const lines = Array.from({ length: ROWS }, (_, index) => `<p>Line ${index} of ${ROWS}</p>`);
  return `<!doctype html><html lang="en"><style>p { height: 44px; margin: 0 }</style>${lines.join('\n')}`;
}

/** Opens HTML at the service's origin, for its icons and logos. */
async function openStatic(body: string): Promise<Page> {
  const page = await browser.newPage({ viewport });
  const url = `${fixture.url}/static`;
  await page.route(url, async (route) => await route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
  await page.goto(url, { waitUntil: 'networkidle' });
  return page;
}

/** Scrolls down and up with the wheel, and then down frame by frame. */
async function measurePage(title: string, page: Page, distance: number): Promise<ScrollFigures[]> {
  const list: ScrollFigures[] = [];
  for (const [name, scroll] of [
    ['down', async () => await scrollByWheel(page, 1, distance)],
    ['up', async () => await scrollByWheel(page, -1, distance)],
    ['by frame', async () => await scrollByFrame(page)],
  ] as const) {
    const figures = await measureScroll(page, scroll);
    describe(`${title}, ${name}`, figures);
    list.push(figures);
  }
  await page.close();
  return list;
}

function describe(title: string, { busy, work, longestTask, longTasks, ...frames }: ScrollFigures) {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  print(
    `${title.padEnd(20)} ${frames.framesPerSecond.toFixed(1)} frames a second for ${frames.seconds.toFixed(0)} s, ` +
      `late ${(frames.late * 100).toFixed(1)}%, longest ${ms(frames.longestFrame)}`,
  );
  print(
    `  main thread, CPU time per second: ${ms(busy.task)} (script ${ms(busy.script)}, style ${ms(busy.style)}, ` +
      `layout ${ms(busy.layout)})`,
  );
  print(
    `  per frame: median ${ms(work.p50)}, p95 ${ms(work.p95)}, p99 ${ms(work.p99)}; longest task ${ms(longestTask)}, ` +
      `over 16.7 ms ${longTasks[0]}, over 50 ms ${longTasks[1]}`,
  );
}
