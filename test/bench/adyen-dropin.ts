/*
 * The comparison page: Adyen's card drop-in from its package, built as its documentation describes. The package is
 * not a dependency and is installed for the benchmark.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../../src/system/root.ts';

export const ADYEN_VERSION = '6.45.2';

/** The origin that replaces Adyen's hosts; the script accepts messages of fields from it. */
export const ADYEN_PATHS = { checkout: '/checkoutshopper/', analytics: '/checkoutanalytics/' };

export interface PageFile {
  type: string;
  content: Buffer;
}

export interface Dropin {
  html: string;
  files: ReadonlyMap<string, PageFile>;
}

const folder = join(packageRoot(), 'test-results', 'bench', `adyen-web-${ADYEN_VERSION}`);

const entry = `
import { AdyenCheckout, Card, Dropin } from '@adyen/adyen-web';
import '@adyen/adyen-web/styles/adyen.css';

const checkout = await AdyenCheckout({
  // One that begins with "test" is refused away from Adyen's hosts.
  clientKey: 'bench',
  environment: 'test',
  _environmentUrls: {
    api: location.origin + '${ADYEN_PATHS.checkout}',
    analytics: location.origin + '${ADYEN_PATHS.analytics}',
    cdn: { images: location.origin + '${ADYEN_PATHS.checkout}', translations: location.origin + '${ADYEN_PATHS.checkout}' },
  },
  countryCode: 'US',
  locale: 'en-US',
  amount: { value: 2490, currency: 'USD' },
  paymentMethodsResponse: {
    paymentMethods: [{ type: 'scheme', name: 'Cards', brands: ['visa', 'mc', 'amex'] }],
  },
  onSubmit() {},
});
new Dropin(checkout, { paymentMethodComponents: [Card] }).mount('#dropin-container');
`;

/** Installs the package if it is missing, and bundles it; throws if it cannot be installed. */
export async function buildDropin(): Promise<Dropin> {
  if (!existsSync(join(folder, 'node_modules/@adyen/adyen-web/package.json'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
    execFileSync('npm', [...args, `@adyen/adyen-web@${ADYEN_VERSION}`], { cwd: folder, stdio: 'pipe' });
  }
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: folder, sourcefile: 'dropin.js' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    outdir: folder,
    write: false,
    logLevel: 'silent',
  });
  const files = new Map<string, PageFile>();
  for (const { path, contents } of outputFiles) {
    const [extension, type] = path.endsWith('.css') ? ['css', 'text/css'] : ['js', 'text/javascript'];
    files.set(`/bench/dropin.${extension}`, { type, content: Buffer.from(contents) });
  }
  return {
    html: `<!doctype html>
<html lang="en" data-bench="dropin">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkout</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/bench/dropin.css">
<script type="module" src="/bench/dropin.js"></script>
</head>
<body><div id="dropin-container"></div></body>
</html>
`,
    files,
  };
}

/**
 * The content of a field's frame: Adyen's own loads only from its hosts. It responds to the message that the script
 * waits for, and is smaller than any real field.
 */
const fieldFrame = `<!doctype html><meta charset="utf-8"><title>Field</title><input inputmode="numeric"><script>
addEventListener('message', ({ data }) => {
  const { numKey, fieldType } = JSON.parse(data);
  parent.postMessage(JSON.stringify({ action: 'config', fieldType, numKey }), '*');
  document.querySelector('input').dataset.configured = '';
});
</script>`;

/** The local response to a request to Adyen's hosts, and its name in the report. */
export function stubOf(path: string): (PageFile & { name: string }) | null {
  const stub = (name: string, type: string, content: string) => ({ name, type, content: Buffer.from(content) });
  if (path.startsWith(ADYEN_PATHS.analytics)) {
    return stub('analytics', 'application/json', '{"checkoutAttemptId":"bench"}');
  }
  if (!path.startsWith(ADYEN_PATHS.checkout)) return null;
  if (path.endsWith('.svg')) {
    return stub(
      'pictures (empty)',
      'image/svg+xml',
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="26"/>',
    );
  }
  if (path.includes('/securedfields/')) return stub('frames of fields (one input each)', 'text/html', fieldFrame);
  if (path.endsWith('.html')) return stub('other frames (empty)', 'text/html', '<!doctype html><title>Empty</title>');
  return stub('data (empty)', 'application/json', '{}');
}
