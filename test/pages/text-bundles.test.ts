// Databases: sqlite
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, test } from 'node:test';
import { textBundlesFor } from '../../pages/account/text-bundles.ts';
import { resolveAccountTexts } from '../../pages/locales/texts.ts';
import { accountLanguages } from '../../pages/locales/account/languages.ts';
import { packageRoot } from '../../src/system/root.ts';

const folder = join(packageRoot(), 'pages', 'account');
const routesFile = join(folder, 'routes.ts');
const bundles = Object.keys(accountLanguages['en'] ?? {});

/** Adds a file and the files that it imports to `found`, without the pages that `routes.ts` loads. */
function addImports(file: string, found: Set<string>): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  if (file === routesFile) return found;
  const source = readFileSync(file, 'utf8').replaceAll(/import type[^;]+;/g, '');
  for (const [, path = ''] of source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g))
    addImports(normalize(join(dirname(file), path)), found);
  return found;
}

/** Text bundles that a file of the account area uses. */
function bundlesUsedIn(file: string): string[] {
  if (relative(folder, file).startsWith('..')) return [];
  // An example in a comment does not count.
  const source = readFileSync(file, 'utf8').replaceAll(/^\s*(?:\/\*\*?|\*) .*$/gm, '');
  const uses = source.matchAll(/['`](?:account\.)?([a-z_]+)\.[a-z$]/g);
  return [...uses].map(([, bundle = '']) => bundle).filter((bundle) => bundles.includes(bundle));
}

const shell = addImports(join(folder, 'client.ts'), new Set());

describe('the text bundles', () => {
  test('of the shell are its own', () => {
    assert.deepEqual(new Set([...shell].flatMap(bundlesUsedIn)), new Set(['shell', 'statuses']));
  });

  const routes = [
    ...readFileSync(routesFile, 'utf8').matchAll(/Route\(\s*'([^']+)'(?:(?!Route\()[\s\S])*?import\('(\.[^']+)'\)/g),
  ];
  assert.ok(routes.length > 15);
  for (const [, path = '', module = ''] of routes)
    test(`of ${path} are loaded with it`, () => {
      const files = [...addImports(join(folder, module), new Set(shell))].filter((file) => !shell.has(file));
      const used = new Set(['shell', ...files.flatMap(bundlesUsedIn)]);
      const loaded = textBundlesFor(`/account/7/${path}`);
      assert.deepEqual(
        [...used].filter((bundle) => !loaded.includes(bundle)),
        [],
      );
      assert.deepEqual(
        loaded.filter((bundle) => !bundles.includes(bundle)),
        [],
      );
    });

  test('of a page without a merchant and of the start page are found too', () => {
    assert.deepEqual(textBundlesFor('/account/join'), ['shell', 'statuses', 'join', 'sign_in', 'me']);
    assert.deepEqual(textBundlesFor('/account'), textBundlesFor('/account/7/overview'));
    assert.deepEqual(textBundlesFor('/account/7/audit-log'), [
      'shell',
      'statuses',
      'audit_log',
      'transactions',
      'settings',
    ]);
    assert.deepEqual(textBundlesFor('/account/7/constructor'), ['shell', 'statuses', 'constructor']);
    assert.deepEqual(resolveAccountTexts('en', ['constructor']), {});
  });
});
