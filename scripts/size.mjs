/*
 * Measures the downloads of a payment page and of the account area, brotli-compressed as served, against budgets. They
 * include scripts, the texts of one language and styles; for the card form, everything before the card is typed, with
 * the frame's HTML. Country names are not included: browsers provide them and their order. Build the pages first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { textBundlesFor } from '../pages/account/text-bundles.ts';
import { loadAssets } from '../pages/assets.ts';
import { renderCardFrame } from '../pages/checkout/frame/render.ts';
import { resolveAccountTexts, resolveTexts } from '../pages/locales/texts.ts';
import { pageDocument, pageState } from '../test/component/page-fixtures.ts';

/** In brotli-compressed bytes. */
const BUDGETS = {
  element: 3_000,
  'the card form: element, frame, scripts': 32_000,
  'link page: script, texts and style': 33_300,
  'link page with every method': 35_300,
  'invoice page: script and texts': 15_000,
  'account area: the first page, as first painted': 108_000,
  'account area: any other page, additionally': 30_100,
  'account area: parts loaded on demand': 35_000,
};

const ROOT = join(import.meta.dirname, '..');
const PAGES = join(ROOT, 'dist/pages');
const WIDGET = join(ROOT, 'dist/widget');
const assets = loadAssets(PAGES);
const manifestIn = (name) => JSON.parse(readFileSync(join(PAGES, '.vite', name), 'utf8'));
const manifest = manifestIn('manifest.json');
const invoiceManifest = manifestIn('manifest-invoice-page.json');
const accountManifest = manifestIn('manifest-account.json');

function withImports(key, seen = new Set(), from = manifest) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const imported of from[key].imports ?? []) withImports(imported, seen, from);
  return seen;
}

function measure(name, content) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const sizes = [
    content.length,
    gzipSync(content, { level: 9 }).length,
    brotliCompressSync(content, { params }).length,
  ];
  return { name, sizes };
}

const builtFrom = (from) => (key) => measure(from[key].file, readFileSync(join(PAGES, from[key].file)));
const built = builtFrom(manifest);
const builtInvoice = builtFrom(invoiceManifest);
const textsOf = (page) =>
  measure(`texts of the ${page} page`, Buffer.from(JSON.stringify(resolveTexts('en-US', page))));

function sum(name, parts) {
  const sizes = [0, 1, 2].map((index) => parts.reduce((total, part) => total + part.sizes[index], 0));
  return { name, sizes };
}

function print(heading, parts) {
  console.log(`\n${heading}`);
  for (const { name, sizes } of parts) {
    console.log(`  ${name.padEnd(44)}${sizes.map((bytes) => String(bytes).padStart(9)).join('')}`);
  }
}

const element = measure('pay-form.js', readFileSync(join(WIDGET, 'pay-form.js')));
const elementStyle = measure('pay-form.css', readFileSync(join(WIDGET, 'pay-form.css')));

const cardKeys = withImports('pages/checkout/frame/client.ts');
const frameDocument = { ...pageDocument(pageState()), texts: resolveTexts('en-US', 'card') };
const cardFrame = [
  ...[...cardKeys].map(built),
  measure('HTML of the frame, with texts and style', Buffer.from(renderCardFrame(frameDocument, assets.pages.card))),
];

const linkKeys = withImports('pages/checkout/link/client.ts');
const linkPage = [...[...linkKeys].map(built), textsOf('link'), built('pages/checkout/link/link-page.css')];
const everyMethodKeys = withImports('pages/checkout/link/client-with-methods.ts');
const everyMethod = [...[...everyMethodKeys].map(built), textsOf('methods')];

const invoiceKeys = withImports('pages/checkout/invoice/client.ts', new Set(), invoiceManifest);
const invoicePage = [...[...invoiceKeys].map(builtInvoice), textsOf('invoice')];
const invoiceStyle = builtInvoice('pages/checkout/invoice/invoice-page.css');

const accountBuilt = builtFrom(accountManifest);
const accountEntry = 'pages/account/client.ts';
const accountKeys = withImports(accountEntry, new Set(), accountManifest);
const accountShell = [
  ...[...accountKeys].map(accountBuilt),
  measure(
    'texts of the overview',
    Buffer.from(JSON.stringify(resolveAccountTexts('en-US', textBundlesFor('/account')))),
  ),
  accountBuilt('pages/account/account.css'),
  accountBuilt('pages/account/icons.svg'),
];
/** Modules that a part of the account area needs in addition to the shell. */
const accountPart = (key) => [...withImports(key, new Set(accountKeys), accountManifest)].slice(accountKeys.size);
const isAccountPage = (key) => key.startsWith('pages/account/') && key.endsWith('-page.ts');
const accountLazyKeys = Object.keys(accountManifest).filter((key) => accountManifest[key].isDynamicEntry);
const accountPages = accountLazyKeys.filter(isAccountPage);
const accountLazyParts = accountLazyKeys.filter((key) => !isAccountPage(key));
const nameOfPart = (key) => /([^/]+?)(?:-page)?(?:\.esm)?\.(?:ts|js)$/.exec(key)[1];
const sumOfPart = (key) => {
  const parts = accountPart(key);
  return sum(`${nameOfPart(key)} (${parts.length} files)`, parts.map(accountBuilt));
};
// The overview, and the menu next to it, which a wide screen shows immediately. Charts are drawn after the figures are painted.
const firstPage = ['pages/account/overview/overview-page.ts', 'pages/account/user-menu.ts'];
const firstPageParts = [...new Set(firstPage.flatMap(accountPart))].map(accountBuilt);
const largest = (keys) => keys.map(sumOfPart).toSorted((one, other) => other.sizes[2] - one.sizes[2])[0];

const needed = new Set([...cardKeys, ...linkKeys, ...everyMethodKeys]);
const lazy = Object.keys(manifest).filter((key) => manifest[key].file.endsWith('.js') && !needed.has(key));

console.log(`bytes${' '.repeat(41)}${['raw', 'gzip', 'brotli'].map((word) => word.padStart(9)).join('')}`);
print('On the merchant’s page', [element, elementStyle]);
print('The card frame', cardFrame);
print('The link page', linkPage);
print('The link page with every method', everyMethod);
print('The page of an invoice', [...invoicePage, invoiceStyle]);
print('Loaded on demand', lazy.map(built));
print('The shell of the account area', accountShell);
print('Each further page, if no other was shown before', accountPages.map(sumOfPart));
print('Account area parts loaded on demand', accountLazyParts.map(sumOfPart));

const sums = [
  sum('element', [element]),
  sum('the card form: element, frame, scripts', [element, elementStyle, ...cardFrame]),
  sum('link page: script, texts and style', linkPage),
  sum('link page with every method', everyMethod),
  sum('invoice page: script and texts', invoicePage),
  sum('account area: the first page, as first painted', [...accountShell, ...firstPageParts]),
  sum('account area: any other page, additionally', [largest(accountPages)]),
  sum('account area: parts loaded on demand', [largest(accountLazyParts)]),
];
print('Total', sums);

console.log('');
for (const { name, sizes } of sums) {
  const isWithin = sizes[2] <= BUDGETS[name];
  console.log(`${name}: ${sizes[2]} of ${BUDGETS[name]} bytes allowed: ${isWithin ? 'within' : 'OVER'} the budget`);
  if (!isWithin) process.exitCode = 1;
}
