// Databases: sqlite
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/system/root.ts';

/** Classes that a style sheet styles in any context. */
function classesOf(css: string): string[] {
  const rules = [...css.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/([^{}]+)\{/g)];
  const selectors = rules.flatMap(([, list = '']) => list.split(',').map((selector) => selector.trim()));
  return [...new Set(selectors.filter((selector) => /^\.[a-z][\w-]*$/.test(selector)))];
}

test('the style sheets of the account area, bundled into one, define each class once', () => {
  const folder = join(packageRoot(), 'pages', 'account');
  const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
  assert.ok(sheets.length > 10);
  // Print styles change the look of classes on paper.
  const onScreen = sheets.filter((sheet) => sheet !== 'print.css');
  const places = new Map<string, string[]>();
  for (const sheet of onScreen)
    for (const name of classesOf(readFileSync(join(folder, sheet), 'utf8')))
      places.set(name, [...(places.get(name) ?? []), sheet]);
  assert.deepEqual(
    [...places].filter(([, found]) => found.length > 1),
    [],
  );
});
