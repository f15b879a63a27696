import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { MAX_SEARCH_ROWS } from '../../src/database/search.ts';
import { transactionMetadata } from '../../src/payments/schema.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { invoicesOf } from '../support/invoices.ts';
import { copyTransaction } from '../support/many-transactions.ts';
import { createLink, creation, detailOf } from '../support/requests.ts';
import { db } from '../support/tables.ts';

describe('metadata', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  after(async () => await fixture.close());
  const invoices = invoicesOf(() => fixture);

  const list = async (query: Record<string, string>, path = '/fiat/v1/transactions', token?: string) =>
    await fixture.request(`${path}?${new URLSearchParams(query)}`, token === undefined ? {} : { token });
  const references = async (query: Record<string, string>, token?: string): Promise<string[]> =>
    (await list(query, undefined, token)).body.transactions.map(
      (each: { transaction_id: string }) => each.transaction_id,
    );
  const pairs = { cart: '7731', 'CRM id': 'Zoë & Söhne/42', note: '=1+1;=2' };

  test('is returned by the API, in webhooks and in exports, and not to payers', async () => {
    const { reference, path } = await createLink(fixture, { metadata: pairs });
    assert.deepEqual((await detailOf(fixture, reference)).metadata, pairs);
    const { transactions } = (await list({ search: reference })).body;
    assert.deepEqual(transactions[0].metadata, pairs);
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
    const { events } = (await fixture.request('/v1/events')).body;
    assert.deepEqual(events.at(-1).data.metadata, pairs);

    const csv = await fixture.request(`/fiat/v1/transactions/export?search=${reference}`);
    const [row] = parse<{ metadata: string }>(csv.text, { columns: true });
    assert.deepEqual(JSON.parse(row?.metadata ?? ''), { ...pairs, note: "=1+1;'=2" });

    for (const page of [path, `${path}/state`])
      assert.doesNotMatch((await fixture.request(page, { token: null })).text, /7731/, page);
    const without = await createLink(fixture);
    assert.equal('metadata' in (await detailOf(fixture, without.reference)), false);
  });

  test('is part of the request that a repeated creation must match', async () => {
    const body = creation({ metadata: { cart: 'a' } });
    assert.equal((await fixture.request('/fiat/v1/transaction', { body })).status, 200);
    assert.equal((await fixture.request('/fiat/v1/transaction', { body })).status, 200);
    const other = { ...body, metadata: { cart: 'b' } };
    assert.equal((await fixture.request('/fiat/v1/transaction', { body: other })).body.code, 'transaction_id_conflict');
  });

  test('has at most 50 pairs of short texts', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key ${n}`, 'x']));
    const refused: [metadata: unknown, problem: string][] = [
      [many(51), '/metadata too_long'],
      [{ ['k'.repeat(41)]: 'x' }, `/metadata/${'k'.repeat(41)} invalid_key`],
      [{ '': 'x' }, '/metadata/ invalid_key'],
      [{ 'a[b]': 'x' }, '/metadata/a[b] invalid_key'],
      [{ 'a=b': 'x' }, '/metadata/a=b invalid_key'],
      [{ cart: 'x'.repeat(501) }, '/metadata/cart too_long'],
      [{ cart: '' }, '/metadata/cart required'],
      [{ cart: 7731 }, '/metadata/cart invalid_type'],
      [['cart'], '/metadata invalid_type'],
    ];
    for (const [metadata, problem] of refused) {
      const { status, body } = await fixture.request('/fiat/v1/transaction', { body: creation({ metadata }) });
      const problems = body.errors?.map((each: { pointer: string; code: string }) => `${each.pointer} ${each.code}`);
      assert.deepEqual([status, problems], [422, [problem]]);
    }
    const longest = { ...many(49), ['🫖'.repeat(40)]: '🫖'.repeat(500) };
    const { reference } = await createLink(fixture, { metadata: longest });
    assert.deepEqual((await detailOf(fixture, reference)).metadata, longest);
    assert.deepEqual(await references({ [`metadata[${'🫖'.repeat(40)}]`]: '🫖'.repeat(500) }), [reference]);
  });

  test('filters lists by all pairs exactly, and is found by a whole value', async () => {
    const [first, second] = [
      await createLink(fixture, { metadata: { shop: 'Oslo', cart: 'c-1' } }),
      await createLink(fixture, { metadata: { shop: 'Oslo', cart: 'c-2' } }),
    ];
    const both = [second.reference, first.reference];
    assert.deepEqual(await references({ 'metadata[shop]': 'Oslo' }), both);
    assert.deepEqual(await references({ 'metadata[shop]': 'Oslo', 'metadata[cart]': 'c-1' }), [first.reference]);
    assert.deepEqual(await references({ 'metadata[shop]': 'Oslo', search: first.reference }), [first.reference]);
    assert.deepEqual(await references({ search: 'c-2' }), [second.reference]);
    for (const none of [{ 'metadata[shop]': 'oslo' }, { 'metadata[shop]': 'Os' }, { 'metadata[cart]': 'Oslo' }])
      assert.deepEqual(await references(none as Record<string, string>), []);
    assert.deepEqual(await references({ 'metadata[shop]': 'Oslo' }, (await fixture.makeMerchant('Other')).token), []);

    const csv = await fixture.request('/fiat/v1/transactions/export?metadata[shop]=Oslo&metadata[cart]=c-2');
    assert.equal(csv.text.trimEnd().split('\r\n').length, 2);
    for (const [query, pointer] of [
      ['metadata[a]=1&metadata[a]=2', '?metadata[a]'],
      ['metadata=1', '?metadata'],
      // Without the filter, it would return every record.
      ['metadata[order]=', '?metadata[order]'],
      ['metadata[]=', '?metadata[]'],
      [`metadata[${'k'.repeat(41)}]=1`, `?metadata[${'k'.repeat(41)}]`],
      ['metadata[__proto__]=1', '?metadata[__proto__]'],
      ['metadata[shop]=Oslo&metadata[__proto__]=1', '?metadata[__proto__]'],
    ]) {
      for (const path of [
        '/fiat/v1/transactions',
        '/fiat/v1/transactions/export',
        '/fiat/v1/reusable-links',
        '/v1/transactions',
      ]) {
        const { status, body } = await fixture.request(`${path}?${query}`);
        assert.deepEqual(
          [status, body.errors?.map((each: { pointer: string }) => each.pointer)],
          [422, [pointer]],
          path,
        );
      }
    }
    const unknown = await fixture.request('/v1/callbacks?metadata[a]=1');
    assert.equal(unknown.body.errors[0].pointer, '?metadata');
  });

  test('filters many matches', async () => {
    const { reference } = await createLink(fixture, { metadata: { shop: 'Bergen', size: 'big', cart: 'c-3' } });
    const { database } = fixture.service();
    const tables = db(database);
    const { id, merchant_id } = await tables
      .selectFrom('fiat_transactions')
      .select(['id', 'merchant_id'])
      .where('transaction_id', '=', reference)
      .executeTakeFirstOrThrow();
    await copyTransaction(database, id, 2 * MAX_SEARCH_ROWS);
    /** Every second copy has one pair, the others have the other. */
    const copyPair = async (key: string, value: string, remainder: number) =>
      await tables
        .insertInto('fiat_transaction_metadata')
        .columns(['merchant_id', 'value', 'key', 'record_id'])
        .expression(
          tables
            .selectFrom('fiat_transactions')
            .where('transaction_id', 'like', 'copy-%')
            .where(sql<boolean>`id % 2 = ${sql.lit(remainder)}`)
            .select(({ val, ref }) => [
              val(merchant_id).as('m'),
              val(value).as('v'),
              val(key).as('k'),
              ref('id').as('r'),
            ]) as never,
        )
        .execute();
    await copyPair('shop', 'Bergen', 0);
    await copyPair('size', 'big', 1);
    const { pagination } = (await list({ 'metadata[shop]': 'Bergen' })).body;
    assert.deepEqual([pagination.total, pagination.total_capped], [MAX_SEARCH_ROWS, true]);
    assert.deepEqual(await references({ 'metadata[shop]': 'Bergen', 'metadata[cart]': 'c-3' }), [reference]);
    assert.equal((await list({ search: 'Bergen' })).body.pagination.total, MAX_SEARCH_ROWS);
    // Both pairs are frequent, and few records have both.
    assert.deepEqual(await references({ 'metadata[shop]': 'Bergen', 'metadata[size]': 'big' }), [reference]);
    const both = await transactionMetadata.search(database, merchant_id, { shop: 'Bergen', size: 'big' });
    assert.equal(both?.isSelective, true);
    // Many records have both.
    await copyPair('size', 'big', 0);
    const { body } = await list({ 'metadata[shop]': 'Bergen', 'metadata[size]': 'big' });
    assert.equal(body.pagination.total, MAX_SEARCH_ROWS);
  });

  test('of a crypto invoice', async () => {
    const metadata = { cart: '9001' };
    const invoice = await invoices.create({ metadata });
    const other = await invoices.create();
    assert.deepEqual((await invoices.get(invoice)).metadata, metadata);
    assert.equal((await invoices.get(other)).metadata, undefined);
    assert.deepEqual(
      (await invoices.list({ 'metadata[cart]': '9001' })).map(({ id }) => id),
      [invoice.id],
    );
    assert.deepEqual(
      (await invoices.list({ search: '9001' })).map(({ id }) => id),
      [invoice.id],
    );
    assert.deepEqual(await invoices.list({ 'metadata[cart]': '900' }), []);
    const { events } = (await fixture.request('/v1/events')).body;
    assert.deepEqual(
      events.find((event: { data: { id?: string } }) => event.data.id === invoice.id).data.metadata,
      metadata,
    );
    const page = await fixture.request(new URL(invoice.link.payment).pathname, { token: null });
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /9001/);
  });

  test('of a reusable link is copied to its transactions', async () => {
    const body = {
      ...{ title: 'Workshop', amount: 45, country: 'USA', currency: 'USD', payment_method: 'credit_card' },
      metadata: { 'event "spring"': 'w-1' },
    };
    const { body: link } = await fixture.request('/fiat/v1/reusable-links', { body });
    assert.deepEqual(link.metadata, body.metadata);
    const { text } = await fixture.request(new URL(link.url).pathname, { token: null });
    assert.doesNotMatch(text, /w-1/);
    const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const bought = await fetch(fixture.url + new URL(link.url).pathname, {
      ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ token, locale: 'en' }) },
    });
    assert.equal(bought.status, 303);
    const [issued = ''] = await references({ 'metadata[event "spring"]': 'w-1' });
    assert.equal((await detailOf(fixture, issued)).reusable_link_id, link.id);

    const ids = async (value: string) =>
      (await list({ 'metadata[event "spring"]': value }, '/fiat/v1/reusable-links')).body.reusable_links.map(
        (each: { id: string }) => each.id,
      );
    assert.deepEqual(await ids('w-1'), [link.id]);
    assert.deepEqual(await ids('w-2'), []);
    const change = { id: link.id, metadata: { season: 'autumn' } };
    const changed = await fixture.request('/fiat/v1/reusable-link', { method: 'PATCH', body: change });
    assert.deepEqual(changed.body.metadata, change.metadata);
    const kept = await fixture.request('/fiat/v1/reusable-link', { method: 'PATCH', body: { id: link.id, stock: 3 } });
    assert.deepEqual(kept.body.metadata, change.metadata);
  });

  test('loses an erased payer’s data, in searches too', async () => {
    const email = 'zoe@post.example';
    const metadata = { customer: email, cart: 'c-9' };
    const { reference } = await createLink(fixture, { payer: { email }, metadata });
    assert.deepEqual(await references({ 'metadata[customer]': email }), [reference]);
    const erased = await fixture.request('/v1/payers/erase', { body: { email }, token: fixture.merchant.managerToken });
    assert.deepEqual(erased.body, { transactions: 1 });
    assert.deepEqual((await detailOf(fixture, reference)).metadata, { customer: '[erased]', cart: 'c-9' });
    assert.deepEqual(await references({ 'metadata[customer]': email }), []);
    assert.deepEqual(await references({ search: email }), []);
    assert.deepEqual(await references({ 'metadata[cart]': 'c-9' }), [reference]);
  });
});

describe('the language of a payment page', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  after(async () => await fixture.close());
  const languageOf = async (path: string) => {
    const { text } = await fixture.request(path, { token: null, headers: { 'accept-language': 'fr' } });
    // The attribute has a region too.
    return /<html lang="(\w+)/.exec(text)?.[1];
  };

  test('is the merchant’s until the payer chooses another', async () => {
    const link = await createLink(fixture, { locale: 'de' });
    assert.equal((await detailOf(fixture, link.reference)).locale, 'de');
    assert.equal(await languageOf(link.path), 'de');
    assert.equal(await languageOf(`${link.path}?locale=es`), 'es');
    assert.equal(await languageOf(link.path.replace('/p/', '/e/')), 'de');
    await fixture.request(`${link.path}/locale`, { token: null, body: { locale: 'th' } });
    assert.equal(await languageOf(link.path), 'th');
    const without = await createLink(fixture);
    assert.equal(await languageOf(without.path), 'fr');
  });

  test('is set for invoices too', async () => {
    const invoice = await invoicesOf(() => fixture).create({ locale: 'zh-Hant' });
    assert.equal(invoice.locale, 'zh-Hant');
    const { pathname } = new URL(invoice.link.payment);
    assert.equal(await languageOf(pathname), 'zh');
    assert.equal(await languageOf(`${pathname}?locale=es`), 'es');
  });

  test('must be one of the pages’ languages', async () => {
    for (const locale of ['xx', 'tlh', 'DE', '']) {
      const { status, body } = await fixture.request('/fiat/v1/transaction', { body: creation({ locale }) });
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/locale', 'invalid_value']);
    }
  });
});
