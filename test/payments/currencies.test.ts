import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { Problem } from '../../src/api/problem-error.ts';
import { type Fixture, openFixture, openProductionFixture } from '../support/fixture.ts';
import { onSqlite } from '../support/databases.ts';
import { createLink, creation, detailOf, submitCard } from '../support/requests.ts';
import { ScriptedAcquirer } from '../support/scripted-acquirer.ts';

/** Payments by card in currencies with 2, 0 and 3 decimals, with a fee of 1.25% added. */
const payments = [
  {
    ...{ country: 'GBR', currency: 'GBP', amount: 80.1, charged: 81.1, refund: 0.01 },
    ...{ texts: ['80.10', '81.10', '80.10'], refundText: '0.01 GBP refunded', valid: 0.01 },
    wrong: [
      [1.001, 'too_many_decimals'],
      [0.001, 'too_many_decimals'],
      [10_000_000.01, 'too_large'],
    ],
  },
  {
    ...{ country: 'JPN', currency: 'JPY', amount: 12_345, charged: 12_499, refund: 1 },
    ...{ texts: ['12345', '12499', '12345'], refundText: '1 JPY refunded', valid: 1 },
    wrong: [
      [0.5, 'too_many_decimals'],
      [100.5, 'too_many_decimals'],
      [1_000_000_001, 'too_large'],
    ],
  },
  {
    ...{ country: 'KWT', currency: 'KWD', amount: 7.505, charged: 7.599, refund: 0.001 },
    ...{ texts: ['7.505', '7.599', '7.505'], refundText: '0.001 KWD refunded', valid: 0.001 },
    wrong: [
      [1.0001, 'too_many_decimals'],
      [0, 'not_positive'],
      [10_000_000.001, 'too_large'],
    ],
  },
] as const;

describe('a card payment in a currency outside the catalog', () => {
  let fixture: Fixture;
  const sent: { type: string; data: any }[] = [];
  before(async () => {
    fixture = await openFixture({
      post: (_url, _headers, body) => {
        sent.push(JSON.parse(body));
        return Promise.resolve({ status: 200, retryAfter: null, body: '' });
      },
    });
    const preferences = [{ key: 'callback-url', value: 'https://shop.example/callbacks' }];
    const set = await fixture.request('/v1/merchant/preferences', { body: { preferences } });
    assert.equal(set.status, 200, set.text);
  });
  after(async () => await fixture.close());

  const create = async (fields: object) =>
    await fixture.request('/fiat/v1/transaction', { body: creation({ ...fields }) });
  const enable = async (currency: string, status: 'enable' | 'disable' = 'enable') =>
    await fixture.request('/fiat/v1/merchant/payment-methods', {
      method: 'PATCH',
      token: fixture.merchant.managerToken,
      body: {
        payment_methods: [
          { payment_method: 'credit_card', currency, status, ...(status === 'enable' && { fee_percent: 1.25 }) },
        ],
      },
    });

  for (const { country, currency, amount, charged, refund, texts, refundText, wrong, valid } of payments) {
    test(`is refused until the method is enabled, then goes from link to statistics: ${currency}`, async () => {
      const early = await create({ country, currency, amount });
      assert.deepEqual([early.status, early.body.errors[0].code], [422, 'payment_method_not_for_country']);
      assert.match(early.body.errors[0].detail, new RegExp(`possible for ${country} and ${currency}: none`));
      assert.equal((await enable(currency)).status, 200);
      for (const [bad, code] of wrong) {
        const { status, body } = await create({ country, currency, amount: bad });
        assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/amount', code], String(bad));
      }
      assert.equal((await create({ country, currency, amount: valid })).status, 200);

      const fields = { country, currency, amount, type_of_calculation: 'forward_with_fee' };
      const { reference, path } = await createLink(fixture, fields);
      const page = await fixture.request(path, { token: null });
      assert.equal(page.status, 200);
      const { body: state } = await fixture.request(`${path}/state`, { token: null });
      assert.deepEqual(state.amount, { value: texts[1], currency });
      assert.equal((await submitCard(fixture, reference)).body.response_type, 'confirmed');
      const paid = await detailOf(fixture, reference);
      assert.deepEqual([paid.amount, paid.amount_charged, paid.amount_delivered], [amount, charged, amount]);

      const refundOf = async (part: number) =>
        await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: reference, amount: part } });
      assert.equal((await refundOf(refund / 10)).body.errors[0].code, 'too_many_decimals');
      const refunded = await refundOf(refund);
      assert.deepEqual([refunded.status, refunded.body.refunded_amount], [200, refund]);
      assert.equal(refunded.body.timeline.at(-1).detail, refundText);

      await fixture.work();
      const events = sent.filter(({ data }) => data.transaction_id === reference);
      assert.deepEqual([events.at(-1)?.data.amount_charged, events.at(-1)?.data.refunded_amount], [charged, refund]);

      const csv = await fixture.request(`/fiat/v1/transactions/export?currency=${currency}`);
      const rows: Record<string, string>[] = parse(csv.text, { columns: true });
      const row = rows.find((each) => each['transaction_id'] === reference);
      assert.deepEqual([row?.['amount'], row?.['amount_charged'], row?.['amount_delivered']], texts);

      const statistics = await fixture.request('/v1/statistics');
      const figures = statistics.body.currencies.find((each: { currency: string }) => each.currency === currency);
      assert.deepEqual([figures.paid_count, figures.paid_amount, figures.refunded_amount], [1, charged, refund]);
    });
  }

  onSqlite('can be authorized and captured in part, to the smallest unit', async () => {
    for (const [currency, country, amount, part] of [
      ['JPY', 'JPN', 1000, 999],
      ['KWD', 'KWT', 1.5, 1.499],
    ] as const) {
      const { reference } = await createLink(fixture, { currency, country, amount, capture: 'manual' });
      assert.equal((await submitCard(fixture, reference)).body.response_type, 'authorized');
      const capture = async (captured: number) =>
        await fixture.request('/fiat/v1/transaction/capture', {
          body: { transaction_id: reference, amount: captured },
        });
      assert.equal((await capture(part + 0.0001)).status, 422);
      assert.equal((await capture(part)).status, 200);
      assert.equal((await detailOf(fixture, reference)).amount_received, part);
    }
  });

  onSqlite('has its currency listed for the merchant, without naming it', async () => {
    const list = async (body: object, token = fixture.merchant.token) =>
      (await fixture.request('/fiat/v1/merchant/payment-methods', { body, token })).body.payment_methods.map(
        (each: any) => `${each.currency} ${each.payment_method} ${each.status}`,
      );
    await enable('CHF');
    const listed = await list({ country: 'CHE' });
    assert.ok(listed.includes('CHF credit_card enable'));
    assert.ok(listed.includes('EUR crypto_payment disable'));
    assert.ok(!listed.some((each: string) => each.startsWith('CAD')));
    await enable('CHF', 'disable');
    assert.deepEqual(
      (await list({ country: 'CHE' })).filter((each: string) => each.startsWith('CHF')),
      [],
    );
    assert.deepEqual(await list({ country: 'CHE', currency: 'CHF' }), []);
    // A manager sees what can be enabled.
    const token = fixture.merchant.managerToken;
    assert.deepEqual(await list({ country: 'CHE', currency: 'CHF' }, token), ['CHF credit_card disable']);
    // Another merchant's currencies are not listed.
    const other = await fixture.makeMerchant('Other');
    assert.ok(!(await list({ country: 'GBR' }, other.token)).some((each: string) => each.startsWith('GBP')));
  });

  onSqlite('has a clear refusal for unknown codes, and other methods', async () => {
    for (const currency of ['XXX', 'XAU', 'gbp', 'BTC', 'ZZZ', 'toString', '__proto__']) {
      const { status, body } = await create({ currency });
      assert.deepEqual([status, body.errors[0].pointer], [422, '/currency'], currency);
      assert.match(body.errors[0].detail, /^must be an active ISO 4217 code/);
    }
    const crypto = await create({ currency: 'GBP', country: 'GBR', payment_method: 'crypto_payment' });
    assert.equal(crypto.body.errors[0].code, 'payment_method_not_for_country');
  });

  onSqlite('without an exchange rate is reported in its own currency', async () => {
    await enable('SDG');
    const { rates } = fixture.service().payments;
    const { rate } = rates;
    rates.rate = (from, to) => {
      if (from !== to) throw new Problem('rate_unavailable', 'No source has a rate.');
      return rate(from, to);
    };
    try {
      const before = await fixture.request('/v1/statistics');
      const { body } = await create({ currency: 'SDG', country: 'SDN', amount: 500, transaction_id: 'without-rate' });
      assert.equal(body.ex_rate, 0);
      await submitCard(fixture, 'without-rate');
      const detail = await detailOf(fixture, 'without-rate');
      assert.deepEqual([detail.additional_currency, detail.rate, detail.rate_source], ['SDG', 1, undefined]);
      const { body: after } = await fixture.request('/v1/statistics');
      const converted = ({ total }: any) => total.paid_in_additional_currency;
      assert.equal(converted(after).amount, converted(before.body).amount);
      assert.equal(converted(after).excluded_count, converted(before.body).excluded_count + 1);
      assert.equal(after.currencies.find((each: any) => each.currency === 'SDG').paid_amount, 500);
      const csv = await fixture.request('/fiat/v1/transactions/export?currency=SDG');
      assert.equal((parse(csv.text, { columns: true }) as any)[0].additional_currency, 'SDG');
    } finally {
      rates.rate = rate;
    }
  });
});

onSqlite('in production, a currency outside the catalog needs an account with a route for it', async () => {
  const fixture = await openProductionFixture(new ScriptedAcquirer());
  try {
    const enabled = await fixture.request('/fiat/v1/merchant/payment-methods', {
      method: 'PATCH',
      token: fixture.merchant.managerToken,
      body: { payment_methods: [{ payment_method: 'credit_card', currency: 'GBP', status: 'enable' }] },
    });
    assert.equal(enabled.status, 200, enabled.text);
    const create = async () =>
      await fixture.request('/fiat/v1/transaction', { body: creation({ country: 'GBR', currency: 'GBP', amount: 5 }) });
    assert.equal((await create()).status, 200);
    const { acquirers } = fixture.service().payments;
    acquirers.route = () => [];
    const refused = await create();
    assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'payment_method_not_for_country']);
  } finally {
    await fixture.close();
  }
});
