// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forbiddenImports } from '../../scripts/imports.mjs';

const check = (files: Record<string, string>) =>
  forbiddenImports(Object.keys(files), (file: string) => files[file] ?? '');

describe('the table of imports', () => {
  test('allows listed folders, packages and the folder itself', () => {
    const text = `import { z } from 'zod';\nimport '../shared/money.ts';\nexport * from './people.ts';`;
    assert.deepEqual(check({ 'src/auth/routes.ts': text }), []);
  });

  test('rejects all other imports, in every syntax', () => {
    for (const text of [
      `import { pay } from '../payments/pay.ts';`,
      `import type { Pay } from '../payments/pay.ts';`,
      `export { pay } from '../payments/pay.ts';`,
      `const { pay } = await import('../payments/pay.ts');`,
    ])
      assert.deepEqual(
        check({ 'src/auth/routes.ts': text }),
        ['src/auth/routes.ts imports ../payments/pay.ts: src/auth may not import from src/payments'],
        text,
      );
    assert.equal(check({ 'pages/checkout/link/page.ts': `import '../../../src/system/log.ts';` }).length, 1);
    assert.equal(check({ 'src/merchants/deep/file.ts': `import '../../auth/users.ts';` }).length, 1);
  });

  test('allows only a module itself to query its tables', () => {
    const of = (text: string, file = 'src/payments/pay.ts') => check({ [file]: text }).length;
    assert.equal(of(`import { db } from './schema.ts';`), 0);
    assert.equal(of(`import { db } from '../schema.ts';`, 'src/payments/links/open.ts'), 0);
    assert.equal(of(`import type { MerchantsTables } from '../merchants/schema.ts';`), 0);
    for (const text of [
      `import { db } from '../merchants/schema.ts';`,
      `import { type Merchant, statement as merchantStatement } from '../merchants/schema.ts';`,
      `export { combinedStatement } from '../merchants/schema.ts';`,
    ])
      assert.equal(of(text), 1, text);
    assert.equal(of(`import { db } from './database/installation.ts';`, 'src/app.ts'), 1);
  });

  test('allows pages to import types from the API, but no values', () => {
    const of = (text: string) => check({ 'pages/checkout/link/page.ts': text }).length;
    assert.equal(of(`import type { Rate } from '../../../src/api/rate.ts';`), 0);
    assert.equal(of(`import { type Rate } from '../../../src/api/rate.ts';`), 0);
    for (const text of [
      `import { type Rate, rate } from '../../../src/api/rate.ts';`,
      `export { rate } from '../../../src/api/rate.ts';`,
      `import * as api from '../../../src/api/rate.ts';`,
      `import '../../../src/api/rate.ts';`,
    ])
      assert.equal(of(text), 1, text);
  });

  test('rejects a folder that is not in the table', () => {
    for (const file of ['src/settlements/settle.ts', 'tools/tool.mjs'])
      assert.match(check({ [file]: '' }).join(), /has no entry/, file);
  });
});
