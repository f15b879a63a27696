import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/*
 * Accessibility tree of each state, as a screen reader sees it: role, name and state of every element, in order. The
 * trees are checked in as text. After an intended change, update them with `UPDATE_TREES=1`.
 */
const folder = join(import.meta.dirname, 'accessibility-trees');

/** Replaces values that differ in each run. */
function withoutVariableParts(tree: string): string {
  return (
    tree
      // Rendered once it is visible.
      .replaceAll(/^ *- img "QR code of this payment link"\n/gm, '')
      // Lists of countries and languages have separate tests.
      .replaceAll(/^ *- option (?!.*\[selected\]).*\n/gm, '')
      // Announced together with, or before, texts of the same moment.
      .replaceAll('Payment instructions are ready. ', '')
      .replaceAll(/^(- status: )Confirming your payment\. .*(?=You're offline\.)/gm, '$1')
      .replaceAll(/order-\d+-\d+/g, 'ORDER')
      .replaceAll(/\b[A-HJ-NP-Z2-9]{10}\b/g, 'REFERENCE')
      .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH')
      .replaceAll(/bcrt1[a-z0-9]+/g, 'ADDRESS')
      .replaceAll(/(Account number[\s\S]{0,40}?definition:[^\d]*)[\d\u00a0 ]+/g, '$1NUMBER')
      .replaceAll(/(\/url: ).*/g, '$1ADDRESS')
      .replaceAll(/\w{3} \d{1,2}, \d{4}, [^\n"]+/g, 'DATE')
      .replaceAll(/\d+ (?:h|min)(?: \d+ min)? left/g, 'TIME left')
  );
}

/** Compares a page with the stored tree `name`. */
export async function expectTree(page: Page, name: string) {
  const tree = async () => withoutVariableParts(`${await page.locator('body').ariaSnapshot()}\n`);
  const file = join(folder, `${name}.yml`);
  if (process.env['UPDATE_TREES']) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, await tree());
  }
  expect(existsSync(file), `${name}.yml is missing; create it with UPDATE_TREES=1`).toBe(true);
  await expect.poll(tree).toBe(readFileSync(file, 'utf8'));
}
