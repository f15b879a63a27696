// Databases: sqlite
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  createTransactionRequest,
  createTransactionResponse,
  transactionDetail,
} from '../../src/api/fiat-transaction.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { creation, createLink } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { db } from '../support/tables.ts';

describe('creating a transaction', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  const create = async (fields: Record<string, unknown> = {}) =>
    await fixture.request('/fiat/v1/transaction', { body: creation(fields) });

  test('returns a link by default', async () => {
    const { status, body } = await create({ amount: 1250, currency: 'EUR', country: 'FRA' });
    assert.equal(status, 200);
    assert.equal(body.type, 'link');
    assert.equal(body.status, 'transaction_status_pending');
    assert.ok(body.ex_rate > 0.5 && body.ex_rate < 2);
    assert.match(body.value.link, new RegExp(`^${fixture.url}/p/[\\w-]{22,}$`));
    createTransactionResponse.parse(body);
  });

  test('returns the charged amount for a custom_form, without redirect URLs', async () => {
    const { transaction_id, payment_method, amount, country, currency } = creation();
    const { status, body } = await fixture.request('/fiat/v1/transaction', {
      body: {
        transaction_id,
        payment_method,
        amount,
        country,
        currency,
        transaction_type: 'custom_form',
        type_of_calculation: 'forward_with_fee',
      },
    });
    assert.equal(status, 200);
    assert.equal(body.type, 'custom_form');
    // 12.50 + 0.30 + 2.9% of 12.50 (0.3625, rounded half to even)
    assert.equal(body.amount_charged, 13.16);
    assert.equal(body.currency, 'USD');
    assert.equal(body.ex_rate, 1);
  });

  test('the same request again returns the same link; another body is a conflict', async () => {
    const body = creation();
    const first = await fixture.request('/fiat/v1/transaction', { body });
    const second = await fixture.request('/fiat/v1/transaction', { body });
    assert.equal(second.status, 200);
    assert.equal(second.body.value.link, first.body.value.link);
    const other = await fixture.request('/fiat/v1/transaction', { body: { ...body, amount: 13 } });
    assert.equal(other.status, 409);
    assert.equal(other.body.code, 'transaction_id_conflict');
  });

  test('the order of nested fields does not matter, also for a transaction of an earlier version', async () => {
    const body = creation({ metadata: { shop: 'Oslo', cart: 'c-1' } });
    const { body: first } = await fixture.request('/fiat/v1/transaction', { body });
    const repeat = async () =>
      await fixture.request('/fiat/v1/transaction', { body: { ...body, metadata: { cart: 'c-1', shop: 'Oslo' } } });
    assert.equal((await repeat()).body.value?.link, first.value.link);
    const other = { ...body, metadata: { shop: 'Oslo', cart: 'c-2' } };
    assert.equal((await fixture.request('/fiat/v1/transaction', { body: other })).status, 409);
    // Earlier versions sorted only the top level.
    const fields = Object.entries(createTransactionRequest.parse(body)).filter(([, value]) => value !== undefined);
    const earlier = JSON.stringify(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    await db(fixture.service().database)
      .updateTable('fiat_transactions')
      .set({ request_digest: createHash('sha256').update(earlier).digest('hex') })
      .where('transaction_id', '=', body.transaction_id)
      .execute();
    const replayed = await fixture.request('/fiat/v1/transaction', { body });
    assert.equal(replayed.body.value?.link, first.value.link);
  });

  test('the same request after the expiry returns the failed status', async () => {
    const body = creation();
    await fixture.request('/fiat/v1/transaction', { body });
    fixture.clock.advance(25 * HOUR);
    const again = await fixture.request('/fiat/v1/transaction', { body });
    assert.equal(again.body.status, 'transaction_status_failed');
  });

  test('expires_at must be 1 minute to 365 days ahead; a repeated request keeps its link after that', async () => {
    const at = (ahead: number) => new Date((fixture.clock.now() + ahead) / 1000).toISOString();
    for (const [expiry, code] of [
      ['tomorrow', 'invalid_time'],
      [at(59 * SECOND), 'too_early'],
      ['2001-01-01T00:00:00Z', 'too_early'],
      [at(365 * DAY + SECOND), 'too_late'],
    ] as const) {
      const { status, body } = await create({ expires_at: expiry });
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/expires_at', code]);
    }
    const longest = await create({ expires_at: at(365 * DAY) });
    assert.equal(longest.status, 200);
    const expiry = at(2 * MINUTE);
    const body = creation({ expires_at: expiry });
    const first = await fixture.request('/fiat/v1/transaction', { body });
    assert.equal(Date.parse(first.body.expires_at), Date.parse(expiry));
    fixture.clock.advance(3 * MINUTE);
    const again = await fixture.request('/fiat/v1/transaction', { body });
    assert.deepEqual(
      [again.status, again.body.status, again.body.value.link],
      [200, 'transaction_status_failed', first.body.value.link],
    );
  });

  test('twenty concurrent creations with one reference create one transaction', async () => {
    const body = creation();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => fixture.request('/fiat/v1/transaction', { body })),
    );
    assert.deepEqual(new Set(responses.map((response) => response.status)), new Set([200]));
    assert.equal(new Set(responses.map((response) => response.body.value.link)).size, 1);
  });

  test('concurrent creations are stored independently, with any text', async () => {
    const descriptions = ['Tea', '"quoted" \\ back', "it's", 'две чашки ☕️', '{"a":[1]}', 'null', '%s $1 ?'];
    const bodies = Array.from({ length: 40 }, (_, index) =>
      creation({ amount: 10 + index, description: descriptions[index % descriptions.length] ?? '' }),
    );
    // Two of them fail: one repeats another's reference, one has an unknown method.
    const duplicate = { ...creation({ amount: 99 }), transaction_id: bodies[0]?.transaction_id };
    const refused = creation({ payment_method: 'none' });
    const responses = await Promise.all(
      [...bodies, duplicate, refused].map((body) => fixture.request('/fiat/v1/transaction', { body })),
    );
    // The first of the two gets the reference.
    const both = [responses[0], responses[40]].map((response) => response?.status);
    assert.deepEqual(new Set(both), new Set([200, 409]));
    assert.equal(responses[41]?.status, 422);
    for (const [index, body] of bodies.entries()) {
      if (responses[index]?.status === 409) continue;
      const detail = await fixture.request(`/fiat/v1/transaction?transaction_id=${body.transaction_id}`);
      assert.equal(detail.body.link, responses[index]?.body.value.link);
      assert.deepEqual([detail.body.amount, detail.body.descriptions], [body.amount, body.description]);
      assert.equal(detail.body.timeline.length, 1);
      assert.equal(detail.body.timeline[0].status, 'transaction_status_pending');
    }
  });

  test('a numeric transaction_id is stored as its digits', async () => {
    const { body } = await create({ transaction_id: 90071992547 });
    assert.equal(body.transaction_id, '90071992547');
    const detail = await fixture.request('/fiat/v1/transaction?transaction_id=90071992547');
    assert.equal(detail.body.transaction_id, '90071992547');
  });

  test('the detail has the documented fields, and its amounts add up', async () => {
    const { reference, link } = await createLink(fixture, { amount: 100, type_of_calculation: 'forward_without_fee' });
    const { status, body } = await fixture.request(`/fiat/v1/transaction?transaction_id=${reference}`);
    assert.equal(status, 200);
    const detail = transactionDetail.parse(body);
    assert.equal(detail.amount_charged, 100);
    assert.equal(detail.amount_delivered, 96.8);
    assert.equal(detail.merchant_fee_fix, 0.3);
    assert.equal(detail.merchant_fee_percent, 2.9);
    assert.equal(detail.descriptions, 'Two cups and a saucer');
    assert.equal(detail.link, link);
    assert.equal(detail.type_of_fee_calculate, 'forward_without_fee');
    assert.equal(detail.rate_merchant_final, 0.971);
    assert.match(detail.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  test('all invalid fields of a creation are reported at once, each with its pointer', async () => {
    const { status, headers, body } = await fixture.request('/fiat/v1/transaction', {
      body: {
        transaction_id: '',
        payment_method: 5,
        amount: 1.005,
        country: 'XXX',
        currency: 'USD',
        extra: 1,
        fail_redirect_url: 'javascript:alert(1)',
      },
    });
    assert.equal(status, 422);
    assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(headers.get('request-id'), body.request_id);
    const codes = Object.fromEntries(
      body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
    );
    assert.deepEqual(codes, {
      '/transaction_id': 'required',
      '/payment_method': 'invalid_type',
      '/amount': 'too_many_decimals',
      '/country': 'unknown_country',
      '/extra': 'unknown_field',
      '/fail_redirect_url': 'invalid_url',
      '/description': 'required',
      '/success_redirect_url': 'required',
      '/type_of_calculation': 'required',
    });
  });

  test('an unavailable method is refused with the available ones', async () => {
    const unknown = await create({ payment_method: 'cowrie_shells' });
    assert.equal(unknown.body.errors[0].code, 'unknown_payment_method');
    const elsewhere = await create({ payment_method: 'upi' });
    assert.equal(elsewhere.body.errors[0].code, 'payment_method_not_for_country');
    assert.match(elsewhere.body.errors[0].detail, /credit_card/);
    const notMine = await create({ payment_method: 'on_ramp_card' });
    assert.equal(notMine.body.errors[0].code, 'payment_method_not_enabled');
  });

  test('an amount above its currency’s maximum is refused with the maximum', async () => {
    for (const amount of [10_000_000.01, 9.99e14, 1e21]) {
      const { status, body } = await create({ amount });
      assert.equal(status, 422);
      const detail = 'must be at most 10000000 USD';
      assert.deepEqual(body.errors, [{ pointer: '/amount', code: 'too_large', detail }]);
    }
    assert.equal((await create({ amount: 10_000_000, type_of_calculation: 'forward_with_fee' })).status, 200);
  });

  test('an amount that does not exceed the fee is refused', async () => {
    // The fee of 0.31 is 0.30 plus 2.9%: 0.31.
    for (const amount of [0.2, 0.31]) {
      const { status, body } = await create({ amount });
      assert.equal(status, 422);
      assert.equal(body.errors[0].code, 'amount_below_fee');
    }
    assert.equal((await create({ amount: 0.32 })).status, 200);
  });

  test('an amount that is too large with its fee is refused', async () => {
    const setFee = async (fee_fix: number) => {
      const setting = { payment_method: 'credit_card', currency: 'GBP', status: 'enable', fee_fix };
      const body = { payment_methods: [setting] };
      const token = fixture.merchant.managerToken;
      const { status, text } = await fixture.request('/fiat/v1/merchant/payment-methods', {
        method: 'PATCH',
        body,
        token,
      });
      assert.equal(status, 200, text);
    };
    await setFee(9_999_999_999_999.99);
    const large = { amount: 0.01, currency: 'GBP', country: 'GBR', type_of_calculation: 'forward_with_fee' };
    const { status, body } = await create(large);
    const detail = 'is too large including the fee';
    assert.deepEqual([status, body.errors], [422, [{ pointer: '/amount', code: 'too_large', detail }]]);
    await setFee(9_999_999_999_999);
    assert.equal((await create(large)).status, 200);
  });

  test('payment-methods lists every method of a country and currency, with a message for disabled ones', async () => {
    const { status, body } = await fixture.request('/fiat/v1/merchant/payment-methods', {
      body: { country: 'USA', currency: 'USD' },
    });
    assert.equal(status, 200);
    const byCode = new Map(
      body.payment_methods.map((method: { payment_method: string }) => [method.payment_method, method]),
    );
    assert.deepEqual(byCode.get('credit_card'), {
      ...{ payment_method: 'credit_card', currency: 'USD', status: 'enable' },
      ...{ fee_fix: 0.3, fee_percent: 2.9, manual_capture: true },
    });
    const disabled = byCode.get('crypto_payment') as { status: string; message: string };
    assert.equal(disabled.status, 'disable');
    assert.ok(disabled.message.length > 10);
    const zealand = await fixture.request('/fiat/v1/merchant/payment-methods', {
      body: { country: 'NZD', currency: 'NZD' },
    });
    assert.deepEqual(
      zealand.body.payment_methods.map((method: { payment_method: string }) => method.payment_method),
      ['online_bank_payment'],
    );
  });
});
