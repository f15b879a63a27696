// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { OperatorError } from '../../src/system/operator-error.ts';
import { systemRandom } from '../../src/system/random.ts';
import { seal, sealingKeyId, sealingKey, unseal } from '../../src/system/sealed.ts';

const key = sealingKey(new Uint8Array(32).fill(1));
const other = sealingKey(new Uint8Array(32).fill(2));
const secret = Buffer.from('a seed that is worth something');

describe('a sealed secret', () => {
  test('opens with its key and name', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (bytes, name) => {
        const sealed = seal(key, name, bytes, systemRandom);
        assert.match(sealed, /^sealed1\.[0-9a-f]{8}\.[\w-]+$/);
        assert.deepEqual(unseal([other, key], name, sealed), bytes);
        assert.equal(sealingKeyId(sealed), key.id);
      }),
    );
  });

  test('differs on each sealing and does not contain the plain text', () => {
    const [one, two] = [seal(key, 'seed', secret, systemRandom), seal(key, 'seed', secret, systemRandom)];
    assert.notEqual(one, two);
    assert.ok(!Buffer.from(one.split('.')[2] ?? '', 'base64url').includes(secret.subarray(0, 4)));
  });

  test('does not open with another key or name, or after a bit was changed', () => {
    const sealed = seal(key, 'seed', secret, systemRandom);
    assert.throws(() => unseal([other], 'seed', sealed), {
      name: 'OperatorError',
      message: /key [0-9a-f]{8}, which SEALING_KEY does not contain/,
    });
    assert.throws(() => unseal([key], 'another', sealed), { message: /was modified/ });
    assert.throws(() => unseal([key], 'seed', secret.toString()), { message: /is not sealed/ });
    assert.throws(() => unseal([key], 'seed', sealed.slice(0, 30)), OperatorError);
    const [version, id, text = ''] = sealed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    for (let index = 0; index < bytes.length * 8; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index >> 3] = (changed[index >> 3] ?? 0) ^ (1 << (index & 7));
      assert.throws(() => unseal([key], 'seed', `${version}.${id}.${changed.toString('base64url')}`), OperatorError);
    }
  });

  test('requires a key of 32 bytes', () => {
    assert.throws(() => sealingKey(new Uint8Array(31)), OperatorError);
  });
});
