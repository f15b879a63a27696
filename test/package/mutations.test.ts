import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { transform } from 'esbuild';
import { packageRoot } from '../../src/system/root.ts';
import { breaks } from '../mutation/breaks.mjs';

test('every mutation applies to exactly one place of its file, and is valid code', async () => {
  const invalid: string[] = [];
  for (const { name, file, find, replace } of breaks) {
    const parts = readFileSync(join(packageRoot(), file), 'utf8').split(find);
    const isValid =
      parts.length === 2 &&
      (await transform(parts.join(replace), { loader: 'ts' }).then(
        () => true,
        () => false,
      ));
    if (!isValid) invalid.push(name);
  }
  assert.deepEqual(invalid, []);
});
