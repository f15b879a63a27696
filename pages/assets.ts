import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one page needs beside its HTML. */
export interface PageAsset {
  /** The address of the entry script, or null for a page without one. */
  script: string | null;
  /** Scripts that the entry imports, for `modulepreload`. */
  preloads: readonly string[];
  /** The whole style sheet, to stand in a `<style>`: no round trip before the first paint. */
  style: string;
  /** The policy's source for that `<style>`: `'sha256-…'`. */
  styleSource: string;
}

export interface PageAssets {
  pages: { pay: PageAsset; plain: PageAsset };
}

interface ManifestChunk {
  file: string;
  imports?: string[];
}

type Manifest = Record<string, ManifestChunk | undefined>;

/** Reads what `vite build` has written into `distDir`. */
export function loadAssets(distDir: string): PageAssets {
  const manifest = JSON.parse(readFileSync(join(distDir, '.vite/manifest.json'), 'utf8')) as Manifest;
  const styleOf = (source: string) => readFileSync(join(distDir, builtFrom(manifest, source).file), 'utf8').trim();
  const entry = builtFrom(manifest, 'pages/pay/client.ts');
  const payScript = { script: `/${entry.file}`, preloads: importsOf(manifest, entry).map((file) => `/${file}`) };
  return {
    pages: {
      pay: pageAsset(styleOf('pages/pay/link-page.css'), payScript),
      plain: pageAsset(styleOf('pages/message/plain-page.css')),
    },
  };
}

function pageAsset(
  style: string,
  script: Pick<PageAsset, 'script' | 'preloads'> = { script: null, preloads: [] },
): PageAsset {
  const hash = createHash('sha256').update(style).digest('base64');
  return { ...script, style, styleSource: `'sha256-${hash}'` };
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
