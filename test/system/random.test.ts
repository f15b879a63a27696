// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../src/system/random.ts';

test('random bytes are never reused, for any number and length', () => {
  const lengths = Array.from({ length: 5000 }, (_, index) => 8 + (index % 41));
  const given = lengths.map((length) => systemRandom.bytes(length));
  assert.deepEqual(
    given.map(({ length }) => length),
    lengths,
  );
  assert.equal(new Set(given.map((bytes) => Buffer.from(bytes).toString('hex', 0, 8))).size, given.length);
  const [first] = given;
  assert.ok(first);
  const before = Buffer.from(first).toString('hex');
  first.fill(0);
  for (let index = 0; index < 1000; index += 1) systemRandom.bytes(20);
  assert.equal(Buffer.from(first).toString('hex'), '0'.repeat(before.length));
  assert.equal(systemRandom.bytes(1_000_000).length, 1_000_000);
  assert.equal(systemRandom.bytes(0).length, 0);
});
