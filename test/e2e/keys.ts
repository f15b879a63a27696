import type { Locator, Page } from '@playwright/test';

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
