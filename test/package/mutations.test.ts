import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/system/root.ts';
import { breaks } from '../mutation/breaks.mjs';

test('every mutation applies to exactly one place of its file', () => {
  const applied = (file: string, text: string) =>
    readFileSync(join(packageRoot(), file), 'utf8').split(text).length - 1;
  const stale = breaks.filter(({ file, find }) => applied(file, find) !== 1).map(({ name }) => name);
  assert.deepEqual(stale, []);
});
