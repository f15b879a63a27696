// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Format } from '../../pages/account/format.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { minorUnitsOf } from '../../src/shared/minor-units.ts';

const page = new I18n({}, 'en-US');
const account = new Format('en-US');

/** An amount on the payment page and in the account area, without its currency. */
function shown(value: string, currency: string): string[] {
  return [page.amount({ value, currency }), account.money(value, currency)].map((text) => text.replace(/^[^\d]+/, ''));
}

describe('an amount in a currency whose decimals are not used in practice', () => {
  test('has no decimals if it is whole, and all of them otherwise', () => {
    for (const currency of ['COP', 'HUF', 'IDR', 'LAK', 'MMK', 'PKR', 'TWD', 'TZS', 'UZS']) {
      const zeros = '0'.repeat(minorUnitsOf(currency));
      const fraction = zeros.replace(/0$/, '1');
      assert.deepEqual(shown(`2500000.${zeros}`, currency), ['2,500,000', '2,500,000'], currency);
      const precise = `2,500,000.${fraction}`;
      assert.deepEqual(shown(`2500000.${fraction}`, currency), [precise, precise], currency);
      assert.equal(account.money(2_500_000, currency).replace(/^[^\d]+/, ''), '2,500,000');
    }
  });

  test('is never rounded, up to amounts far beyond the largest', () => {
    assert.equal(account.money('10000000000000.01', 'COP').replace(/^[^\d]+/, ''), '10,000,000,000,000.01');
  });

  test('other currencies always have their decimals', () => {
    assert.deepEqual(shown('12.00', 'USD'), ['12.00', '12.00']);
    assert.deepEqual(shown('12.00', 'SEK'), ['12.00', '12.00']);
    assert.deepEqual(shown('12.000', 'KWD'), ['12.000', '12.000']);
    assert.deepEqual(shown('1200', 'JPY'), ['1,200', '1,200']);
  });
});
