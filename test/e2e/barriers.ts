import type { Frame, Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { RunOptions } from 'axe-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules whose result depends on the color scheme. */
const colorRules = ['color-contrast', 'link-in-text-block'];
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules about whole pages. axe doesn't apply them to frames either. */
const pageOnlyRules = ['bypass', 'document-title', 'landmark-one-main', 'page-has-heading-one', 'region'];

interface Scope {
  include?: string[];
  /** Selectors to skip. Frames are skipped too. */
  exclude?: string[];
  withoutRules?: string[];
  /** Checks only colors: the page has been checked in another color scheme. */
  onlyColors?: boolean;
}

/**
 * Accessibility violations on a page and in each of its frames. Reports violations only, which takes a third of the
 * time of `@axe-core/playwright`.
 */
export async function findings(page: Page, scope: Scope = {}): Promise<string[]> {
  const frames = scope.exclude ? [page.mainFrame()] : page.frames();
  const found = await Promise.all(
    frames.map(async (frame) => {
      const { withoutRules = [] } = scope;
      if (frame === page.mainFrame()) return await findingsIn(frame, scope, withoutRules);
      // A frame that failed to load is empty.
      if ((await frame.locator('body > *').count()) === 0) return [];
      return await findingsIn(frame, { onlyColors: scope.onlyColors ?? false }, [...withoutRules, ...pageOnlyRules]);
    }),
  );
  return found.flat();
}

async function findingsIn(
  frame: Frame,
  { include = ['html'], exclude = [], onlyColors = false }: Scope,
  without: string[],
) {
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source);
  const options: RunOptions = {
    // `preload` would fetch style sheets, which the page's policy forbids.
    ...{
      runOnly: onlyColors ? colorRules : rules,
      resultTypes: ['violations'],
      selectors: false,
      preload: false,
      iframes: false,
    },
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  };
  const places = (selectors: string[]) => selectors.map((selector) => [selector]);
  return await frame.evaluate(
    async ({ context, options }) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const { violations } = await run(context, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
    },
    { context: { include: places(include), exclude: places(exclude) }, options },
  );
}

/** Touch targets below 44 pixels; WCAG 2.2 requires 24 (2.5.8). Links in a sentence have the height of the line. */
export async function smallTargets(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'a, button, input, select, summary, wa-button, wa-radio, wa-checkbox, wa-switch',
      ),
    ]
      .filter((control) => control.offsetParent !== null && !control.closest('[hidden]'))
      .map((control) => control.closest('label') ?? control)
      .filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        return width > 1 && (width < 43.5 || height < 43.5);
      })
      .map((target) => target.outerHTML.slice(0, 100)),
  );
}

/** Horizontal overflow of a page in pixels; less than one if there is none. */
export async function horizontalOverflow(page: Page): Promise<number> {
  return await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
