// Databases: sqlite
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import english from '../../pages/locales/en.json' with { type: 'json' };
import { themeControls } from '../../examples/shop/theme-controls.ts';
import { fromFrame } from '../../src/shared/frame/from-frame.ts';
import { themeTokens } from '../../src/shared/frame/theme.ts';
import { readBilling } from '../../src/shared/frame/to-frame.ts';
import { problemCatalog } from '../../src/api/problem.ts';
import { packageRoot } from '../../src/system/root.ts';

const folder = join(packageRoot(), 'docs');
const guide = await readFile(join(folder, 'embedding.md'), 'utf8');

/** The table row of a name. */
function findRow(name: string): string {
  const line = guide.split('\n').find((each) => each.startsWith('| ') && each.split('|')[1]?.includes(`\`${name}\``));
  assert.ok(line, `No row for ${name}`);
  return line;
}

describe('the embedding guide', () => {
  test('documents every event of the element', () => {
    for (const name of Object.keys(fromFrame).filter((each) => each.startsWith('pay-'))) findRow(name);
  });

  test('documents every theme token with its default', () => {
    for (const token of Object.values(themeTokens).flat()) {
      const tableRow = findRow(token);
      const control = themeControls[token];
      if (control.kind === 'font') continue;
      if (control.follows) assert.ok(tableRow.includes(`as \`${control.follows}\``), tableRow);
      else if (control.kind === 'color')
        assert.ok(tableRow.includes(`\`${control.light}\`, \`${control.dark}\``), tableRow);
      else assert.match(tableRow, new RegExp(`\`${control.default}px\`|\`${control.default / 16}rem\``));
    }
  });

  test('documents every error code of pay-error', async () => {
    const sources = await Promise.all(
      [
        'pages/checkout/embed/embed-bridge.ts',
        'pages/checkout/embed/pay-events.ts',
        'widget/pay-form.ts',
        'src/payments/links/embedding.ts',
      ].map(async (path) => await readFile(join(packageRoot(), path), 'utf8')),
    );
    const codes = sources.join('').matchAll(/(?:code: |Problem\(|error\(|(?:expired|failed|restricted): )'([a-z_]+)'/g);
    const problemCodes = Object.keys(english.problems).filter(
      (name) => !/^(titles?|fields_.+|abandon_failed)$/.test(name),
    );
    for (const code of [
      ...Array.from(codes, ([, code]) => code ?? ''),
      ...problemCodes,
      'not_found',
      'internal_error',
    ]) {
      findRow(code);
    }
  });

  test('documents errors of the service as retryable like the service', () => {
    for (const code of ['origin_not_allowed', 'not_found', 'link_expired', 'link_failed'] as const) {
      assert.equal(problemCatalog[code].retryable, findRow(code).split('|')[3]?.trim() === 'yes', code);
    }
  });

  test('lists exactly the supported billing fields', () => {
    const [, listed = ''] = /\n(`first_name`,.+?)\. Strings only/.exec(guide) ?? [];
    const names = Array.from(listed.matchAll(/`(\w+)`/g), ([, name]) => name ?? '');
    assert.deepEqual(readBilling(Object.fromEntries(names.map((name) => [name, '']))).refused, []);
    assert.equal(names.length, 9);
  });

  test('has no broken links', () => {
    const headings = Array.from(guide.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = [...guide.matchAll(/\]\(((?!http)[^)]+)\)/g)];
    assert.ok(links.length > 0);
    for (const [, target = ''] of links) {
      const [path, anchor] = target.split('#');
      if (path) assert.ok(existsSync(join(dirname(join(folder, 'embedding.md')), path)), target);
      else assert.ok(headings.includes(anchor ?? ''), target);
    }
  });
});
