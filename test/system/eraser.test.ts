// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createEraser } from '../../src/system/eraser.ts';

describe('the eraser', () => {
  test('replaces whole words in texts and URLs', () => {
    const { text } = createEraser(['ann@shop.example', 'Ann Example']);
    assert.equal(text('ANN@shop.example, joann@shop.example'), '[erased], joann@shop.example');
    assert.equal(text('?to=ann%40shop.example&n=Ann+Example&m=ann%20example'), '?to=[erased]&n=[erased]&m=[erased]');
  });

  test('leaves numbers, literals and names of fields in JSON', () => {
    const stored = { status: 'paid', amount_minor: 10_000, reason: null, note: 'call 10000', nested: '{"n":10000}' };
    const { json } = createEraser(['10000', 'null', 'status'], ['payer']);
    assert.deepEqual(JSON.parse(json(JSON.stringify(stored))), { ...stored, note: 'call [erased]' });
    assert.equal(json('{"payer":{"name":"Ann","age":3},"n":"Ann"}'), '{"payer":{"name":"[erased]","age":3},"n":"Ann"}');
  });

  test('keeps JSON valid, and its form', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 3 })), fc.json(), (values, stored) => {
        const formOf = (value: unknown): unknown =>
          typeof value === 'string'
            ? 'text'
            : Array.isArray(value)
              ? value.map(formOf)
              : value !== null && typeof value === 'object'
                ? Object.entries(value).map(([name, field]) => [name, formOf(field)])
                : value;
        assert.deepEqual(formOf(JSON.parse(createEraser(values).json(stored))), formOf(JSON.parse(stored)));
      }),
    );
  });
});
