import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** More than the number of tab stops on any page. */
const MAX_TAB_STOPS = 60;

/** Presses Tab until the target has the focus. */
export async function tabTo(page: Page, target: Locator) {
  for (let stop = 0; stop < MAX_TAB_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('Tab did not reach the target');
}

/** Longer than the browser's delay between letters of a typed name. */
const TYPEAHEAD_RESET_MS = 1500;

/**
 * Selects an option of the focused list by typing its name. Retries, because letters that arrive too slowly start a
 * new search.
 */
export async function selectByTyping(page: Page, list: Locator, name: string) {
  await expect(async () => {
    await page.keyboard.type(name);
    await expect(list.locator('option:checked')).toHaveText(name, { timeout: 1000 });
  }).toPass({ intervals: [TYPEAHEAD_RESET_MS] });
}
