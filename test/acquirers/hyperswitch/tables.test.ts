// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hyperswitchCardCurrencies } from '../../../src/acquirers/hyperswitch/amounts.ts';
import { hyperswitch } from '../../../src/acquirers/hyperswitch/index.ts';
import { localMethods } from '../../../src/acquirers/hyperswitch/methods.ts';
import { idOf, parseId } from '../../../src/acquirers/hyperswitch/ids.ts';
import { phoneDetails } from '../../../src/acquirers/hyperswitch/payer.ts';
import { NotProcessed } from '../../../src/acquirers/port.ts';
import { currencyCodes, minorUnitsOf } from '../../../src/shared/currencies.ts';
import { methodsForCountry } from '../../../src/methods/catalog.ts';
import { randomId, systemRandom } from '../../../src/system/random.ts';
import { DAY } from '../../../src/shared/time.ts';
import { cardCharge, recorder, testCards } from './connection.ts';

test('payment IDs have 30 characters and contain their keys', () => {
  for (const kind of ['charge', 'push', 'refund', 'reversal'] as const) {
    const key = randomId(systemRandom);
    const name = idOf(kind, key);
    assert.match(name, /^[\w-]{30}$/);
    assert.deepEqual(parseId(name), { kind, key });
  }
  for (const foreign of ['', 'pay_mbabizu24mvu3mela5njyhpit4', 'pc_short', `xx_${randomId(systemRandom)}`])
    assert.equal(parseId(foreign), null);
  assert.throws(() => idOf('charge', 'attempt-1'), /27 characters/);
});

test('amounts are sent in the currencies whose decimals are those of ISO 4217 at Hyperswitch and its connectors', async () => {
  // Hyperswitch's code: `Currency::is_zero_decimal_currency` and `is_three_decimal_currency`.
  const zero = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
  const three = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');
  assert.equal(hyperswitchCardCurrencies.length, currencyCodes.length - 10);
  for (const currency of hyperswitchCardCurrencies) {
    const decimals = zero.includes(currency) ? 0 : three.includes(currency) ? 3 : 2;
    assert.equal(minorUnitsOf(currency), decimals, currency);
  }
  for (const currency of ['CLP', 'CVE', 'IDR', 'IQD', 'ISK', 'LYD', 'MGA', 'UGX', 'XCG', 'ZWG'] as const) {
    const { sent, card } = recorder([]);
    await assert.rejects(card.charge(cardCharge(testCards.approved, { currency })), NotProcessed);
    assert.equal(sent.length, 0);
    assert.ok(!hyperswitchCardCurrencies.includes(currency));
  }
});

test('the catalog has every local method in its country and currency', () => {
  for (const { method, country, currency, banks, data } of localMethods) {
    const found = methodsForCountry(country, currency).find(({ code }) => code === method);
    assert.ok(found, `${method} in ${country}`);
    assert.equal(found.choice === 'bank', banks !== undefined, `${method} in ${country} offers banks`);
    const { payment_method, payment_method_data } = data({ bank: 'maybank' });
    assert.deepEqual(Object.keys(payment_method_data), [payment_method]);
  }
});

test('capabilities list each method, country and currency once', () => {
  const cells = hyperswitch.capabilities.flatMap(({ method, countries, currencies }) =>
    [method, countries, currencies].join(' '),
  );
  assert.equal(new Set(cells).size, cells.length);
  assert.deepEqual(
    hyperswitch.capabilities.find(({ method }) => method === 'credit_card'),
    {
      method: 'credit_card',
      countries: 'all',
      currencies: hyperswitchCardCurrencies,
      refunds: 'partial',
      manualCapture: { validity: 7 * DAY },
      latePayments: false,
      payerFields: [],
    },
  );
});

test('credentials accept https, and http on this machine', () => {
  const parse = (apiUrl: string) =>
    hyperswitch.credentialsSchema.safeParse({ apiUrl, apiKey: 'key', responseHashKey: 'secret' }).success;
  for (const good of ['https://sandbox.hyperswitch.io', 'http://127.0.0.1:8080', 'http://localhost:8080/api'])
    assert.equal(parse(good), true, good);
  for (const bad of [
    'http://hyperswitch.example',
    'ftp://127.0.0.1',
    'https://user@hyperswitch.example',
    'https://hyperswitch.example/?a=1',
    'hyperswitch',
  ])
    assert.equal(parse(bad), false, bad);
  const fields = hyperswitch.credentials.map(({ name }) => name);
  assert.deepEqual(fields, ['apiUrl', 'apiKey', 'responseHashKey', 'profileId']);
});

test('phone numbers are split after the country calling code', () => {
  const cases: [string, ReturnType<typeof phoneDetails>][] = [
    ['+12125550100', { country_code: '+1', number: '2125550100' }],
    ['+6621234567', { country_code: '+66', number: '21234567' }],
    ['+35312345678', { country_code: '+353', number: '12345678' }],
    ['+8801712345678', { country_code: '+880', number: '1712345678' }],
  ];
  for (const [phone, expected] of cases) assert.deepEqual(phoneDetails(phone), expected, phone);
});
