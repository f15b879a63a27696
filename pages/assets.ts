import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A script as a page names it. */
export interface ScriptAsset {
  url: string;
  /** Subresource Integrity: a browser runs these bytes and no others. */
  integrity: string;
}

/** An entry script with what it imports. */
export interface PageScript extends ScriptAsset {
  /** For `modulepreload`. */
  imports: readonly ScriptAsset[];
}

/** What one page needs beside its HTML. */
export interface PageAsset {
  /** Null for a page without a script. */
  script: PageScript | null;
  /** The whole style sheet, to stand in a `<style>`: no round trip before the first paint. */
  style: string;
  /** The policy's source for that `<style>`: `'sha256-…'`. */
  styleSource: string;
}

export interface PageAssets {
  pages: {
    pay: PageAsset;
    payWithMethods: PageAsset;
    card: PageAsset;
    invoice: PageAsset;
    plain: PageAsset;
    reference: PageAsset;
    account: PageAsset;
  };
  /** Offers the test cards beside the card form; served in the sandbox only. */
  sandboxPanel: PageScript;
}

interface ManifestChunk {
  file: string;
  imports?: string[];
}

type Manifest = Record<string, ManifestChunk | undefined>;

/** Reads what `vite build` has written into `distDir`. */
export function loadAssets(distDir: string): PageAssets {
  const read = (file: string) => readFileSync(join(distDir, file));
  const manifestIn = (name: string) => JSON.parse(read(`.vite/${name}.json`).toString()) as Manifest;
  const shared = manifestIn('manifest');
  // Built by themselves: the one needs a quarter of what the others share, the other nothing of it.
  const apart = manifestIn('manifest-invoice-page');
  const ofAccount = manifestIn('manifest-account');

  const scriptOf = (source: string, manifest: Manifest): PageScript => {
    const entry = builtFrom(manifest, source);
    const asset = (file: string) => ({ url: `/${file}`, integrity: integrityOf(read(file)) });
    return { ...asset(entry.file), imports: importsOf(manifest, entry).map(asset) };
  };
  const page = (styleSource: string, script: string | null, manifest = shared): PageAsset => {
    const style = read(builtFrom(manifest, styleSource).file).toString().trim();
    const hash = createHash('sha256').update(style).digest('base64');
    return { script: script === null ? null : scriptOf(script, manifest), style, styleSource: `'sha256-${hash}'` };
  };

  return {
    pages: {
      pay: page('pages/checkout/link/link-page.css', 'pages/checkout/link/client.ts'),
      payWithMethods: page('pages/checkout/link/link-page.css', 'pages/checkout/link/client-with-methods.ts'),
      card: page('pages/checkout/frame/card-frame.css', 'pages/checkout/frame/client.ts'),
      invoice: page('pages/checkout/invoice/invoice-page.css', 'pages/checkout/invoice/client.ts', apart),
      plain: page('pages/checkout/message/plain-page.css', null),
      reference: page('pages/reference/reference.css', 'pages/reference/client.ts'),
      account: page('pages/account/account.css', 'pages/account/client.ts', ofAccount),
    },
    sandboxPanel: scriptOf('pages/checkout/frame/sandbox.ts', shared),
  };
}

function integrityOf(content: Uint8Array): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}

function builtFrom(manifest: Manifest, source: string): ManifestChunk {
  const chunk = manifest[source];
  if (!chunk) throw new Error(`The built pages have no ${source}: run \`npm run build\``);
  return chunk;
}

function importsOf(manifest: Manifest, chunk: ManifestChunk, seen = new Set<string>()): string[] {
  for (const key of chunk.imports ?? []) {
    const imported = builtFrom(manifest, key);
    if (seen.has(imported.file)) continue;
    seen.add(imported.file);
    importsOf(manifest, imported, seen);
  }
  return [...seen];
}
