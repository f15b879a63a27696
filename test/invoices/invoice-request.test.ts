// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cryptoCurrencyCodes } from '../../src/shared/crypto-currency.ts';
import { createInvoiceRequest } from '../../src/api/crypto-transaction.ts';

const request = { txId: 'order-1', code: 'btc', amount: '150000', type: 'static' };

function fieldErrors(body: object): string[] {
  const { error } = createInvoiceRequest.safeParse(body);
  return (error?.issues ?? []).map((issue) => {
    const { params } = issue as { params?: { code?: string } };
    return `${issue.path.join('.')} ${params?.code ?? issue.code}: ${issue.message}`;
  });
}

describe('a request for an invoice', () => {
  test('is accepted unchanged', () => {
    for (const change of [
      {},
      { amount: '294' },
      { amount: '2100000000000000' },
      { code: 'eth', amount: `1${'0'.repeat(27)}` },
      { code: 'usdt', amount: '1' },
      { type: 'invoice_type_default' },
      { type: 'user', code: 'usdt' },
      { expiredAt: '2026-01-31T10:00:00Z', comment: 'for Ana' },
      { expiredAt: '2026-02-01T09:30:00Z' },
    ])
      assert.deepEqual(fieldErrors({ ...request, ...change }), []);
  });

  test('uses the smallest unit: coins are refused with the converted amount', () => {
    assert.deepEqual(fieldErrors({ ...request, amount: '0.0015' }), [
      'amount amount_not_in_smallest_unit: must be a whole number of the currency’s smallest unit, digits only, at most 78, not beginning with 0; 0.0015 whole coins would be 150000',
    ]);
    assert.match(fieldErrors({ ...request, amount: '1.5', code: 'eth' })[0] ?? '', /would be 1500000000000000000$/);
    assert.match(fieldErrors({ ...request, amount: '1e3' })[0] ?? '', /1e3 whole coins would be 100000000000$/);
    for (const amount of [
      '',
      '0',
      '00',
      '-1',
      '+1',
      ' 1',
      '1 ',
      '0x10',
      '1,5',
      '٣',
      '0.000000001',
      '9'.repeat(79),
      'NaN',
    ])
      assert.match(
        fieldErrors({ ...request, amount })[0] ?? '',
        /amount_not_in_smallest_unit.*not beginning with 0/,
        amount,
      );
    assert.match(fieldErrors({ ...request, amount: 150_000 })[0] ?? '', /^amount /);
  });

  test('is limited to the total supply, and at least what nodes relay', () => {
    assert.deepEqual(fieldErrors({ ...request, amount: '2100000000000001' }), [
      'amount too_large: must be at most 2100000000000000 (21000000 whole coins)',
    ]);
    for (const code of cryptoCurrencyCodes)
      assert.match(fieldErrors({ ...request, code, amount: '9'.repeat(78) })[0] ?? '', /^amount too_large/, code);
    assert.deepEqual(fieldErrors({ ...request, amount: '293' }), [
      'amount below_minimum: must be at least 294 (0.00000294 whole coins): nodes do not relay smaller payments',
    ]);
  });

  test('has an expiry in a documented format; type user never expires', () => {
    assert.match(fieldErrors({ ...request, expiredAt: 'soon' })[0] ?? '', /^expiredAt invalid_time/);
    const ofUser = { ...request, type: 'user', expiredAt: '2026-01-31T10:00:00Z' };
    assert.match(fieldErrors(ofUser)[0] ?? '', /^expiredAt not_for_type/);
  });

  test('reports all validation errors at once', () => {
    const all = fieldErrors({ txId: '', code: 'xyz', amount: '1.5', type: 'other', expired_at: 'x' });
    assert.deepEqual(
      new Set(all.map((fieldError) => fieldError.split(' ')[0])),
      new Set(['', 'amount', 'code', 'txId', 'type']),
    );
  });
});
