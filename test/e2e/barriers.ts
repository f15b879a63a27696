import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds on a page that stands in somebody's way. */
export async function findings(page: Page): Promise<string[]> {
  // Without frames axe needs no page of its own to put together what it found, and takes half the time.
  const isAlone = page.frames().length === 1;
  const { violations } = await new AxeBuilder({ page }).withTags(rules).setLegacyMode(isAlone).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
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
