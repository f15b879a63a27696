// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { amount, flag, generated, integer, json, record, type RecordOf, text } from '../../src/database/record.ts';

const invoices = record({
  id: generated(),
  merchant_id: integer(),
  paid_at: integer().nullable(),
  amount_minor: amount().as('amount'),
  kept_minor: amount().nullable(),
  is_late: flag().as('isLate'),
  lines: json((stored) => stored as string[]).nullable(),
  three_d_secure: text<'yes' | 'no'>(),
});
type Invoice = RecordOf<typeof invoices>;

const minor = fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) });
const anyInvoice: fc.Arbitrary<Invoice> = fc.record(
  {
    id: fc.nat(),
    merchantId: fc.nat(),
    paidAt: fc.option(fc.nat()),
    amount: minor,
    keptMinor: fc.option(minor),
    isLate: fc.boolean(),
    lines: fc.option(fc.array(fc.string())),
    threeDSecure: fc.constantFrom('yes', 'no'),
  },
  { noNullPrototype: true },
);

describe('a record', () => {
  test('is unchanged after writing and reading a row', () => {
    fc.assert(fc.property(anyInvoice, (invoice) => assert.deepEqual(invoices.read(invoices.write(invoice)), invoice)));
  });

  test('uses the database’s column names, and stores only numbers, text and null', () => {
    assert.deepEqual(invoices.write({ merchantId: 1, amount: 5n, isLate: true, lines: ['a'], keptMinor: null }), {
      ...{ merchant_id: 1, amount_minor: 5, is_late: 1, lines: '["a"]', kept_minor: null },
    });
  });

  test('erases its personal fields', () => {
    const people = record({
      id: generated(),
      name: text().nullable().personal(),
      note: text().partlyPersonal(),
      details: json((stored) => stored as Record<string, string>)
        .nullable()
        .partlyPersonal()
        .as('facts'),
      city: text(),
    });
    const eraser = {
      text: (stored: string) => stored.replace('Ann', '*'),
      json: (stored: string) => stored.replace('"Ann"', '"*"'),
    };
    const ann = { id: 1, name: 'Ann', note: 'for Ann', facts: { of: 'Ann' }, city: 'Ann Arbor' };
    assert.deepEqual(people.erase(ann, eraser), { name: null, note: 'for *', details: '{"of":"*"}' });
    const nobody = { ...ann, name: null, facts: null };
    assert.deepEqual(people.erase(nobody, eraser), { name: null, note: 'for *', details: null });
  });

  test('writes only the given fields', () => {
    assert.deepEqual(invoices.write({ threeDSecure: 'no' }), { three_d_secure: 'no' });
    assert.deepEqual(invoices.write({}), {});
  });
});
