import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { writeBackup } from '../../src/backup/backup.ts';
import { restore as restoreBackup } from '../../src/startup/restore.ts';
import type { Database } from '../../src/database/database.ts';
import { claimEnvironment, migrateFor, requireEnvironment } from '../../src/migrations/environment.ts';
import { migrate } from '../../src/migrations/migrate.ts';
import { openDatabase } from '../../src/database/open.ts';
import { OperatorError } from '../../src/system/operator-error.ts';
import { createTestDatabase, type TestDatabase, type TestEngine, testEngine, onSqlite } from '../support/databases.ts';
import { runInProcess } from '../support/command-line.ts';
import { freePort } from '../support/ports.ts';
import { runProgram } from '../support/program.ts';
import { openFixture } from '../support/fixture.ts';

const production = {
  PAYLATCH_ENV: 'production',
  PUBLIC_URL: 'https://pay.example',
  PAYLATCH_SECRET_KEY: 'ab'.repeat(32),
};
const UNMARKED = '0034-amounts-across-currencies';

async function withDatabase(
  run: (database: Database, store: TestDatabase) => Promise<void>,
  engine?: TestEngine,
): Promise<void> {
  const store = await createTestDatabase(engine);
  const database = openDatabase(store.url, (error) => console.error(error));
  try {
    await run(database, store);
  } finally {
    await database.close();
    await store.drop();
  }
}

const refusal = (requested: string, found: string) =>
  `PAYLATCH_ENV is ${requested}, but the database belongs to ${found}. Set DATABASE_URL to a database for ${requested}, or set PAYLATCH_ENV=${found}.`;

async function refuses(requested: 'sandbox' | 'production', found: string, database: Database): Promise<void> {
  await assert.rejects(migrateFor(requested, database), new OperatorError(refusal(requested, found)));
}

/** Opens the service on a database and closes it again. */
async function start(store: TestDatabase, env: Record<string, string>): Promise<void> {
  const fixture = await openFixture({ database: { ...store, drop: () => Promise.resolve() }, env });
  await fixture.close();
}

describe('a database belongs to one environment', () => {
  for (const [owner, other, ownerEnv, otherEnv] of [
    ['sandbox', 'production', {}, production],
    ['production', 'sandbox', production, {}],
  ] as const) {
    test(`a database used by ${owner} is rejected by ${other}, and still works for ${owner}`, async () => {
      await withDatabase(async (_database, store) => {
        await start(store, ownerEnv);
        const settings = { DATABASE_URL: store.url, PORT: String(await freePort()), ...otherEnv };
        const { code, stderr } = await runProgram(['start'], settings);
        assert.deepEqual([code, stderr], [1, `${refusal(other, owner)}\n`]);
        await start(store, ownerEnv);
      });
    });
  }

  test('an upgrade detects sandbox data, and leaves any other database to the next start', async () => {
    const traces: ((database: Database) => Promise<unknown>)[] = [
      async (unit) => await db(unit).insertInto('service_keys').values({ name: 'page-tokens', value: 'ab' }).execute(),
      async (unit) =>
        await db(unit)
          .insertInto('merchants')
          .values({
            ...{ name: 'Kettle', callback_secret: 'x', created_at: 1 },
            ...{ previous_callback_secret: null, previous_callback_secret_until: null },
          })
          .execute(),
    ];
    for (const [index, leave] of traces.entries()) {
      await withDatabase(async (database) => {
        await migrate(database, { through: UNMARKED });
        await leave(database);
        if (index === 0) await refuses('production', 'sandbox', database);
        else {
          await migrateFor('production', database);
          await claimEnvironment('production', database);
          await refuses('sandbox', 'production', database);
        }
      });
    }
  });

  test('a backup contains it, including for the other engine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paylatch-environment-'));
    await withDatabase(async (source) => {
      await migrateFor('production', source);
      await claimEnvironment('production', source);
      const path = join(folder, 'one.backup');
      await writeBackup({ database: source, path, now: 1 });
      await withDatabase(async (target) => {
        await restoreBackup({ database: target, path });
        await refuses('sandbox', 'production', target);
        assert.equal(await requireEnvironment('production', target), true);
      }, 'sqlite');
    }, testEngine);
    rmSync(folder, { recursive: true });
  });

  onSqlite('migrate and commands in the other environment exit with 1 and change nothing', async () => {
    await withDatabase(async (database, store) => {
      const sandbox = { DATABASE_URL: store.url };
      // A failed command does not claim an empty database.
      assert.equal((await runInProcess(['token', 'list', '--merchant', '1'], sandbox)).code, 1);
      const create = ['merchant', 'create', '--name', 'Kettle'];
      assert.equal((await runInProcess(create, { ...sandbox, ...production })).code, 0);
      for (const args of [['migrate'], create, ['link', 'create', '--amount', '1']]) {
        const { code, stdout, stderr } = await runInProcess(args, sandbox);
        assert.deepEqual([code, stdout], [1, ''], args.join(' '));
        assert.match(
          stderr,
          /^PAYLATCH_ENV is sandbox, but the database belongs to production\. .*\n$/,
          args.join(' '),
        );
      }
      assert.deepEqual(await db(database).selectFrom('merchants').select('name').execute(), [{ name: 'Kettle' }]);
      // A backup needs no environment.
      const folder = mkdtempSync(join(tmpdir(), 'paylatch-environment-'));
      assert.equal((await runInProcess(['backup', join(folder, 'one.backup')], sandbox)).code, 0);
      rmSync(folder, { recursive: true });
    });
  });
});
