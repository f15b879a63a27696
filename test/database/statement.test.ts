import { db, combinedStatement, statement } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../src/database/open.ts';
import { createMigratedDatabase, testEngine } from '../support/databases.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('a prepared statement', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  test('runs with new values, inside and outside of transactions, on each open database', async () => {
    let built = 0;
    const write = statement(
      (
        query,
        {
          preference,
        }: { preference: { merchant_id: number; key: string; value: string; created_at: number; updated_at: number } },
      ) => {
        built += 1;
        return query.insertInto('preferences').values(preference).returning('key');
      },
    );
    const read = statement((query, { key, words }: { key: string; words: { first: string; second: string } }) =>
      query
        .selectFrom('preferences')
        .select(['key', 'value'])
        .where('key', '=', key)
        .where('value', 'in', [words.first, words.second, 'constant']),
    );
    const other = await openFixture();
    for (const { service, merchant } of [fixture, other]) {
      const { database } = service();
      for (const value of ['one', 'two'])
        await database.inTransaction(async (unit) => {
          const preference = { merchant_id: merchant.id, key: `key-${value}`, value, created_at: 1, updated_at: 2 };
          assert.deepEqual((await write(unit, { preference })).rows, [{ key: `key-${value}` }]);
        });
      const find = async (key: string, first: string, second: string) =>
        (await read(database, { key, words: { first, second } })).rows;
      assert.deepEqual(await find('key-one', 'one', 'none'), [{ key: 'key-one', value: 'one' }]);
      assert.deepEqual(await find('key-two', 'none', 'two'), [{ key: 'key-two', value: 'two' }]);
      assert.deepEqual(await find('key-two', 'none', 'one'), []);
    }
    await other.close();
    assert.equal(built, 2);
  });

  test('returns the number of changed rows', async () => {
    const { database } = fixture.service();
    const rename = statement((query, { id, name }: { id: number; name: string }) =>
      query.updateTable('merchants').set({ name }).where('id', '=', id),
    );
    assert.equal((await rename(database, { id: fixture.merchant.id, name: 'Other' })).numAffectedRows, 1n);
    assert.equal((await rename(database, { id: -1, name: 'Other' })).numAffectedRows, 0n);
  });

  test('must name its result columns', async () => {
    const { database } = fixture.service();
    const all = statement((query, { id }: { id: number }) =>
      query.selectFrom('merchants').selectAll().where('id', '=', id),
    );
    await assert.rejects(all(database, { id: 1 }), /must name its columns/);
  });

  test('still works after a migration adds columns', async () => {
    const other = await openFixture();
    const { database } = other.service();
    const nameOf = statement((query, { id }: { id: number }) =>
      query.selectFrom('merchants').select(['id', 'name']).where('id', '=', id),
    );
    const both = combinedStatement((query, { id }: { id: number }) => ({
      merchants: query.selectFrom('merchants').select('name').where('id', '=', id),
    }));
    const read = async () => {
      // One run per connection, so that each has prepared it.
      for (let run = 0; run < 10; run += 1)
        await Promise.all(Array.from({ length: 10 }, async () => await nameOf(database, { id: other.merchant.id })));
      const { merchants } = await both(database, { id: other.merchant.id });
      return merchants.length;
    };
    assert.equal(await read(), 1);
    await sql`alter table merchants add column motto text`.execute(db(database));
    assert.equal(await read(), 1);
    await other.close();
  });
});

if (testEngine === 'postgres') {
  test('PostgreSQL keeps a statement prepared, unless the operator disables it', async () => {
    const { url, drop } = await createMigratedDatabase();
    const read = statement((query, { id }: { id: number }) =>
      query.selectFrom('merchants').select('name').where('id', '=', id),
    );
    const prepared = async (prepares: boolean) => {
      const database = openDatabase(url, assert.fail, { maxConnections: 1, usePreparedStatements: prepares });
      await read(database, { id: 1 });
      const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
        db(database),
      );
      await database.close();
      return rows.map(({ statement: text }) => text);
    };
    assert.deepEqual(await prepared(true), ['select "name" from "merchants" where "id" = $1']);
    assert.deepEqual(await prepared(false), []);
    await drop();
  });
}

describe('a combined statement', () => {
  test('returns each list in its order, with numbers and nulls unchanged', async () => {
    const fixture = await openFixture();
    const { database } = fixture.service();
    const preferencesOf = combinedStatement((query, { merchant, least }: { merchant: number; least: number }) => ({
      newest: query
        .selectFrom('preferences')
        .select(['merchant_id', 'key', 'value', 'created_at', 'updated_at'])
        .where('merchant_id', '=', merchant)
        .where('created_at', '>=', least)
        .orderBy('created_at', 'desc'),
      endpoints: query
        .selectFrom('webhook_endpoints')
        .select(['merchant_id', 'previous_secret'])
        .where('merchant_id', '=', merchant),
    }));
    const merchant = fixture.merchant.id;
    const endpoints = [{ merchant_id: merchant, previous_secret: null }];
    assert.deepEqual(await preferencesOf(database, { merchant, least: 0 }), { newest: [], endpoints });
    const row = (key: string, moment: number) => ({
      merchant_id: merchant,
      key,
      value: `"O’Brien, \\ and \u2028"`,
      created_at: moment,
      updated_at: Number.MAX_SAFE_INTEGER,
    });
    await database.inTransaction(async (unit) => {
      const rows = [row('a', 2), row('b', 1), row('c', 3)];
      await db(unit).insertInto('preferences').values(rows).execute();
      assert.deepEqual(await preferencesOf(unit, { merchant, least: 2 }), {
        newest: [row('c', 3), row('a', 2)],
        endpoints,
      });
    });
    assert.equal((await preferencesOf(database, { merchant, least: 0 })).newest.length, 3);
    await fixture.close();
  });
});
