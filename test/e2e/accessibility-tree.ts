import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/*
 * What a screen reader is told of each state, checked in as text for people to read: role, name and
 * state of everything, in its order. After a change on purpose, `UPDATE_TREES=1` writes them anew.
 */
const folder = join(import.meta.dirname, 'accessibility-trees');

/** What is another one in each run. */
function withoutChance(tree: string): string {
  return (
    tree
      // Drawn once it has been seen.
      .replaceAll(/^ *- img "QR code of this payment link"\n/gm, '')
      // Lists of countries and languages are tested elsewhere.
      .replaceAll(/^ *- option (?!.*\[selected\]).*\n/gm, '')
      // Said in one go with what comes at the same moment, or before it.
      .replaceAll('Here is how to pay. ', '')
      .replaceAll(/^(- status: )We are checking your payment\. .*(?=No connection\.)/gm, '$1')
      .replaceAll(/order-\d+-\d+/g, 'ORDER')
      .replaceAll(/\b[A-HJ-NP-Z2-9]{10}\b/g, 'REFERENCE')
      .replaceAll(/bcrt1[a-z0-9]+/g, 'ADDRESS')
      .replaceAll(/(Account number[\s\S]{0,40}?definition:[^\d]*)[\d\u00a0 ]+/g, '$1NUMBER')
      .replaceAll(/(\/url: ).*/g, '$1ADDRESS')
      .replaceAll(/\w{3} \d{1,2}, \d{4}, [^\n"]+/g, 'DATE')
      .replaceAll(/\d+ (?:h|min)(?: \d+ min)? left/g, 'TIME left')
  );
}

/** Holds a page against the tree that is written down under `name`. */
export async function expectTree(page: Page, name: string) {
  const tree = withoutChance(`${await page.locator('body').ariaSnapshot()}\n`);
  const file = join(folder, `${name}.yml`);
  if (process.env['UPDATE_TREES']) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, tree);
  }
  expect(existsSync(file), `${name}.yml is missing: UPDATE_TREES=1 writes it`).toBe(true);
  expect(tree).toBe(readFileSync(file, 'utf8'));
}
