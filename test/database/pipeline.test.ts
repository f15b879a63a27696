import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database, UnitOfWork } from '../../src/database/database.ts';
import type { Runner } from '../../src/database/engine.ts';
import { openDatabase } from '../../src/database/open.ts';
import { inOneRoundTrip, statement, pipelinedStatement } from '../../src/database/statement.ts';
import { createTestDatabase, type TestDatabase, testEngine } from '../support/databases.ts';

const insert = pipelinedStatement(
  (_query, { id }: { id: number }) => sql`insert into notes (id, text) values (${id}, '')`,
);
const rename = pipelinedStatement(
  (_query, { id, text }: { id: number; text: string }) => sql`update notes set text = ${text} where id = ${id}`,
  { rows: 1 },
);
const count = statement(
  (_query, { id }: { id: number }) => sql<{ notes: number }>`
  select cast(count(*) as integer) as notes from notes where id >= ${id}`,
);

describe('pipelined statements', () => {
  let stored: TestDatabase;
  let database: Database;
  before(async () => {
    stored = await createTestDatabase();
    database = openDatabase(stored.url, (error) => {
      throw error;
    });
    await sql`create table notes (id integer primary key, text text not null)`.execute(database.query);
  });
  beforeEach(async () => await sql`delete from notes`.execute(database.query));
  after(async () => {
    await database.close();
    await stored.drop();
  });

  const counted = async (reader: Runner = database) => (await count(reader, { id: 0 })).rows[0]?.notes;
  const assertRefused = async (work: (unit: UnitOfWork) => Promise<unknown>, message: RegExp) => {
    await assert.rejects(database.inTransaction(work), message);
    assert.equal(await counted(), 0);
  };

  test('are seen by the next statement and committed', async () => {
    await database.inTransaction(async (unit) => {
      await insert(unit, { id: 1 });
      await rename(unit, { id: 1, text: 'tea' });
      assert.equal(await counted(unit), 1);
      await insert(unit, { id: 2 });
    });
    assert.equal(await counted(), 2);
  });

  test('reject the unit of work if they fail', async () => {
    const duplicate = async (unit: UnitOfWork) => {
      await insert(unit, { id: 1 });
      await insert(unit, { id: 1 });
    };
    await assertRefused(duplicate, /unique/i);
    await assertRefused(async (unit) => {
      await duplicate(unit);
      await counted(unit);
    }, /unique/i);
  });

  test('reject the unit of work if they change an unexpected number of rows', async () => {
    const renameNone = async (unit: UnitOfWork) => {
      await insert(unit, { id: 1 });
      await rename(unit, { id: 2, text: 'tea' });
    };
    await assertRefused(renameNone, /changed 0 rows instead of 1/);
    await assertRefused(async (unit) => {
      await renameNone(unit);
      await counted(unit);
    }, /changed 0 rows instead of 1/);
  });

  test('leave the connection usable after a failure', async () => {
    for (let times = 0; times < 20; times += 1)
      await assertRefused(async (unit) => {
        await insert(unit, { id: 1 });
        await rename(unit, { id: 2, text: 'tea' });
      }, /changed 0 rows/);
    await database.inTransaction(async (unit) => await insert(unit, { id: 1 }));
    assert.equal(await counted(), 1);
  });

  if (testEngine === 'postgres') {
    test('a failed notification rejects the unit of work', async () => {
      await assertRefused(async (unit) => {
        await insert(unit, { id: 1 });
        unit.announce('x'.repeat(8000));
      }, /payload string too long/);
    });

    test('write nothing if the transaction does not begin', async (context) => {
      const plain = pg.Client.prototype.query;
      context.after(() => mock.restoreAll());
      mock.method(pg.Client.prototype, 'query', function query(this: pg.Client, ...requested: unknown[]) {
        const [{ text }] = requested as [{ text: string }];
        if (text === 'begin') return Promise.reject(new Error('cancelled'));
        return Reflect.apply(plain, this, requested) as never;
      });
      await assertRefused(async (unit) => await insert(unit, { id: 1 }), /cancelled/);
      await assertRefused(async (unit) => {
        await counted(unit);
        await insert(unit, { id: 1 });
      }, /cancelled/);
      await assertRefused(
        async ({ query }) => await sql`insert into notes (id, text) values (1, '')`.execute(query),
        /cancelled/,
      );
    });

    test('two statements in one round trip: the second sees the changes that the first waited for', async () => {
      await database.inTransaction(async (unit) => await insert(unit, { id: 1 }));
      const lock = statement((_query, { id }: { id: number }) => sql`select id from notes where id = ${id} for update`);
      let waiting: Promise<number | undefined> | undefined;
      await database.inTransaction(async (unit) => {
        await lock(unit, { id: 1 });
        waiting = database.inTransaction(async (other) => {
          const [, { rows }] = await inOneRoundTrip(other, lock.bind(other, { id: 1 }), count.bind(other, { id: 0 }));
          return rows[0]?.notes;
        });
        await untilBlocked(database);
        await insert(unit, { id: 2 });
      });
      assert.equal(await waiting, 2);
    });
  }
});

/** Resolves when a statement waits for a lock. */
async function untilBlocked({ query }: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_locks where not granted`.execute(query);
    if (rows.length > 0) return;
  }
}
