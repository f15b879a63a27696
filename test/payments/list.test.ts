import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { transactionListResponse } from '../../src/api/fiat-transaction.ts';
import { DAY, SECOND } from '../../src/shared/time.ts';
import { minorUnitsOf } from '../../src/api/currency.ts';
import { methodsForCountry, paymentMethods } from '../../src/methods/catalog.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { cards, createLink, creation, submitCard } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('the list of transactions', () => {
  let fixture: Fixture;
  const references: string[] = [];
  /** Seven transactions, the first three a day apart, with every status. */
  before(async () => {
    fixture = await openFixture();
    const make = async (name: string, amount: number) => {
      references.push((await createLink(fixture, { transaction_id: name, amount })).reference);
    };
    await make('a', 30);
    fixture.clock.advance(DAY);
    await make('b', 10);
    fixture.clock.advance(DAY);
    for (const [name, amount] of [
      ['c', 20],
      ['d', 50],
      ['e', 40],
      ['f', 70],
      ['g', 60],
    ] as const)
      await make(name, amount);
    await submitCard(fixture, 'd');
    await submitCard(fixture, 'e');
    await submitCard(fixture, 'f', cards.challenge);
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: 'g' } });
  });
  after(async () => await fixture.close());

  const list = async (query: Record<string, string> = {}) => {
    const response = await fixture.request(`/fiat/v1/transactions?${new URLSearchParams(query)}`);
    assert.equal(response.status, 200, response.text);
    return transactionListResponse.parse(response.body);
  };
  const names = async (query: Record<string, string> = {}) =>
    (await list(query)).transactions.map((transaction) => transaction.transaction_id).join('');

  test('returns all transactions, newest first, by default', async () => {
    const { transactions, pagination } = await list();
    assert.equal(transactions.map((transaction) => transaction.transaction_id).join(''), 'gfedcba');
    assert.deepEqual(pagination, { page: 1, per_page: 20, total: 7, total_capped: false, pages: 1, next_cursor: null });
    const [newest] = transactions;
    assert.equal(newest?.merchant_id, fixture.merchant.id);
    assert.equal(newest?.amount, 60);
    assert.equal(newest?.description, 'Two cups and a saucer');
  });

  test('has the same total on each page, also after the last one', async () => {
    for (const [page, shown] of [
      ['1', 3],
      ['3', 1],
      ['4', 0],
    ] as const) {
      const { transactions, pagination } = await list({ page, per_page: '3' });
      assert.deepEqual([transactions.length, pagination.total, pagination.pages], [shown, 7, 3]);
    }
    const first = await list({ per_page: '5' });
    const second = await list({ per_page: '5', cursor: first.pagination.next_cursor ?? '' });
    assert.deepEqual([second.transactions.length, second.pagination.total], [2, 7]);
    assert.equal((await list({ search: 'none' })).pagination.total, 0);
  });

  test('counts the rows of each status, whatever the status filter', async () => {
    const counts = { pending: 3, waiting: 1, confirmed: 2, failed: 1, awaiting_review: 0, authorized: 0 };
    assert.deepEqual((await list({ counts: 'true' })).counts, counts);
    assert.deepEqual((await list({ counts: 'true', status: 'transaction_status_failed' })).counts, counts);
    const matching = { pending: 1, waiting: 0, confirmed: 0, failed: 0, awaiting_review: 0, authorized: 0 };
    assert.deepEqual((await list({ counts: 'true', search: '30' })).counts, matching);
    assert.equal((await list()).counts, undefined);
  });

  test('contains the card that paid, or else the last one attempted', async () => {
    const { transactions } = await list();
    const cardOf = (name: string) => transactions.find(({ transaction_id: each }) => each === name)?.card;
    assert.deepEqual(cardOf('d'), { brand: 'visa', last4: '4242' });
    assert.equal(cardOf('f')?.last4, cards.challenge.slice(-4));
    assert.equal(cardOf('a'), undefined);
  });

  test('filters by each status', async () => {
    assert.equal(await names({ status: 'transaction_status_pending' }), 'cba');
    assert.equal(await names({ status: 'transaction_status_waiting' }), 'f');
    assert.equal(await names({ status: 'transaction_status_confirmed' }), 'ed');
    assert.equal(await names({ status: 'transaction_status_failed' }), 'g');
  });

  test('filters by several values of one filter', async () => {
    assert.equal(await names({ status: 'transaction_status_waiting,transaction_status_confirmed' }), 'fed');
    assert.equal(await names({ status: 'transaction_status_failed', reason: 'expired,cancelled' }), 'g');
    assert.equal(await names({ currency: 'EUR,USD', country: 'USA,FRA' }), 'gfedcba');
    assert.equal(await names({ currency: 'EUR,THB' }), '');
    assert.equal(await names({ payment_method: 'upi,promptpay,credit_card' }), 'gfedcba');
    assert.equal(await names({ payment_method: 'upi,promptpay' }), '');
    const { counts } = await list({ counts: 'true', status: 'transaction_status_failed,transaction_status_pending' });
    assert.deepEqual(counts, { pending: 3, waiting: 1, confirmed: 2, failed: 1, awaiting_review: 0, authorized: 0 });
    for (const [query, pointer] of [
      ['status=transaction_status_failed,failed', '?status'],
      ['status=transaction_status_failed,', '?status'],
      ['payment_method=upi,wire,card', '?payment_method'],
      [`reusable_link_id=${Array.from({ length: 51 }, () => 'a').join(',')}`, '?reusable_link_id'],
    ]) {
      const { status, body } = await fixture.request(`/fiat/v1/transactions?${query}`);
      assert.deepEqual([status, body.errors?.map((each: { pointer: string }) => each.pointer)], [422, [pointer]]);
    }
  });

  test('filters by reason, also combined with a status', async () => {
    assert.equal(await names({ reason: 'cancelled' }), 'g');
    assert.equal(await names({ reason: 'cancelled', status: 'transaction_status_waiting' }), '');
    assert.equal(await names({ reason: 'underpaid' }), '');
  });

  test('filters by method code and by the documented aliases', async () => {
    assert.equal(await names({ payment_method: 'credit_card' }), 'gfedcba');
    assert.equal(await names({ payment_method: 'cards' }), 'gfedcba');
    for (const alias of ['wire', 'cash', 'p2p', 'gcash_ewallet', 'qr_scan', 'upi2'])
      assert.equal(await names({ payment_method: alias }), '');
  });

  test('accepts ewallet for every wallet', async () => {
    const query = db(fixture.service().database).updateTable('fiat_transactions');
    await query.set({ payment_method: 'momo_ewallet' }).where('transaction_id', '=', 'a').execute();
    await query.set({ payment_method: 'gcash_ewallet' }).where('transaction_id', '=', 'c').execute();
    assert.equal(await names({ payment_method: 'ewallet' }), 'ca');
    assert.equal(await names({ payment_method: 'momo_ewallet' }), 'a');
    const { text } = await fixture.request('/fiat/v1/transactions/export?payment_method=ewallet');
    assert.deepEqual(
      Array.from(text.matchAll(/,(\w+_ewallet),/g), ([, code]) => code),
      ['gcash_ewallet', 'momo_ewallet'],
    );
    await query.set({ payment_method: 'credit_card' }).where('transaction_id', 'in', ['a', 'c']).execute();
  });

  test('orders by every field, ascending by default', async () => {
    assert.equal(await names({ order: 'amount' }), 'bcaedgf');
    assert.equal(await names({ order: 'amount', order_direction: 'desc' }), 'fgdeacb');
    assert.equal(await names({ order: 'transaction_id' }), 'abcdefg');
    assert.equal(await names({ order: 'created_at' }), 'abcdefg');
    assert.equal(await names({ order_direction: 'asc' }), 'abcdefg');
    assert.equal(await names({ order: 'status', order_direction: 'asc' }), 'degabcf');
    assert.equal((await names({ order: 'updated_at', order_direction: 'desc' })).slice(0, 4), 'gfed');
    assert.equal(await names({ order: 'payment_method' }), 'abcdefg');
  });

  test('since and till accept dates (till includes the day), date-times and seconds', async () => {
    const first = (await list({ order: 'transaction_id' })).transactions.map((transaction) => transaction.created_at);
    const day = (index: number) => first[index]?.slice(0, 10) ?? '';
    assert.equal(await names({ till: day(0) }), 'a');
    assert.equal(await names({ since: day(1) }), 'gfedcb');
    assert.equal(await names({ since: day(1), till: day(1) }), 'b');
    assert.equal(await names({ till: first[1] ?? '' }), 'a');
    assert.equal(await names({ since: String(Math.floor(Date.parse(first[1] ?? '') / 1000)) }), 'gfedcb');
    assert.equal(await names({ since: '2026-11-22T10:30:00+02:00', till: '2026-11-22 23:00:00' }), 'b');
  });

  test('pagination by number and by cursor returns each row once despite new rows', async () => {
    assert.equal(await names({ per_page: '3', page: '2' }), 'dcb');
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({
        per_page: '3',
        order: 'amount',
        ...(cursor && { cursor }),
      });
      seen.push(...page.transactions.map((transaction) => transaction.transaction_id));
      cursor = page.pagination.next_cursor;
    } while (cursor);
    assert.equal(seen.join(''), 'bcaedgf');
    const response = await fixture.request('/fiat/v1/transactions?per_page=2');
    const next =
      /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? assert.fail('no Link header');
    const following = await fixture.request(next.slice(fixture.url.length));
    assert.equal(following.body.transactions[0].transaction_id, 'e');
  });

  test('accepts the page of the last counted row, even if it could have more rows', async () => {
    assert.equal(await names({ page: '500', per_page: '20' }), '');
    assert.equal(await names({ page: '334', per_page: '30' }), '');
  });

  test('accepts its own cursor for a reference of 64 emoji', async () => {
    const { token } = await fixture.makeMerchant('Other');
    for (const first of ['a', 'b'])
      await fixture.request('/fiat/v1/transaction', {
        ...{ body: creation({ transaction_id: first + '🫖'.repeat(63) }), token },
      });
    const path = '/fiat/v1/transactions?order=transaction_id&per_page=1';
    const { body } = await fixture.request(path, { token });
    const next = await fixture.request(`${path}&cursor=${body.pagination.next_cursor}`, { token });
    assert.equal(next.status, 200, next.text);
    assert.match(next.body.transactions[0].transaction_id, /^b/);
  });

  test('refuses unknown values, with the parameter’s name', async () => {
    for (const [query, pointer] of [
      ['status=paid', '?status'],
      ['order=color', '?order'],
      ['per_page=101', '?per_page'],
      ['per_page=0', '?per_page'],
      ['page=two', '?page'],
      ['page=600&per_page=20', '?page'],
      ['page=501&per_page=20', '?page'],
      ['page=335&per_page=30', '?page'],
      ['since=yesterday', '?since'],
      ['since=2026-02-31', '?since'],
      ['payment_method=credit_kard', '?payment_method'],
      ['payment_method=paypal_ewallet', '?payment_method'],
      ['payment_method=constructor', '?payment_method'],
      ['sort=asc', '?sort'],
      ['page=1&page=2', '?page'],
      ['cursor=AAAA', '?cursor'],
      [`page=1&cursor=${(await list({ per_page: '1' })).pagination.next_cursor}`, '?page'],
    ] as const) {
      const response = await fixture.request(`/fiat/v1/transactions?${query}`);
      assert.equal(response.status, 422, query);
      assert.equal(response.body.errors[0].pointer, pointer, query);
    }
  });

  test('lists the possible values of the method filter, also in the export', async () => {
    for (const path of ['/fiat/v1/transactions', '/fiat/v1/transactions/export']) {
      const { status, body } = await fixture.request(`${path}?payment_method=credit_kard`);
      assert.equal(status, 422, path);
      assert.match(body.errors[0].detail, /^must be one of: credit_card, .*momo_ewallet, .*promptpay, .*wire, /);
    }
  });

  test('suggests %2B when the plus sign of an offset is missing', async () => {
    const detailOf = async (since: string) =>
      (await fixture.request(`/fiat/v1/transactions?since=${since}`)).body.errors[0].detail;
    assert.match(await detailOf('2026-11-23T14:00:00+02:00'), /%2B/);
    assert.doesNotMatch(await detailOf('yesterday'), /%2B/);
    assert.equal((await fixture.request('/fiat/v1/transactions?since=2026-11-23T14:00:00%2B02:00')).status, 200);
  });

  test('date-times are compared to the microsecond', async () => {
    const [a] = (await list({ order: 'transaction_id' })).transactions;
    const createdAt = a?.created_at ?? '';
    const justAfter = createdAt.replace(
      /(\d{6})Z$/,
      (_, micros: string) => `${String(Number(micros) + 1).padStart(6, '0')}Z`,
    );
    assert.equal(await names({ till: createdAt }), '');
    assert.equal(await names({ till: justAfter }), 'a');
    assert.equal(await names({ since: justAfter, till: '2026-11-21' }), '');
  });

  test('Unix times are compared to the second', async () => {
    const [only] = (await list({ till: '2026-11-21' })).transactions;
    const createdMs = Date.parse(only?.created_at ?? '');
    assert.equal(await names({ till: new Date(createdMs - SECOND / 1000).toISOString() }), '');
  });

  test('filters by the time of the last change', async () => {
    const changedSince = async (time: string) => await names({ updated_since: time });
    fixture.clock.advance(SECOND);
    const now = new Date(Math.round(fixture.clock.now() / 1000)).toISOString();
    assert.equal(await changedSince(now), '');
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: 'a' } });
    assert.equal(await changedSince(now), 'a');
    const csv = await fixture.request(`/fiat/v1/transactions/export?updated_since=${now}`);
    assert.equal(csv.text.trimEnd().split('\r\n').length, 2);
  });
});

describe('the list of transactions in several currencies', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  const read = async (query: Record<string, string>) =>
    transactionListResponse.parse((await fixture.request(`/fiat/v1/transactions?${new URLSearchParams(query)}`)).body);

  test('orders by the amount in whole units, across pages and currencies', async () => {
    const expected: number[] = [];
    for (const { code: method, countries, currencies } of paymentMethods) {
      for (const currency of currencies) {
        const worksIn = (country: string) => methodsForCountry(country, currency).some(({ code }) => code === method);
        const country = countries === 'world' ? 'USA' : countries.find(worksIn);
        for (const amount of [7, 2000, 35, 150_000, 1234]) {
          const fraction = minorUnitsOf(currency) > 0 ? 0.5 : 0;
          expected.push(amount + fraction);
          await createLink(fixture, { payment_method: method, country, currency, amount: amount + fraction });
        }
      }
    }
    for (const direction of ['asc', 'desc'] as const) {
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof read>> = await read({
          ...{ order: 'amount', order_direction: direction, per_page: '7' },
          ...(cursor && { cursor }),
        });
        seen.push(...page.transactions.map(({ amount }) => amount));
        cursor = page.pagination.next_cursor;
      } while (cursor);
      const sorted = expected.toSorted((a, b) => (direction === 'asc' ? a - b : b - a));
      assert.deepEqual(seen, sorted);
    }
  });

  test('selects PromptPay by its currency, also in the export', async () => {
    const { transactions } = await read({ payment_method: 'promptpay' });
    assert.deepEqual([...new Set(transactions.map(({ currency }) => currency))], ['THB']);
    assert.equal(transactions.length, 5);
    const { text } = await fixture.request('/fiat/v1/transactions/export?payment_method=promptpay');
    const rows = text.trimEnd().split('\r\n').slice(1);
    assert.equal(rows.length, 5);
    assert.ok(rows.every((row) => row.includes('THB') && !row.includes('VND')));
    const both = await read({ payment_method: 'qr_scan', per_page: '100' });
    assert.deepEqual(new Set(both.transactions.map(({ currency }) => currency)), new Set(['THB', 'VND']));
  });
});
