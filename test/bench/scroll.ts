/*
 * Measures the frames of the transaction list while it scrolls through thousands of rows: down, while further rows load,
 * and back up. The browser draws without a graphics card, so real machines have more time per frame.
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
import { at, median, percentile, print, report } from './support/figures.ts';

const ROWS = Number(process.argv[2] ?? 5000);
/** A fast turn of a mouse wheel, in pixels per second. */
const SPEED = 3000;
const FRAME_MS = 1000 / 60;
/** A frame later than this missed the display's next refresh. */
const LATE_MS = FRAME_MS * 1.5;

const fixture = await openFixture();
const browser = await chromium.launch({ executablePath: findFastChromium() ?? '', args: chromiumSwitches });
try {
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

  const { email } = await makeUser(fixture, 'manager');
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${fixture.url}/account/sign-in`);
  await page.locator('input[autocomplete~=username]').fill(email);
  await page.locator('input[autocomplete=current-password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  await page.goto(`${fixture.url}/account/${fixture.merchant.id}/transactions`);
  await page.locator('.transaction-item').first().waitFor();
  describe('down, while rows load', await scroll(page, 1));
  describe('up', await scroll(page, -1));
} finally {
  await browser.close();
  await fixture.close();
}

/** Scrolls to one end; returns the duration of each frame in milliseconds. */
async function scroll(page: Page, direction: 1 | -1): Promise<number[]> {
  const client = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    const durations: number[] = [];
    let last = performance.now();
    const next = (now: number) => {
      durations.push(now - last);
      last = now;
      if (Object.hasOwn(globalThis, 'durations')) requestAnimationFrame(next);
    };
    Object.assign(globalThis, { durations });
    requestAnimationFrame(next);
  });
  const restOf = async () =>
    await page.evaluate(
      (isDown) => (isDown ? document.documentElement.scrollHeight - innerHeight - scrollY : scrollY),
      direction === 1,
    );
  for (let rest = await restOf(); rest > 1; rest = await restOf())
    await client.send('Input.synthesizeScrollGesture', {
      ...{ x: 640, y: 450, yDistance: -direction * Math.min(rest, SPEED * 5), speed: SPEED },
      gestureSourceType: 'mouse',
    });
  return await page.evaluate(() => {
    const { durations } = globalThis as unknown as { durations: number[] };
    Reflect.deleteProperty(globalThis, 'durations');
    return durations.slice(1);
  });
}

function describe(title: string, durations: readonly number[]) {
  const seconds = durations.reduce((sum, each) => sum + each, 0) / 1000;
  const late = durations.filter((each) => each > LATE_MS).length / durations.length;
  print(
    `${title.padEnd(24)} ${(durations.length / seconds).toFixed(1)} frames a second for ${seconds.toFixed(0)} s, ` +
      `median ${median(durations).toFixed(1)} ms, p99 ${percentile(durations, 0.99).toFixed(1)} ms, ` +
      `longest ${Math.max(...durations).toFixed(0)} ms, late ${(late * 100).toFixed(1)}%`,
  );
  report({
    measure: `Frames a second, ${ROWS} transactions, scrolling ${title}`,
    value: durations.length / seconds,
    unit: '',
    target: { min: 59 },
  });
}
