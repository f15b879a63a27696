import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds in parts of a page without frames, or in all of it, that stands in somebody's way. Asked for violations
 * alone it takes a third of the time that `@axe-core/playwright` does, which is for pages with frames.
 */
export async function findings(page: Page, parts = ['html'], options: RunOptions = {}): Promise<string[]> {
  if (page.frames().length > 1) throw new Error('What is within frames would not be looked at');
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const asked: RunOptions = {
    ...{ runOnly: rules, resultTypes: ['violations'], selectors: false, preload: false },
    ...options,
  };
  return await page.evaluate(
    async ({ include, asked }) => {
      const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
      const { violations } = await run({ include }, asked);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
    },
    { include: parts.map((part) => [part]), asked },
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
