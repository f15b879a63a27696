// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openFixture } from '../support/fixture.ts';
import { creation } from '../support/requests.ts';

/** A row larger than the connection's cache: SQLite writes it before the commit, and rolls back on its own. */
const LARGE_BYTES = 8 * 1024 * 1024;

test('a read-only or full database is unavailable, and the service recovers', async () => {
  const fixture = await openFixture();
  try {
    const { database } = fixture.service();
    const set = async (pragma: string) => await sql.raw(`pragma ${pragma}`).execute(database.query);
    const create = async () => await fixture.request('/fiat/v1/transaction', { body: creation() });
    const readiness = async () => (await fixture.request('/readyz', { token: null })).status;
    const assertUnavailable = async () => {
      // Concurrent writes share a commit.
      for (const { status, body, headers } of await Promise.all([create(), create(), create()]))
        assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'unavailable', '2']);
    };
    const assertAvailable = async () => {
      assert.deepEqual([(await create()).status, await readiness()], [200, 200]);
    };
    await assertAvailable();

    await set('query_only = on');
    await assertUnavailable();
    assert.equal(await readiness(), 503);
    await set('query_only = off');
    await assertAvailable();

    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.query);
    await sql`create table filler (content blob)`.execute(database.query);
    await set(`max_page_count = ${(rows[0]?.page_count ?? 0) + 20}`);
    const fill = async (bytes: number) =>
      await database.writeOne(
        async (reader) => await sql`insert into filler values (zeroblob(${bytes}))`.execute(reader.query),
      );
    const unit = database.inTransaction(async (reader) => {
      await sql`insert into filler values (zeroblob(${LARGE_BYTES}))`.execute(reader.query);
    });
    await assert.rejects(unit, /full/);
    for (const bytes of [40_000, 4000, 1]) while (await fill(bytes).then(Boolean, () => false));
    for (let created = await create(); created.status === 200; created = await create());
    await assertUnavailable();
    await set('max_page_count = 1000000');
    await assertAvailable();
  } finally {
    await fixture.close();
  }
});
