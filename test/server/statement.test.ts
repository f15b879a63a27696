import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { statement } from '../../src/platform/database/statement.ts';
import { openWorld, type World } from '../support/world.ts';

describe('a statement that is built once', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(async () => await world.close());

  test('runs with the values of each run, in units and outside, on each database that is open', async () => {
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
    const other = await openWorld();
    for (const { service, merchant } of [world, other]) {
      const { database } = service();
      for (const value of ['one', 'two'])
        await database.inUnit(async (unit) => {
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

  test('tells how many rows it changed', async () => {
    const { database } = world.service();
    const rename = statement((query, { id, name }: { id: number; name: string }) =>
      query.updateTable('merchants').set({ name }).where('id', '=', id),
    );
    assert.equal((await rename(database, { id: world.merchant.id, name: 'Other' })).numAffectedRows, 1n);
    assert.equal((await rename(database, { id: -1, name: 'Other' })).numAffectedRows, 0n);
  });
});
