// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { preference, preferencesResponse } from '../../src/api/preference.ts';
import { cryptoCurrencyCodes } from '../../src/shared/crypto-currency.ts';
import { MINUTE } from '../../src/shared/time.ts';
import { createToken } from '../../src/auth/tokens.ts';
import { systemRandom } from '../../src/system/random.ts';
import { readProblem } from '../support/problems.ts';
import { external } from '../support/withdrawals.ts';
import { type FixtureResponse, openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';

describe('preferences', () => {
  let fixture: Fixture;
  let merchant: TestMerchant;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());
  beforeEach(async () => {
    merchant = await fixture.makeMerchant('Kettle & Co');
  });

  const setOne = async (key: string, value: unknown, token = merchant.token) =>
    await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: { key, value }, token });
  const byManager = async (key: string, value: unknown) => await setOne(key, value, merchant.managerToken);
  const setList = async (preferences: unknown, path = '/v1/merchant/preferences', token = merchant.token) =>
    await fixture.request(path, { body: { preferences }, token });
  const list = async (): Promise<Record<string, unknown>> => {
    const { body } = await fixture.request('/v1/merchant/preferences', { token: merchant.token });
    const { merchantPreferences } = preferencesResponse.parse(body);
    return Object.fromEntries(merchantPreferences.map(({ key, value }) => [key, value]));
  };
  const refused = (response: FixtureResponse, pointer: string, code: string) => {
    const problem = readProblem(response, `${pointer} ${code}`);
    assert.equal(response.status, 422, response.text);
    assert.deepEqual(
      problem.errors?.map((error) => [error.pointer, error.code]),
      [[pointer, code]],
    );
    return problem.errors?.[0]?.detail ?? '';
  };

  test('are empty at first', async () => {
    const { status, body } = await fixture.request('/v1/merchant/preferences', { token: merchant.token });
    assert.equal(status, 200);
    assert.deepEqual(body, { merchantPreferences: [] });
  });

  test('set one by one return the stored value and are listed', async () => {
    const { status, body } = await setOne('default-invoice-type', 'revolver');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ['created_at', 'key', 'updated_at', 'value']);
    assert.equal(body.key, 'default-invoice-type');
    assert.equal(body.value, 'revolver');
    const response = await fixture.request('/v1/merchant/preferences', { token: merchant.token });
    assert.deepEqual(response.body.merchantPreferences, [body]);
  });

  for (const path of ['/v1/merchant/preferences', '/v1/merchant/preference']) {
    test(`set in a list at ${path} are returned in the order of the request`, async () => {
      await setOne('brand-name', 'Kettle');
      const response = await setList(
        [
          { key: 'tx-manual-auto-approve', value: 'true' },
          { key: 'callback-url', value: 'https://shop.example/callbacks' },
        ],
        path,
      );
      assert.equal(response.status, 200);
      const { merchantPreferences } = preferencesResponse.parse(response.body);
      assert.deepEqual(
        merchantPreferences.map(({ key, value }) => [key, value]),
        [
          ['tx-manual-auto-approve', true],
          ['callback-url', 'https://shop.example/callbacks'],
        ],
      );
      assert.deepEqual(await list(), {
        'brand-name': 'Kettle',
        'callback-url': 'https://shop.example/callbacks',
        'tx-manual-auto-approve': true,
      });
    });
  }

  test('the country list accepts the specification’s format: a string with escaped quotes', async () => {
    const body = String.raw`{"preferences":[{"key":"restricted-country-list","value":"[\"TH\",\"VNM\", \"us\"]"}]}`;
    const response = await fixture.request('/v1/merchant/preference', { body, token: merchant.token });
    assert.equal(response.status, 200, response.text);
    assert.equal(response.body.merchantPreferences[0].value, '["TH","VNM", "us"]');
    assert.equal((await list())['restricted-country-list'], '["TH","VNM", "us"]');
  });

  test('a country list with unknown codes is rejected with those codes', async () => {
    const detail = refused(
      await setOne('restricted-country-list', '["TH","XX","QQQ","DEU"]'),
      '/value',
      'invalid_value',
    );
    assert.match(detail, /XX, QQQ/);
    assert.doesNotMatch(detail, /TH\b|DEU/);
    for (const value of ['TH', '"TH"', '{"TH":1}', '["TH"', '[1]', '[["TH"]]', '[""]', ['XX'], true]) {
      const response = await setOne('restricted-country-list', value);
      assert.equal(readProblem(response, String(value)).errors?.[0]?.pointer, '/value');
    }
    assert.deepEqual(await list(), {});
    assert.equal((await setOne('restricted-country-list', '[]')).status, 200, 'no country at all');
  });

  test('of a currency that is not set up are refused, and listed only while they are set', async () => {
    const { chains } = fixture.service().invoices.context;
    const { forCurrency } = chains;
    assert.equal((await setOne('wallet-rotate-amount-ltc', '1000')).status, 200);
    chains.forCurrency = (code) => (code === 'ltc' ? null : forCurrency(code));
    try {
      const listed = async () => {
        const { body } = await fixture.request('/v1/merchant/preferences/keys', { token: merchant.token });
        return body.keys.flatMap(({ key }: { key: string }) => (key.endsWith('-ltc') ? [key] : []));
      };
      assert.deepEqual(await listed(), ['wallet-rotate-amount-ltc']);
      refused(await setOne('wallet-rotate-amount-ltc', '2000'), '/key', 'currency_not_available');
      assert.equal((await setOne('wallet-rotate-amount-ltc', null)).status, 200);
      assert.deepEqual(await listed(), []);
    } finally {
      chains.forCurrency = forCurrency;
    }
  });

  describe('are accepted as text or in their type, and returned in the key’s type', () => {
    const cases: [string, unknown[], unknown][] = [
      ['new-tx-manual-approve', ['true', true], true],
      ['tx-manual-auto-approve', ['false', false], false],
      ['auto-withdrawal', ['true', true], true],
      ['min-confirmation-btc', ['6', 6], 6],
      ['min-confirmation-eth', ['0', 0], 0],
      ['processing-fee-btc', ['1.25', 1.25], 1.25],
      ['processing-fee-usdt', ['6', 6], 6],
      ['max-fee-limit-auto-withdrawal-btc', ['5', 5], 5],
      ['max-fee-limit-auto-withdrawal-eth', ['0.0005', 0.0005], 0.0005],
      ['max-fee-limit-auto-withdrawal-eth', ['1000000000000', 1e12], 1e12],
      ['min-amount-btc', ['150000', 150000], '150000'],
      ['min-amount-eth', ['1000000000000000000000'], '1000000000000000000000'],
      ['wallet-rotate-amount-usdc', ['25000000', 25000000], 25000000],
      ['wallet-rotate-amount-eth', ['9007199254740991', 9007199254740991], 9007199254740991],
      ['wallet-rotate-amount-eth', ['9007199254740992'], '9007199254740992'],
      ['payment-tolerance-percent-btc', ['0.5', 0.5], 0.5],
      ['link-lifetime-minutes', ['60', 60], 60],
      ['wallet-reuse-delay-minutes', ['0', 0], 0],
      ['auto-withdrawal-destination-btc', [external.bitcoin, external.bitcoin.toUpperCase()], external.bitcoin],
      ['default-invoice-type', ['user'], 'user'],
      ['additional-currency', ['EUR'], 'EUR'],
      ['embed-origin-list', ['["https://shop.example"]', ['https://shop.example']], '["https://shop.example"]'],
      ['restricted-country-list', ['["TH","VNM"]', ['TH', 'VNM']], '["TH","VNM"]'],
      ['brand-name', ['Käthe’s 🫖'], 'Käthe’s 🫖'],
      ['brand-color', ['#1F5f4a'], '#1F5f4a'],
      ['brand-logo-url', ['https://shop.example/logo.svg'], 'https://shop.example/logo.svg'],
    ];
    for (const [key, given, kept] of cases) {
      test(`${key}: ${String(kept)}`, async () => {
        for (const value of given) {
          const { status, body } = await byManager(key, value);
          assert.equal(status, 200, JSON.stringify(body));
          assert.deepEqual(body.value, kept);
          assert.deepEqual(await list(), { [key]: kept });
          const { token } = merchant;
          const { body: described } = await fixture.request(`/v1/merchant/preferences/keys?key=${key}`, { token });
          assert.deepEqual(described.keys[0].value, kept);
        }
      });
    }
  });

  test('a key of another currency is rejected with the valid keys', async () => {
    const response = await byManager('min-confirmation-xyz', 3);
    assert.equal(
      refused(response, '/key', 'unknown_key'),
      `is not a preference key; valid keys: ${cryptoCurrencyCodes.map((code) => `min-confirmation-${code}`).join(', ')}`,
    );
    assert.equal(refused(await byManager('min-confirmations', 3), '/key', 'unknown_key'), 'is not a preference key');
  });

  test('an address of another network is rejected with both networks', async () => {
    const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    const { body } = await byManager('auto-withdrawal-destination-btc', address);
    assert.equal(body.errors[0].detail, 'is a Bitcoin mainnet address; this service is on Bitcoin regtest');
  });

  describe('out of range or malformed are rejected with the allowed values', () => {
    const cases: [string, unknown[], RegExp][] = [
      ['new-tx-manual-approve', ['yes', 'True', '', 1, 0], /true or false/],
      ['min-confirmation-btc', [-1, 1001, 1.5, '1.5', '', '-1', 'six', true], /from 0 to 1000/],
      ['processing-fee-btc', [-0.1, 100.1, '101', '', '1e1', true], /from 0 to 100/],
      ['min-amount-btc', [1.5, '1.5', '0.0001', '1e8', '-1', '', '007', true, 'x'], /smallest unit/],
      ['min-amount-btc', ['2100000000000001', '9'.repeat(78)], /at most 2100000000000000$/],
      ['wallet-rotate-amount-usdt', ['1000000000000000001'], /at most 1000000000000000000$/],
      ['max-fee-limit-auto-withdrawal-btc', ['0.1', 5.9], /must be an integer/],
      ['max-fee-limit-auto-withdrawal-eth', [0.000000001, '0.000000001'], /at most 8 decimals/],
      ['default-invoice-type', ['invoice_type_default', 'Static', '', 5, true], /static, revolver, user/],
      ['additional-currency', ['usd', 'BTC', '', 5], /USD/],
      ['link-lifetime-minutes', [0, -5, '0', 1e9, 'a day'], /from 1 to/],
      ['brand-color', ['red', '#fff', '#12345g', 5], /#1f5f4a/],
      ['brand-name', ['', '   ', 'x'.repeat(61), 'a\u0000', '\ud800', 5, true], /1 to 60 characters/],
      ['brand-name', [['Käthe’s']], /must not be a list/],
      [
        'embed-origin-list',
        ['["https://shop.example/"]', ['https://shop.example/']],
        /use https:\/\/shop.example instead of/,
      ],
      ['restricted-country-list', ['TH', ['XX'], 5], /country|codes/],
      [
        'embed-origin-list',
        [
          'https://shop.example',
          '["https://shop.example/"]',
          '["*"]',
          '[null]',
          '["javascript:x"]',
          '{}',
          5,
          // Valid in a URL, but they would change the meaning of the content security policy.
          '["https://shop.example;sandbox"]',
          '["https://shop.example,other.example"]',
          '["https://*.shop.example"]',
          '["http://[::1]:8080"]',
        ],
        /origins/,
      ],
      [
        'brand-logo-url',
        ['logo.svg', 'javascript:alert(1)', 'data:image/svg+xml,x', 'http://shop.example/logo.svg', 5],
        /./,
      ],
      ['auto-withdrawal-destination-btc', ['', 'x'.repeat(129), 5, true], /characters/],
    ];
    for (const [key, values, allowed] of cases) {
      test(key, async () => {
        for (const value of values) {
          assert.match(refused(await byManager(key, value), '/value', 'invalid_value'), allowed, JSON.stringify(value));
        }
        assert.deepEqual(await list(), {});
      });
    }
  });

  test('unknown keys and keys of unsupported currencies are rejected with their position', async () => {
    for (const key of [
      'callback_url',
      'Callback-Url',
      'min-confirmation',
      'min-confirmation-',
      'min-confirmation-BTC',
      'min-amount-xyz',
      '__proto__',
      'constructor',
      'get',
    ]) {
      refused(await byManager(key, '6'), '/key', 'unknown_key');
    }
    const response = await setList([
      { key: 'brand-name', value: 'Kettle' },
      { key: 'brand-nme', value: 'Kettle' },
    ]);
    refused(response, '/preferences/1/key', 'unknown_key');
  });

  test('manager-only keys can be set only by a manager', async () => {
    for (const key of [
      'min-confirmation-btc',
      'min-amount-btc',
      'processing-fee-btc',
      'payment-tolerance-percent-btc',
    ]) {
      const response = await setOne(key, '6');
      assert.equal(response.status, 403);
      assert.equal(readProblem(response, key).code, 'manager_only');
      assert.match(response.body.detail, new RegExp(key));
      assert.equal((await byManager(key, '6')).status, 200);
      assert.equal((await setOne(key, null)).status, 403, 'unsetting is setting');
    }
    assert.equal(Object.keys(await list()).length, 4);
  });

  test('null unsets a preference, and setting it again creates a new one', async () => {
    const first = await setOne('brand-name', 'Kettle');
    const unset = await setOne('brand-name', null);
    assert.equal(unset.status, 200);
    assert.equal(preference.parse(unset.body).value, null);
    assert.deepEqual(await list(), {});
    assert.equal((await setOne('brand-name', null)).status, 200, 'what is not set can be unset');
    const again = await setOne('brand-name', 'Kettle');
    assert.ok(again.body.created_at > first.body.created_at);
    const response = await setList([
      { key: 'brand-name', value: null },
      { key: 'brand-color', value: '#000000' },
    ]);
    assert.deepEqual(
      response.body.merchantPreferences.map((item: { value: unknown }) => item.value),
      [null, '#000000'],
    );
    assert.deepEqual(await list(), { 'brand-color': '#000000' });
  });

  test('in a list are set all or none, and every error is reported', async () => {
    await setOne('brand-name', 'Kettle');
    const response = await setList([
      { key: 'brand-name', value: 'Pot' },
      { key: 'brand-color', value: 'red' },
      { key: 'no-such-key', value: 1 },
      { key: 'brand-name', value: 'Pan' },
      { key: 'tx-manual-auto-approve', value: 'true' },
    ]);
    assert.equal(response.status, 422);
    assert.deepEqual(
      response.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/preferences/1/value', 'invalid_value'],
        ['/preferences/2/key', 'unknown_key'],
        ['/preferences/3/key', 'repeated'],
      ],
    );
    const forbidden = await setList([
      { key: 'brand-name', value: 'Pot' },
      { key: 'min-amount-btc', value: '1' },
    ]);
    assert.equal(forbidden.status, 403);
    assert.deepEqual(await list(), { 'brand-name': 'Kettle' });
  });

  test('have timestamps with microseconds and Z; an update keeps created_at', async () => {
    const first = await setOne('brand-name', 'Kettle');
    fixture.clock.advance(5 * MINUTE);
    const second = await setOne('brand-name', 'Pot');
    for (const moment of [first.body.created_at, first.body.updated_at, second.body.updated_at]) {
      assert.match(moment, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    }
    assert.equal(first.body.created_at, first.body.updated_at);
    assert.equal(second.body.created_at, first.body.created_at);
    assert.ok(Date.parse(second.body.updated_at) - Date.parse(first.body.updated_at) >= 5 * 60_000);
    const { body } = await fixture.request('/v1/merchant/preferences', { token: merchant.token });
    assert.deepEqual(body.merchantPreferences, [second.body]);
  });

  test('belong to one merchant', async () => {
    const other = await fixture.makeMerchant('Somebody else');
    await setOne('brand-name', 'Kettle');
    await setOne('brand-name', 'Pot', other.token);
    assert.deepEqual(await list(), { 'brand-name': 'Kettle' });
  });

  test('set twenty times concurrently have one of the twenty values', async () => {
    const values = Array.from({ length: 20 }, (_, index) => `Kettle ${index}`);
    const responses = await Promise.all(values.map(async (value) => await setOne('brand-name', value)));
    assert.deepEqual([...new Set(responses.map((response) => response.status))], [200]);
    const { 'brand-name': name } = await list();
    assert.ok(values.includes(String(name)));
  });

  test('PUT and DELETE do not exist', async () => {
    for (const method of ['PUT', 'DELETE']) {
      const response = await fixture.request('/v1/merchant/preferences', { method, token: merchant.token });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), 'GET, HEAD, POST, PATCH');
    }
    assert.equal((await fixture.request('/v1/merchant/preference', { token: merchant.token })).status, 405);
  });

  describe('callback-url', () => {
    test('in the sandbox must be https, or http to this machine', async () => {
      for (const url of [
        'https://shop.example/callbacks',
        'http://localhost:8081/callbacks',
        'http://127.0.0.1:1/',
        'http://127.8.9.10/',
        'http://[::1]:8080/a?b=c',
        'http://shop.localhost/',
      ]) {
        const { body } = await setOne('callback-url', url);
        assert.equal(body.value, url);
      }
      for (const url of [
        'http://shop.example/',
        'http://10.0.0.1/',
        'http://127.0.0.1.nip.io/',
        'http://localhost.example/',
        'http://0.0.0.0/',
        'http://[::]/',
        'http://169.254.169.254/latest/meta-data',
      ]) {
        refused(await setOne('callback-url', url), '/value', 'invalid_value');
      }
    });

    test('must be an http(s) URL without a password', async () => {
      for (const value of [
        '',
        'shop.example',
        '//shop.example',
        'ftp://shop.example',
        'file:///etc/passwd',
        'javascript:alert(1)',
        'https://',
        'https://user:secret@shop.example/',
        'https://user@shop.example/',
        `https://shop.example/${'x'.repeat(2050)}`,
        'https://shop.example/\u0000',
        'https://shop.example/a\nb',
        5,
        true,
      ]) {
        refused(await setOne('callback-url', value), '/value', 'invalid_value');
      }
      assert.deepEqual(await list(), {});
    });

    test('in production must be https and not in a private network', async (context) => {
      const production = await openFixture({
        env: { PAYLATCH_ENV: 'production', PUBLIC_URL: 'https://pay.example', PAYLATCH_SECRET_KEY: 'ab'.repeat(32) },
      });
      context.after(async () => await production.close());
      const { id: merchantId } = production.merchant;
      const token = await production.service().database.inTransaction(
        async (unit) =>
          await createToken(unit, {
            environment: 'production',
            random: systemRandom,
            clock: production.clock,
            merchantId,
          }),
      );
      const set = async (value: string) =>
        await production.request('/v1/merchant/preferences', {
          method: 'PATCH',
          body: { key: 'callback-url', value },
          token,
        });
      assert.equal((await set('https://shop.example/callbacks')).status, 200);
      assert.equal((await set('https://93.184.216.34/callbacks')).status, 200);
      for (const url of [
        'http://shop.example/',
        'http://localhost/',
        'https://localhost/',
        'https://localhost./',
        'https://shop.localhost/',
        'https://127.0.0.1/',
        'https://2130706433/',
        'https://0x7f.1/',
        'https://0177.0.0.1/',
        'https://10.1.2.3/',
        'https://172.16.0.1/',
        'https://192.168.1.1/',
        'https://169.254.169.254/',
        'https://100.64.0.1/',
        'https://0.0.0.0/',
        'https://[::1]/',
        'https://[::]/',
        'https://[fd00::1]/',
        'https://[fe80::1]/',
        'https://[::ffff:10.0.0.1]/',
        'https://[64:ff9b::10.0.0.1]/',
        'https://intranet/',
        'https://intranet./',
        'https://nas.local/',
        'https://nas.local./',
        'https://db.internal/',
        'https://router.home.arpa/',
      ]) {
        const response = await set(url);
        assert.equal(response.status, 422, `${url} ${response.text}`);
      }
    });
  });
});
