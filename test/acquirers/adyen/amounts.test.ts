// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adyenDecimals, fromAdyenAmount, toAdyenAmount } from '../../../src/acquirers/adyen/amounts.ts';
import { cardReference, parseReference, toReference } from '../../../src/acquirers/adyen/references.ts';
import { NotSent } from '../../../src/acquirers/port.ts';
import { currencyCodes, maximumAmountOf, minorUnitsOf } from '../../../src/shared/currencies.ts';
import { systemRandom, randomId } from '../../../src/system/random.ts';

describe('amounts at Adyen', () => {
  /** Decimals on Adyen's page "Currency codes and minor units". */
  const decimals = {
    ...{ ARS: 2, AUD: 2, BDT: 2, BRL: 2, EUR: 2, IDR: 0, INR: 2, KES: 2, MXN: 2, MYR: 2, NGN: 2, NZD: 2 },
    ...{ PHP: 2, THB: 2, USD: 2, VND: 0 },
  };

  test('have the decimals of Adyen’s own table, for every currency of the catalog', () => {
    assert.deepEqual(Object.keys(decimals), currencyCodes);
    for (const currency of currencyCodes) {
      assert.equal(adyenDecimals(currency), decimals[currency], currency);
      const oneUnit = 10n ** BigInt(minorUnitsOf(currency));
      const { value } = toAdyenAmount(oneUnit, currency);
      assert.equal(value, 10 ** decimals[currency], currency);
      assert.deepEqual(fromAdyenAmount({ currency, value }), { amountMinor: oneUnit, currency });
      const most = BigInt(maximumAmountOf(currency)) * oneUnit;
      assert.ok(Number.isSafeInteger(toAdyenAmount(most, currency).value), currency);
    }
  });

  test('with decimals that Adyen does not support are refused before the charge', () => {
    assert.throws(() => toAdyenAmount(1_000_050n, 'IDR'), NotSent);
    assert.deepEqual(toAdyenAmount(1_000_000n, 'IDR'), { currency: 'IDR', value: 10_000 });
  });

  test('in unknown currencies are not parsed', () => {
    assert.equal(fromAdyenAmount({ currency: 'CLP', value: 100 }), null);
  });
});

describe('references at Adyen', () => {
  test('round-trip kind, key and amount, with any characters in the key', () => {
    for (const key of ['_____-__-_1_22_333_________', ...Array.from({ length: 200 }, () => randomId(systemRandom))]) {
      assert.deepEqual(parseReference(cardReference(key, 1250)), { kind: 'card', key, value: 1250 });
      for (const kind of ['push', 'refund', 'reversal'] as const)
        assert.deepEqual(parseReference(toReference(kind, key)), { kind, key });
      assert.ok(cardReference(key, Number.MAX_SAFE_INTEGER).length <= 64);
    }
  });

  test('of other systems are not parsed', () => {
    for (const other of ['', 'order-1', 'card_key', 'card__5', 'card_key_x', 'refund_', 'push_a b', 'other_key'])
      assert.equal(parseReference(other), null, other);
  });
});
