import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Static files of the shop's pages, served unmodified under their names. */
export const browserFiles = ['shop.css', 'checkout.js', 'playground.css', 'playground.js', 'contrast.js'] as const;
export type BrowserFile = (typeof browserFiles)[number];

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

export function readBrowserFile(folder: string, name: BrowserFile): { content: string; contentType: string } {
  const contentType = name.endsWith('.css') ? contentTypes.css : contentTypes.js;
  return { content: readFileSync(join(folder, name), 'utf8'), contentType };
}
