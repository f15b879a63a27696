import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { writeBackup } from '../../src/backup/backup.ts';
import { moveDatabase, type DatabaseMoveOptions } from '../../src/backup/move.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { openSqlite } from '../../src/database/sqlite.ts';
import { derivedTables } from '../../src/migrations/describe-tables.ts';
import { migrateFor } from '../../src/migrations/environment.ts';
import { migrationNames } from '../../src/migrations/migrate.ts';
import { readMove } from '../../src/migrations/moved.ts';
import { restore } from '../../src/startup/restore.ts';
import { SimulatedClock } from '../support/clock.ts';
import { runInProcess } from '../support/command-line.ts';
import { describeSchema } from '../support/database-schema.ts';
import {
  createDatabaseAt,
  createMigratedDatabase,
  createTestDatabase,
  onSqlite,
  type TestDatabase,
  testEngine,
} from '../support/databases.ts';
import { openFixture } from '../support/fixture.ts';
import { invoicesOf } from '../support/invoices.ts';
import { freePort } from '../support/ports.ts';
import { runProgram } from '../support/program.ts';
import { createLink } from '../support/requests.ts';
import { assertContinues, openShop } from '../support/shop.ts';
import { formOf, generateRows, insertRows, readRows } from '../support/stored-rows.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z') * 1000;
const newest = migrationNames.at(-1) ?? '';

/** A database that outlives the services that use it. */
const kept = (store: TestDatabase): TestDatabase => ({ ...store, drop: () => Promise.resolve() });
const pathOf = ({ url }: TestDatabase) => url.slice('sqlite:'.length);
const open = ({ url }: TestDatabase) => openDatabase(url, (error) => console.error(error));
const move = async (from: TestDatabase, to: string, ...args: string[]) =>
  await runInProcess(['database', 'move', '--to', to, ...args], { DATABASE_URL: from.url });

onSqlite('a file opened exclusively is opened by no other connection, not even an idle one', async () => {
  const store = await createMigratedDatabase('sqlite');
  const idle = open(store);
  assert.throws(() => openSqlite(pathOf(store), { isExclusive: true }), /database is locked/);
  await idle.close();
  const exclusive = openSqlite(pathOf(store), { isExclusive: true });
  // At once; the service waits for the busy timeout.
  const other = new DatabaseSync(pathOf(store), { timeout: 0 });
  assert.throws(() => other.exec('select * from merchants'), /database is locked/);
  other.close();
  await exclusive.close();
  await open(store).close();
  await store.drop();
});

onSqlite('a move needs a SQLite file and the URL of a PostgreSQL database, which it does not print', async () => {
  const store = await createMigratedDatabase('sqlite');
  const unreachable = `postgres://paylatch:hunter2@127.0.0.1:${await freePort()}/paylatch`;
  for (const [args, settings, code, pattern] of [
    [[], { DATABASE_URL: store.url }, 2, /^Set --to, or DATABASE_TARGET_URL, to postgres:/],
    [['--to', 'mysql://paylatch:hunter2@db'], { DATABASE_URL: store.url }, 2, /^--to must be postgres:/],
    [[], { DATABASE_URL: store.url, DATABASE_TARGET_URL: 'hunter2' }, 2, /^DATABASE_TARGET_URL is invalid/],
    [['--to', unreachable], { DATABASE_URL: unreachable }, 1, /^DATABASE_URL must be the SQLite file/],
    [
      ['--to', unreachable],
      { DATABASE_URL: store.url },
      1,
      /^Target: The database does not respond: .*Check its URL\.$/,
    ],
    [[], { DATABASE_URL: store.url, DATABASE_TARGET_URL: unreachable }, 1, /^Target: The database does not respond/],
  ] as const) {
    const ended = await runInProcess(['database', 'move', ...args], settings);
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stderr.trimEnd(), pattern);
    assert.doesNotMatch(ended.stdout + ended.stderr, /hunter2/);
  }
  await (await openFixture({ database: store })).close();
});

if (testEngine === 'postgres')
  describe('a SQLite installation moves to PostgreSQL', () => {
    /** Runs with a source that has rows in every table, and an empty target. */
    async function withRows(
      run: (from: TestDatabase, to: TestDatabase, target: Database) => Promise<void>,
      version = newest,
    ): Promise<void> {
      const from = await createDatabaseAt(version, 'sqlite');
      const to = await createTestDatabase('postgres');
      const target = open(to);
      try {
        const source = open(from);
        const form = await formOf(version);
        await insertRows(source, form, generateRows(form));
        await source.close();
        await run(from, to, target);
      } finally {
        await target.close();
        await to.drop();
        await from.drop();
      }
    }

    async function moveWith(
      from: TestDatabase,
      options: Pick<DatabaseMoveOptions, 'target'> & Partial<DatabaseMoveOptions>,
    ) {
      const source = openSqlite(pathOf(from), { isExclusive: true });
      try {
        return await moveDatabase({ source, environment: 'sandbox', now: NOW, ...options });
      } finally {
        await source.close();
      }
    }

    const readAll = async (database: Database, except: readonly string[] = []) => {
      const { tables } = await formOf(newest);
      return await readRows(
        database,
        tables.filter(({ name }) => ![...derivedTables, ...except].includes(name)),
      );
    };

    const isUsable = async (from: TestDatabase) => {
      const source = open(from);
      try {
        assert.deepEqual(await migrateFor('sandbox', source), []);
      } finally {
        await source.close();
      }
    };

    test('with payments that continue there', async () => {
      const store = await createMigratedDatabase('sqlite');
      const shop = await openShop(kept(store));
      const now = new Date(shop.fixture.clock.now() / 1000).toISOString();
      await shop.fixture.close();
      const to = await createTestDatabase('postgres');
      const moved = await move(store, to.url, '--output', 'json');
      assert.equal(moved.code, 0, moved.stderr);
      const { database, rows } = JSON.parse(moved.stdout);
      assert.equal(database, new URL(to.url).pathname.slice(1));
      assert.equal(rows.merchants, 2);
      assert.match(
        moved.stderr,
        /^Next:\n1\. Set DATABASE_URL .*\n2\. Set ADDRESS_MARKS=\/.*address-marks .*\n3\. Start/m,
      );
      assert.deepEqual(
        readdirSync(store.folder ?? '').filter((name) => !/^(paylatch\.db|address-marks)/.test(name)),
        [],
        'no other file remains',
      );
      await assertContinues(shop, { database: to, clock: new SimulatedClock(now) });
      await store.drop();
    });

    test('with all rows of every table, of an earlier version too', async () => {
      for (const version of [newest, '0034-amounts-across-currencies'])
        await withRows(async (from, _to, target) => {
          const { move: done, rows } = await moveWith(from, { target });
          assert.equal(done.state, 'moving');
          const source = open(from);
          // The marks of both databases.
          const ownTables = ['installation'];
          assert.deepEqual(await readAll(target, ownTables), await readAll(source, ownTables), version);
          assert.equal((await readMove(source))?.state, 'moved');
          assert.equal(await readMove(target), null);
          for (const [table, list] of Object.entries(await readAll(source, ownTables)))
            assert.equal(rows?.[table], list.length, table);
          await source.close();
        }, version);
    });

    test('and issues deposit addresses without interruption', async () => {
      const store = await createMigratedDatabase('sqlite');
      const to = await createTestDatabase('postgres');
      const clock = new SimulatedClock('2026-11-21T10:00:00Z');
      const invoiceAt = async (database: TestDatabase, andThen: (database: Database) => Promise<void>) => {
        const fixture = await openFixture({ database: kept(database), clock });
        try {
          await fixture.work();
          const { walletAddress } = await invoicesOf(() => fixture).create();
          await andThen(fixture.service().database);
          return walletAddress;
        } finally {
          await fixture.close();
        }
      };
      // Of a PostgreSQL cluster from which the installation once came.
      const setTimeline = async (database: Database) => {
        await db(database).updateTable('wallet_accounts').set({ database_timeline: 'former' }).execute();
      };
      const before = await invoiceAt(store, setTimeline);
      assert.equal((await move(store, to.url)).code, 0);
      const after = await invoiceAt(to, async (database) => {
        const accounts = await db(database).selectFrom('wallet_accounts').selectAll().orderBy('id').execute();
        assert.deepEqual(
          accounts.map(({ chain, lost_writes_since: since }) => [chain, since]),
          accounts.map(({ chain }) => [chain, null]),
        );
        assert.equal(accounts.find(({ chain }) => chain === 'bitcoin')?.next_index, 2);
        const entries = db(database).selectFrom('audit_entries').select('merchant_id');
        assert.deepEqual(await entries.where('action', '=', 'moveDatabase').execute(), [{ merchant_id: null }]);
      });
      assert.notEqual(after, before);
      await to.drop();
      await store.drop();
    });

    test('not while the service runs', async () => {
      const fixture = await openFixture({ database: await createMigratedDatabase('sqlite') });
      const to = await createTestDatabase('postgres');
      const target = open(to);
      const empty = await describeSchema(target);
      const { code, stderr } = await runInProcess(['database', 'move', '--to', to.url], {
        DATABASE_URL: fixture.databaseUrl,
      });
      assert.equal(code, 1);
      assert.match(stderr, /paylatch\.db is in use\. Stop the service, and any other program/);
      assert.deepEqual(await describeSchema(target), empty);
      await createLink(fixture);
      await fixture.close();
      await target.close();
      await to.drop();
    });

    test('not into a database with data', async () => {
      await withRows(async (from) => {
        const other = await createMigratedDatabase('postgres');
        const used = await openFixture({ database: kept(other) });
        const { code, stderr } = await move(from, other.url);
        assert.equal(code, 1);
        assert.match(
          stderr,
          /^The target database is not empty \(merchants, .*\)\. Nothing was changed\. Create an empty/,
        );
        await createLink(used);
        await used.close();
        await other.drop();
        await isUsable(from);
      });
    });

    test('later, if it is interrupted: the target stays empty, and the source usable', async () => {
      await withRows(async (from, _to, target) => {
        const empty = await describeSchema(target);
        for (const stop of ['during a table', 'at the end'] as const) {
          const interrupted = new AbortController();
          const interrupt = () => interrupted.abort(new Error('Interrupted'));
          const options: Partial<DatabaseMoveOptions> =
            stop === 'at the end'
              ? { onCopied: async () => await Promise.resolve(interrupt()) }
              : { onRows: (table) => table === 'events' && interrupt() };
          await assert.rejects(moveWith(from, { target, signal: interrupted.signal, ...options }), /Interrupted/, stop);
          assert.deepEqual(await describeSchema(target), empty, stop);
          await isUsable(from);
        }
        await moveWith(from, { target });
      });
    });

    /** The connection breaks during the commit: before it takes effect, or after. */
    const breaking = (target: Database, when: 'before' | 'after', isLost: () => boolean): Database => ({
      ...target,
      async inTransaction(work) {
        if (isLost()) throw new Error('Connection refused');
        return await target
          .inTransaction(async (unit) => {
            const result = await work(unit);
            if (when === 'before') throw new Error('Connection terminated');
            return result;
          })
          .then(() => {
            throw new Error('Connection terminated');
          });
      },
    });
    /** As `breaking`, but only the first time. */
    const breakingOnce = (target: Database, when: 'before' | 'after'): Database => {
      let isBroken = false;
      const broken = breaking(target, when, () => false);
      return {
        ...target,
        async inTransaction(work) {
          if (isBroken) return await target.inTransaction(work);
          isBroken = true;
          return await broken.inTransaction(work);
        },
      };
    };

    test('completely or not at all if the connection breaks during the commit', async () => {
      await withRows(async (from, _to, target) => {
        await assert.rejects(moveWith(from, { target: breakingOnce(target, 'before') }), /Connection terminated/);
        await isUsable(from);
        const { rows } = await moveWith(from, { target: breakingOnce(target, 'after') });
        assert.ok(rows?.merchants);
        await assert.rejects(isUsable(from), /was moved to the PostgreSQL database/);
      });
    });

    for (const when of ['before', 'after'] as const)
      test(`in a second run if the connection stays broken ${when} the commit`, async () => {
        await withRows(async (from, to, target) => {
          let attempts = 0;
          const lost = breaking(target, when, () => (attempts += 1) > 1);
          await assert.rejects(moveWith(from, { target: lost }), /Connection terminated/);
          await assert.rejects(isUsable(from), /interrupted at the end\. Run it again with the same target/);
          const other = await createTestDatabase('postgres');
          assert.match((await move(from, other.url)).stderr, /must be finished first, with that target/);
          await other.drop();
          const again = await move(from, to.url, '--output', 'json');
          assert.equal(again.code, 0, again.stderr);
          assert.equal(JSON.parse(again.stdout).rows === null, when === 'after');
          await assert.rejects(isUsable(from), /was moved to the PostgreSQL database/);
          assert.ok((await readAll(target)).merchants?.length);
        });
      });

    test('and then refuses the SQLite file, until its backup is restored', async () => {
      await withRows(async (from, to) => {
        assert.equal((await move(from, to.url)).code, 0);
        const refusal =
          /^The database was moved to the PostgreSQL database test_\w+ at 20\S+Z\. Set DATABASE_URL to that database\.$/;
        const settings = { DATABASE_URL: from.url, PORT: String(await freePort()) };
        const { code, stderr } = await runProgram(['start'], settings);
        assert.equal(code, 1);
        assert.match(stderr.trimEnd(), refusal);
        for (const args of [['token', 'list', '--merchant', '1'], ['migrate'], ['database', 'move', '--to', to.url]]) {
          const refused = await runInProcess(args, { DATABASE_URL: from.url });
          assert.deepEqual([refused.code, refusal.test(refused.stderr.trimEnd())], [1, true], refused.stderr);
        }
        const doctor = await runInProcess(['doctor', '--output', 'json'], { DATABASE_URL: from.url });
        const { checks } = JSON.parse(doctor.stdout) as { checks: { check: string; found: string; action: string }[] };
        const finding = checks.find(({ check }) => check === 'migrations');
        assert.match(`${finding?.found} ${finding?.action}`, refusal);

        const source = open(from);
        const path = join(from.folder ?? '', 'moved.backup');
        await writeBackup({ database: source, path, now: NOW });
        await source.close();
        const home = await createTestDatabase('sqlite');
        const restored = open(home);
        assert.notEqual((await restore({ database: restored, path })).suspendedChains.length, 0);
        await restored.close();
        await isUsable(home);
        await home.drop();
      });
    });
  });
