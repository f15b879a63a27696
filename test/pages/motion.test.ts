import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('transitions of the pages take 150 to 200 ms', () => {
  const durations = globSync('pages/**/*.css').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/transition: [\w-]+ (\d+)ms/g)].map(([, ms]) => ({ file, ms: Number(ms) })),
  );
  assert.notEqual(durations.length, 0);
  assert.deepEqual(
    durations.filter(({ ms }) => ms < 150 || ms > 200),
    [],
  );
});
