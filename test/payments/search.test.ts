import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { invoicesOf } from '../support/invoices.ts';
import { copyTransaction } from '../support/many-transactions.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { cards, createLink, submission, submitCard } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('the search in the list of transactions', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
    const make = async (name: string, fields: Record<string, unknown>) => {
      fixture.clock.advance(1);
      await createLink(fixture, { transaction_id: name, ...fields });
    };
    await make('tea-1', { amount: 12.5 });
    await make('tea-2', { amount: 4242 });
    await make('Tea-3', { amount: 12.5, currency: 'EUR', country: 'FRA' });
    await make('tee-4', { amount: 1250, currency: 'VND', country: 'VNM', payment_method: 'qr_code' });
    await make('4242-5', { amount: 1250, currency: 'THB', country: 'THA', payment_method: 'qr_code' });
    await make('te_a%6', { amount: 7 });
    await make('té-7', { amount: 8 });
    await make('\u{1F375}-8', { amount: 9 });
    await submitCard(fixture, 'tea-1', cards.declined);
    await submitCard(fixture, 'tea-1', cards.visa);
    await submitCard(fixture, 'Tea-3', cards.mastercard);
    const other = await fixture.makeMerchant('Other & Co');
    await fixture.request('/fiat/v1/transaction', {
      token: other.token,
      body: {
        ...{ transaction_id: 'tea-9', payment_method: 'credit_card', amount: 12.5, country: 'USA', currency: 'USD' },
        ...{ transaction_type: 'custom_form' },
      },
    });
  });
  after(async () => await fixture.close());

  const names = async (query: Record<string, string>) => {
    const { status, body, text } = await fixture.request(`/fiat/v1/transactions?${new URLSearchParams(query)}`);
    assert.equal(status, 200, text);
    return body.transactions.map(({ transaction_id: name }: { transaction_id: string }) => name).join(' ');
  };

  test('finds references by prefix, case-sensitively, newest first', async () => {
    assert.equal(await names({ search: 'tea-' }), 'tea-2 tea-1');
    assert.equal(await names({ search: 'te' }), 'te_a%6 tee-4 tea-2 tea-1');
    assert.equal(await names({ search: 'Tea' }), 'Tea-3');
    assert.equal(await names({ search: 'té' }), 'té-7');
    assert.equal(await names({ search: '\u{1F375}' }), '\u{1F375}-8');
    assert.equal(await names({ search: 'te_' }), 'te_a%6');
    assert.equal(await names({ search: 'te%' }), '');
    assert.equal(await names({ search: 'tea-10' }), '');
    assert.equal(await names({ search: 'tea-1' }), 'tea-1');
  });

  test('finds four digits as the end of a card, and a number as an amount', async () => {
    assert.equal(await names({ search: '4242' }), '4242-5 tea-2 tea-1');
    assert.equal(await names({ search: '4444' }), 'Tea-3');
    assert.equal(await names({ search: '444' }), '');
    assert.equal(await names({ search: '12.5' }), 'Tea-3 tea-1');
    assert.equal(await names({ search: '12.50' }), 'Tea-3 tea-1');
    assert.equal(await names({ search: '1250' }), '4242-5 tee-4');
    assert.equal(await names({ search: '1250.00' }), '4242-5 tee-4');
    assert.equal(await names({ search: '12.505' }), '');
    assert.equal(await names({ search: '-7' }), '');
    assert.equal(await names({ search: '999999999999999.999' }), '');
  });

  test('finds amounts as people write them, and masked card numbers', async () => {
    for (const search of ['$12.50', '12,50', '€ 12.50', 'USD 12.50', '12.50 EUR'])
      assert.equal(await names({ search }), 'Tea-3 tea-1', search);
    assert.equal(await names({ search: '1,250' }), '4242-5 tee-4');
    assert.equal(await names({ search: '4,242.00' }), 'tea-2');
    assert.equal(await names({ search: '•••• 4444' }), 'Tea-3');
  });

  test('combines with every other filter, order and page', async () => {
    assert.equal(await names({ search: '12.5', currency: 'EUR' }), 'Tea-3');
    assert.equal(await names({ search: 'te', country: 'VNM' }), 'tee-4');
    assert.equal(await names({ search: 'te', status: 'transaction_status_confirmed' }), 'tea-1');
    assert.equal(await names({ search: 'te', order: 'amount' }), 'te_a%6 tea-1 tee-4 tea-2');
    assert.equal(await names({ search: 'te', payment_method: 'qr_code' }), 'tee-4');
    assert.equal(await names({ search: 'te', since: '2030-01-01' }), '');
    const path = '/fiat/v1/transactions?search=te&per_page=3';
    const { body } = await fixture.request(path);
    assert.deepEqual([body.transactions.length, body.pagination.total], [3, 4]);
    assert.equal(await names({ search: 'te', per_page: '3', cursor: body.pagination.next_cursor }), 'tea-1');
    const { text } = await fixture.request('/fiat/v1/transactions/export?search=12.5');
    assert.deepEqual(
      text.match(/tea-\d/gi)?.filter((name, index, all) => all.indexOf(name) === index),
      ['Tea-3', 'tea-1'],
    );
  });

  test('filters by currency and by country alone', async () => {
    assert.equal(await names({ currency: 'THB' }), '4242-5');
    assert.equal(await names({ country: 'FRA' }), 'Tea-3');
    assert.equal(await names({ currency: 'THB', country: 'FRA' }), '');
    for (const [query, pointer] of [
      ['currency=XXX', '?currency'],
      ['country=TH', '?country'],
      [`search=${'x'.repeat(65)}`, '?search'],
      ['search=%00', '?search'],
    ]) {
      const { status, body } = await fixture.request(`/fiat/v1/transactions?${query}`);
      assert.equal(status, 422, query);
      assert.equal(body.errors[0].pointer, pointer);
    }
  });

  test('finds the same among thousands of matches', async () => {
    const { database } = fixture.service();
    const model = db(database).selectFrom('fiat_transactions').select('id');
    const { id } = await model.where('transaction_id', '=', 'tea-1').executeTakeFirstOrThrow();
    await copyTransaction(database, id, 10_100);
    assert.equal(await names({ search: 'copy-', per_page: '3' }), 'copy-10100 copy-10099 copy-10098');
    assert.equal(await names({ search: '12.5', per_page: '2' }), 'copy-10100 copy-10099');
    assert.equal(await names({ search: '12.5', currency: 'EUR' }), 'Tea-3');
    assert.equal(await names({ search: 'copy-100', order: 'transaction_id', per_page: '2' }), 'copy-100 copy-1000');
    const { body } = await fixture.request('/fiat/v1/transactions?search=copy-&per_page=100&page=100');
    assert.equal(body.transactions.at(-1).transaction_id, 'copy-101');
    assert.equal(body.pagination.total_capped, true);
    assert.equal(
      await names({ search: 'copy-', per_page: '100', cursor: body.pagination.next_cursor }),
      Array.from({ length: 100 }, (_, index) => `copy-${100 - index}`).join(' '),
    );
    // One attempt of each would also exceed the limit.
    const attempt = await db(database).selectFrom('card_attempts').selectAll().limit(1).executeTakeFirstOrThrow();
    const copies = await db(database)
      .selectFrom('fiat_transactions')
      .select('id')
      .where('transaction_id', 'like', 'copy-%')
      .execute();
    for (let from = 0; from < copies.length; from += 500) {
      const rows = copies.slice(from, from + 500).map((copy) => {
        const { id: _, ...rest } = attempt;
        return { ...rest, fiat_transaction_id: copy.id, attempt_key: `copy-${copy.id}`, last4: '1111' };
      });
      await db(database).insertInto('card_attempts').values(rows).execute();
    }
    assert.equal(await names({ search: '1111', per_page: '2' }), 'copy-10100 copy-10099');
    const { text } = await fixture.request('/fiat/v1/transactions/export?search=1111');
    assert.equal(text.split('\r\n').length, 10_102);
  });

  test('finds payers by a prefix of first name, last name or email, without case and accents', async () => {
    await createLink(fixture, { transaction_id: 'payer-1' });
    const payer = { first_name: 'José', last_name: 'Muñoz', email: 'Jose.M@Shop.example' };
    const { status } = await fixture.request('/fiat/v1/transaction/submit', {
      body: { ...submission('payer-1', cards.visa), ...payer },
    });
    assert.equal(status, 200);
    for (const search of ['jose mu', 'JOSÉ', 'jose.m@shop', 'Muñoz', 'MUNOZ j'])
      assert.match(await names({ search }), /payer-1/, search);
    assert.equal(await names({ search: 'uñoz' }), '');
  });

  test('finds payers that the merchant supplied, even among thousands of matches', async () => {
    const payer = { first_name: 'Zoë', last_name: 'Ångström', email: 'Copy-1@Shop.example' };
    await createLink(fixture, { transaction_id: 'given-1', country: 'FRA', currency: 'EUR', payer });
    for (const search of ['zoe ang', 'ZOË', 'angstrom', 'Ångström Zoë'])
      assert.equal(await names({ search }), 'given-1', search);
    assert.equal(await names({ search: 'ngstrom' }), '');
    assert.equal(await names({ search: 'copy-', currency: 'EUR' }), 'given-1');
    const { token } = await fixture.makeMerchant('Saucer & Co');
    const { body } = await fixture.request('/fiat/v1/transactions?search=zoe', { token });
    assert.deepEqual(body.transactions, []);
  });

  test('hides payers from credentials without approval:write, and does not search them', async () => {
    const sendRequest = async (search: string, token?: string) => {
      const path = `/fiat/v1/transactions?${new URLSearchParams({ search })}`;
      const { body } = await fixture.request(path, token === undefined ? {} : { token });
      return body.transactions;
    };
    const [seen] = await sendRequest('payer-1');
    assert.deepEqual(seen.payer, { name: 'José Muñoz', email: 'jose.m@shop.example' });
    assert.deepEqual(seen.card, { brand: 'visa', last4: '4242' });
    const made = await fixture.request('/v1/tokens', {
      ...{ token: fixture.merchant.managerToken, body: { name: 'Reports', scopes: ['transaction:read'] } },
    });
    const token = String(made.body.access_token);
    const [masked] = await sendRequest('payer-1', token);
    assert.deepEqual(masked.payer, { name: 'J••• M•••', email: 'j•••@shop.example' });
    for (const search of ['jose', 'munoz', 'zoe', 'angstrom'])
      assert.deepEqual(await sendRequest(search, token), [], search);
  });
});

describe('the search in the list of crypto transactions', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  after(async () => await fixture.close());

  test('finds a reference by prefix, a full address and a full hash', async () => {
    const { create, pay, list } = invoicesOf(() => fixture);
    const findReferences = async (search: string) => (await list({ search })).map(({ txId }) => txId).join(' ');
    const first = await create({ txId: 'coffee-1' });
    const second = await create({ txId: 'coffee-2', amount: '200000' });
    await create({ txId: 'Coffee-3', amount: '300000' });
    const hash = await pay(first);
    await fixture.work();
    assert.equal(await findReferences('coffee-'), 'coffee-2 coffee-1');
    assert.equal(await findReferences('Cof'), 'Coffee-3');
    assert.equal(await findReferences(hash), 'coffee-1');
    assert.equal(await findReferences(hash.slice(0, -1)), '');
    assert.equal(await findReferences(second.walletAddress), 'coffee-2');
    assert.equal(await findReferences(second.walletAddress.slice(0, -1)), '');
    assert.deepEqual(await list({ search: 'coffee-', status: 'pending' }), await list({ search: 'coffee-2' }));
    const { body } = await fixture.request('/v1/transactions?search=coffee-&per_page=1');
    const next = await fixture.request(`/v1/transactions?search=coffee-&per_page=1&cursor=${body.next_cursor}`);
    assert.deepEqual([next.body.transactions[0].txId, next.body.next_cursor], ['coffee-1', null]);
    const other = await fixture.makeMerchant('Other & Co');
    for (const search of ['coffee', hash, first.walletAddress]) {
      const theirs = await fixture.request(`/v1/transactions?search=${search}`, { token: other.token });
      assert.deepEqual(theirs.body.transactions, []);
    }
  });
});
