import type { Frame, Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Of a page and not of a frame in it; axe leaves them out there where it looks into frames itself. */
const ofPagesOnly = ['bypass', 'document-title', 'landmark-one-main', 'page-has-heading-one', 'region'];

interface Where {
  include?: string[];
  /** What is left out, with the frames in it. */
  exclude?: string[];
  withoutRules?: string[];
}

/**
 * What axe finds that stands in somebody's way on a page or in parts of it, and in every frame. Asked for violations
 * alone, frame by frame, it takes a third of the time that `@axe-core/playwright` does.
 */
export async function findings(page: Page, where: Where = {}): Promise<string[]> {
  const frames = where.exclude ? [page.mainFrame()] : page.frames();
  const found = await Promise.all(
    frames.map(async (frame) => {
      const { withoutRules = [] } = where;
      if (frame === page.mainFrame()) return await findingsIn(frame, where, withoutRules);
      // One that could not be loaded is empty.
      if ((await frame.locator('body > *').count()) === 0) return [];
      return await findingsIn(frame, {}, [...withoutRules, ...ofPagesOnly]);
    }),
  );
  return found.flat();
}

async function findingsIn(frame: Frame, { include = ['html'], exclude = [] }: Where, without: string[]) {
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axe.source);
  const options: RunOptions = {
    // It would fetch style sheets to read them, which policies forbid to scripts.
    ...{ runOnly: rules, resultTypes: ['violations'], selectors: false, preload: false, iframes: false },
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

/** Controls that a finger may miss: WCAG 2.2 asks for 24 pixels (2.5.8), we for 44. Links inside a sentence have its height. */
export async function smallTargets(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a, button, input, select, summary')]
      .filter((control) => control.offsetParent !== null && !control.closest('[hidden]'))
      .map((control) => control.closest('label') ?? control)
      .filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        return width > 1 && (width < 43.5 || height < 43.5);
      })
      .map((target) => target.outerHTML.slice(0, 100)),
  );
}

/** By how many pixels a page is wider than its window; less than one where it is not. */
export async function scrollsSidewaysBy(page: Page): Promise<number> {
  return await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}
