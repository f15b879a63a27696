/*
 * Saves screenshots of every page state to test-results/screenshots/, at three widths, light and dark, and once right
 * to left. Build the pages first. An argument filters states by name: `node scripts/screenshots.mjs ready`.
 * `--languages ja,fr` captures them in other languages instead, in light colors only.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { findFastChromium } from './chromium.mjs';
import { findings } from '../test/e2e/barriers.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist/pages');
const SCREENSHOTS = join(ROOT, 'test-results/screenshots');
const WIDTHS = [360, 768, 1280];
const {
  values: { languages },
  positionals: [filter = ''],
} = parseArgs({ allowPositionals: true, options: { languages: { type: 'string' } } });

const mimeTypes = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

async function loadPages() {
  const outfile = join(ROOT, 'test-results/screenshots-pages.mjs');
  await build({
    stdin: {
      contents: `
        export { renderLinkPage } from './pages/checkout/link/render.ts';
        export { brandStyle } from './pages/checkout/link/brand-style.ts';
        export { renderCardFrame, renderFrameError } from './pages/checkout/frame/render.ts';
        export { renderIssuerPage } from './pages/sandbox/issuer/render.ts';
        export { renderInvoicePage } from './pages/checkout/invoice/render.ts';
        export { renderReusableLink } from './pages/checkout/reusable-link/render.ts';
        export { renderMessagePage } from './pages/checkout/message/render.ts';
        export { contentSecurityPolicy, plainPagePolicy } from './pages/content-security-policy.ts';
        export { loadAssets } from './pages/assets.ts';
        export { initialsMark } from './src/methods/initials.ts';
        export * from './test/component/page-fixtures.ts';
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
/** Language of the rendered states, and its texts. */
let language = 'en-US';
let { texts } = pages;
const assets = pages.loadAssets(DIST);
const { card, invoice, pay, plain, reusableLink } = assets.pages;

/** Scenes by name: the state from the server, and the user's actions. */
const scenes = {
  ready: {},
  filled: { act: fillCard },
  field_errors: { act: pressPay },
  typing: { act: async (page) => page.locator('[name="card_number"]').pressSequentially('378282') },
  expired_card: {
    act: async (page) => {
      await fillCard(page);
      await page.locator('[name="card_expiry"]').fill('04 / 24');
      await page.locator('[name="email"]').focus();
    },
  },
  submitting: { act: submitCard, submit: 'never' },
  declined: { act: submitCard, submit: 'declined' },
  declined_last: { act: submitCard, submit: 'declined_last' },
  offline: { act: async (page) => page.context().setOffline(true) },
  lost: { act: submitCard, submit: 'lost' },
  ...Object.fromEntries(Object.entries(pages.statesByMethod).map(([name, state]) => [`method_${name}`, { state }])),
  method_missing: {
    state: pages.statesByMethod.bank_choice,
    act: pressPay,
  },
  method_rtl: { state: pages.statesByMethod.bank_details, direction: 'rtl' },
  method_no_script: { state: pages.statesByMethod.several, script: false },
  method_forced_colors: { state: pages.statesByMethod.bank_choice, forcedColors: 'active' },
  long: {
    state: {
      merchant: { ...pages.merchant, name: 'The Society of Extraordinarily Long Names for Small Kettles, Limited' },
      amount: { value: '9999999999999.99', currency: 'EUR' },
      methods: pages.statesByPhase.ready.methods.map((method) => ({ ...method, amount: '9999999999999.99' })),
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
  restricted_unknown: { phase: 'restricted', state: { buyerCountry: null } },
  branded: { brand: '#ffcc00' },
  rtl: { direction: 'rtl', act: fillCard },
  no_script: { script: false },
  forced_colors: { forcedColors: 'active', act: pressPay },
  form: { framed: true },
  form_filled: { framed: true, act: fillCard },
  form_field_errors: { framed: true, act: pressPay },
  form_declined: { framed: true, act: submitCard, submit: 'declined' },
  form_busy: { framed: true, act: submitCard, submit: 'never' },
  form_challenge: {
    framed: true,
    phase: 'challenge',
    state: { challengeUrl: '/issuer' },
    act: async (page) => {
      await page.locator('.status .button-main').click();
      await page.frameLocator('dialog iframe').locator('.button-main').waitFor();
    },
  },
  form_checking: { framed: true, phase: 'checking' },
  form_paid: { framed: true, act: submitCard, submit: 'confirmed' },
  form_expired: { framed: true, phase: 'expired' },
  form_restricted: { framed: true, phase: 'restricted' },
  form_refused: { framed: true, refused: true },
  form_refused_sandbox: { framed: true, refused: 'sandbox' },
  form_unreachable: { framed: true, unreachable: true },
  form_disabled: { framed: true, attributes: 'disabled' },
  form_rtl: { framed: true, direction: 'rtl', act: fillCard },
  form_themed: { framed: true, attributes: 'class="themed"', act: fillCard },
  form_forced_colors: { framed: true, forcedColors: 'active', act: fillCard },
  ...Object.fromEntries(
    Object.entries(pages.invoiceStates).map(([name, state]) => [`invoice_${name}`, { plain: 'invoice', state }]),
  ),
  issuer: { plain: 'issuer' },
  message: { plain: 'message' },
  reusable: { plain: 'reusable' },
  reusable_amount: {
    plain: 'reusable',
    reusable: { amount: null, customAmount: { minimum: '5.00', maximum: '500.00' }, quantity: null },
  },
  reusable_closed: { plain: 'reusable', reusable: { phase: 'archived' } },
  message_reload: { plain: 'message', reload: true },
};

async function fillCard(page) {
  const values = {
    card_number: '4242424242424242',
    card_expiry: '0429',
    card_cvv: '123',
    first_name: 'Ada',
    last_name: 'Lovelace',
    postcode: '94107',
    email: 'ada@example.com',
  };
  for (const [name, value] of Object.entries(values)) await page.locator(`[name="${name}"]`).fill(value);
}

async function pressPay(page) {
  await page.locator('pay-button .pay').click();
}

async function submitCard(page) {
  await fillCard(page);
  await pressPay(page);
  await page.locator('.pay[aria-busy], .notice, .status').first().waitFor();
}

function stateOf(scene) {
  if (scene.plain === 'invoice') return scene.state;
  return { ...pages.statesByPhase[scene.phase ?? 'ready'], ...scene.state };
}

const afterSubmit = {
  declined: () => ({
    ...pages.statesByPhase.ready,
    attemptsLeft: 4,
    declined: { code: 'insufficient_funds', network_code: '51', retryable: true, advice: 'use_other_card' },
  }),
  declined_last: () => pages.statesByPhase.failed,
  confirmed: () => pages.statesByPhase.paid,
};

function renderScene(name) {
  const scene = scenes[name];
  const common = {
    locale: language,
    amountLocale: language,
    direction: scene.direction ?? (language.startsWith('ar') ? 'rtl' : 'ltr'),
  };
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
  if (scene.plain === 'invoice') {
    const document = {
      ...common,
      ...{ texts, state: scene.state, path: `/i/${name}`, languages: ['en'], language: 'en' },
    };
    return [pages.renderInvoicePage(document, invoice), pages.contentSecurityPolicy(invoice)];
  }
  if (scene.plain === 'reusable') {
    const page = {
      ...{
        phase: 'ready',
        path: `/b/${name}`,
        address: `${origin}/b/${name}`,
        merchant: pages.merchant,
        title: 'Blue kettle',
        currency: 'USD',
      },
      ...{ description: 'Holds 1.5 liters. Ships within two days.', imageUrl: null, amount: '42.00' },
      ...{ customAmount: null, quantity: { minimum: 1, maximum: 5 }, available: 12, asksEmail: true, asksName: true },
      ...{ payerCountry: 'FR', returnUrl: null },
      ...{ isFeeAdded: false, buyerCountry: 'FR', sandbox: true, token: 'token', values: {}, invalidFields: [] },
      ...{ problem: null, ...scene.reusable },
    };
    return [pages.renderReusableLink(page, common, reusableLink), pages.contentSecurityPolicy(reusableLink)];
  }
  if (scene.plain === 'message') {
    const message = {
      icon: 'warning',
      title: 'There is no such page',
      text: 'Check the address, or ask the merchant for a new link.',
      reference: 'req_01',
    };
    if (scene.reload)
      Object.assign(message, {
        icon: 'clock',
        title: 'Too many requests',
        text: 'Too many pages were opened. Try again in 20 seconds.',
        canReload: true,
      });
    return [pages.renderMessagePage({ ...message, ...common }, plain), pages.plainPagePolicy(plain)];
  }
  if (scene.refused) {
    const error = {
      code: 'origin_not_allowed',
      message:
        'Pages of https://elsewhere.example are not allowed to embed this merchant’s payments. Add "https://elsewhere.example" to the preference embed-origin-list (PATCH /v1/merchant/preferences).',
      retryable: false,
    };
    const reference = scene.refused === 'sandbox' ? null : `${error.code}, req_01`;
    return [pages.renderFrameError({ ...common, texts, error }, reference, card), inFrame];
  }
  const document = pages.pageDocument(stateOf(scene), {
    ...common,
    texts,
    linkPath: `/p/${name}`,
    embedding: scene.framed ? { origins: null } : null,
  });
  if (scene.framed) return [pages.renderCardFrame(document, card), inFrame];
  const brand = scene.brand && pages.brandStyle(scene.brand);
  return [
    pages.renderLinkPage(document, assets, brand),
    pages.contentSecurityPolicy(pay, undefined, { styleSource: brand?.source }),
  ];
}

const inFrame = pages.contentSecurityPolicy(card, { ancestors: '*', frames: "'self'" });

/** A plain merchant page around the form. */
function merchantPage(name) {
  const { unreachable, attributes = '' } = scenes[name];
  const src = unreachable ? 'http://127.0.0.1:9/' : `/e/${name}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Checkout</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/widget/pay-form.css">
<style>:root{color-scheme:light dark;font-family:Georgia,serif}body{max-width:34rem;margin:24px auto;padding:0 16px}
.themed{--pay-form-accent:light-dark(#5b2a86,#d9b8ff);--pay-form-accent-text:light-dark(#fff,#1d0633);--pay-form-radius:0px;--pay-form-gap:20px;--pay-form-field-border:light-dark(#5b2a86,#d9b8ff);--pay-form-font-family:Georgia,serif}</style>
<script type="module" src="/widget/pay-form.js"></script></head>
<body><main><h1>Checkout</h1><p>One kettle, blue. $12.50</p><pay-form src="${src}" ${attributes}></pay-form><p>Free returns within thirty days.</p></main></body></html>`;
}

const server = createServer((request, response) => void respond(request, response));

async function respond(request, response) {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, first = '', name = '', rest] = url.pathname.split('/');
  const json = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (first === 'm') return response.writeHead(200, { 'content-type': 'text/html' }).end(merchantPage(name));
  if (first === 'issuer') {
    const [html, policy] = renderScene('issuer');
    const framed = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'");
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': framed });
    return response.end(html);
  }
  if (['p', 'e', 'i'].includes(first) && scenes[name]) {
    // Pages without a stream poll, and these scenes have no API.
    if (rest === 'events') return response.writeHead(204).end();
    if (rest === 'state') {
      if (scenes[name].submit === 'lost') return request.socket.destroy();
      return json(200, (afterSubmit[scenes[name].submit] ?? (() => stateOf(scenes[name])))());
    }
    const [html, policy] = renderScene(name);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
    return response.end(html);
  }
  if (first === 'methods' && name === 'initials') {
    const [brand, second] = url.pathname.replace('.svg', '').split('/').slice(3).toReversed();
    return response
      .writeHead(200, { 'content-type': 'image/svg+xml' })
      .end(pages.initialsMark(decodeURIComponent(brand), Number(second ?? 0)));
  }
  if (request.method === 'POST') {
    const { submit } = scenes[/\/[pe]\/(\w+)/.exec(request.headers.referer ?? '')?.[1] ?? ''] ?? {};
    if (submit === 'never') return;
    if (submit === 'lost') return request.socket.destroy();
    return json(200, { response_type: submit.split('_')[0] });
  }
  try {
    const folder = first === 'widget' ? join(DIST, '..') : DIST;
    const file = await readFile(join(folder, url.pathname));
    response
      .writeHead(200, { 'content-type': mimeTypes[extname(url.pathname)] ?? 'application/octet-stream' })
      .end(file);
  } catch {
    response.writeHead(404).end();
  }
}

await new Promise((resolve) => server.listen(0, resolve));
const origin = `http://localhost:${server.address().port}`;
if (!filter && !languages) await rm(SCREENSHOTS, { recursive: true, force: true });
await mkdir(SCREENSHOTS, { recursive: true });

const browser = await chromium.launch({
  executablePath: findFastChromium() ?? '',
  args: [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
});
let problemCount = 0;
function reportProblem(about, what) {
  problemCount++;
  console.log(`${about}: ${what}`);
}

async function takeScreenshots(name, colorSchemes) {
  for (const width of WIDTHS) {
    for (const colorScheme of colorSchemes) {
      const scene = scenes[name];
      const screenshot = `${name}-${width}-${languages ? language : colorScheme}`;
      const context = await browser.newContext({
        viewport: { width, height: width < 500 ? 760 : 900 },
        colorScheme,
        javaScriptEnabled: scene.script !== false,
        reducedMotion: 'reduce',
        forcedColors: scene.forcedColors ?? 'none',
      });
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error' && !/net::ERR_/.test(message.text())) reportProblem(screenshot, message.text());
      });
      page.on('pageerror', (error) => reportProblem(screenshot, error.message));
      await page.goto(`${origin}/${scene.framed ? 'm' : 'p'}/${name}`);
      const scope = scene.framed ? page.frameLocator('pay-form iframe') : page;
      if (scene.unreachable) await page.locator('pay-form').getByRole('button').waitFor();
      else if (scene.framed) await page.locator('pay-form iframe[style*=height]').waitFor();
      else if (scene.script !== false) {
        if (!scene.plain) await page.waitForFunction(() => !document.querySelector('.pay:disabled'));
        if (width >= 960)
          await page.waitForFunction(
            () => !document.querySelector('.qr-box') || document.querySelector('.qr-box path'),
          );
      }
      await scene.act?.(scope);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) reportProblem(screenshot, `scrolls sideways by ${overflow} px`);
      if (scene.script !== false && width !== 768) {
        // The frame is transparent, which axe cannot detect, so it gets the page's background.
        const setBackground = (color) =>
          scope.locator(':root').evaluate((root, value) => (root.style.backgroundColor = value), color);
        const isTransparent = scene.framed && !scene.unreachable;
        if (isTransparent) await setBackground('Canvas');
        // The issuer's page has its own landmarks.
        const withoutRules = scene.phase === 'challenge' ? ['landmark-unique'] : [];
        const violations = await findings(page, { withoutRules });
        if (isTransparent) await setBackground('');
        for (const violation of violations) reportProblem(screenshot, violation);
      }
      await page.screenshot({ path: join(SCREENSHOTS, `${screenshot}.png`), fullPage: true });
      await context.close();
    }
  }
}

const names = Object.keys(scenes).filter((scene) => scene.includes(filter));
if (!languages) for (const name of names) await takeScreenshots(name, ['light', 'dark']);
for (language of languages?.split(',') ?? []) {
  const translated = JSON.parse(await readFile(join(ROOT, `pages/locales/${language}.json`), 'utf8'));
  texts = { ...pages.texts, ...pages.flatten(translated) };
  for (const name of names) await takeScreenshots(name, ['light']);
}

await browser.close();
server.close();
server.closeAllConnections();
console.log(problemCount === 0 ? 'no problems' : `${problemCount} problems`);
process.exitCode = problemCount === 0 ? 0 : 1;
