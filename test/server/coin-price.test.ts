import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { priceInCoins, worthAdded, worthOf } from '../../src/invoices/coin-payments/price.ts';

const terms = fc
  .record({
    priceMinor: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    code: fc.constantFrom('btc' as const, 'eth' as const, 'usdt' as const),
    rate: fc.integer({ min: 1, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2)),
    tolerancePerMille: fc.bigInt({ min: 0n, max: 50n }),
  })
  .map(({ priceMinor, code, rate, tolerancePerMille }) => {
    const coins = priceInCoins({ amountMinor: priceMinor, currency: 'USD' }, code, rate);
    return { priceMinor, coins, tolerance: (coins * tolerancePerMille) / 1000n };
  });

/** Splits an amount into parts at places given in millionths. */
function split(amount: bigint, places: readonly bigint[]): bigint[] {
  const ends = [...places.map((place) => (amount * place) / 1_000_000n), amount].toSorted((a, b) => (a < b ? -1 : 1));
  return ends.map((end, index) => end - (ends[index - 1] ?? 0n));
}

test('the rounding of a rate adds nothing to the price', () => {
  // EUR 1.1534 a dollar, as a rate with 12 decimals.
  const rate = '0.867001907404';
  assert.equal(priceInCoins({ amountMinor: 2000n, currency: 'EUR' }, 'usdt', rate), 23_068_000n);
  assert.equal(priceInCoins({ amountMinor: 2000n, currency: 'USD' }, 'usdt', '1'), 20_000_000n);
  assert.equal(priceInCoins({ amountMinor: 2000n, currency: 'USD' }, 'btc', '98000'), 20_409n);
});

test('parts are worth what their sum is worth, in whatever order they arrive', () => {
  fc.assert(
    fc.property(
      terms,
      fc.array(fc.bigInt({ min: 0n, max: 1_000_000n }), { maxLength: 6 }),
      fc.bigInt({ min: 1n, max: 3_000_000n }),
      (each, places, millionths) => {
        for (const total of [each.coins, each.coins - each.tolerance, (each.coins * millionths) / 1_000_000n]) {
          const before = { amount: 0n, worthMinor: 0n };
          for (const part of split(total, places)) {
            const worth = worthAdded(before.amount, part, each);
            assert.ok(worth >= 0n);
            before.amount += part;
            before.worthMinor += worth;
          }
          assert.equal(before.worthMinor, worthOf(total, each));
          if (total === each.coins) assert.equal(before.worthMinor, each.priceMinor);
        }
      },
    ),
  );
});
