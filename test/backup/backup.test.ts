import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { writeBackup } from '../../src/backup/backup.ts';
import { restore as restoreBackup } from '../../src/startup/restore.ts';
import type { Database } from '../../src/database/database.ts';
import { migrate, migrationNames } from '../../src/migrations/migrate.ts';
import { openDatabase } from '../../src/database/open.ts';
import { OperatorError } from '../../src/system/operator-error.ts';
import { SECOND } from '../../src/shared/time.ts';
import { SimulatedClock } from '../support/clock.ts';
import { runInProcess } from '../support/command-line.ts';
import {
  createDatabaseAt,
  createMigratedDatabase,
  createTestDatabase,
  onSqlite,
  type TestDatabase,
  type TestEngine,
  testEngine,
} from '../support/databases.ts';
import { describeSchema } from '../support/database-schema.ts';
import { cards, createLink, creation, submitCard } from '../support/requests.ts';
import { assertContinues, openShop, type Shop } from '../support/shop.ts';
import { derivedTables } from '../../src/migrations/describe-tables.ts';
import { formOf, insertRows, generateRows, readRows, type Rows } from '../support/stored-rows.ts';
import { openFixture } from '../support/fixture.ts';

const newest = migrationNames.at(-1) ?? '';
const NOW = Date.parse('2026-11-21T10:00:00Z') * 1000;

describe('a backup', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'paylatch-backup-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  let files = 0;
  const fileName = () => {
    files += 1;
    return join(folder, `${files}.backup`);
  };

  /** Opens a new database: empty, or migrated to a version. */
  async function within<Result>(
    engine: TestEngine,
    run: (database: Database, store: TestDatabase) => Promise<Result>,
    version?: string,
  ): Promise<Result> {
    const store = version === undefined ? await createTestDatabase(engine) : await createDatabaseAt(version, engine);
    const database = openDatabase(store.url, (error) => console.error(error));
    try {
      return await run(database, store);
    } finally {
      await database.close();
      await store.drop();
    }
  }

  /** Opens a database of a version with rows in every table. */
  async function withRows(
    engine: TestEngine,
    run: (database: Database, rows: Rows, store: TestDatabase) => Promise<void>,
    version = newest,
  ): Promise<void> {
    await within(engine, async (database, store) => await run(database, await fill(database, version), store), version);
  }

  async function fill(database: Database, version: string): Promise<Rows> {
    const form = await backedUp(version);
    await insertRows(database, form, generateRows(form));
    return await readRows(database, form.tables);
  }

  /** Without the tables that are computed from others. */
  const backedUp = async (version: string) => {
    const form = await formOf(version);
    return { ...form, tables: form.tables.filter(({ name }) => !derivedTables.includes(name)) };
  };
  const everything = async (database: Database, version = newest) =>
    await readRows(database, (await backedUp(version)).tables);
  /** After a restore, the addresses issued since the backup are unknown. */
  const asRestored = (rows: Rows, reason: Record<string, string | null> = {}): Rows => ({
    ...rows,
    wallet_accounts: (rows.wallet_accounts ?? []).map((row) => ({
      ...{ ...row, ...reason },
      ...{ lost_writes_since: 'of the backup', lost_writes_height: 'of the cursor' },
    })),
  });
  const restoredRows = (rows: Rows) => asRestored(rows, { lost_writes_reason: 'restored', settled_at: null });
  const back = async (database: Database) => {
    const path = fileName();
    await writeBackup({ database, path, now: NOW });
    return path;
  };
  const restore = async (database: Database, path: string) => await restoreBackup({ database, path });

  test(`of sqlite is restored into ${testEngine} with all rows, and back`, async () => {
    await withRows('sqlite', async (source, rows) => {
      const path = await back(source);
      await within(testEngine, async (target) => {
        const { rows: counts, applied } = await restore(target, path);
        assert.deepEqual(applied, []);
        for (const [table, list] of Object.entries(rows)) assert.equal(counts[table], list.length, table);
        assert.deepEqual(asRestored(await everything(target)), restoredRows(rows));
        const [account] = (await everything(target)).wallet_accounts ?? [];
        assert.equal(account?.lost_writes_since, NOW);
        const isNew = async (plain: Database) =>
          assert.deepEqual(
            await describeSchema(target),
            await describeSchema(plain),
            'the schema equals that of a new database',
          );
        await within(testEngine, isNew, newest);
        const again = await back(target);
        const isHome = async (home: Database) => {
          await restore(home, again);
          assert.deepEqual(asRestored(await everything(home)), restoredRows(rows));
        };
        await within('sqlite', isHome, newest);
      });
    });
  });

  test(`of a shop on sqlite works after a restore on ${testEngine}`, async () => {
    const shop: Shop = await openShop(await createMigratedDatabase('sqlite'));
    try {
      const path = await back(shop.fixture.service().database);
      const store = await createMigratedDatabase();
      const target = openDatabase(store.url, (error) => console.error(error));
      await restore(target, path);
      await target.close();
      await assertContinues(shop, {
        database: store,
        clock: new SimulatedClock(new Date(shop.fixture.clock.now() / 1000).toISOString()),
      });
    } finally {
      await shop.fixture.close();
    }
  });

  test(`of sqlite on ${testEngine} keeps the positions of event readers`, async () => {
    const fixture = await openFixture({ database: await createMigratedDatabase('sqlite') });
    const { token } = fixture.merchant;
    const pull = async (at: typeof fixture, after: string | null) => {
      const response = await at.request(`/v1/events?limit=100${after === null ? '' : `&after=${after}`}`, {
        token,
      });
      return {
        status: response.status,
        code: response.body.code,
        ids: response.body.events?.map(({ id }: { id: string }) => id) as string[],
        next: response.body.next as string,
      };
    };
    try {
      await submitCard(fixture, (await createLink(fixture)).reference);
      const read = await pull(fixture, null);
      assert.equal(read.ids.length, 2);
      await submitCard(fixture, (await createLink(fixture)).reference);
      const unread = await pull(fixture, read.next);
      assert.equal(unread.ids.length, 2);
      const path = await back(fixture.service().database);
      // Events after the backup are lost; a reader may already have read them.
      await submitCard(fixture, (await createLink(fixture)).reference);
      const ahead = await pull(fixture, unread.next);

      const store = await createMigratedDatabase();
      const target = openDatabase(store.url, (error) => console.error(error));
      await restore(target, path);
      await target.close();
      // Later than the backup.
      const now = new Date((fixture.clock.now() + SECOND) / 1000).toISOString();
      const other = await openFixture({ database: store, clock: new SimulatedClock(now) });
      try {
        assert.deepEqual((await pull(other, read.next)).ids, unread.ids);
        const end = await pull(other, unread.next);
        assert.deepEqual(end.ids, []);
        const body = creation();
        await other.request('/fiat/v1/transaction', { body, token });
        await submitCard(other, body.transaction_id, cards.visa, token);
        for (const place of [unread.next, ahead.next, end.next]) {
          const newEvents = await pull(other, place);
          assert.equal(newEvents.ids.length, 2, place);
          assert.deepEqual((await pull(other, newEvents.next)).ids, [], place);
        }
        const all = await pull(other, null);
        assert.deepEqual(all.ids.slice(0, 4), [...read.ids, ...unread.ids]);
        assert.equal(all.ids.length, 6);
        assert.deepEqual((await pull(other, 'dead-beef')).code, 'validation_failed');
      } finally {
        await other.close();
      }
    } finally {
      await fixture.close();
    }
  });

  test('of an earlier version is migrated', async () => {
    const version = '0007-idempotency';
    const isMigrated = async (source: Database) => {
      const path = await back(source);
      await migrate(source);
      // A migrated but empty database is also accepted.
      const isSame = async (target: Database) => {
        const { applied } = await restore(target, path);
        assert.deepEqual(
          applied,
          migrationNames.filter((name) => name > version),
        );
        const withoutNames = (rows: Rows): Rows => ({
          ...rows,
          // Migration 0008 creates random ids for events without a callback.
          events: (rows.events ?? []).map(({ webhook_id, ...event }) => ({
            ...event,
            webhook_id: String(webhook_id).replace(/^evt_[0-9a-f]{32}$/, 'drawn'),
          })),
        });
        assert.deepEqual(withoutNames(await everything(target)), withoutNames(await everything(source)));
      };
      await within(testEngine, isSame, newest);
    };
    await withRows(testEngine, isMigrated, version);
  });

  test('of a database without properties of the installation is created by the command', async () => {
    const path = fileName();
    const version = '0034-amounts-across-currencies';
    const command = async (_database: Database, { url }: TestDatabase) => {
      const { code, stderr } = await runInProcess(['backup', path], { DATABASE_URL: url });
      assert.equal(code, 0, stderr);
    };
    await within(testEngine, command, version);
    await within(testEngine, async (target) => assert.equal((await restore(target, path)).header.migration, version));
  });

  test('has the version of its snapshot, though a migration commits while it starts', async () => {
    const path = fileName();
    const migratingFirst = async (source: Database) => {
      const inSnapshot: Database['inSnapshot'] = async (read) => {
        await migrate(source);
        return await source.inSnapshot(read);
      };
      await writeBackup({ database: { ...source, inSnapshot }, path, now: NOW });
    };
    await within(testEngine, migratingFirst, '0034-amounts-across-currencies');
    await within(testEngine, async (target) => assert.equal((await restore(target, path)).header.migration, newest));
  });

  test('reuses no id, even of deleted rows', async () => {
    await withRows(testEngine, async (source) => {
      await sql`insert into merchants (id, name, created_at) values (5000, 'Gone', 1)`.execute(db(source));
      if (source.engine === 'postgres')
        await sql`select setval(pg_get_serial_sequence('merchants', 'id'), 5000)`.execute(db(source));
      await sql`delete from merchants where id = 5000`.execute(db(source));
      const path = await back(source);
      const isUnused = async (target: Database) => {
        await restore(target, path);
        const { id } = await db(target)
          .insertInto('merchants')
          .values({ name: 'New', created_at: 1 })
          .returning('id')
          .executeTakeFirstOrThrow();
        assert.equal(id, 5001);
      };
      await within(testEngine, isUnused, newest);
    });
  });

  test('created during payments is a snapshot: each transaction with its events and callbacks', async () => {
    const shop = await openShop();
    try {
      const { fixture } = shop;
      const over = new AbortController();
      let bought = 0;
      const buy = async () => {
        try {
          for (let count = 0; !over.signal.aborted; count += 1) {
            const { reference } = await createLink(fixture);
            await submitCard(fixture, reference, count % 2 === 0 ? cards.visa : cards.declined);
            bought += 1;
          }
        } finally {
          // Ensures that all of them exist.
          over.abort();
        }
      };
      // A separate connection, like the command's.
      const reader = openDatabase(fixture.databaseUrl, (error) => console.error(error));
      const buying = [buy(), buy(), buy()];
      const paths: string[] = [];
      let known = -1;
      while (!over.signal.aborted && (paths.length < 5 || known < 8)) {
        const isNew = bought > known;
        known = bought;
        const path = await back(reader);
        // Backups between the same two payments would repeat the same check.
        if (isNew) paths.push(path);
      }
      over.abort();
      await Promise.all(buying);
      await reader.close();
      let before = 0;
      for (const path of paths) {
        const isWhole = async (target: Database) => {
          await restore(target, path);
          const isOfPaid = sql`subject_kind = 'fiat_transaction' and subject_id = paid.id`;
          const wrong = await sql`
            select paid.id from fiat_transactions as paid
            where (select count(*) from events where ${isOfPaid}) <> paid.sequence + 1
              or (select max(sequence) from events where ${isOfPaid}) <> paid.sequence
              or (select status from events where ${isOfPaid} order by sequence desc limit 1) <> paid.status
              or (select count(*) from callbacks where ${isOfPaid}) <> paid.sequence`.execute(db(target));
          assert.deepEqual(wrong.rows, []);
          const { rows } = await sql<{ count: number }>`select count(*) as count from fiat_transactions`.execute(
            db(target),
          );
          assert.ok(Number(rows[0]?.count) >= before);
          before = Number(rows[0]?.count);
        };
        await within('sqlite', isWhole, newest);
      }
      assert.ok(before >= 8, 'payments were made meanwhile');
    } finally {
      await shop.fixture.close();
    }
  });

  onSqlite('that is truncated, damaged, newer or not a backup is rejected without changes', async () => {
    await withRows(testEngine, async (source) => {
      const whole = readFileSync(await back(source));
      const text = gunzipSync(whole).toString();
      const lines = text.split('\n');
      const bent = Buffer.from(whole);
      bent.writeUInt8(bent.readUInt8(bent.length >> 1) ^ 1, bent.length >> 1);
      const packed = (content: string) => gzipSync(Buffer.from(content));
      for (const [name, content, pattern] of [
        ['cut off', whole.subarray(0, whole.length >> 1), /is truncated/],
        ['cut off by a byte', whole.subarray(0, -1), /is truncated/],
        ['cut off and packed again', packed(lines.slice(0, lines.length >> 1).join('\n')), /is truncated/],
        ['without its end', packed(`${lines.slice(0, -2).join('\n')}\n`), /is truncated/],
        ['bent', bent, /is (damaged|truncated)/],
        ['without a row', packed(lines.filter((_, index) => index !== 3).join('\n')), /is damaged/],
        ['with another amount', packed(text.replace(/\n\[1,/, '\n[2,')), /is damaged/],
        ['of a newer form', packed(text.replace('"version":1', '"version":2')), /newer release/],
        ['of a newer program', packed(text.replaceAll(newest, '9999-flying-cars')), /9999-flying-cars/],
        ['a text', Buffer.from('Dear operator'), /is not a Paylatch backup/],
        ['something else', packed('{"hello":1}\n'), /is not a Paylatch backup/],
        ['empty', Buffer.alloc(0), /is truncated|is not a Paylatch backup/],
      ] as const) {
        const path = fileName();
        writeFileSync(path, content);
        await within(testEngine, async (target) => {
          const before = await describeSchema(target);
          await assert.rejects(restore(target, path), (error) => {
            assert.ok(error instanceof OperatorError, `${name}: ${String(error)}`);
            assert.match(error.message, pattern, name);
            return true;
          });
          assert.deepEqual(await describeSchema(target), before, name);
        });
      }
    });
  });

  test('that violates a constraint is rolled back completely', async () => {
    await withRows(testEngine, async (source) => {
      // The last row occurs twice, with a matching checksum.
      const lines = gunzipSync(readFileSync(await back(source)))
        .toString()
        .split('\n')
        .slice(0, -2);
      lines.push(lines.at(-1) ?? '');
      const counts: Record<string, number> = {};
      let table = '';
      for (const line of lines.slice(1)) {
        if (line.startsWith('{')) counts[(table = (JSON.parse(line) as { table: string }).table)] = 0;
        else counts[table] = (counts[table] ?? 0) + 1;
      }
      const content = lines.map((line) => `${line}\n`).join('');
      const sha256 = createHash('sha256').update(content).digest('hex');
      const path = fileName();
      writeFileSync(path, gzipSync(`${content}${JSON.stringify({ end: { rows: counts, sha256 } })}\n`));
      await within(testEngine, async (target) => {
        const before = await describeSchema(target);
        await assert.rejects(
          restore(target, path),
          new RegExp(`Rows of ${table} could not be written; nothing was changed`),
        );
        assert.deepEqual(await describeSchema(target), before);
      });
    });
  });

  test('is not restored into a database with data', async () => {
    await withRows(testEngine, async (source) => {
      const path = await back(source);
      const before = await everything(source);
      await assert.rejects(restore(source, path), /^OperatorError: The database is not empty \(merchants, /);
      assert.deepEqual(await everything(source), before);
    });
  });

  describe('from the command line', () => {
    const here = async (args: string[], { url }: TestDatabase) => await runInProcess(args, { DATABASE_URL: url });

    onSqlite('backup and restore are one command each and print progress', async () => {
      await withRows(testEngine, async (_source, rows, from) => {
        const counts = Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, list.length]));
        const path = fileName();
        const made = await here(['backup', path, '--output', 'json'], from);
        assert.equal(made.code, 0, made.stderr);
        assert.deepEqual(JSON.parse(made.stdout), { file: path, migration: newest, rows: counts });
        assert.match(made.stderr, new RegExp(`^fiat_transactions: ${counts.fiat_transactions} rows$`, 'm'));
        assert.equal(statSync(path).mode & 0o777, 0o600, 'other users cannot read it');
        assert.deepEqual(
          readdirSync(folder).filter((name) => name.startsWith('.')),
          [],
          'nothing is unfinished',
        );
        const twice = await here(['backup', path], from);
        assert.deepEqual([twice.code, twice.stderr], [1, `${path} already exists. Choose another file name.\n`]);

        await within(testEngine, async (target, to) => {
          const restored = await here(['restore', path, '--output', 'json'], to);
          assert.equal(restored.code, 0, restored.stderr);
          const { rows: kept, migration, applied } = JSON.parse(restored.stdout);
          assert.deepEqual([kept, migration, applied], [counts, newest, []]);
          assert.match(restored.stderr, new RegExp(`^callbacks: ${counts.callbacks} rows$`, 'm'));
          assert.deepEqual(asRestored(await everything(target)), restoredRows(rows));
          assert.match(restored.stderr, /paylatch addresses resume/);
          const again = await here(['restore', path], to);
          assert.equal(again.code, 1);
          assert.match(again.stderr, /^The database is not empty/m);
          const tokens = await here(['token', 'list', '--merchant', '1', '--output', 'json'], to);
          assert.equal(tokens.code, 0, tokens.stderr);
        });
        const nowhere = await here(['restore', join(folder, 'nothing')], from);
        assert.equal(nowhere.code, 1);
        assert.match(nowhere.stderr, /^The file .* does not exist/);
      });
    });

    onSqlite('reports an empty database', async () => {
      await within(testEngine, async (_database, store) => {
        const { code, stderr } = await here(['backup', fileName()], store);
        assert.deepEqual([code, stderr], [1, 'The database is empty: there is nothing to back up.\n']);
      });
    });
  });
});
