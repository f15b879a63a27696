// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fromCoins, toCoins } from '../../src/api/crypto-amount.ts';
import { cryptoCurrencyCodes } from '../../src/shared/crypto-currency.ts';
import { currencyCodes, maximumAmountOf, minorUnitsOf } from '../../src/api/currency.ts';
import { amountNumber, formatMinor, MAX_MINOR, parseAmount } from '../../src/shared/money.ts';
import { openSandboxRates } from '../../src/rates/module.ts';
import { percentFee, splitFee } from '../../src/shared/fees.ts';
import {
  crossRate,
  percentOf,
  productOf,
  deductFromRate,
  ConvertedSum,
  multiplyByRate,
} from '../../src/shared/rate-arithmetic.ts';

const minor = fc.bigInt({ min: 1n, max: MAX_MINOR });
const units = fc.constantFrom(0, 2, 3);

describe('amounts', () => {
  test('an amount round-trips through a JSON number', () => {
    fc.assert(
      fc.property(minor, units, (amount, decimals) => {
        const wire = JSON.stringify(amountNumber(amount, decimals));
        assert.equal(parseAmount(JSON.parse(wire), decimals), amount);
      }),
      { numRuns: 5000 },
    );
  });

  test('amounts that the currency cannot express are refused, never rounded', () => {
    for (const [amount, decimals, problem] of [
      [1.005, 2, 'too_many_decimals'],
      [0.1 + 0.2, 2, 'too_many_decimals'],
      [1e-7, 2, 'too_many_decimals'],
      [100.5, 0, 'too_many_decimals'],
      [0, 2, 'not_positive'],
      [-0, 2, 'not_positive'],
      [-5, 2, 'not_positive'],
      [Number.NaN, 2, 'not_positive'],
      [1e21, 2, 'too_large'],
      [Number.POSITIVE_INFINITY, 2, 'too_large'],
      [10_000_000_000_000, 2, 'too_large'],
    ] as const) {
      assert.equal(parseAmount(amount, decimals), problem, String(amount));
    }
    assert.equal(parseAmount(4.35, 2), 435n);
    assert.equal(parseAmount(1e2, 2), 10_000n);
    assert.equal(parseAmount(Number(MAX_MINOR), 0), MAX_MINOR);
    assert.equal(parseAmount(9_999_999_999_999.99, 2), MAX_MINOR);
    assert.equal(parseAmount(1e-7, 7), 1n);
  });

  test('decimals are written in full', () => {
    assert.equal(formatMinor(5n, 2), '0.05');
    assert.equal(formatMinor(0n, 2), '0.00');
    assert.equal(formatMinor(125_000n, 2), '1250.00');
    assert.equal(formatMinor(125_000n, 0), '125000');
    assert.equal(formatMinor(-5n, 2), '-0.05');
  });
});

const percentageFee = (amountMinor: bigint, percentMillionths: number) =>
  percentFee({ amountMinor, currency: 'USD' }, { fixedMinor: 0n, percentMillionths });

describe('fees', () => {
  const fee = fc.record({
    fixedMinor: fc.bigInt({ min: 0n, max: 10_000n }),
    percentMillionths: fc.integer({ min: 0, max: 999_999 }),
  });

  test('the parts add up exactly, both ways', () => {
    fc.assert(
      fc.property(
        minor,
        fee,
        fc.constantFrom('forward_with_fee' as const, 'forward_without_fee' as const),
        (amount, rule, way) => {
          const basis = { amountMinor: amount, currency: 'USD', feeCalculation: way };
          const { chargedMinor, feeMinor, netMinor } = splitFee(basis, rule);
          assert.equal(chargedMinor - feeMinor, netMinor);
          assert.equal(way === 'forward_with_fee' ? netMinor : chargedMinor, amount);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('are a fixed part and a percentage, added to or deducted from the amount', () => {
    const rule = { fixedMinor: 30n, percentMillionths: 29_000 };
    const basis = { amountMinor: 1000n, currency: 'USD' };
    assert.deepEqual(splitFee({ ...basis, feeCalculation: 'forward_with_fee' }, rule), {
      ...{ chargedMinor: 1059n, feeMinor: 59n, netMinor: 1000n },
    });
    assert.deepEqual(splitFee({ ...basis, feeCalculation: 'forward_without_fee' }, rule), {
      ...{ chargedMinor: 1000n, feeMinor: 59n, netMinor: 941n },
    });
  });

  test('halves are rounded to even', () => {
    assert.equal(percentageFee(50n, 10_000), 0n);
    assert.equal(percentageFee(150n, 10_000), 2n);
    assert.equal(percentageFee(250n, 10_000), 2n);
    assert.equal(percentageFee(251n, 10_000), 3n);
  });

  test('a rounded percentage is within half a unit of the exact value', () => {
    fc.assert(
      fc.property(minor, fc.integer({ min: 0, max: 1_000_000 }), (amount, parts) => {
        const distance = percentageFee(amount, parts) * 1_000_000n - amount * BigInt(parts);
        assert.ok(distance <= 500_000n && distance >= -500_000n);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('rates', () => {
  test('are decimals without an exponent', () => {
    assert.equal(crossRate('0.0000380', '1'), '0.000038');
    assert.equal(deductFromRate('1.1534', 29_000), '1.1199514');
    assert.match(crossRate('0.0000380', '1.1534'), /^0\.\d+$/);
  });

  test('keep twelve decimals, halves rounded to even', () => {
    assert.equal(crossRate('2', '3'), '0.666666666667');
    assert.equal(productOf('1.5', '2'), '3');
    assert.equal(productOf('0.0000005', '0.000001'), '0');
    assert.equal(productOf('0.0000015', '0.000001'), '0.000000000002');
    assert.equal(productOf('0.0000025', '0.000001'), '0.000000000002');
  });

  test('turn amounts into amounts with their decimals, and sums are rounded once', () => {
    assert.equal(multiplyByRate('10', '0.1005', 3), '1.005');
    assert.equal(multiplyByRate('10', '0.1005', 2), '1.00');
    assert.equal(multiplyByRate('10', '0.1015', 2), '1.02');
    assert.equal(multiplyByRate('3', '2', 0), '6');
    const sum = new ConvertedSum();
    assert.equal(sum.rounded(2), 0);
    sum.add('10', '0.1004');
    sum.add('10', '0.1001');
    assert.equal(sum.rounded(3), 2.005);
    assert.equal(sum.rounded(2), 2);
    sum.add('1', '0.01');
    assert.equal(sum.rounded(2), 2.02);
    const total = new ConvertedSum();
    total.addSum(sum.toString());
    total.addSum('0.005');
    assert.equal(total.toString(), '2.02');
  });
});

describe('amounts on chains', () => {
  test('whole coins and smallest units are the same amount, whatever its length', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 78n - 1n }),
        fc.constantFrom(...cryptoCurrencyCodes),
        (amount, code) => {
          assert.equal(fromCoins(toCoins(amount, code), code), amount);
        },
      ),
    );
    assert.equal(toCoins(150_000n, 'btc'), '0.0015');
    assert.equal(toCoins(100_000_000n, 'btc'), '1');
    assert.equal(fromCoins('1.5e-3', 'btc'), 150_000n);
    assert.equal(fromCoins('.5', 'btc'), null);
    assert.equal(fromCoins('0.000000001', 'btc'), null);
    assert.equal(fromCoins('1e999', 'eth'), null);
  });

  test('a percentage of them is exact, rounded half to even, and never more than its part', () => {
    assert.equal(percentOf(10n ** 30n + 50n, '1'), 10n ** 28n);
    assert.equal(percentOf(10n ** 30n + 150n, '1'), 10n ** 28n + 2n);
    assert.equal(percentOf(1_000_000n, 0.12345), 1234n);
    assert.deepEqual(
      [50n, 51n, 149n, 150n, 250n, 251n].map((amount) => percentOf(amount, '1')),
      [0n, 1n, 1n, 2n, 2n, 3n],
    );
    assert.equal(percentOf(3n, '200'), 6n);
    assert.equal(percentOf(3n, '1e-7'), 0n);
    assert.equal(percentOf(7n, '100'), 7n);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 78n }), fc.nat(100_000_000), (amount, millionths) => {
        const percent = `${Math.floor(millionths / 1_000_000)}.${String(millionths % 1_000_000).padStart(6, '0')}`;
        const part = percentOf(amount, percent);
        // Off by half of a smallest unit at most.
        const off = 2n * (part * 100_000_000n - amount * BigInt(millionths));
        assert.ok(off <= 100_000_000n && off >= -100_000_000n);
        assert.ok(part <= amount);
      }),
    );
  });
});

test('the maximum of each currency is the largest power of ten worth at most 50 million US dollars', () => {
  for (const currency of currencyCodes) {
    const maximum = maximumAmountOf(currency);
    assert.match(String(maximum), /^10+$/, currency);
    const worth = maximum * Number(openSandboxRates().currencies.rate(currency, 'USD').rate);
    assert.ok(worth <= 50e6 && worth * 10 > 50e6, `${currency}: ${worth}`);
    const charged = 3n * BigInt(maximum) * 10n ** BigInt(minorUnitsOf(currency));
    assert.ok(charged <= MAX_MINOR, currency);
  }
});

test('the currencies and their decimals are those of ISO 4217', () => {
  const known = Intl.supportedValuesOf('currency');
  assert.equal(new Set(currencyCodes).size, 150);
  // `Intl` (CLDR) shows no decimals for currencies whose fractions are out of use.
  const outOfUse = 'AFN ALL COP HUF IDR IQD LAK LBP MGA MMK PKR SOS YER'.split(' ');
  for (const currency of currencyCodes) {
    assert.ok(known.includes(currency), currency);
    const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
    const decimals = outOfUse.includes(currency) ? (currency === 'IQD' ? 3 : 2) : maximumFractionDigits;
    assert.equal(minorUnitsOf(currency), decimals, currency);
  }
  // Withdrawn codes, funds, metals, test codes, and currencies that card schemes do not settle.
  const excluded = 'ANG BGN BOV CHE CLF CUP HRK IRR KPW MXV SLL SYP UYI VED XAG XAU XDR XTS XXX ZWL'.split(' ');
  assert.deepEqual(
    currencyCodes.filter((code) => excluded.includes(code)),
    [],
  );
});
