import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A script that a page loads. */
interface ScriptAsset {
  url: string;
  /** Subresource Integrity hash of the file. */
  integrity: string;
}

/** An entry script and its static imports. */
export interface PageScript extends ScriptAsset {
  /** Preloaded with `modulepreload`. */
  imports: readonly ScriptAsset[];
}

/** Script and styles of a page. */
export interface PageAsset {
  /** Null for a page without a script. */
  script: PageScript | null;
  /** The complete style sheet. It is inlined in a `<style>`, so that the first paint needs no other request. */
  style: string;
  /** CSP source of that `<style>`: `'sha256-…'`. */
  styleSource: string;
}

export interface PageAssets {
  pages: {
    pay: PageAsset;
    payWithMethods: PageAsset;
    card: PageAsset;
    invoice: PageAsset;
    plain: PageAsset;
    reusableLink: PageAsset;
    reference: PageAsset;
    account: PageAsset;
  };
  /** Test cards next to the card form; served only in the sandbox. */
  sandboxPanel: PageScript;
  /** Loaded by a payment page that is embedded in a merchant's page. */
  embedBridge: PageScript;
}

interface ManifestChunk {
  file: string;
  imports?: string[];
}

type Manifest = Record<string, ManifestChunk | undefined>;

/** Reads the assets that `vite build` has written to `distDir`. */
export function loadAssets(distDir: string): PageAssets {
  const read = (file: string) => readFileSync(join(distDir, file));
  const manifestIn = (name: string) => JSON.parse(read(`.vite/${name}.json`).toString()) as Manifest;
  const checkoutManifest = manifestIn('manifest');
  // Separate builds: the invoice page uses a quarter of the shared code, the account area none of it.
  const invoiceManifest = manifestIn('manifest-invoice-page');
  const accountManifest = manifestIn('manifest-account');

  const scriptOf = (source: string, manifest: Manifest): PageScript => {
    const entry = chunkOf(manifest, source);
    const asset = (file: string) => ({ url: `/${file}`, integrity: integrityOf(read(file)) });
    return { ...asset(entry.file), imports: importsOf(manifest, entry).map(asset) };
  };
  const page = (styleSource: string, script: string | null, manifest = checkoutManifest): PageAsset => {
    const style = read(chunkOf(manifest, styleSource).file).toString().trim();
    const hash = createHash('sha256').update(style).digest('base64');
    return { script: script === null ? null : scriptOf(script, manifest), style, styleSource: `'sha256-${hash}'` };
  };

  return {
    pages: {
      pay: page('pages/checkout/link/link-page.css', 'pages/checkout/link/client.ts'),
      payWithMethods: page('pages/checkout/link/link-page.css', 'pages/checkout/link/client-with-methods.ts'),
      card: page('pages/checkout/frame/card-frame.css', 'pages/checkout/frame/client.ts'),
      invoice: page('pages/checkout/invoice/invoice-page.css', 'pages/checkout/invoice/client.ts', invoiceManifest),
      plain: page('pages/checkout/message/plain-page.css', null),
      reusableLink: page('pages/checkout/reusable-link/reusable-link.css', 'pages/checkout/reusable-link/client.ts'),
      reference: page('pages/reference/reference.css', 'pages/reference/client.ts'),
      account: page('pages/account/account.css', 'pages/account/client.ts', accountManifest),
    },
    sandboxPanel: scriptOf('pages/checkout/frame/sandbox.ts', checkoutManifest),
    embedBridge: scriptOf('pages/checkout/embed/embed-bridge-on-demand.ts', checkoutManifest),
  };
}

function integrityOf(content: Uint8Array): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}

function chunkOf(manifest: Manifest, source: string): ManifestChunk {
  const chunk = manifest[source];
  if (!chunk) throw new Error(`The built pages have no ${source}: run \`npm run build\``);
  return chunk;
}

function importsOf(manifest: Manifest, chunk: ManifestChunk, seen = new Set<string>()): string[] {
  for (const key of chunk.imports ?? []) {
    const imported = chunkOf(manifest, key);
    if (seen.has(imported.file)) continue;
    seen.add(imported.file);
    importsOf(manifest, imported, seen);
  }
  return [...seen];
}
