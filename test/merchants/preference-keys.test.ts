// Databases: sqlite
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cryptoCurrencies, type CryptoCurrencyCode, cryptoCurrencyCodes } from '../../src/shared/crypto-currency.ts';
import { type PreferenceKeyEntry, preferenceKeysResponse } from '../../src/api/preference.ts';
import { createLink, creation, detailOf } from '../support/requests.ts';
import { invoicesOf } from '../support/invoices.ts';
import { external } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('preference keys', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  after(async () => await fixture.close());

  const list = async (token = fixture.merchant.token, query = ''): Promise<PreferenceKeyEntry[]> => {
    const { status, body, text } = await fixture.request(`/v1/merchant/preferences/keys${query}`, { token });
    assert.equal(status, 200, text);
    return preferenceKeysResponse.parse(body).keys;
  };
  const set = async (key: string, value: unknown, token = fixture.merchant.managerToken) =>
    await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: { key, value }, token });

  /** A valid value of an entry, and some invalid ones. */
  const valuesOf = (entry: PreferenceKeyEntry): { right: unknown; wrong: unknown[] } => {
    const { type, minimum = 0, maximum = 0, choices = [], max_length: length = 0, code } = entry;
    switch (type) {
      case 'boolean':
        return { right: true, wrong: ['yes', 1] };
      case 'integer':
        return { right: maximum, wrong: [minimum - 1, maximum + 1, minimum + 0.5] };
      case 'decimal':
        return { right: maximum, wrong: [minimum - 0.1, maximum + 1, 'much'] };
      case 'amount':
        return { right: entry.key.startsWith('wallet-rotate') ? 150_000 : '150000', wrong: ['1.5', -1] };
      case 'choice':
        return { right: choices.at(-1), wrong: ['something', true] };
      case 'text':
        return { right: 'x'.repeat(length), wrong: ['x'.repeat(length + 1), ''] };
      case 'url':
        return { right: 'https://shop.example/x', wrong: ['shop.example', 'ftp://shop.example'] };
      case 'contact':
        return { right: 'help@shop.example', wrong: ['ask us', 'ftp://shop.example', 7] };
      case 'country_list':
        return { right: '["TH"]', wrong: ['TH', '["XX"]'] };
      case 'origin_list':
        return { right: '["https://shop.example"]', wrong: ['https://shop.example', '["shop"]'] };
      case 'color':
        return { right: '#1f5f4a', wrong: ['green', '#1f5'] };
      case 'address':
        return { right: external[cryptoCurrencies[code as CryptoCurrencyCode].chain], wrong: ['somewhere', 7] };
    }
  };

  test('are described, and accept exactly the described values', async () => {
    const keys = await list();
    assert.equal(new Set(keys.map(({ key }) => key)).size, keys.length);
    assert.equal(keys.length, 22 + cryptoCurrencyCodes.length * 7);
    for (const entry of keys) {
      assert.match(entry.meaning, /^[A-Z].{10,}\.$/, entry.key);
      assert.doesNotMatch(entry.meaning, /\{CODE\}|undefined|_/, entry.key);
      const { right, wrong } = valuesOf(entry);
      for (const value of wrong) {
        const response = await set(entry.key, value);
        assert.equal(response.status, 422, `${entry.key} took ${JSON.stringify(value)}`);
      }
      const { status, body, text } = await set(entry.key, right);
      assert.equal(status, 200, `${entry.key}: ${text}`);
      assert.deepEqual(body.value, right, entry.key);
      const asMerchant = await set(entry.key, right, fixture.merchant.token);
      const isRefused = entry.manager_only || entry.scope === 'withdrawal:write';
      assert.equal(asMerchant.status, isRefused ? 403 : 200, entry.key);
      if (entry.default !== null) assert.equal((await set(entry.key, entry.default)).status, 200, entry.key);
      assert.equal((await set(entry.key, null)).status, 200);
    }
    assert.deepEqual(await list(), keys);
  });

  test('show the value, when and by whom it was set, for this merchant only', async () => {
    const [unset] = await list(undefined, '?key=brand-name');
    assert.deepEqual([unset?.value, unset?.updated_at, unset?.updated_by], [null, null, null]);
    for (const [token, name] of [
      [fixture.merchant.token, 'Kettle'],
      [fixture.merchant.managerToken, 'Pan'],
    ] as const) {
      const { body } = await set('brand-name', name, token);
      assert.deepEqual(Object.keys(body).toSorted(), ['created_at', 'key', 'updated_at', 'value']);
      const [entry] = await list(undefined, '?key=brand-name');
      assert.deepEqual([entry?.value, entry?.updated_at], [name, body.updated_at]);
      assert.match(entry?.updated_by ?? '', /^token \d+$/);
    }
    const [first] = (await fixture.request('/v1/tokens', { token: fixture.merchant.managerToken })).body.tokens;
    assert.equal((await list(undefined, '?key=brand-name'))[0]?.updated_by, `token ${first.id}`);
    const other = await fixture.makeMerchant('Other & Co');
    assert.equal((await list(other.token, '?key=brand-name'))[0]?.value, null);
    await db(fixture.service().database).updateTable('preferences').set({ updated_by: null }).execute();
    assert.deepEqual((await list(undefined, '?key=brand-name'))[0]?.updated_by, null);
    assert.deepEqual(await list(undefined, '?key=nothing'), []);
  });

  test('show the default of an unset preference', async () => {
    const shop = await fixture.makeMerchant('Fresh & Co');
    const defaults = Object.fromEntries((await list(shop.token)).map((entry) => [entry.key, entry.default]));
    const { body } = await fixture.request('/fiat/v1/transaction', { token: shop.token, body: creation() });
    const detail = (
      await fixture.request(`/fiat/v1/transaction?transaction_id=${body.transaction_id}`, { token: shop.token })
    ).body;
    assert.equal(detail.additional_currency, defaults['additional-currency']);
    const minutes = (Date.parse(detail.expires_at) - Date.parse(detail.created_at)) / 60_000;
    assert.equal(Math.round(minutes), defaults['link-lifetime-minutes']);
    const { create } = invoicesOf(() => fixture);
    const invoice = await create({ type: 'invoice_type_default' }, shop);
    assert.equal(invoice.type, defaults['default-invoice-type']);
    assert.equal(invoice.minConfirmations, defaults['min-confirmation-btc']);
    assert.equal(invoice.processingFeePercent, defaults['processing-fee-btc']);
    const currencies = (await fixture.request('/v1/currencies', { token: shop.token })).body.currencies;
    for (const { code, minConfirmations } of currencies)
      assert.equal(minConfirmations, defaults[`min-confirmation-${code}`]);
    // The set value replaces it.
    await set('link-lifetime-minutes', 7);
    const { reference } = await createLink(fixture);
    const short = await detailOf(fixture, reference);
    assert.equal(Math.round((Date.parse(short.expires_at) - Date.parse(short.created_at)) / 60_000), 7);
  });
});
