/*
 * The inventory of scripts on payment pages with a written justification for each, as required by PCI DSS 4.0.1,
 * requirement 6.4.3. A script that is missing from these tables fails the build.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files for merchants' pages. */
const widgetPurposes = {
  'pay-form.js':
    'Defines the element <pay-form>: shows the payment in a frame of the payment service and reports its progress to the page. It has no access to the input.',
  'pay-form.css': 'Reserves the form’s space until the element is defined, which prevents layout shifts.',
};

/** Entry scripts of our own pages. */
const pageScripts = {
  'pages/checkout/link/client.ts': {
    runsOn: 'link_page',
    purpose: 'Renders the payment page, validates the input, submits it to the payment service and shows the outcome.',
    shared: 'Code of the payment page’s script that other pages share.',
  },
  'pages/checkout/link/client-with-methods.ts': {
    runsOn: 'link_page',
    purpose: 'The same for payments with methods other than cards.',
    shared: 'Code of the payment page’s script that other pages share.',
  },
  'pages/checkout/invoice/client.ts': {
    runsOn: 'invoice_page',
    purpose: 'Shows the status of a crypto invoice while its page is open, and copies its address and amount.',
    shared: 'Code of the invoice page’s script.',
  },
  'pages/checkout/frame/client.ts': {
    runsOn: 'payment_frame',
    purpose:
      'Renders the card form, validates the input, submits it to the payment service and reports the outcome to the embedding element.',
    shared: 'Code of the card form’s script that other pages share.',
  },
  'pages/checkout/frame/sandbox.ts': {
    runsOn: 'payment_frame',
    isSandboxOnly: true,
    purpose: 'Offers test cards next to the form, only in the sandbox.',
    shared: 'Code of the sandbox’s script that the card form shares.',
  },
  'pages/account/client.ts': {
    runsOn: 'account',
    purpose: 'Renders the account area, where merchants manage their payments. It is not on payment pages.',
    shared: 'Code of the account area’s script.',
  },
  'pages/checkout/reusable-link/client.ts': {
    runsOn: 'reusable_link_page',
    purpose: 'Shows the total of the chosen amount or quantity. The buyer enters no card data on this page.',
    shared: 'Code of the script of reusable links that other pages share.',
  },
  'pages/reference/client.ts': {
    runsOn: 'reference',
    purpose: 'Searches the API reference and copies its examples. It is not on payment pages.',
    shared: 'Code of the API reference’s script that other pages share.',
  },
};

/** Scripts that pages load on demand. */
const lazyPurposes = {
  'pages/checkout/embed/embed-bridge-on-demand.ts':
    'Connects an embedded payment page to the embedding element, and shows the 3-D Secure challenge there.',
  'pages/checkout/methods/methods-on-demand.ts':
    'Renders methods other than cards: their choices, and the code, account, link or address to pay with.',
  'pages/checkout/store/state-stream.ts': 'Receives live updates of the payment from the payment service.',
  'pages/checkout/store/proof-of-work.ts':
    'Solves the proof-of-work challenge after too many card attempts from the buyer’s address; loaded only then.',
  'pages/checkout/store/card-encryption.ts':
    'Encrypts the card for an acquirer that accepts only encrypted card data; loaded only for its accounts.',
  'pages/checkout/embed/challenge-dialog.ts':
    'Shows the issuer’s 3-D Secure challenge in a dialog; loaded when a payment is submitted.',
  'pages/checkout/elements/qr-path.ts': 'Renders QR codes; loaded on demand.',
  'pages/checkout/methods/save-code.ts':
    'Saves the QR code of payment instructions; loaded when the buyer asks for it.',
  'pages/checkout/methods/save-image.ts': 'Saves a QR code as an image; loaded when the buyer asks for it.',
  'node_modules/uplot/dist/uPlot.esm.js': 'Renders charts in the account area; loaded on demand.',
};

/** Pages of the account area are loaded on navigation. */
const ACCOUNT_PAGES = 'pages/account/';
const ofAccountPage = 'Renders a page of the account area; loaded on navigation.';

/** Inline style sheets of our pages. */
const inlineStyles = {
  'pages/checkout/link/link-page.css': { runsOn: 'link_page', purpose: 'Styles the payment page.' },
  'pages/checkout/invoice/invoice-page.css': {
    runsOn: 'invoice_page',
    purpose: 'Styles the page of a crypto invoice.',
  },
  'pages/checkout/frame/card-frame.css': { runsOn: 'payment_frame', purpose: 'Styles the embedded card form.' },
  'pages/checkout/reusable-link/reusable-link.css': {
    runsOn: 'reusable_link_page',
    purpose: 'Styles the page of a reusable link.',
  },
  'pages/checkout/message/plain-page.css': {
    runsOn: 'link_page',
    purpose: 'Styles messages without a script, shown in place of a payment page if there is nothing to pay.',
  },
  'pages/account/account.css': { runsOn: 'account', purpose: 'Styles the account area.' },
  'pages/reference/reference.css': { runsOn: 'reference', purpose: 'Styles the API reference.' },
};

/** All scripts and styles in `dist`, with their URL paths. */
export function listFiles(dist, version) {
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

/** Build manifests: the invoice page and the account area have their own builds. */
const manifests = ['manifest.json', 'manifest-invoice-page.json', 'manifest-account.json'];

function pageFiles(folder) {
  const builds = manifests.map((name) => JSON.parse(readFileSync(join(folder, '.vite', name), 'utf8')));
  const scripts = builds
    .flatMap((manifest) =>
      Object.values(manifest)
        .filter(({ isEntry, file }) => isEntry && kindOf(file) === 'script')
        .flatMap(({ src }) => scriptsOfPage(folder, manifest, src)),
    )
    .filter(isUniqueEntry);
  const known = new Set(scripts.map(({ path }) => path));
  for (const subfolder of ['assets', 'sandbox/assets']) {
    for (const name of loadedFiles(join(folder, subfolder))) {
      const path = `/${subfolder}/${name}`;
      if (kindOf(name) === 'script' && !known.has(path)) throw new Error(`No page loads ${path}`);
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

/** Lists each file once per kind of page, even if several scripts import it. Production entries take precedence. */
function isUniqueEntry({ path, runs_on, sandbox_only }, index, all) {
  const same = (other) => other.path === path && other.runs_on === runs_on;
  if (sandbox_only && all.some((other) => same(other) && !other.sandbox_only)) return false;
  return all.findIndex((other) => same(other) && other.sandbox_only === sandbox_only) === index;
}

/** An entry script with its static and dynamic imports. */
function scriptsOfPage(folder, manifest, entry) {
  const page = purposeIn(pageScripts, entry);
  const entries = new Map();
  const add = (key) => {
    if (entries.has(key)) return;
    const chunk = manifest[key];
    const isLazy = chunk.isDynamicEntry && key !== entry;
    const purpose = key === entry ? page.purpose : isLazy ? purposeOfLazy(chunk.src) : page.shared;
    entries.set(key, {
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
  return [...entries.values()];
}

function purposeOfLazy(source) {
  return source.startsWith(ACCOUNT_PAGES) ? ofAccountPage : purposeIn(lazyPurposes, source);
}

function purposeIn(table, name) {
  if (!Object.hasOwn(table, name)) {
    throw new Error(`${name} has no purpose. Add its justification to scripts/inventory.mjs, or remove it`);
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
