import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { generate } from '../../scripts/generate.mjs';
import { packageRoot } from '../../src/system/root.ts';

test('generated files are up to date', async () => {
  const files = await generate();
  assert.deepEqual(Object.keys(files), [
    ...[
      'client/api.ts',
      'src/migrations/list.ts',
      'src/shared/page-languages.ts',
      'src/shared/card-brand-table.ts',
      'src/shared/address-table.ts',
      'src/api/address-data.json',
      'pages/locales/account/languages.ts',
      'test/api/operation-ids.json',
      'docs/api.md',
      'docs/webhooks.md',
      'docs/crypto.md',
      'docs/methods.md',
    ],
    ...['docs/monitoring.md', 'docs/preferences.md', 'docs/settings.md', 'docs/errors.md'],
  ]);
  for (const [path, content] of Object.entries(files)) {
    assert.equal(await readFile(join(packageRoot(), path), 'utf8'), content, `${path}: run \`npm run generate\``);
  }
});
