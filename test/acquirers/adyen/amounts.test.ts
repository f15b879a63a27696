// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  adyenCurrencies,
  adyenDecimals,
  fromAdyenAmount,
  toAdyenAmount,
} from '../../../src/acquirers/adyen/amounts.ts';
import { adyen } from '../../../src/acquirers/adyen/index.ts';
import { cardReference, parseReference, toReference } from '../../../src/acquirers/adyen/references.ts';
import { NotProcessed } from '../../../src/acquirers/port.ts';
import { findCapability } from '../../../src/acquirers/registry.ts';
import type { PaymentMethod } from '../../../src/api/method-catalog.ts';
import { findPaymentMethod } from '../../../src/methods/catalog.ts';
import { type CurrencyCode, maximumAmountOf, minorUnitsOf } from '../../../src/shared/currencies.ts';
import { systemRandom, randomId } from '../../../src/system/random.ts';

describe('amounts at Adyen', () => {
  /** Adyen's page "Currency codes and minor units": the currencies without 2 decimals, of those that it lists. */
  const listed = {
    ...{ CVE: 0, DJF: 0, GNF: 0, IDR: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, VND: 0, VUV: 0, XAF: 0 },
    ...{ XOF: 0, XPF: 0, BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3 },
  } as Partial<Record<CurrencyCode, number>>;

  test('have the decimals of Adyen’s own table, in every currency that it lists', () => {
    assert.equal(adyenCurrencies.length, 135);
    for (const currency of adyenCurrencies) {
      const decimals = listed[currency] ?? 2;
      assert.equal(adyenDecimals(currency), decimals, currency);
      const oneUnit = 10n ** BigInt(minorUnitsOf(currency));
      const { value } = toAdyenAmount(oneUnit, currency);
      assert.equal(value, 10 ** decimals, currency);
      assert.deepEqual(fromAdyenAmount({ currency, value }), { amountMinor: oneUnit, currency });
      const most = BigInt(maximumAmountOf(currency)) * oneUnit;
      assert.ok(Number.isSafeInteger(toAdyenAmount(most, currency).value), currency);
    }
  });

  test('have 2 decimals in CLP and ISK, unlike ISO 4217', () => {
    assert.deepEqual(toAdyenAmount(1500n, 'CLP'), { currency: 'CLP', value: 150_000 });
    assert.deepEqual(fromAdyenAmount({ currency: 'ISK', value: 150_000 }), { currency: 'ISK', amountMinor: 1500n });
    // Half a króna.
    assert.equal(fromAdyenAmount({ currency: 'ISK', value: 150_050 }), null);
    assert.deepEqual(toAdyenAmount(1234n, 'JPY'), { currency: 'JPY', value: 1234 });
    assert.deepEqual(toAdyenAmount(1234n, 'KWD'), { currency: 'KWD', value: 1234 });
  });

  test('with decimals that Adyen does not support are refused before the charge', () => {
    for (const currency of ['IDR', 'CVE'] as const) {
      assert.throws(() => toAdyenAmount(1_000_050n, currency), NotProcessed);
      assert.deepEqual(toAdyenAmount(1_000_000n, currency), { currency, value: 10_000 });
      const payment = { merchantId: 1, method: findPaymentMethod('credit_card') as PaymentMethod, currency };
      assert.equal(findCapability(adyen, { ...payment, amountMinor: 1_000_050n }), null);
      assert.ok(findCapability(adyen, { ...payment, amountMinor: 1_000_000n }));
    }
  });

  test('in currencies that Adyen does not list are neither sent nor parsed', () => {
    for (const currency of ['AFN', 'MGA', 'XCG'] as const) {
      assert.throws(() => toAdyenAmount(100n, currency), NotProcessed);
      assert.equal(fromAdyenAmount({ currency, value: 100 }), null);
    }
    assert.equal(fromAdyenAmount({ currency: 'CNH', value: 100 }), null);
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
