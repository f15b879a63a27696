import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** More stops than any page has. */
const MOST_STOPS = 60;

/** Goes on from control to control until the focus is where it should be. */
export async function tabTo(page: Page, target: Locator) {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('The keyboard never came there');
}

/** Longer than a browser waits for the next letter of a name. */
const NEXT_NAME_MS = 1500;

/** Chooses from the list that has the focus by typing a name. To the browser, letters that come too slowly are the beginnings of several. */
export async function typeChoice(page: Page, list: Locator, name: string) {
  await expect(async () => {
    await page.keyboard.type(name);
    await expect(list.locator('option:checked')).toHaveText(name, { timeout: 1000 });
  }).toPass({ intervals: [NEXT_NAME_MS] });
}
