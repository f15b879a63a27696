import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the shop's pages load from the shop: served as it is written, by name. */
export const browserFiles = ['shop.css', 'checkout.js', 'playground.css', 'playground.js', 'contrast.js'] as const;
export type BrowserFile = (typeof browserFiles)[number];

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

export function readBrowserFile(name: BrowserFile): { content: string; contentType: string } {
  const contentType = name.endsWith('.css') ? contentTypes.css : contentTypes.js;
  return { content: readFileSync(join(browserFolder(), name), 'utf8'), contentType };
}

/** The same from the sources as from the built program, which stands elsewhere. */
function browserFolder(): string {
  const path = join('pages', 'shop', 'browser');
  let root = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(root, path))) {
    const parent = dirname(root);
    if (parent === root) throw new Error(`The demo shop's files were not found: there is no ${path}`);
    root = parent;
  }
  return join(root, path);
}
