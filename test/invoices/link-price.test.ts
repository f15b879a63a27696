// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  priceInCrypto,
  type ValuedDeposit,
  valueDeposits,
  fiatValueOf,
} from '../../src/invoices/link-payments/price.ts';

const codes = fc.constantFrom('btc' as const, 'eth' as const, 'usdt' as const);
const currencies = fc.constantFrom('USD' as const, 'VND' as const);
const rates = fc
  .oneof(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 10 ** 13 }))
  .map((cents) => (cents / 100).toFixed(2));
const places = fc.array(fc.bigInt({ min: 0n, max: 1_000_000n }), { maxLength: 6 });

/** Requested amount at an address issued for a remainder. */
function termsOf(priceMinor: bigint, currency: 'USD' | 'VND', code: 'btc' | 'eth' | 'usdt', rate: string) {
  return {
    priceMinor,
    cryptoAmount: priceInCrypto({ amountMinor: priceMinor, currency }, code, rate),
    tolerance: 0n,
    code,
  };
}
const sumOf = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n);
const inTime = (terms: ValuedDeposit['quote'], amount: bigint): ValuedDeposit => ({
  quote: terms,
  amount,
  lateMinor: null,
});

/** Splits an amount at positions in millionths. */
function split(amount: bigint, places: readonly bigint[]): bigint[] {
  const ends = [...places.map((place) => (amount * place) / 1_000_000n), amount].toSorted((a, b) => (a < b ? -1 : 1));
  return ends.map((end, index) => end - (ends[index - 1] ?? 0n));
}

test('the rounding of a rate adds nothing to the price', () => {
  // A rate with 12 decimals.
  const rate = '0.867001907404';
  assert.equal(priceInCrypto({ amountMinor: 2000n, currency: 'EUR' }, 'usdt', rate), 23_068_000n);
  assert.equal(priceInCrypto({ amountMinor: 2000n, currency: 'USD' }, 'usdt', '1'), 20_000_000n);
  assert.equal(priceInCrypto({ amountMinor: 2000n, currency: 'USD' }, 'btc', '98000'), 20_409n);
});

test('parts at one address have the value of their sum', () => {
  const cases = fc.record({
    price: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    code: codes,
    rate: rates,
    tolerancePerMille: fc.bigInt({ min: 0n, max: 50n }),
    places,
    millionths: fc.bigInt({ min: 1n, max: 3_000_000n }),
  });
  fc.assert(
    fc.property(cases, ({ price, code, rate, tolerancePerMille, places: ends, millionths }) => {
      const exact = termsOf(price, 'USD', code, rate);
      const terms = { ...exact, tolerance: (exact.cryptoAmount * tolerancePerMille) / 1000n };
      for (const total of [
        terms.cryptoAmount,
        terms.cryptoAmount - terms.tolerance,
        (terms.cryptoAmount * millionths) / 1_000_000n,
      ]) {
        const values = valueDeposits(
          split(total, ends).map((part) => inTime(terms, part)),
          price,
        );
        assert.ok(values.every((value) => value >= 0n));
        // An excess within the rounding of a remainder pays exactly; nothing else is rounded.
        const worth = fiatValueOf(total, terms);
        if (sumOf(values) !== worth) assert.ok(sumOf(values) === price && worth > price);
        if (total === terms.cryptoAmount) assert.equal(sumOf(values), price);
      }
      assert.deepEqual(valueDeposits([inTime(terms, terms.cryptoAmount - terms.tolerance - 1n)], price), [
        fiatValueOf(terms.cryptoAmount - terms.tolerance - 1n, terms),
      ]);
    }),
  );
});

test('requested remainders pay exactly, however they are split over addresses', () => {
  const step = fc.record({ millionths: fc.bigInt({ min: 1n, max: 999_999n }), to: fc.nat(5), rate: fc.option(rates) });
  const cases = fc.record({
    price: fc.bigInt({ min: 1n, max: 10n ** 10n }),
    currency: currencies,
    code: codes,
    rate: rates,
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    ends: places,
    addresses: fc.array(fc.nat(5), { minLength: 7, maxLength: 7 }),
  });
  fc.assert(
    fc.property(cases, ({ price, currency, code, rate, steps, ends, addresses }) => {
      const issued = [{ terms: termsOf(price, currency, code, rate), rate }];
      const deposits: ValuedDeposit[] = [];
      let owed = price;
      // Amounts of coins are equal at another address only at the same rate.
      const sameRate = (to: number) => {
        const last = issued.at(-1);
        const alike = issued.filter((each) => each.rate === last?.rate);
        return alike[to % alike.length]?.terms ?? issued[0]?.terms;
      };
      for (const { millionths, to, rate: next } of steps) {
        const requested = issued.at(-1)?.terms;
        const terms = sameRate(to);
        assert.ok(requested && terms);
        const part = (requested.cryptoAmount * millionths) / 1_000_000n;
        deposits.push(inTime(terms, part));
        owed = price - sumOf(valueDeposits(deposits, price));
        assert.ok(owed >= 0n);
        if (owed === 0n) return;
        const now = next ?? issued.at(-1)?.rate ?? rate;
        issued.push({ terms: termsOf(owed, currency, code, now), rate: now });
      }
      for (const [index, part] of split(issued.at(-1)?.terms.cryptoAmount ?? 0n, ends).entries()) {
        const terms = sameRate(addresses[index] ?? 0);
        assert.ok(terms);
        if (part > 0n) deposits.push(inTime(terms, part));
      }
      const values = valueDeposits(deposits, price);
      assert.ok(values.every((value) => value >= 0n));
      assert.equal(sumOf(values), price);
    }),
    { numRuns: 2000 },
  );
});

test('an underpayment, or an excess of one coin, is not rounded away', () => {
  const terms = termsOf(2000n, 'USD', 'btc', '98000');
  const total = (...amounts: bigint[]) =>
    sumOf(
      valueDeposits(
        amounts.map((amount) => inTime(terms, amount)),
        2000n,
      ),
    );
  assert.equal(total(10_000n, 10_408n), 1999n);
  assert.equal(total(10_000n, 10_409n), 2000n);
  // The remainder is 1021 cents, requested as 10 419.
  assert.equal(total(10_000n, 10_419n), 2000n);
  assert.equal(total(10_000n, 10_431n), 2002n);
});

test('a late deposit counts at its own value; the sum is rounded once', () => {
  const terms = termsOf(2000n, 'USD', 'btc', '98000');
  // 10 000 of 20 409 are 979.96 cents.
  const values = (lateMinor: bigint) =>
    valueDeposits([inTime(terms, 10_000n), { quote: terms, amount: 1n, lateMinor }, inTime(terms, 1000n)], 2000n);
  assert.deepEqual(values(500n), [979n, 500n, 98n]);
  assert.deepEqual(values(2000n), [979n, 2000n, 98n]);
  const paidLate = (lateMinor: bigint) =>
    valueDeposits([inTime(terms, 10_000n), { quote: terms, amount: 1n, lateMinor }], 2000n);
  // Each was rounded down by less than a cent.
  for (const lateMinor of [1019n, 1020n]) assert.deepEqual(paidLate(lateMinor), [979n, 1021n]);
  assert.deepEqual(paidLate(1018n), [979n, 1018n]);
});

test('one deposit is not rounded to the price', () => {
  const terms = termsOf(2000n, 'USD', 'btc', '98000');
  assert.deepEqual(valueDeposits([inTime(terms, 20_420n)], 2000n), [2001n]);
});

test('a value is at most the largest safe integer', () => {
  const terms = termsOf(2000n, 'USD', 'btc', '98000');
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  assert.equal(fiatValueOf(10n ** 30n, terms), most);
  assert.deepEqual(valueDeposits([inTime(terms, 10n ** 30n), inTime(terms, 1n)], 2000n), [most, 0n]);
});
