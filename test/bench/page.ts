/*
 * Measures when a buyer can read and use the link page on a slow phone, compared with an empty page with the same headers
 * and Adyen's card drop-in, from one server, in alternating runs. Fails if the link page exceeds its limits or shifts its layout.
 *
 *   npm run bench:page [-- RUNS]
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright';
import { chromiumSwitches, findChromium } from '../../scripts/chromium.mjs';
import { packageRoot } from '../../src/system/root.ts';
import { createTestDatabase } from '../support/databases.ts';
import { freePort } from '../support/ports.ts';
import { runCommand, startProgram } from '../support/program.ts';
import { ADYEN_VERSION, buildDropin, type Dropin } from './adyen-dropin.ts';
import { type PageServer, servePages } from './page-server.ts';

const RUNS = Number(process.argv[2] ?? 9);
/** Ratios of the link page to the empty page. */
const MOST_READABLE = 1.5;
const MOST_USABLE = 1.5;
/** Time for a page to finish painting and loading after it is usable. */
const FINISH_TIMEOUT_MS = 2500;
/** Timeout for a page that never becomes usable. */
const TIMEOUT_MS = 30_000;

/**
 * Lighthouse's `mobileSlow4G` with `throttlingMethod: 'devtools'`: a round trip of 150 ms times 3.75, because
 * requests are delayed but connections are not; 1.6 Mbit/s down and 750 kbit/s up, times 0.9; in bytes per second.
 */
const NETWORK = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: Math.floor((1.6 * 1024 * 0.9 * 1024) / 8),
  uploadThroughput: Math.floor((750 * 0.9 * 1024) / 8),
};
const CPU_SLOWDOWN = 4;
/** Lighthouse's default phone. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };

const figures = ['ttfb', 'fcp', 'lcp', 'field', 'usable', 'script', 'cls', 'bytes', 'requests'] as const;
type Figures = Record<(typeof figures)[number], number>;
const titles: Record<keyof Figures, string> = {
  ttfb: 'first byte, ms',
  fcp: 'first contentful paint, ms',
  lcp: 'readable (LCP), ms',
  field: 'first field accepts input, ms',
  usable: 'usable, ms',
  script: 'interactive: script running, ms',
  cls: 'layout shift (CLS)',
  bytes: 'bytes transferred',
  requests: 'requests',
};

interface Candidate {
  letter: 'A' | 'B' | 'C';
  name: string;
  path: string;
  /** Types one digit into the first field; returns its value. */
  type: ((page: Page) => Promise<string>) | null;
}

const executablePath = findChromium();
if (executablePath === null) {
  print('There is no Chromium: set CHROMIUM_PATH');
  process.exit(1);
}

const dropin = await buildDropin().catch((error: unknown): Dropin | null => {
  print(`Adyen's package cannot be installed, so there is no comparison: ${String(error).split('\n')[0]}\n`);
  return null;
});

const database = await createTestDatabase();
const servicePort = await freePort();
const pagesPort = await freePort();
const origin = `http://127.0.0.1:${pagesPort}`;
const settings = {
  PORT: String(servicePort),
  PUBLIC_URL: origin,
  DATABASE_URL: database.url,
  LOG_LEVEL: 'warn',
};
const program = await startProgram(settings);
let browser: Browser | null = null;
let server: PageServer | null = null;
/** Blocked requests to other hosts. */
const foreignHosts = new Set<string>();

try {
  // The demo merchant is the first of an empty database.
  const { link } = await runCommand(
    ['link', 'create', '--amount', '24.90', '--description', 'A blue kettle'],
    settings,
  );
  const linkPath = new URL(String(link)).pathname;
  server = await servePages({ port: pagesPort, service: program.origin, linkPath, dropin });
  browser = await chromium.launch({
    executablePath,
    // Requests to other hosts are not even resolved.
    args: [...chromiumSwitches, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });

  const candidates: Candidate[] = [
    { letter: 'A', name: 'empty page', path: '/bench/empty', type: null },
    { letter: 'B', name: 'link page', path: linkPath, type: typeIntoLink },
  ];
  if (dropin) candidates.push({ letter: 'C', name: 'Adyen drop-in', path: '/bench/dropin', type: typeIntoDropin });

  print(
    `Chromium ${browser.version()}, Node ${process.version}; ${RUNS} runs of each alternating, cold cache, medians`,
  );
  print(
    `Lighthouse's slow 4G: ${NETWORK.latency} ms a request, ${NETWORK.downloadThroughput} B/s down, ${NETWORK.uploadThroughput} B/s up`,
  );
  print(`Lighthouse's mobile processor: ${CPU_SLOWDOWN} times slower than this machine's\n`);

  const measured = new Map<Candidate, Figures[]>(candidates.map((candidate) => [candidate, []]));
  // The first run of each warms up the service and the browser, and is discarded.
  for (let run = 0; run <= RUNS; run += 1) {
    for (const candidate of candidates) {
      const result = await measure(browser, candidate);
      if (run > 0) measured.get(candidate)?.push(result);
    }
  }

  report(measured);
  if (dropin) {
    print(`\nAdyen Web ${ADYEN_VERSION}; its hosts are replaced by immediate, nearly empty responses:`);
    for (const [name, count] of server.stubbed) print(`  ${name}: ${(count / (RUNS + 1)).toFixed(1)} a run`);
  }
  if (foreignHosts.size > 0) print(`\nBlocked requests to other hosts: ${[...foreignHosts].join(', ')}`);
} finally {
  server?.close();
  await browser?.close();
  await program.kill();
  await database.drop();
}

async function measure(browser: Browser, { name, path, type }: Candidate): Promise<Figures> {
  const context = await browser.newContext({ ...PHONE, locale: 'en-US' });
  try {
    const page = await context.newPage();
    await page.addInitScript({ path: join(packageRoot(), 'test', 'bench', 'page-watch.js') });
    const session = await context.newCDPSession(page);
    const traffic = await watchTraffic(session);
    await session.send('Network.emulateNetworkConditions', NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto(origin + path, { waitUntil: 'commit' });
    await evaluate(session, 'benchNotes.whenInControl');
    await pause(FINISH_TIMEOUT_MS);
    const times = (await evaluate(
      session,
      "({ ...benchNotes, fcp: performance.getEntriesByName('first-contentful-paint')[0].startTime })",
    )) as Omit<Figures, keyof Traffic>;
    const result: Figures = { ...times, ...traffic };
    for (const figure of figures) if (!Number.isFinite(result[figure])) throw new Error(`${name}: no ${figure}`);
    // A field counts only if it accepts typing.
    if (type && !(await type(page)).startsWith('4')) throw new Error(`${name}: the field did not accept a digit`);
    return result;
  } finally {
    await context.close();
  }
}

/** Uses the protocol directly: the page's policy forbids code that the driver adds to expressions. */
async function evaluate(session: CDPSession, expression: string): Promise<unknown> {
  const responded = session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  const late = pause(TIMEOUT_MS, null, { ref: false });
  const result = await Promise.race([responded, late]);
  if (result === null) throw new Error(`Timed out waiting for ${expression}`);
  if (result.exceptionDetails) throw new Error(`The page failed at ${expression}`);
  return result.result.value;
}

type Traffic = Pick<Figures, 'ttfb' | 'bytes' | 'requests'>;

/**
 * Counts bytes on the wire, including endless streams. The time of the first byte is measured here, because the
 * page's own value excludes the added delay.
 */
async function watchTraffic(session: CDPSession): Promise<Traffic> {
  const traffic = { ttfb: Number.NaN, bytes: 0, requests: 0 };
  let askedAt = Number.NaN;
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({ request, timestamp }) => {
    if (!request.url.startsWith('http')) return;
    if (!request.url.startsWith(`${origin}/`)) foreignHosts.add(new URL(request.url).host);
    if (traffic.requests === 0) askedAt = timestamp;
    traffic.requests += 1;
  });
  const headersOf = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, response, timestamp }) => {
    if (Number.isNaN(traffic.ttfb)) traffic.ttfb = 1000 * (timestamp - askedAt);
    headersOf.set(requestId, response.encodedDataLength);
    traffic.bytes += response.encodedDataLength;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    traffic.bytes += encodedDataLength - (headersOf.get(requestId) ?? 0);
  });
  return traffic;
}

async function typeIntoLink(page: Page): Promise<string> {
  const field = page.locator('link-page input[autocomplete="cc-number"]');
  await field.tap();
  await page.keyboard.type('4');
  return await field.inputValue();
}

async function typeIntoDropin(page: Page): Promise<string> {
  const field = page.frameLocator('[data-cse="encryptedCardNumber"] iframe').locator('input');
  await field.tap();
  await page.keyboard.type('4');
  return await field.inputValue();
}

function report(measured: ReadonlyMap<Candidate, readonly Figures[]>) {
  const columns = [...measured].map(([candidate, results]) => {
    const medians = figures.map((figure) => [figure, median(results.map((result) => result[figure]))] as const);
    const spread = (figure: keyof Figures) => {
      const values = results.map((result) => result[figure]);
      return `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`;
    };
    const worstCls = Math.max(...results.map(({ cls }) => cls));
    return { candidate, medians: Object.fromEntries(medians) as Figures, spread, worstCls };
  });
  const [empty, link, other] = columns;
  if (!empty || !link) throw new Error('There are no measurements');

  row(
    '',
    columns.map(({ candidate }) => `${candidate.letter} ${candidate.name}`),
  );
  for (const figure of figures) {
    const digits = figure === 'cls' ? 3 : 0;
    row(
      titles[figure],
      columns.map(({ medians }) => medians[figure].toFixed(digits)),
    );
    if (figure === 'lcp' || figure === 'usable')
      row(
        '  least and most',
        columns.map(({ spread }) => spread(figure)),
      );
  }

  const pairs = [
    [link, empty],
    ...(other
      ? [
          [other, empty],
          [other, link],
        ]
      : []),
  ] as const;
  print('');
  row(
    'ratio',
    pairs.map(([one, to]) => `${one?.candidate.letter}/${to?.candidate.letter}`),
  );
  const ratio = (figure: keyof Figures, one = link, to = empty) => one.medians[figure] / to.medians[figure];
  for (const figure of ['fcp', 'lcp', 'field', 'usable', 'script', 'bytes'] as const) {
    row(
      titles[figure].replace(', ms', ''),
      pairs.map(([one, to]) => ratio(figure, one, to).toFixed(2)),
    );
  }

  print('');
  check(`readable: ${ratio('lcp').toFixed(2)} of ${MOST_READABLE} allowed`, ratio('lcp') <= MOST_READABLE);
  check(`usable: ${ratio('usable').toFixed(2)} of ${MOST_USABLE} allowed`, ratio('usable') <= MOST_USABLE);
  check(`CLS, the worst run: ${link.worstCls} of 0 allowed`, link.worstCls === 0);
}

function check(what: string, isWithin: boolean) {
  print(`${what}: ${isWithin ? 'within' : 'OVER'} the limit`);
  if (!isWithin) process.exitCode = 1;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new RangeError('No values');
  return (lower + upper) / 2;
}

function row(name: string, values: readonly string[]) {
  print(`  ${name.padEnd(32)}${values.map((value) => value.padStart(18)).join('')}`);
}

function print(line: string) {
  process.stdout.write(`${line}\n`);
}
