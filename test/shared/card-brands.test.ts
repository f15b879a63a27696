// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import creditCardType from 'credit-card-type';
import fc from 'fast-check';
import { cardNumberProblem } from '../../src/shared/card.ts';
import { findCardBrand } from '../../src/shared/card-brands.ts';
import { checkDigitOf } from '../support/card-numbers.ts';

const packageBrands = creditCardType('');
/** First digits at and next to both ends of every range of the package. */
const prefixes = packageBrands
  .flatMap(({ patterns }) => patterns.flat().map(Number))
  .flatMap((digits) => [digits - 1, digits, digits + 1])
  .map(String);

describe('card brands', () => {
  test('every prefix of a number has the brand that the package of the table finds', () => {
    const number = fc.tuple(fc.constantFrom(...prefixes), fc.stringMatching(/^\d{0,12}$/));
    fc.assert(
      fc.property(number, fc.integer({ min: 1, max: 8 }), ([prefix, rest], length) => {
        for (const digits of [prefix + rest, prefix.slice(0, length)]) {
          const found = creditCardType(digits);
          const [only] = found;
          const expected = found.length > 1 ? null : only?.type;
          const rules = findCardBrand(digits);
          assert.equal(rules && rules.brand, expected, digits);
          if (!only || !rules) continue;
          assert.deepEqual(
            { name: rules.name, lengths: rules.lengths, gaps: rules.gaps, cvvLength: rules.cvvLength },
            { name: only.niceType, lengths: only.lengths, gaps: only.gaps, cvvLength: only.code.size },
          );
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('a number of each brand and length is accepted, and refused with another check digit', () => {
    for (const { type, patterns, lengths } of packageBrands) {
      const prefix = String([patterns[0]].flat()[0]);
      for (const length of lengths) {
        const digits = prefix.padEnd(length - 1, '0');
        const checkDigit = checkDigitOf(digits);
        const another = String((Number(checkDigit) + 1) % 10);
        assert.equal(cardNumberProblem(digits + checkDigit), null, `${type} of ${length}`);
        const isRefused = cardNumberProblem(digits + another) !== null;
        assert.equal(isRefused, type !== 'unionpay', `${type} of ${length} with a wrong check digit`);
      }
    }
  });
});
