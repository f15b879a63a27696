import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { methodCatalog } from '../../src/api/method-catalog.ts';
import { setPaymentMethodsResponse } from '../../src/api/payment-method.ts';
import { findPaymentMethod, methodsForCountry, paymentMethods } from '../../src/methods/catalog.ts';
import { creation } from '../support/requests.ts';
import { openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';
import { changeCard } from '../support/acquirer-accounts.ts';

describe('the catalog', () => {
  /** Country, currency, and the documented methods. */
  const rows = [
    ['ARG', 'ARS', 'online_banking'],
    ['AUS', 'AUD', 'instant_bank_payment'],
    ['BGD', 'BDT', 'online_banking bkash_ewallet nagad_ewallet rocket_ewallet'],
    ['BRA', 'BRL', 'virtual_account online_banking'],
    ['IND', 'INR', 'online_banking upi'],
    ['IDN', 'IDR', 'virtual_account online_banking'],
    ['KEN', 'KES', ''],
    ['MYS', 'MYR', 'online_banking'],
    ['MEX', 'MXN', 'virtual_account online_banking'],
    ['NZL', 'NZD', 'online_bank_payment'],
    ['NGA', 'NGN', 'virtual_account'],
    ['PHL', 'PHP', 'online_banking gcash_ewallet maya_ewallet grabpay_ewallet'],
    ['THA', 'THB', 'qr_code online_banking truemoney_ewallet'],
    ['VNM', 'VND', 'qr_code virtual_account online_banking momo_ewallet'],
    ['USA', 'USD', 'credit_card on_ramp_card on_ramp_ideal crypto_payment'],
    ['FRA', 'EUR', 'credit_card on_ramp_card on_ramp_ideal crypto_payment'],
    // US dollars and euros can be paid worldwide.
    ['THA', 'USD', 'credit_card on_ramp_card on_ramp_ideal crypto_payment'],
    // A home currency can be paid in its country only.
    ['USA', 'THB', ''],
    ['THA', 'VND', ''],
  ] as const;
  for (const [country, currency, promised] of rows) {
    test(`has for ${currency} in ${country}: ${promised || 'nothing'}`, () => {
      const codes = methodsForCountry(country, currency).map(({ code }) => code);
      assert.deepEqual(codes, promised === '' ? [] : promised.split(' '));
    });
  }

  test('defines each method’s action, and its choice if it has one', () => {
    const actionAndChoice = (code: string) => [findPaymentMethod(code)?.action, findPaymentMethod(code)?.choice];
    assert.deepEqual(actionAndChoice('qr_code'), ['qr', undefined]);
    assert.deepEqual(actionAndChoice('upi'), ['app_intent', undefined]);
    assert.deepEqual(actionAndChoice('virtual_account'), ['bank_details', undefined]);
    assert.deepEqual(actionAndChoice('crypto_payment'), ['crypto', 'currency']);
    for (const code of ['online_banking', 'instant_bank_payment', 'online_bank_payment'])
      assert.deepEqual(actionAndChoice(code), ['redirect', 'bank'], code);
    for (const { code, action } of paymentMethods)
      if (code.endsWith('_ewallet')) assert.equal(action, 'app_intent', code);
  });

  test('is refused when it is inconsistent', () => {
    const method = { code: 'a_method', action: 'qr', mark: 'qr', countries: ['THA'], currencies: ['THB'] };
    const catalog = { homeCurrencies: { THA: 'THB', VNM: 'VND' }, methods: [method] };
    assert.equal(methodCatalog.safeParse(catalog).success, true);
    for (const change of [
      { code: 'A method' },
      { action: 'card_or_not' },
      { countries: ['TH'] },
      { countries: [] },
      { countries: ['THA', 'VNM'] },
      { countries: ['KEN'] },
      { currencies: ['THB', 'VND'] },
      { currencies: ['BTC'] },
      { more: true },
    ]) {
      const methods = [{ ...method, ...change }];
      assert.equal(methodCatalog.safeParse({ ...catalog, methods }).success, false, JSON.stringify(change));
    }
    assert.equal(methodCatalog.safeParse({ ...catalog, methods: [method, method] }).success, false);
  });
});

describe('a merchant’s methods', () => {
  let fixture: Fixture;
  let merchant: TestMerchant;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());
  beforeEach(async () => {
    merchant = await fixture.makeMerchant('Kettle & Co');
  });

  const set = async (settings: object[], token = merchant.managerToken) =>
    await fixture.request('/fiat/v1/merchant/payment-methods', {
      method: 'PATCH',
      body: { payment_methods: settings },
      token,
    });
  const statusOf = async (code: string) => {
    const { body } = await fixture.request('/fiat/v1/merchant/payment-methods', {
      body: { country: 'FRA', currency: 'EUR' },
      token: merchant.token,
    });
    return body.payment_methods.find((each: { payment_method: string }) => each.payment_method === code);
  };
  const create = async (fields: object = {}) =>
    await fixture.request('/fiat/v1/transaction', {
      body: { ...creation({ currency: 'EUR', country: 'FRA', amount: 100 }), ...fields },
      token: merchant.token,
    });
  const card = { payment_method: 'credit_card', currency: 'EUR' };

  test('are set by a manager, with their fees', async () => {
    const { status, body } = await set([
      { ...card, status: 'enable', fee_fix: 0.25, fee_percent: 1.4 },
      { payment_method: 'qr_code', currency: 'THB', status: 'enable' },
    ]);
    assert.equal(status, 200);
    assert.deepEqual(setPaymentMethodsResponse.parse(body).payment_methods, [
      { ...card, status: 'enable', fee_fix: 0.25, fee_percent: 1.4 },
      { payment_method: 'qr_code', currency: 'THB', status: 'enable', fee_fix: 0, fee_percent: 0 },
    ]);
    assert.deepEqual(await statusOf('credit_card'), {
      ...{ ...card, status: 'enable', fee_fix: 0.25, fee_percent: 1.4 },
      manual_capture: true,
    });
    assert.equal((await create({ type_of_calculation: 'forward_with_fee' })).status, 200);
    const { body: off } = await set([{ ...card, status: 'disable' }]);
    assert.deepEqual(off.payment_methods, [{ ...card, status: 'disable' }]);
    assert.equal((await statusOf('credit_card')).status, 'disable');
    assert.match((await statusOf('credit_card')).message, /account manager/);
    const refused = await create();
    assert.equal(refused.status, 422);
    assert.equal(refused.body.errors[0].code, 'payment_method_not_enabled');
  });

  test('keep an omitted fee', async () => {
    await set([{ ...card, status: 'enable', fee_fix: 1, fee_percent: 2.1234 }]);
    const { body } = await set([{ ...card, status: 'enable', fee_fix: 0 }]);
    assert.deepEqual(body.payment_methods, [{ ...card, status: 'enable', fee_fix: 0, fee_percent: 2.1234 }]);
  });

  test('keep their fees while they are disabled', async () => {
    await set([{ ...card, status: 'enable', fee_fix: 2, fee_percent: 1.5 }]);
    await set([{ ...card, status: 'disable' }]);
    await set([{ ...card, status: 'disable' }]);
    const { body } = await set([{ ...card, status: 'enable' }]);
    assert.deepEqual(body.payment_methods, [{ ...card, status: 'enable', fee_fix: 2, fee_percent: 1.5 }]);
    assert.deepEqual(await statusOf('credit_card'), {
      ...card,
      status: 'enable',
      fee_fix: 2,
      fee_percent: 1.5,
      manual_capture: true,
    });
    const refused = await set([{ ...card, status: 'disable', fee_fix: 3 }]);
    assert.deepEqual(
      [refused.status, refused.body.errors?.[0]?.pointer, refused.body.errors?.[0]?.code],
      [422, '/payment_methods/0/fee_fix', 'not_with_disable'],
    );
  });

  test('are refused without a supporting acquirer', async () => {
    changeCard(fixture.service(), () => null);
    const { status, body } = await create();
    await fixture.restart();
    assert.equal(status, 422);
    assert.equal(body.errors[0].code, 'acquirer_unavailable');
    assert.match(body.errors[0].detail, /no acquirer in this installation/);
  });

  test('are enabled with a message without a supporting acquirer', async () => {
    changeCard(fixture.service(), () => null);
    const { status, body } = await set([{ ...card, status: 'enable' }]);
    await fixture.restart();
    assert.equal(status, 200);
    assert.match(body.payment_methods[0].message, /no acquirer/);
  });

  test('cannot be set by the merchant', async () => {
    const { status, body } = await set([{ ...card, status: 'disable' }], merchant.token);
    assert.deepEqual([status, body.code], [403, 'manager_only']);
    assert.equal((await statusOf('credit_card')).status, 'enable');
    const { database } = fixture.service();
    await db(database)
      .updateTable('access_tokens')
      .set({ scopes: 'transaction:read' })
      .where('role', '=', 'manager')
      .execute();
    const scopeless = await set([{ ...card, status: 'disable' }]);
    assert.deepEqual([scopeless.status, scopeless.body.code], [403, 'forbidden']);
    assert.equal((await set([{ ...card, status: 'disable' }], 'pl_test_nobody')).status, 401);
  });

  test('are set all or none, and every invalid field is reported', async () => {
    const { status, body } = await set([
      { ...card, status: 'disable' },
      { payment_method: 'barter', currency: 'EUR', status: 'enable' },
      { payment_method: 'qr_code', currency: 'EUR', status: 'enable' },
      { ...card, status: 'enable' },
      { payment_method: 'crypto_payment', currency: 'EUR', status: 'enable', fee_fix: 0.001 },
    ]);
    assert.equal(status, 422);
    assert.deepEqual(
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/payment_methods/1/payment_method', 'unknown_payment_method'],
        ['/payment_methods/2/currency', 'currency_not_of_payment_method'],
        ['/payment_methods/3/payment_method', 'repeated'],
        ['/payment_methods/4/fee_fix', 'invalid_value'],
      ],
    );
    assert.match(body.errors[0].detail, /^must be one of credit_card, .*rocket_ewallet$/);
    assert.equal((await statusOf('credit_card')).status, 'enable');
  });

  test('are independent of other merchants’', async () => {
    const other = await fixture.makeMerchant('Other');
    await set([{ ...card, status: 'disable' }], other.managerToken);
    assert.equal((await statusOf('credit_card')).status, 'enable');
  });
});
