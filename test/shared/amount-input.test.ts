// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseAmountText } from '../../src/shared/amount-input.ts';

describe('a typed amount', () => {
  test('is read as the locale writes it', () => {
    const cases: [text: string, locale: string, minor: bigint | null, minorUnits?: number][] = [
      ['12.50', 'en', 1250n],
      ['12,50', 'en', 1250n],
      ['12,5', 'de', 1250n],
      ['$12.50', 'en', 1250n],
      ['12,50 €', 'de', 1250n],
      ['US$ 1,234', 'en', 123_400n],
      ['1,234', 'en', 123_400n],
      ['1.234', 'de', 123_400n],
      ['1.234', 'de-DE-u-nu-latn', 123_400n],
      ['1.234', 'en', null],
      ['1,234.56', 'de', 123_456n],
      ['1.234,56', 'en', 123_456n],
      ['1\u202f234,56', 'fr', 123_456n],
      ['1’234.50', 'de-CH', 123_450n],
      ['1,00,000', 'en-IN', 10_000_000n],
      ['١٢٫٥', 'ar', 1250n],
      ['१२.५०', 'hi', 1250n],
      ['１２．５０', 'ja', 1250n],
      ['25.000', 'vi', 25_000n, 0],
      ['12.505', 'en', null],
      ['0,125', 'en', null],
      ['0,125', 'en', 125n, 3],
      ['1,2,3', 'en', null],
      ['1.2.3', 'en', null],
      ['1e3', 'en', null],
      ['-5', 'en', null],
      ['', 'en', null],
      ['.', 'en', null],
      ['abc', 'en', null],
      ['9'.repeat(30), 'en', null],
      ['5', 'not a locale!', 500n],
    ];
    for (const [text, locale, minor, minorUnits = 2] of cases)
      assert.equal(parseAmountText(text, minorUnits, locale), minor, `${text} in ${locale}`);
  });

  test('is the amount that the locale formatted', () => {
    const locales = ['en', 'de', 'fr', 'ar-EG', 'hi', 'fa', 'pt-BR', 'bn', 'sv'];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), fc.constantFrom(...locales), (minor, locale) => {
        const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
        const text = new Intl.NumberFormat(locale, digits).format(minor / 100);
        assert.equal(parseAmountText(text, 2, locale), BigInt(minor), text);
      }),
    );
  });

  test('never throws, and is never negative', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, locale) => {
        const minor = parseAmountText(text, 2, locale);
        assert.ok(minor === null || minor >= 0n);
      }),
    );
  });
});
