// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountBanks } from '../../../src/acquirers/xendit/account-banks.ts';
import {
  fromXenditAmount,
  toXenditAmount,
  UnsupportedAmount,
  xenditCurrencies,
  xenditDecimals,
} from '../../../src/acquirers/xendit/amounts.ts';
import { credentialsSchema } from '../../../src/acquirers/xendit/credentials.ts';
import { xendit } from '../../../src/acquirers/xendit/index.ts';
import { localMethods } from '../../../src/acquirers/xendit/methods.ts';
import { toAlpha2 } from '../../../src/api/country.ts';
import { methodsForCountry } from '../../../src/methods/catalog.ts';
import { channelOf, channels } from '../simulators/xendit/channels.ts';
import { credentials } from './connection.ts';

test('amounts are whole currency units, without parts of a rupiah or dong', () => {
  const whole = xenditCurrencies.filter((currency) => xenditDecimals(currency) === 0);
  assert.deepEqual(whole, ['IDR', 'JPY', 'VND']);
  assert.equal(toXenditAmount(1250n, 'USD'), 12.5);
  assert.equal(toXenditAmount(15_000_000n, 'IDR'), 150_000);
  assert.equal(toXenditAmount(150_000n, 'VND'), 150_000);
  assert.equal(toXenditAmount(1234n, 'JPY'), 1234);
  assert.throws(() => toXenditAmount(15_000_001n, 'IDR'), UnsupportedAmount);
  assert.throws(() => toXenditAmount(1_500_000n, 'KWD'), UnsupportedAmount);
  for (const currency of xenditCurrencies)
    for (const minor of [100n, 123_400n, 99_999_999_999_900n])
      assert.equal(fromXenditAmount(toXenditAmount(minor, currency), currency), minor, `${minor} ${currency}`);
  for (const bad of [0, -1, 1.005, Infinity, Number.NaN]) assert.throws(() => fromXenditAmount(bad, 'USD'));
});

test('the catalog has every local method in its country and currency', () => {
  for (const { method, country, currency, banks, instructionsKind } of localMethods) {
    const found = methodsForCountry(country, currency).find(({ code }) => code === method);
    assert.ok(found, `${method} in ${country}`);
    assert.equal(found.choice === 'bank', banks !== undefined, `${method} in ${country} offers banks`);
    const action = { qr: 'qr', account: 'bank_details' }[instructionsKind as string];
    if (action !== undefined) assert.equal(found.action, action);
  }
});

test('every channel exists at Xendit, in its country and currency, with its refunds', () => {
  const used: string[] = [];
  for (const { method, country, currency, banks, refunds, channel } of localMethods) {
    const accounts = [
      ...Object.keys(accountBanks.IDN).map((accountBank) => ({ accountBank })),
      ...Object.keys(accountBanks.VNM).map((vietnameseAccountBank) => ({ vietnameseAccountBank })),
    ].map((change) => credentialsSchema.parse({ ...credentials, ...change }));
    const choices = banks?.map(({ code }) => code) ?? [null];
    for (const choice of choices)
      for (const account of accounts) {
        const { code } = channel(choice, account);
        const known = channelOf({ channel_code: code, country: toAlpha2(country) ?? '', currency });
        assert.equal(known?.refunds, refunds, `${method}: ${code}`);
        used.push(code);
      }
  }
  // Every consumer bank of the countries is offered.
  const offered = channels.filter(({ category }) => category === 'BANK').map(({ code }) => code);
  assert.deepEqual(
    offered.filter((code) => !used.includes(code)),
    [],
  );
});

test('capabilities list each method, country and currency once, and no refunds where Xendit has none', () => {
  const cells = xendit.capabilities.map(({ method, countries, currencies }) =>
    [method, countries, currencies].join(' '),
  );
  assert.equal(new Set(cells).size, cells.length);
  const refunds = Object.groupBy(xendit.capabilities, (capability) => capability.refunds);
  const nameOf = ({ method, countries }: (typeof xendit.capabilities)[number]) => `${method} ${String(countries)}`;
  assert.deepEqual(refunds.none?.map(nameOf), [
    ...['qr_code THA', 'virtual_account IDN', 'virtual_account VNM'],
    ...['online_banking MYS', 'online_banking PHL', 'online_banking THA', 'truemoney_ewallet THA'],
  ]);
  assert.deepEqual(refunds.partial?.map(nameOf), [
    ...['credit_card all', 'gcash_ewallet PHL', 'maya_ewallet PHL', 'grabpay_ewallet PHL', 'momo_ewallet VNM'],
  ]);
  assert.ok(xendit.capabilities.every(({ method, latePayments }) => latePayments === (method !== 'credit_card')));
});

test('credentials are a secret key and the country, and accept a simulator on this machine', () => {
  const isValid = (change: object) => credentialsSchema.safeParse({ ...credentials, ...change }).success;
  assert.ok(isValid({ secretKey: ' xnd_production_O46J+ZPGT==\n' }));
  for (const secretKey of ['xnd_public_development_a', 'xnd_development_', 'xnd_development_a:b', 'secret'])
    assert.equal(isValid({ secretKey }), false, secretKey);
  assert.equal(isValid({ accountCountry: 'BD' }), false);
  assert.equal(isValid({ callbackToken: '' }), false);
  assert.equal(isValid({ accountBank: 'vpb' }), false);
  for (const apiUrl of ['http://127.0.0.1:8080', 'http://localhost:8080/xendit'])
    assert.ok(isValid({ apiUrl }), apiUrl);
  for (const apiUrl of ['https://simulator.example', 'ftp://127.0.0.1', 'http://a@localhost', 'http://localhost/?a'])
    assert.equal(isValid({ apiUrl }), false, apiUrl);
  const names = Object.keys(credentialsSchema.parse({ ...credentials, apiUrl: 'http://localhost' }));
  for (const name of names)
    assert.ok(
      xendit.credentials.some((field) => field.name === name),
      name,
    );
  const secrets = xendit.credentials.filter(({ secret }) => secret).map(({ name }) => name);
  assert.deepEqual(secrets, ['secretKey', 'callbackToken']);
});
