import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from './eventually.ts';
import type { Page } from './page.ts';

/** Fields in form order: label, autofill token, and the text that a buyer types. */
export const cardFields = [
  { label: 'Card number', autocomplete: 'cc-number', typed: '4242424242424242' },
  { label: 'Expiry', autocomplete: 'cc-exp', typed: '0430' },
  { label: 'Security code', autocomplete: 'cc-csc', typed: '123' },
  { label: 'First name', autocomplete: 'given-name', typed: 'Ada' },
  { label: 'Last name', autocomplete: 'family-name', typed: 'Lovelace' },
  // A single word: a space opens the list in some engines.
  { label: 'Country', autocomplete: 'country', typed: 'Guam' },
  { label: 'ZIP code', autocomplete: 'postal-code', typed: '96910' },
  { label: 'Email', autocomplete: 'email', typed: 'ada@example.com' },
] as const;

/** Waits for the script: before it starts, the server-rendered page is about to be replaced. */
export async function waitForScript(page: Page) {
  await page.waitForEnabled('button', /^(?:Pay|Continue to payment)/);
  await page.waitForExpression(
    `document.querySelector('link-page, card-frame')?.hasScript === true`,
    'The script has not started',
  );
}

/** Longer than the browsers' delay between letters of a typed name. */
const TYPEAHEAD_RESET_MS = 1500;

/** Retries, because letters that arrive too slowly start a new search. */
async function selectByTyping(page: Page, label: string, name: string) {
  await eventually(async () => {
    await page.type(name);
    if ((await page.selectedText(label)) === name) return;
    await pause(TYPEAHEAD_RESET_MS);
    assert.equal(await page.selectedText(label), name);
  });
}

/** Fills in the form with the keyboard and ends on the next control. */
export async function fillCard(page: Page, number: string) {
  await page.click('field', 'Expiry');
  // Tab selects the content of a field, so typing replaces it.
  await page.press('Tab', 'Shift');
  for (const { label, typed } of cardFields) {
    await page.waitForFocus(label);
    if (label === 'Country') await selectByTyping(page, label, typed);
    else await page.type(label === 'Card number' ? number : typed);
    await page.press('Tab');
  }
}
