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

/** Beside this file in the sources, and beside the program once it is built. */
function browserFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const folder = [join(here, 'browser'), join(here, '..', 'shop')].find((path) => existsSync(path));
  if (!folder) throw new Error('The files of the demo shop were not found: run `npm run build`');
  return folder;
}
