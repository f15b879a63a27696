// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { credentialFields, credentialsSchema } from '../../../src/acquirers/adyen/credentials.ts';
import { adyen } from '../../../src/acquirers/adyen/index.ts';
import { localMethods } from '../../../src/acquirers/adyen/methods.ts';
import { findCapability } from '../../../src/acquirers/registry.ts';
import { findPaymentMethod } from '../../../src/methods/catalog.ts';
import { credentials } from './account.ts';

describe('methods of Adyen', () => {
  test('are in the catalog, in their countries and currencies', () => {
    for (const { method: code, country, currency } of localMethods) {
      const method = findPaymentMethod(code);
      assert.ok(method, code);
      assert.ok(method.countries === 'world' || method.countries.includes(country), `${code} ${country}`);
      assert.ok(method.currencies.includes(currency), `${code} ${currency}`);
      const capability = findCapability(adyen, { merchantId: 1, method, country, currency });
      assert.equal(capability?.latePayments, true);
    }
  });

  test('are 16 pairs of method and country, including cards', () => {
    const pairs = new Set(localMethods.map(({ method, country }) => `${method} ${country}`));
    assert.equal(pairs.size + 1, 16);
    const card = findPaymentMethod('credit_card');
    assert.ok(card);
    assert.ok(findCapability(adyen, { merchantId: 1, method: card, country: 'BRA', currency: 'USD' }));
  });

  test('require payer details where Adyen does', () => {
    const fieldsOf = (code: string) => adyen.capabilities.find(({ method }) => method === code)?.payerFields;
    assert.deepEqual(fieldsOf('virtual_account'), ['name', 'email']);
    assert.deepEqual(fieldsOf('instant_bank_payment'), ['name', 'handle']);
    assert.deepEqual(fieldsOf('credit_card'), []);
  });
});

describe('credentials of Adyen', () => {
  const problemsOf = (change: object) =>
    credentialsSchema.safeParse({ ...credentials, ...change }).error?.issues.map(({ path }) => path.join('.')) ?? [];

  test('each have a field', () => {
    assert.deepEqual(
      Object.keys(credentialsSchema.shape),
      credentialFields.map(({ name }) => name),
    );
  });

  test('are validated', () => {
    assert.deepEqual(problemsOf({}), []);
    assert.deepEqual(problemsOf({ environment: 'live' }), ['liveUrlPrefix']);
    assert.deepEqual(problemsOf({ environment: 'live', liveUrlPrefix: '1797a841fbb37ca7-AdyenDemo' }), []);
    assert.deepEqual(problemsOf({ liveUrlPrefix: 'evil.example/' }), ['liveUrlPrefix']);
    assert.deepEqual(problemsOf({ hmacKey: '12ab' }), ['hmacKey']);
    assert.deepEqual(problemsOf({ apiKey: 'two\nlines' }), ['apiKey']);
    assert.deepEqual(problemsOf({ webhookUser: 'adyen' }), ['webhookPassword']);
    assert.deepEqual(problemsOf({ apiUrl: 'http://adyen.example/v71' }), ['apiUrl']);
    assert.deepEqual(problemsOf({ apiUrl: 'http://127.0.0.1:8080/v71', accountBank: 'mandiri' }), []);
  });
});
