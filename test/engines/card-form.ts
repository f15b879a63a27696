import type { Page } from './page.ts';

/** The fields in the order of the form: their labels, what autofill knows them by, and what a buyer types there. */
export const cardFields = [
  { label: 'Card number', autocomplete: 'cc-number', typed: '4242424242424242' },
  { label: 'Expiry', autocomplete: 'cc-exp', typed: '0430' },
  { label: 'Security code', autocomplete: 'cc-csc', typed: '123' },
  { label: 'First name', autocomplete: 'given-name', typed: 'Ada' },
  { label: 'Last name', autocomplete: 'family-name', typed: 'Lovelace' },
  // One word: a space opens the list of some engines.
  { label: 'Country', autocomplete: 'country', typed: 'Portugal' },
  { label: 'Address', autocomplete: 'address-line1', typed: '12 Rua São José' },
  { label: 'City', autocomplete: 'address-level2', typed: 'Lisboa' },
  { label: 'State or province', autocomplete: 'address-level1', typed: 'Lisboa' },
  { label: 'Postcode', autocomplete: 'postal-code', typed: '1000-001' },
  { label: 'Phone', autocomplete: 'tel', typed: '+351 21 000 0000' },
  { label: 'Email', autocomplete: 'email', typed: 'ada@example.com' },
] as const;

/** Before its script is there, what the server drew is about to be replaced. */
export async function isAlive(page: Page) {
  await page.offers('button', /^Pay/);
  await page.holds(
    `document.querySelector('link-page, card-frame')?.isAlive === true`,
    'The script has not taken over',
  );
}

/** Goes through the whole form with the keyboard, as a buyer does, and ends on what comes after it. */
export async function fillCard(page: Page, number: string) {
  await page.click('field', 'Expiry');
  // A field that is reached with Tab is selected, so that what is typed replaces what stood there.
  await page.press('Tab', 'Shift');
  for (const { label, typed } of cardFields) {
    await page.focuses(label);
    await page.type(label === 'Card number' ? number : typed);
    await page.press('Tab');
  }
}
