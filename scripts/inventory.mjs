/*
 * What of ours runs on a payment page, and why: PCI DSS 4.0.1, requirement 6.4.3, asks for an
 * inventory of all scripts with a written justification of each. A script that is not in these
 * tables stops the build.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is built for the pages of merchants. */
const widgetPurposes = {
  'pay-form.js':
    'Defines the element <pay-form>: shows the payment in a frame of the payment service and tells the page what happens. It never sees what is typed.',
  'pay-form.css': 'Keeps the form’s room on the page until the element has been defined, so that nothing moves.',
};

/** The scripts that our own pages begin with. */
const pageScripts = {
  'pages/checkout/link/client.ts': {
    runsOn: 'link_page',
    purpose: 'Draws the payment page, checks what is typed, sends it to the payment service and shows what came of it.',
    shared: 'A part of the payment page’s script that other pages of ours load as well.',
  },
  'pages/checkout/link/client-with-methods.ts': {
    runsOn: 'link_page',
    purpose: 'Does the same where a payment has methods beside the card, with what those need.',
    shared: 'A part of the payment page’s script that other pages of ours load as well.',
  },
  'pages/checkout/invoice/client.ts': {
    runsOn: 'invoice_page',
    purpose: 'Shows what has become of a crypto invoice while its page is open, and copies its address and amount.',
    shared: 'A part of that page’s script.',
  },
  'pages/checkout/frame/client.ts': {
    runsOn: 'payment_frame',
    purpose:
      'Draws the card form, checks what is typed, sends it to the payment service and tells the element around it what came of it.',
    shared: 'A part of the card form’s script that other pages of ours load as well.',
  },
  'pages/checkout/frame/sandbox.ts': {
    runsOn: 'payment_frame',
    isSandboxOnly: true,
    purpose: 'Offers the test cards beside the form. In the sandbox only.',
    shared: 'A part of the sandbox’s script that the card form loads as well.',
  },
  'pages/account/client.ts': {
    runsOn: 'account',
    purpose: 'Draws the account area, where merchants look after their payments. It is on no payment page.',
    shared: 'A part of the account area’s script.',
  },
  'pages/reference/client.ts': {
    runsOn: 'reference',
    purpose: 'Finds words in the reference of the API and copies its examples. It is on no payment page.',
    shared: 'A part of the reference’s script that other pages of ours load as well.',
  },
};

/** Scripts that a page loads only when it needs them. */
const lazyPurposes = {
  'pages/checkout/embed/embed-bridge.ts':
    'Connects a payment page in a frame with the element around it, and shows the 3-D Secure challenge there.',
  'pages/checkout/methods/methods.ts':
    'Renders non-card methods: choices, and the QR code, account, link or address to pay with.',
  'pages/checkout/store/state-stream.ts': 'Live updates of the payment’s state (SSE).',
  'pages/checkout/store/proof-of-work.ts':
    'Solves a proof of work if the buyer’s IP address has exceeded its limit of cards; loaded only then.',
  'pages/checkout/elements/qr-path.ts': 'Renders QR codes; loaded when one is visible.',
  'node_modules/uplot/dist/uPlot.esm.js': 'Draws plots in the account area; loaded where one is shown.',
};

/** Each page of the account area is loaded when somebody goes there. */
const ACCOUNT_PAGES = 'pages/account/';
const ofAccountPage = 'Draws a page of the account area; loaded when somebody goes there.';

/** Style sheets that stand in the HTML of our pages. */
const inlineStyles = {
  'pages/checkout/link/link-page.css': { runsOn: 'link_page', purpose: 'The look of the payment page.' },
  'pages/checkout/invoice/invoice-page.css': {
    runsOn: 'invoice_page',
    purpose: 'The look of the page of a crypto invoice.',
  },
  'pages/checkout/frame/card-frame.css': { runsOn: 'payment_frame', purpose: 'The look of the card form.' },
  'pages/checkout/message/plain-page.css': {
    runsOn: 'link_page',
    purpose:
      'The look of what stands in place of a payment page when there is nothing to pay: messages without a script.',
  },
  'pages/account/account.css': { runsOn: 'account', purpose: 'The look of the account area.' },
  'pages/reference/reference.css': { runsOn: 'reference', purpose: 'The look of the reference of the API.' },
};

/** Everything that browsers are given to run, from what has been built into `dist`. Paths are those of addresses. */
export function takeInventory(dist, version) {
  return { version, files: [...widgetFiles(join(dist, 'widget'), version), ...pageFiles(join(dist, 'pages'))] };
}

function widgetFiles(folder, version) {
  return loadedFiles(folder).map((name) => ({
    path: `/widget/${version}/${name}`,
    ...contentOf(readFileSync(join(folder, name))),
    kind: kindOf(name),
    runs_on: 'merchant_page',
    purpose: purposeIn(widgetPurposes, name),
    sandbox_only: false,
  }));
}

/** What builds have told of themselves: the page of an invoice and the account area are built by themselves. */
const manifests = ['manifest.json', 'manifest-invoice-page.json', 'manifest-account.json'];

function pageFiles(folder) {
  const builds = manifests.map((name) => JSON.parse(readFileSync(join(folder, '.vite', name), 'utf8')));
  const scripts = builds
    .flatMap((manifest) =>
      Object.values(manifest)
        .filter(({ isEntry, file }) => isEntry && kindOf(file) === 'script')
        .flatMap(({ src }) => scriptsOfPage(folder, manifest, src)),
    )
    .filter(isNews);
  const known = new Set(scripts.map(({ path }) => path));
  for (const subfolder of ['assets', 'sandbox/assets']) {
    for (const name of loadedFiles(join(folder, subfolder))) {
      const path = `/${subfolder}/${name}`;
      if (kindOf(name) === 'script' && !known.has(path)) throw new Error(`No page is known to load ${path}`);
    }
  }
  const styles = builds
    .flatMap((manifest) => Object.values(manifest))
    .filter(({ isEntry, file }) => isEntry && kindOf(file) === 'style')
    .map(({ src, file }) => {
      const { runsOn, purpose } = purposeIn(inlineStyles, src);
      const style = readFileSync(join(folder, file), 'utf8').trim();
      const where = { path: null, ...contentOf(Buffer.from(style)), kind: 'style' };
      return { ...where, runs_on: runsOn, purpose, sandbox_only: false };
    });
  return [...scripts, ...styles];
}

/** What two scripts of one kind of page import is in the list once: as what production has of it, if that has it. */
function isNews({ path, runs_on, sandbox_only }, index, all) {
  const same = (other) => other.path === path && other.runs_on === runs_on;
  if (sandbox_only && all.some((other) => same(other) && !other.sandbox_only)) return false;
  return all.findIndex((other) => same(other) && other.sandbox_only === sandbox_only) === index;
}

/** An entry script, what it imports, and what it may load later. */
function scriptsOfPage(folder, manifest, entry) {
  const page = purposeIn(pageScripts, entry);
  const found = new Map();
  const add = (key) => {
    if (found.has(key)) return;
    const chunk = manifest[key];
    const isLazy = chunk.isDynamicEntry && key !== entry;
    const purpose = key === entry ? page.purpose : isLazy ? purposeOfLazy(chunk.src) : page.shared;
    found.set(key, {
      path: `/${chunk.file}`,
      ...contentOf(readFileSync(join(folder, chunk.file))),
      kind: 'script',
      runs_on: page.runsOn,
      purpose,
      sandbox_only: page.isSandboxOnly ?? false,
    });
    for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) add(next);
  };
  add(entry);
  return [...found.values()];
}

function purposeOfLazy(source) {
  return source.startsWith(ACCOUNT_PAGES) ? ofAccountPage : purposeIn(lazyPurposes, source);
}

function purposeIn(table, name) {
  if (!Object.hasOwn(table, name)) {
    throw new Error(`${name} has no purpose: say in scripts/inventory.mjs why it is there, or leave it out`);
  }
  return table[name];
}

function loadedFiles(folder) {
  return existsSync(folder) ? readdirSync(folder).filter((name) => kindOf(name) !== null) : [];
}

function kindOf(name) {
  if (/\.m?js$/.test(name)) return 'script';
  return name.endsWith('.css') ? 'style' : null;
}

function contentOf(content) {
  return { integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`, bytes: content.length };
}
