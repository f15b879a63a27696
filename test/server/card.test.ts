// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  cardDigits,
  cardNumberProblem,
  cvvProblem,
  expiryOf,
  expiryProblem,
  formatCardNumber,
  inspectCardNumber,
  parseExpiry,
} from '../../src/contract/card.ts';

const now = Date.parse('2026-11-21T09:00:00Z');

describe('the rules of a card', () => {
  test('numbers are taken with spaces and hyphens, and held against their check digit', () => {
    assert.equal(cardNumberProblem('4242 4242-4242 4242'), null);
    assert.equal(cardNumberProblem('4242424242424241'), 'card_number_invalid');
    assert.equal(cardNumberProblem('4242 4242'), 'card_number_incomplete');
    assert.equal(cardNumberProblem(''), 'required');
    assert.equal(cardNumberProblem('4242x'), 'card_number_invalid');
    assert.equal(cardNumberProblem('0000000000000000'), 'card_number_invalid');
  });

  test('changing one digit of a good number is always noticed', () => {
    fc.assert(
      fc.property(fc.nat(14), fc.integer({ min: 1, max: 9 }), (position, by) => {
        const digits = [...'4242424242424242'];
        const at = position + 1;
        digits[at] = String((Number(digits[at]) + by) % 10);
        assert.notEqual(cardNumberProblem(digits.join('')), null);
      }),
    );
  });

  test('brands are recognised, with their gaps and the length of their code', () => {
    assert.equal(inspectCardNumber('42').brand, 'visa');
    assert.equal(inspectCardNumber('5555').brand, 'mastercard');
    assert.deepEqual(inspectCardNumber('3782').cvvLength, 4);
    assert.equal(inspectCardNumber('').brand, null);
    assert.equal(formatCardNumber('378282246310005'), '3782 822463 10005');
    assert.equal(formatCardNumber('4242424242424242'), '4242 4242 4242 4242');
    assert.equal(cvvProblem('123', '378282246310005'), 'cvv_incomplete');
    assert.equal(cvvProblem('1234', '378282246310005'), null);
    assert.equal(cvvProblem('1234', '4242424242424242'), 'cvv_invalid');
    assert.equal(cvvProblem('12a', '4242424242424242'), 'cvv_invalid');
  });

  test('formatting never loses or adds a digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{0,15}$/), (digits) => {
        assert.equal(cardDigits(formatCardNumber(digits)), digits);
      }),
    );
  });

  test('expiries are read in the forms that people and password managers write', () => {
    for (const form of ['04 / 27', '4/27', '04/2027', '0427', '2027-04', '04-27', '4.2027']) {
      assert.deepEqual(parseExpiry(form), { month: 4, year: 2027 }, form);
    }
    for (const form of ['', '13/27', '00/27', '4/7', 'April 27', '04/27/2027'])
      assert.equal(parseExpiry(form), null, form);
    assert.deepEqual(expiryOf('4', '27'), { month: 4, year: 2027 });
  });

  test('a card is good until its month is over everywhere', () => {
    assert.equal(expiryProblem({ month: 11, year: 2026 }, now), null);
    assert.equal(expiryProblem({ month: 10, year: 2026 }, now), 'card_expired');
    assert.equal(expiryProblem({ month: 11, year: 2026 }, Date.parse('2026-12-01T11:59:00Z')), null);
    assert.equal(expiryProblem({ month: 11, year: 2026 }, Date.parse('2026-12-01T12:01:00Z')), 'card_expired');
    assert.equal(expiryProblem({ month: 1, year: 2090 }, now), 'expiry_invalid');
    assert.equal(expiryProblem(null, now), 'expiry_invalid');
  });
});
