import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { generate, staleFiles } from '../../scripts/generate.mjs';
import { packageRoot } from '../../src/system/root.ts';

test('generated files are up to date', async () => {
  const files = await generate();
  const models = /^sdks\/php\/src\/Model\/\w+\.php$/;
  const paths = Object.keys(files).filter((path) => !models.test(path));
  assert.deepEqual(paths, [
    ...[
      'client/api.ts',
      'sdks/python/paylatch/_version.py',
      'sdks/python/paylatch/models.py',
      'sdks/python/paylatch/inputs.py',
      'sdks/python/paylatch/operations.py',
      'sdks/php/src/Version.php',
      'sdks/php/src/Operations.php',
      'sdks/go/version.go',
      'sdks/go/models.go',
      'sdks/go/inputs.go',
      'sdks/go/operations.go',
      'src/migrations/list.ts',
      'src/shared/page-languages.ts',
      'src/shared/webhook-event-types.ts',
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
    ...['docs/monitoring.md', 'docs/payments.md', 'docs/preferences.md', 'docs/settings.md'],
    ...['docs/statuses.md', 'docs/errors.md'],
    ...['client', 'medusa', 'pay-form', 'react', 'testing', 'vendure', 'vue'].map(
      (name) => `packages/${name}/package.json`,
    ),
  ]);
  assert.deepEqual(staleFiles(files), [], 'run `npm run generate`');
  for (const [path, content] of Object.entries(files)) {
    assert.equal(await readFile(join(packageRoot(), path), 'utf8'), content, `${path}: run \`npm run generate\``);
  }
});
