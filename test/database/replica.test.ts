// Databases: postgres
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { startPostgres } from '../../scripts/postgres.mjs';
import type { Database } from '../../src/database/database.ts';
import { isStatementTimeout } from '../../src/database/errors.ts';
import { openDatabase } from '../../src/database/open.ts';
import { withReplica } from '../../src/database/replica.ts';
import { runInProcess } from '../support/command-line.ts';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import { testEngine } from '../support/databases.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { until } from '../support/program.ts';
import { createLink, submitCard } from '../support/requests.ts';

if (testEngine === 'postgres') {
  describe('reads on a replica', () => {
    let primary: Awaited<ReturnType<typeof startPostgres>>;
    let standby: Awaited<ReturnType<(typeof primary)['startStandby']>>;
    let fixture: Fixture;
    let database: Database;
    const errors: Error[] = [];
    before(async () => {
      primary = await startPostgres({ survivesPowerLoss: false });
      standby = await primary.startStandby();
      fixture = await openFixture({
        database: { url: primary.url, folder: null, drop: async () => await Promise.resolve() },
        env: { DATABASE_REPLICA_URL: standby.url },
      });
      database = openDatabase(primary.url, (error) => errors.push(error), { replicaUrl: standby.url });
    });
    after(async () => {
      await database.close();
      await fixture.close();
      await standby.stop();
      await primary.stop();
    });

    const onStandby = async (text: string) => {
      const client = new pg.Client({ connectionString: standby.url });
      await client.connect();
      try {
        await client.query(text);
      } finally {
        await client.end();
      }
    };
    const isReplica = async () =>
      await database.onReplica(async (reader) => {
        const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(reader.query);
        return rows[0]?.standby;
      });
    /** On a busy machine, the replica may lag for a while. */
    const untilReplica = async () => await until('the replica is read', async () => (await isReplica()) === true);
    const replication = async () => {
      const settings = { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: standby.url, PUBLIC_URL: fixture.url };
      const { stdout } = await runInProcess(['doctor', '--output', 'json'], settings);
      const { checks } = JSON.parse(stdout) as { checks: { check: string; found: string }[] };
      return checks.find(({ check }) => check === 'replication')?.found ?? '';
    };
    /** Every read contains the write before it. */
    const assertReadsWrites = async () => {
      const { reference } = await createLink(fixture);
      await submitCard(fixture, reference);
      const list = await fixture.request(`/fiat/v1/transactions?search=${reference}`);
      assert.deepEqual(
        list.body.transactions.map((each: { transaction_id: string; status: string }) => [
          each.transaction_id,
          each.status,
        ]),
        [[reference, 'transaction_status_confirmed']],
      );
      const file = await fixture.request('/fiat/v1/transactions/export');
      assert.ok(file.text.includes(reference));
      const { body } = await fixture.request('/v1/statistics');
      assert.equal(body.paid_count ?? body.total?.paid_count, file.text.split('confirmed').length - 1, file.text);
    };

    test('contain every acknowledged write', async () => {
      await untilReplica();
      for (let payments = 0; payments < 2; payments += 1) await assertReadsWrites();
      await untilReplica();
      assert.match(await replication(), /No replica is synchronous/);
      await assert.rejects(
        database.onReplica(async (reader) => await sql`create table written ()`.execute(reader.query)),
        /read-only transaction/,
      );
    });

    test('serve the export command', async () => {
      const settings = { DATABASE_URL: primary.url, PUBLIC_URL: fixture.url };
      const command = ['export', '--merchant', String(fixture.merchant.id)];
      const replica = await runInProcess(command, { ...settings, DATABASE_REPLICA_URL: standby.url });
      assert.equal(replica.code, 0, replica.stderr);
      const unreachable = { ...settings, DATABASE_REPLICA_URL: 'postgres://127.0.0.1:1/paylatch' };
      const { code, stdout, stderr } = await runInProcess(command, unreachable);
      assert.deepEqual([code, stdout], [0, replica.stdout]);
      assert.match(stderr, /The replica does not respond/);
    });

    test('go to the primary while the replica lags', async () => {
      await onStandby('select pg_wal_replay_pause()');
      await assertReadsWrites();
      assert.equal(await isReplica(), false);
      await onStandby('select pg_wal_replay_resume()');
      await untilReplica();
    });

    test('go to the primary while the replica cannot be reached, and one of them tries it again', async () => {
      const proxy = await openDatabaseProxy(standby.url);
      const failures: Error[] = [];
      const ignore = () => undefined;
      let now = 1;
      const reached = withReplica(
        openDatabase(primary.url, ignore),
        openDatabase(proxy.url, ignore, { connectTimeoutMs: 3000, statementTimeoutMs: 60_000 }),
        (error) => failures.push(error),
        () => now,
      );
      const read = async (count: number) =>
        await Promise.all(
          Array.from({ length: count }, () =>
            reached.onReplica(async (reader) => {
              const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(
                reader.query,
              );
              return rows[0]?.standby;
            }),
          ),
        );
      try {
        assert.deepEqual(await read(1), [true]);
        proxy.isSilent = true;
        const startedMs = performance.now();
        assert.deepEqual(await read(1), [false]);
        assert.ok(performance.now() - startedMs < 30_000);
        now += 5000;
        assert.deepEqual(await read(3), [false, false, false]);
        assert.equal(failures.length, 2);
        proxy.isSilent = false;
        now += 5000;
        assert.deepEqual(await read(3), [true, false, false]);
        assert.deepEqual(await read(3), [true, true, true]);
      } finally {
        await reached.close();
        await proxy.close();
      }
    });

    test('go to the primary while all replica connections are in use, and immediately back afterward', async () => {
      const failures: Error[] = [];
      const ignore = () => undefined;
      // A busy machine may take a second for a new connection.
      const options = { maxConnections: 1, connectTimeoutMs: 3000 };
      const pooled = withReplica(
        openDatabase(primary.url, ignore, { maxConnections: 2 }),
        openDatabase(standby.url, ignore, options),
        (error) => failures.push(error),
        // An unavailable replica would stay unavailable.
        () => 1,
      );
      const isStandby = async (on: Database) => {
        const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(on.query);
        return rows[0]?.standby;
      };
      const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      try {
        await untilReplica();
        const first = pooled.onReplica(async (reader) => {
          held.resolve();
          await released.promise;
          return await isStandby(reader);
        });
        await held.promise;
        assert.equal(await pooled.onReplica(isStandby), false);
        released.resolve();
        assert.equal(await first, true);
        await until('the replica is read', async () => (await pooled.onReplica(isStandby)) === true);
        assert.deepEqual(failures, []);
      } finally {
        released.resolve();
        await pooled.close();
      }
    });

    test('that take too long are not repeated on the primary', async () => {
      const failures: Error[] = [];
      const limited = withReplica(
        openDatabase(primary.url, () => undefined),
        openDatabase(standby.url, () => undefined, { statementTimeoutMs: 500 }),
        (error) => failures.push(error),
      );
      try {
        await untilReplica();
        for (const limit of ['0', '100ms']) {
          let reads = 0;
          await assert.rejects(
            limited.onReplica(async (reader) => {
              reads += 1;
              await sql`set local statement_timeout = ${sql.lit(limit)}`.execute(reader.query);
              await sql`select pg_sleep(10)`.execute(reader.query);
            }),
            isStatementTimeout,
          );
          assert.deepEqual([reads, failures], [1, []], limit);
        }
      } finally {
        await limited.close();
      }
    });

    test('go to the primary if the replica follows none, or does not respond', async () => {
      await standby.cutOff();
      assert.equal(await isReplica(), false);
      await assertReadsWrites();
      assert.match(await replication(), /is not a streaming replica/);
      await standby.promote();
      assert.equal(await isReplica(), false);
      await standby.stop();
      await assertReadsWrites();
      assert.equal(await isReplica(), false);
      assert.match(errors.at(-1)?.message ?? '', /replica does not respond/);
      assert.match(await replication(), /does not respond/);
    });
  });
}
