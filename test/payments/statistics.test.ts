import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import { type CurrencyCode, minorUnitsOf } from '../../src/api/currency.ts';
import { statistics, type Statistics } from '../../src/api/statistics.ts';
import { DAY, formatInstant, HOUR, type Instant, MINUTE } from '../../src/shared/time.ts';
import { createBuyers } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { invoicesOf } from '../support/invoices.ts';
import { cards, createLink, submitCard } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const at = (text: string): Instant => Date.parse(text) * 1000;

const readStatistics = async (fixture: Fixture, query: Record<string, string> = {}, token = fixture.merchant.token) => {
  const { status, body, text } = await fixture.request(`/v1/statistics?${new URLSearchParams(query)}`, { token });
  assert.equal(status, 200, text);
  return statistics.parse(body);
};

/** Fields of a test row. The others are copied from a transaction created over HTTP. */
interface TestRow {
  created_at: Instant;
  status: 'pending' | 'waiting' | 'confirmed' | 'failed';
  reason: string | null;
  payment_method: string;
  country: string;
  buyer_country: string | null;
  currency: CurrencyCode;
  amount_received_minor: number;
  amount_refunded_minor: number;
  additional_currency: string;
  rate: string;
}

const paid: Omit<TestRow, 'created_at'> = {
  ...{ status: 'confirmed', reason: null, payment_method: 'credit_card', country: 'USA', buyer_country: null },
  ...{ currency: 'USD', amount_received_minor: 1250, amount_refunded_minor: 0, additional_currency: 'USD', rate: '1' },
};

/** Opens a fixture with one transaction, the template of test rows. */
async function openFixtureWithTemplate() {
  const fixture = await openFixture();
  await createLink(fixture);
  const query = db(fixture.service().database);
  const { id: _, ...model } = await query.selectFrom('fiat_transactions').selectAll().executeTakeFirstOrThrow();
  const clearRows = async () => {
    await query.deleteFrom('events').execute();
    await query.deleteFrom('fiat_transactions').execute();
  };
  let number = 0;
  const insertRows = async (...rows: (Partial<TestRow> & Pick<TestRow, 'created_at'>)[]) => {
    for (const row of rows) {
      number += 1;
      const names = { transaction_id: `row-${number}`, link_id: `row-${number}`.padEnd(27, '0') };
      await query
        .insertInto('fiat_transactions')
        .values({ ...model, ...names, ...paid, ...row })
        .execute();
    }
  };
  return { fixture, clearRows, insertRows };
}

describe('statistics', () => {
  let fixture: Fixture;
  let clearRows: () => Promise<void>;
  let insertRows: Awaited<ReturnType<typeof openFixtureWithTemplate>>['insertRows'];
  before(async () => {
    ({ fixture, clearRows, insertRows } = await openFixtureWithTemplate());
  });
  beforeEach(async () => await clearRows());
  after(async () => await fixture.close());

  test('cover the last 30 days by default, today included, with an entry per day', async () => {
    const statistics = await readStatistics(fixture);
    assert.deepEqual(
      [statistics.since, statistics.till, statistics.time_zone],
      ['2026-10-23T00:00:00.000000Z', '2026-11-22T00:00:00.000000Z', 'UTC'],
    );
    assert.equal(statistics.days.length, 30);
    assert.deepEqual(statistics.days.at(-1), { date: '2026-11-21', count: 0, paid_count: 0, paid_amount: 0 });
    assert.equal(statistics.hours.length, 24);
    assert.deepEqual(
      [statistics.currencies, statistics.methods, statistics.countries, statistics.failures],
      [[], [], [], []],
    );
    assert.equal(statistics.total.paid_share, null);
    const there = await readStatistics(fixture, { time_zone: 'Pacific/Auckland', since: '2026-11-20' });
    assert.deepEqual(
      [there.since, there.till, there.days.map(({ date }) => date)],
      ['2026-11-19T11:00:00.000000Z', '2026-11-21T11:00:00.000000Z', ['2026-11-20', '2026-11-21']],
    );
  });

  test('use days and hours of the time zone, also across clock changes', async () => {
    await insertRows(
      { created_at: at('2026-10-24T21:59:59.999Z') },
      { created_at: at('2026-10-24T22:00:00Z') },
      // In Berlin, 02:30 occurs twice.
      { created_at: at('2026-10-25T00:30:00Z') },
      { created_at: at('2026-10-25T01:30:00Z') },
      { created_at: at('2026-10-25T22:59:59Z') },
      { created_at: at('2026-10-25T23:00:00Z') },
    );
    const days = async (zone: string) => {
      const statistics = await readStatistics(fixture, { since: '2026-10-24', till: '2026-10-26', time_zone: zone });
      const busy = statistics.hours.filter(({ count }) => count > 0).map(({ hour, count }) => `${hour}:${count}`);
      return [statistics.days.map(({ count }) => count).join(' '), busy.join(' ')];
    };
    assert.deepEqual(await days('Europe/Berlin'), ['1 4 1', '0:2 2:2 23:2']);
    assert.deepEqual(await days('UTC'), ['2 4 0', '0:1 1:1 21:1 22:2 23:1']);
    assert.deepEqual(await days('Asia/Kathmandu'), ['0 4 2', '3:2 4:2 6:1 7:1']);
    assert.deepEqual(await days('+05:45'), await days('Asia/Kathmandu'));
    const night = await readStatistics(fixture, {
      since: '2026-10-25',
      till: '2026-10-25',
      time_zone: 'Europe/Berlin',
    });
    assert.equal(at(night.till) - at(night.since), 25 * HOUR);
    const spring = await readStatistics(fixture, {
      since: '2026-03-29',
      till: '2026-03-29',
      time_zone: 'Europe/Berlin',
    });
    assert.equal(at(spring.till) - at(spring.since), 23 * HOUR);
  });

  test('sum amounts exactly, at each transaction’s rate, and round once', async () => {
    const created_at = at('2026-11-20T12:00:00Z');
    const thirds = { currency: 'EUR', amount_received_minor: 1, rate: '0.333333333333' } as const;
    await insertRows(
      ...Array.from({ length: 5 }, () => ({ created_at, ...thirds })),
      { created_at, currency: 'EUR', amount_received_minor: 999_999_999_999_999, rate: '0.000000000001' },
      { created_at, currency: 'VND', amount_received_minor: 250_001, rate: '0.000038', amount_refunded_minor: 1 },
      { created_at, currency: 'VND', additional_currency: 'EUR', amount_received_minor: 7, rate: '5' },
      { created_at, currency: 'VND', status: 'waiting', reason: 'underpaid', amount_received_minor: 7 },
    );
    const { total, currencies, days } = await readStatistics(fixture, { since: '2026-11-20', till: '2026-11-20' });
    // 0.01666… + 9.99999999999999 + 9.500038
    assert.deepEqual(total.paid_in_additional_currency, { currency: 'USD', amount: 19.52, excluded_count: 1 });
    assert.equal(days[0]?.paid_amount, 19.52);
    assert.deepEqual(currencies, [
      { currency: 'EUR', count: 6, paid_count: 6, paid_amount: 10_000_000_000_000.04, refunded_amount: 0 },
      { currency: 'VND', count: 3, paid_count: 2, paid_amount: 250_008, refunded_amount: 1 },
    ]);
    assert.deepEqual([total.count, total.paid_count, total.failed_count, total.open_count], [9, 8, 0, 1]);
  });

  test('exclude other merchants and times outside the range', async () => {
    const other = await fixture.makeMerchant('Other & Co');
    await insertRows(
      { created_at: at('2026-11-19T23:59:59.999Z') },
      { created_at: at('2026-11-20T00:00:00Z') },
      { created_at: at('2026-11-21T00:00:00Z') },
    );
    assert.equal((await readStatistics(fixture, { since: '2026-11-20', till: '2026-11-20' })).total.count, 1);
    assert.equal((await readStatistics(fixture, { since: '2026-11-20', till: '2026-11-21T00:00:00Z' })).total.count, 1);
    assert.equal((await readStatistics(fixture, {}, other.token)).total.count, 0);
  });

  test('match an independent row-by-row calculation in any time zone', async () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Cairo'];
    const row = fc.record({
      created_at: fc.integer({ min: at('2026-10-20T00:00:00Z') / MINUTE, max: at('2026-11-08T00:00:00Z') / MINUTE }),
      status: fc.constantFrom('pending', 'waiting', 'confirmed', 'failed'),
      payment_method: fc.constantFrom('credit_card', 'qr_code'),
      country: fc.constantFrom('USA', 'THA'),
      buyer_country: fc.constantFrom(null, 'TH', 'FR'),
      currency: fc.constantFrom('USD', 'EUR', 'VND'),
      amount_received_minor: fc.maxSafeNat(),
      additional_currency: fc.constantFrom('USD', 'EUR'),
      rate: fc.constantFrom('1', '1.1534', '0.000038', '0.333333333333'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 25 }), fc.constantFrom(...zones), async (rows, zone) => {
        await clearRows();
        const inserted = rows.map((each): TestRow => {
          const status = each.status;
          const amount = each.amount_received_minor % 1_000_000_000_000;
          return {
            ...paid,
            ...each,
            created_at: each.created_at * MINUTE,
            status,
            reason: status === 'failed' ? 'expired' : null,
            currency: each.currency,
            amount_received_minor: amount,
          };
        });
        await insertRows(...inserted);
        const statistics = await readStatistics(fixture, { since: '2026-10-22', till: '2026-11-05', time_zone: zone });
        assert.deepEqual(statistics, { ...countedByHand(inserted, zone, statistics), waiting: statistics.waiting });
      }),
      { numRuns: 40 },
    );
  });

  test('refuse a range that is too long, empty or invalid, and an unknown time zone', async () => {
    for (const [query, pointer, code] of [
      ['time_zone=Europe/Atlantis', '?time_zone', 'unknown_time_zone'],
      ['time_zone=%2B05:53', '?time_zone', 'unknown_time_zone'],
      ['time_zone=%2B24:00', '?time_zone', 'unknown_time_zone'],
      ['since=2025-01-01&till=2026-01-02', '?since', 'too_long'],
      ['since=1969-12-31&till=1969-12-31', '?since', 'too_small'],
      ['since=2026-01-02&till=2026-01-01', '?till', 'empty_span'],
      ['since=2027-01-01', '?since', 'empty_span'],
      ['since=soon', '?since', 'invalid_time'],
      ['currency=USD', '?currency', 'unknown_field'],
    ]) {
      const { status, body, text } = await fixture.request(`/v1/statistics?${query}`);
      assert.equal(status, 422, query);
      assert.deepEqual([body.errors[0].pointer, body.errors[0].code], [pointer, code], text);
    }
    assert.equal(
      (await readStatistics(fixture, { since: '2024-01-01', till: '2024-12-31', time_zone: 'Asia/Tokyo' })).days.length,
      366,
    );
    assert.equal((await readStatistics(fixture, { time_zone: 'Asia/Calcutta' })).time_zone, 'Asia/Calcutta');
  });
});

/** Calculates the statistics row by row. */
function countedByHand(
  rows: readonly TestRow[],
  zone: string,
  { since, till }: Statistics,
): Omit<Statistics, 'waiting'> {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const local = ({ created_at: created }: TestRow) => format.format(created / 1000);
  const within = rows.filter(({ created_at: created }) => created >= at(since) && created < at(till));
  const sum = (some: readonly TestRow[]) => {
    const done = some.filter(({ status }) => status === 'confirmed');
    const paidTotal = done
      .filter(({ additional_currency: additional }) => additional === 'USD')
      .reduce((all, row) => all.plus(new Big(row.amount_received_minor).div(10 ** units(row)).times(row.rate)), Big(0));
    return { count: some.length, paid_count: done.length, paid_amount: Number(paidTotal.round(2, Big.roundHalfEven)) };
  };
  const grouped = (nameOf: (row: TestRow) => string) =>
    [...new Set(within.map(nameOf))]
      .map((name): [string, TestRow[]] => [name, within.filter((row) => nameOf(row) === name)])
      .toSorted(([one, some], [other, more]) => more.length - some.length || (one < other ? -1 : 1));
  const count = (...statuses: string[]) => within.filter(({ status }) => statuses.includes(status)).length;
  const failed = count('failed');
  const total = sum(within);
  const over = total.paid_count + failed;
  return {
    ...{ since, till, time_zone: zone },
    currencies: grouped(({ currency }) => currency).map(([currency, some]) => {
      const minor = some.reduce((all, row) => all + (row.status === 'confirmed' ? row.amount_received_minor : 0), 0);
      const { count: all, paid_count: done } = sum(some);
      const amount = Number(new Big(minor).div(10 ** units(some[0] as TestRow)));
      return { currency, count: all, paid_count: done, paid_amount: amount, refunded_amount: 0 };
    }),
    total: {
      count: total.count,
      paid_count: total.paid_count,
      failed_count: failed,
      open_count: count('pending', 'waiting'),
      paid_share: over === 0 ? null : Number((total.paid_count / over).toFixed(4)),
      paid_in_additional_currency: {
        currency: 'USD',
        amount: total.paid_amount,
        excluded_count: within.filter((row) => row.status === 'confirmed' && row.additional_currency !== 'USD').length,
      },
    },
    days: Array.from({ length: 15 }, (_, index) => {
      const date = formatInstant(at('2026-10-22T00:00:00Z') + index * DAY).slice(0, 10);
      return { date, ...sum(within.filter((row) => local(row).startsWith(date))) };
    }),
    hours: Array.from({ length: 24 }, (_, hour) => {
      const { count: all, paid_count: done } = sum(within.filter((row) => Number(local(row).slice(11, 13)) === hour));
      return { hour, count: all, paid_count: done };
    }),
    methods: grouped((row) => row.payment_method).map(([method, some]) => ({ payment_method: method, ...sum(some) })),
    countries: grouped((row) => ({ TH: 'THA', FR: 'FRA' })[row.buyer_country ?? ''] ?? row.country).map(
      ([country, some]) => ({ country, ...sum(some) }),
    ),
    failures: failed === 0 ? [] : [{ reason: 'expired', count: failed }],
  };
}

function units({ currency }: TestRow): number {
  return minorUnitsOf(currency);
}

describe('statistics of a shop', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture({ post: () => Promise.resolve({ status: 410, retryAfter: null, body: '' }) });
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  test('count failures by the last decline, and pending reviews', async () => {
    await submitCard(fixture, (await createLink(fixture)).reference, cards.expired);
    await createLink(fixture);
    await fixture.advance(DAY);
    await submitCard(fixture, (await createLink(fixture)).reference);
    const unlucky = (await createLink(fixture)).reference;
    for (let index = 0; index < 4; index += 1) await submitCard(fixture, unlucky, cards.declined);
    await submitCard(fixture, unlucky, cards.insufficientFunds);
    const { reference } = await createLink(fixture);
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
    const { startPayment, simulate } = createBuyers(() => fixture);
    const link = await createLink(fixture, {
      ...{ payment_method: 'qr_code', amount: 1250, country: 'THA', currency: 'THB' },
    });
    await simulate(await startPayment(link, 'qr_code'), 'underpay');
    await fixture.work();
    const { create, pay } = invoicesOf(() => fixture);
    await pay(await create(), 1n);
    await fixture.work();
    const statistics = await readStatistics(fixture);
    assert.deepEqual(statistics.failures, [
      { reason: 'cancelled', count: 1 },
      { reason: 'expired', count: 1 },
      { reason: 'expired_card', count: 1 },
      { reason: 'insufficient_funds', count: 1 },
    ]);
    assert.deepEqual(statistics.waiting, { crypto_reviews: 1, payment_reviews: 1, failed_callbacks: 0 });
    assert.deepEqual(
      [
        statistics.total.count,
        statistics.total.paid_count,
        statistics.total.failed_count,
        statistics.total.open_count,
        statistics.total.paid_share,
      ],
      [6, 1, 4, 1, 0.2],
    );
  });
});
