// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  cardDigits,
  cardNumberProblem,
  cvvProblem,
  expiryFields,
  expiryMonthProblem,
  parseExpiryFields,
  expiryProblem,
  expiryYearProblem,
  formatCardNumber,
  inspectCardNumber,
  parseExpiry,
} from '../../src/shared/card.ts';

const now = Date.parse('2026-11-21T09:00:00Z');

describe('the rules of a card', () => {
  test('numbers may contain spaces and hyphens, and need a valid check digit', () => {
    assert.equal(cardNumberProblem('4242 4242-4242 4242'), null);
    assert.equal(cardNumberProblem('4242424242424241'), 'card_number_invalid');
    assert.equal(cardNumberProblem('4242 4242'), 'card_number_incomplete');
    assert.equal(cardNumberProblem(''), 'required');
    assert.equal(cardNumberProblem('4242x'), 'card_number_invalid');
    assert.equal(cardNumberProblem('0000000000000000'), 'card_number_invalid');
    // A 9 is not doubled here, and counts as 9.
    assert.equal(cardNumberProblem('4111 1111 1111 1996'), null);
    // UnionPay cards may have no check digit.
    assert.equal(cardNumberProblem('6200 0000 0000 0001'), null);
  });

  test('changing one digit of a valid number is always detected', () => {
    fc.assert(
      fc.property(fc.nat(14), fc.integer({ min: 1, max: 9 }), (position, by) => {
        const digits = [...'4242424242424242'];
        const at = position + 1;
        digits[at] = String((Number(digits[at]) + by) % 10);
        assert.notEqual(cardNumberProblem(digits.join('')), null);
      }),
    );
  });

  test('brands are recognized, with their gaps and the length of their code', () => {
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

  test('a number that can be continued is incomplete, any other is invalid', () => {
    assert.equal(cardNumberProblem('4242-4242\u00a04242\t4242'), null);
    assert.equal(cardNumberProblem('x4242'), 'card_number_invalid');
    assert.equal(cardNumberProblem('4242 4242 4242 424'), 'card_number_incomplete');
    assert.equal(cardNumberProblem('7'), 'card_number_invalid');
    assert.equal(cardNumberProblem('3782 822463 1000'), 'card_number_incomplete');
    assert.equal(cardNumberProblem('3782 822463 10006'), 'card_number_invalid');
    // The shortest numbers there are, of Maestro.
    assert.equal(cardNumberProblem('6304 0000 0000'), null);
    assert.equal(cardNumberProblem('6304 0000 0001'), 'card_number_incomplete');
    assert.equal(cardNumberProblem(' '), 'required');
  });

  test('more digits determine more of the brand’s properties', () => {
    const unknown = { brand: null, brandName: null, gaps: [4, 8, 12], maxLength: 19, cvvLength: 3 };
    for (const none of ['', ' ', '7', 'x', '4242x']) assert.deepEqual(inspectCardNumber(none), unknown, none);
    assert.deepEqual(inspectCardNumber('3782'), {
      ...{ brand: 'american-express', brandName: 'American Express', gaps: [4, 10], maxLength: 15, cvvLength: 4 },
    });
    const visa = { brand: 'visa', brandName: 'Visa', gaps: [4, 8, 12], maxLength: 19, cvvLength: 3 };
    assert.deepEqual(inspectCardNumber('4 2-4'), visa);
    assert.equal(formatCardNumber('37828224631000512'), '3782 822463 10005');
    assert.equal(formatCardNumber('x4242a4242'), '4242 4242');
  });

  test('a security code has the length of its brand', () => {
    assert.equal(cvvProblem('', '4242'), 'required');
    assert.equal(cvvProblem(' ', '4242'), 'required');
    assert.equal(cvvProblem(' 123 ', '4242'), null);
    assert.equal(cvvProblem('12', '4242'), 'cvv_incomplete');
    assert.equal(cvvProblem('a123', '4242'), 'cvv_invalid');
    assert.equal(cvvProblem('12345', ''), 'cvv_invalid');
    // Nothing is known before a number is typed: both lengths will do.
    assert.equal(cvvProblem('123', ''), null);
    assert.equal(cvvProblem('1234', ' '), null);
    assert.equal(cvvProblem('12', ''), 'cvv_incomplete');
    assert.equal(cvvProblem('1234', '7'), 'cvv_invalid');
  });

  test('formatting never loses or adds a digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{0,15}$/), (digits) => {
        assert.equal(cardDigits(formatCardNumber(digits)), digits);
      }),
    );
  });

  test('expiries are parsed in the formats of people and password managers', () => {
    for (const form of ['04 / 27', '4/27', '04/2027', '0427', '2027-04', '04-27', '4.2027']) {
      assert.deepEqual(parseExpiry(form), { month: 4, year: 2027 }, form);
    }
    for (const form of ['', '13/27', '00/27', '4/7', 'April 27', '04/27/2027'])
      assert.equal(parseExpiry(form), null, form);
    assert.deepEqual(parseExpiryFields('4', '27'), { month: 4, year: 2027 });
    for (const form of ['04 / 027', 'x4/27', '4/27x', '12027-04', '2027-041', 'x0427', '04271', '042', '1/2/27'])
      assert.equal(parseExpiry(form), null, form);
    assert.deepEqual(parseExpiry('2027-4'), { month: 4, year: 2027 });
    assert.deepEqual(parseExpiry('042027'), { month: 4, year: 2027 });
  });

  test('month and year are separate or combined', () => {
    assert.deepEqual(parseExpiryFields(' 04 ', ' 2027 '), { month: 4, year: 2027 });
    assert.deepEqual(parseExpiryFields('1', '00'), { month: 1, year: 2000 });
    assert.deepEqual(parseExpiryFields('12', '99'), { month: 12, year: 2099 });
    for (const [month, year] of [
      ...[
        ['', '27'],
        ['0', '27'],
        ['13', '27'],
        ['004', '27'],
        ['x4', '27'],
        ['4x', '27'],
      ],
      ...[
        ['4', ''],
        ['4', '7'],
        ['4', '027'],
        ['4', '20270'],
        ['4', 'x27'],
        ['4', '27x'],
      ],
    ] as const)
      assert.equal(parseExpiryFields(month, year), null, `${month}/${year}`);
    assert.deepEqual(expiryFields('4 / 27'), { card_expiry_month: '04', card_expiry_year: '2027' });
    assert.deepEqual(expiryFields('12/2030'), { card_expiry_month: '12', card_expiry_year: '2030' });
    assert.deepEqual(expiryFields('soon'), { card_expiry_month: '', card_expiry_year: '' });
  });

  test('month and year are validated separately', () => {
    assert.equal(expiryMonthProblem(' '), 'required');
    assert.equal(expiryMonthProblem(' 1 '), null);
    assert.equal(expiryMonthProblem('12'), null);
    for (const month of ['0', '13', 'x']) assert.equal(expiryMonthProblem(month), 'expiry_invalid', month);
    assert.equal(expiryYearProblem(' ', now), 'required');
    assert.equal(expiryYearProblem(' 26 ', now), null);
    assert.equal(expiryYearProblem('2046', now), null);
    for (const year of ['2047', '227', 'x']) assert.equal(expiryYearProblem(year, now), 'expiry_invalid', year);
  });

  test('a card is valid until its month has ended in every time zone', () => {
    assert.equal(expiryProblem({ month: 11, year: 2026 }, now), null);
    assert.equal(expiryProblem({ month: 10, year: 2026 }, now), 'card_expired');
    assert.equal(expiryProblem({ month: 11, year: 2026 }, Date.parse('2026-12-01T11:59:00Z')), null);
    assert.equal(expiryProblem({ month: 11, year: 2026 }, Date.parse('2026-12-01T12:01:00Z')), 'card_expired');
    assert.equal(expiryProblem({ month: 11, year: 2026 }, Date.parse('2026-12-01T12:00:00Z')), 'card_expired');
    assert.equal(expiryProblem({ month: 12, year: 2046 }, now), null);
    assert.equal(expiryProblem({ month: 1, year: 2047 }, now), 'expiry_invalid');
    assert.equal(expiryProblem({ month: 1, year: 2090 }, now), 'expiry_invalid');
    assert.equal(expiryProblem(null, now), 'expiry_invalid');
  });
});
