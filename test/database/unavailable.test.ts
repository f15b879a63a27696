// Databases: postgres
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { isConnectionError } from '../../src/database/errors.ts';
import { openDatabase } from '../../src/database/open.ts';
import { openMigrated } from '../../src/migrations/environment.ts';
import { inExclusiveUnit } from '../../src/migrations/migrate.ts';
import { createMigratedDatabase, createTestDatabase, type TestDatabase, testEngine } from '../support/databases.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { until } from '../support/program.ts';
import { creation, submission } from '../support/requests.ts';

if (testEngine === 'postgres') {
  describe('PostgreSQL behind a proxy', () => {
    let stored: TestDatabase;
    let proxy: DatabaseProxy;
    let fixture: Fixture;
    /** Called while a card is charged. */
    let onCharge: () => void = () => undefined;
    before(async () => {
      stored = await createMigratedDatabase();
      proxy = await openDatabaseProxy(stored.url);
      fixture = await openFixture({
        database: { ...stored, url: proxy.url },
        wrapCardAcquirer: (acquirer) => ({
          ...acquirer,
          async charge(charge) {
            const outcome = await acquirer.charge(charge);
            onCharge();
            return outcome;
          },
        }),
      });
    });
    after(async () => {
      await fixture.close();
      await proxy.close();
    });
    afterEach(() => {
      onCharge = () => undefined;
      proxy.isUp = true;
      proxy.isSilent = false;
    });

    /** Sends a statement to the server, without the proxy and outside of the database. */
    const administer = async (text: string) => {
      const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
      await client.connect();
      try {
        await client.query(text);
      } finally {
        await client.end();
      }
    };
    const create = async () => await fixture.request('/fiat/v1/transaction', { body: creation() });
    const readiness = async () => (await fixture.request('/readyz', { token: null })).status;
    const assertUnavailable = (response: Awaited<ReturnType<typeof create>>) => {
      const { status, headers, body } = response;
      assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'unavailable', '2']);
    };

    test('connections to a primary that became a standby are replaced', async () => {
      const name = pg.escapeIdentifier(new URL(stored.url).pathname.slice(1));
      assert.deepEqual([(await create()).status, await readiness()], [200, 200]);
      await administer(`alter database ${name} set default_transaction_read_only = on`);
      try {
        // The proxy leads to a server that refuses writes.
        proxy.isUp = false;
        proxy.isUp = true;
        assertUnavailable(await create());
        assert.equal(await readiness(), 503);
      } finally {
        await administer(`alter database ${name} reset default_transaction_read_only`);
      }
      // Existing connections would still refuse writes. Each request finds and discards one.
      for (let requests = 0; (await readiness()) !== 200; requests += 1) assert.ok(requests < 10);
      assert.equal((await create()).status, 200);
    });

    test('a request with an Idempotency-Key can be repeated as soon as the database responds', async () => {
      const body = creation();
      assert.equal((await fixture.request('/fiat/v1/transaction', { body })).status, 200);
      const submit = async () =>
        await fixture.request('/fiat/v1/transaction/submit', {
          body: submission(body.transaction_id),
          headers: { 'idempotency-key': body.transaction_id },
        });
      onCharge = () => {
        proxy.isUp = false;
      };
      assertUnavailable(await submit());
      // The key cannot be released yet.
      await fixture.work();
      onCharge = () => undefined;
      proxy.isUp = true;
      await fixture.work();
      const { status, body: response, text } = await submit();
      assert.deepEqual([status, response.response_type], [200, 'confirmed'], text);
    });

    test('metrics are served while the database does not respond, and report that the process is not ready', async () => {
      const ready = async () => /^paylatch_ready (\d)$/m.exec((await fixture.request('/metrics')).text)?.[1];
      assert.equal(await ready(), '1');
      const startedMs = performance.now();
      proxy.isSilent = true;
      assert.equal(await ready(), '0');
      // Closes the silent connections.
      proxy.isUp = false;
      assert.equal(await ready(), '0');
      // Prometheus waits 10 seconds for a scrape.
      assert.ok(performance.now() - startedMs < 10_000);
    });

    test('a connection to a server that does not respond is closed', async () => {
      // A busy machine may take a second for a new connection.
      const database = openDatabase(proxy.url, () => undefined, { connectTimeoutMs: 3000, statementTimeoutMs: 3000 });
      try {
        const ask = async () => await sql`select 1`.execute(database.query);
        await ask();
        proxy.isSilent = true;
        // An open connection, then a new one.
        await assert.rejects(ask(), isConnectionError);
        await assert.rejects(ask(), isConnectionError);
        proxy.isSilent = false;
        await ask();
      } finally {
        await database.close();
      }
    });
  });

  test('a start waits for the migrations of another process longer than for a statement', async () => {
    const store = await createTestDatabase();
    const other = openDatabase(store.url, () => undefined);
    const migrating = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const ignore = () => undefined;
    const unit = inExclusiveUnit(other, ignore, async () => {
      migrating.resolve();
      await finished.promise;
    });
    await migrating.promise;
    const limitMs = 100;
    const opening = openMigrated('sandbox', store.url, ignore, { statementTimeoutMs: limitMs });
    const hasWaited = until('it has waited longer than the limit', async () => {
      const waits = sql`
        select 1 from pg_locks join pg_stat_activity using (pid)
        where datname = current_database() and clock_timestamp() - waitstart > ${3 * limitMs} * interval '1 ms'`;
      return (await waits.execute(other.query)).rows.length > 0;
    });
    await Promise.race([opening, hasWaited]);
    finished.resolve();
    await unit;
    const { database, applied } = await opening;
    assert.ok(applied.length > 0);
    await assert.rejects(sql`select pg_sleep(10)`.execute(database.query), isConnectionError);
    await Promise.all([database.close(), other.close()]);
    await store.drop();
  });

  test('databases that are full, or whose disk fails, are unavailable', () => {
    for (const code of ['53100', '58030', '25006'])
      assert.ok(isConnectionError(Object.assign(new Error('no'), { code })), code);
    assert.ok(!isConnectionError(Object.assign(new Error('no'), { code: '23505' })));
  });
}
