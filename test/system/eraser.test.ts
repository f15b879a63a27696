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

  test('replaces encoded values in URLs', () => {
    const { text } = createEraser(['zoe.quill@post.example', "Sinéad O'Brien"]);
    assert.equal(text('?next=%2Forders%3Femail%3Dzoe.quill%40post.example'), '?next=%2Forders%3Femail%3D[erased]');
    assert.equal(text('?next=%252Fo%253Fm%253Dzoe.quill%2540post.example'), '?next=%252Fo%253Fm%253D[erased]');
    assert.equal(text('?n=Sin%C3%A9ad+O%27Brien&m=sin%c3%a9ad%20O’Brien'), '?n=[erased]&m=sin%c3%a9ad%20O’Brien');
    assert.equal(text('?n=Sin%25C3%25A9ad%2BO%2527Brien'), '?n=[erased]');
    assert.equal(text('?to=joezoe.quill%40post.example'), '?to=joezoe.quill%40post.example');
  });

  test('replaces values next to text without spaces', () => {
    const { text } = createEraser(['zoe.quill@post.example', '山田 太郎', 'Zoë Quill', 'สมชาย ใจดี']);
    assert.equal(text('連絡先zoe.quill@post.exampleまで'), '連絡先[erased]まで');
    assert.equal(text('山田 太郎様, Zoë Quill様, คุณสมชาย ใจดีครับ'), '[erased]様, [erased]様, คุณ[erased]ครับ');
    assert.equal(text('Zoë Quillfeather'), 'Zoë Quillfeather');
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
