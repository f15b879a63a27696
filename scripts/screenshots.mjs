/*
 * Pictures of every state of the pages, in test-results/screenshots/, at three widths, light and
 * dark, and once from right to left. Build the pages first. An argument picks states by a part of
 * their name: `node scripts/screenshots.mjs ready`.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { build } from 'esbuild';
import { chromium } from 'playwright';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist/pages');
const PICTURES = join(ROOT, 'test-results/screenshots');
const WIDTHS = [360, 768, 1280];
const [wanted = ''] = process.argv.slice(2);

const mimeTypes = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

async function loadPages() {
  const outfile = join(ROOT, 'test-results/screenshots-pages.mjs');
  await build({
    stdin: {
      contents: `
        export { renderLinkPage } from './pages/pay/render.ts';
        export { renderIssuerPage } from './pages/issuer/render.ts';
        export { renderMessagePage } from './pages/message/render.ts';
        export { contentSecurityPolicy, plainPagePolicy } from './pages/content-security-policy.ts';
        export { loadAssets } from './pages/assets.ts';
        export * from './test/component/page-fixtures.ts';
        export { countryCodes } from './src/contract/country.ts';
      `,
      resolveDir: ROOT,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  return import(outfile);
}

const pages = await loadPages();
const assets = pages.loadAssets(DIST);
const { pay, plain } = assets.pages;

/** What is shown under a name: the state that the server tells, and what a person does then. */
const scenes = {
  ready: {},
  filled: { act: fillCard },
  mistakes: { act: async (page) => page.getByRole('button', { name: /^Pay/ }).click() },
  typing: { act: async (page) => page.getByLabel('Card number').pressSequentially('378282') },
  expired_card: {
    act: async (page) => {
      await fillCard(page);
      await page.getByLabel('Expiry').fill('04 / 24');
      await page.getByLabel('Email').focus();
    },
  },
  submitting: { act: submitCard, submit: 'never' },
  declined: { act: submitCard, submit: 'declined' },
  offline: { act: async (page) => page.context().setOffline(true) },
  lost: { act: submitCard, submit: 'lost' },
  methods: {
    state: {
      methods: [
        { code: 'qr_code', action: 'qr' },
        { code: 'credit_card', action: 'card' },
        { code: 'online_banking', action: 'redirect' },
      ],
      amount: { value: '1250.00', currency: 'THB' },
    },
  },
  long: {
    state: {
      merchant: { name: 'The Society of Extraordinarily Long Names for Small Kettles, Limited' },
      amount: { value: '9999999999999.99', currency: 'EUR' },
      description:
        'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft and ten other things in one order',
    },
  },
  challenge: { phase: 'challenge' },
  checking: { phase: 'checking' },
  paid: { act: submitCard, submit: 'confirmed' },
  paid_again: { phase: 'paid' },
  expired: { phase: 'expired' },
  cancelled: { phase: 'cancelled' },
  failed: { phase: 'failed' },
  restricted: { phase: 'restricted' },
  rtl: { direction: 'rtl', act: fillCard },
  no_script: { script: false },
  forced_colors: { forcedColors: 'active', act: async (page) => page.getByRole('button', { name: /^Pay/ }).click() },
  issuer: { plain: 'issuer' },
  message: { plain: 'message' },
};

async function fillCard(page) {
  const values = {
    'Card number': '4242424242424242',
    Expiry: '0429',
    'Security code': '123',
    'First name': 'Ada',
    'Last name': 'Lovelace',
    Address: '12 St James’s Square',
    City: 'London',
    'State or province': 'Greater London',
    Postcode: 'SW1Y 4LB',
    Phone: '+44 20 7946 0000',
    Email: 'ada@example.com',
  };
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
}

async function submitCard(page) {
  await fillCard(page);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForFunction(() => document.querySelector('.pay[aria-busy], .notice, .status'));
}

function stateOf(scene) {
  return { ...pages.statesByPhase[scene.phase ?? 'ready'], ...scene.state };
}

const afterSubmit = {
  declined: () => ({
    ...pages.statesByPhase.ready,
    attemptsLeft: 4,
    declined: { code: 'insufficient_funds', network_code: '51', retryable: true, advice: 'use_other_card' },
  }),
  confirmed: () => pages.statesByPhase.paid,
};

function drawn(name) {
  const scene = scenes[name];
  const common = { locale: 'en-US', amountLocale: 'en-US', direction: scene.direction ?? 'ltr' };
  if (scene.plain === 'issuer') {
    const issuer = {
      merchantName: 'Kettle & Co',
      amount: { value: '12.50', currency: 'USD' },
      cardLast4: '3220',
      actionUrl: '/issuer/1',
    };
    return [
      pages.renderIssuerPage({ ...issuer, ...common }, plain),
      pages.plainPagePolicy(plain, "'self' http: https:"),
    ];
  }
  if (scene.plain === 'message') {
    const message = {
      title: 'There is no such page',
      text: 'Check the address, or ask the shop for a new link.',
      reference: 'req_01',
    };
    return [pages.renderMessagePage({ ...message, ...common }, plain), pages.plainPagePolicy(plain)];
  }
  const document = pages.pageDocument(stateOf(scene), { ...common, countryCodes: pages.countryCodes });
  return [pages.renderLinkPage(document, assets), pages.contentSecurityPolicy(pay)];
}

const server = createServer((request, response) => void answer(request, response));

async function answer(request, response) {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, first = '', name = '', rest] = url.pathname.split('/');
  const json = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (first === 'p' && scenes[name]) {
    if (rest === 'state') {
      if (scenes[name].submit === 'lost') return request.socket.destroy();
      return json(200, (afterSubmit[scenes[name].submit] ?? (() => stateOf(scenes[name])))());
    }
    const [html, policy] = drawn(name);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
    return response.end(html);
  }
  if (request.method === 'POST') {
    const { submit } = scenes[/\/p\/(\w+)/.exec(request.headers.referer ?? '')?.[1] ?? ''] ?? {};
    if (submit === 'never') return;
    if (submit === 'lost') return request.socket.destroy();
    return json(200, { response_type: submit });
  }
  try {
    const file = await readFile(join(DIST, url.pathname));
    response
      .writeHead(200, { 'content-type': mimeTypes[extname(url.pathname)] ?? 'application/octet-stream' })
      .end(file);
  } catch {
    response.writeHead(404).end();
  }
}

await new Promise((resolve) => server.listen(0, resolve));
const origin = `http://localhost:${server.address().port}`;
if (!wanted) await rm(PICTURES, { recursive: true, force: true });
await mkdir(PICTURES, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
});
let complaints = 0;
function complain(about, what) {
  complaints++;
  console.log(`${about}: ${what}`);
}

for (const name of Object.keys(scenes).filter((scene) => scene.includes(wanted))) {
  for (const width of WIDTHS) {
    for (const colorScheme of ['light', 'dark']) {
      const scene = scenes[name];
      const picture = `${name}-${width}-${colorScheme}`;
      const context = await browser.newContext({
        viewport: { width, height: width < 500 ? 760 : 900 },
        colorScheme,
        javaScriptEnabled: scene.script !== false,
        reducedMotion: 'reduce',
        forcedColors: scene.forcedColors ?? 'none',
      });
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error' && !/net::ERR_/.test(message.text())) complain(picture, message.text());
      });
      page.on('pageerror', (error) => complain(picture, error.message));
      await page.goto(`${origin}/p/${name}`);
      if (scene.script !== false) {
        if (!scene.plain) await page.waitForFunction(() => !document.querySelector('.pay:disabled'));
        if (width >= 960)
          await page.waitForFunction(
            () => !document.querySelector('.qr-box') || document.querySelector('.qr-box path'),
          );
      }
      await scene.act?.(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) complain(picture, `scrolls sideways by ${overflow} px`);
      if (scene.script !== false && width !== 768) {
        const { violations } = await new AxeBuilder({ page }).analyze();
        for (const { id, nodes } of violations)
          complain(picture, `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
      }
      await page.screenshot({ path: join(PICTURES, `${picture}.png`), fullPage: true });
      await context.close();
    }
  }
}

await browser.close();
server.close();
server.closeAllConnections();
console.log(complaints === 0 ? 'no complaints' : `${complaints} complaints`);
process.exitCode = complaints === 0 ? 0 : 1;
