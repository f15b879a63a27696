import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import { appliedMigrations, migrate, migrationNames } from '../../src/migrations/migrate.ts';
import { openDatabase } from '../../src/database/open.ts';
import { packageRoot } from '../../src/system/root.ts';
import { createTestDatabase, onSqlite, type TestDatabase } from '../support/databases.ts';
import { freePort } from '../support/ports.ts';
import { connected, until } from '../support/program.ts';
import { formOf, insertRows, generateRows } from '../support/stored-rows.ts';

const program = join(packageRoot(), 'scripts', 'paylatch.mjs');
const OLD = '0004-buyers';
const onward = migrationNames.filter((name) => name > OLD);

interface Running {
  child: ChildProcessByStdio<null, Readable, Readable>;
  output: { stdout: string; stderr: string };
  ended: Promise<number | null>;
}

describe('a start on a database of an earlier release', () => {
  let store: TestDatabase;
  let database: Database;
  let running: Running[];
  beforeEach(async () => {
    running = [];
    store = await createTestDatabase();
    database = openDatabase(store.url, (error) => console.error(error));
    await migrate(database, { through: OLD });
    const form = await formOf(OLD);
    await insertRows(database, form, generateRows(form));
  });
  afterEach(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await database.close();
    await store.drop();
  });

  function run(command: string, port = '', settings: Record<string, string> = {}): Running {
    const child = spawn(process.execPath, [program, command, ...(command === 'migrate' ? ['--output', 'json'] : [])], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: store.url,
        DEMO_SHOP: 'off',
        ...(port && { PORT: port }),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    const process_ = { child, output, ended: once(child, 'close').then(([code]) => code as number | null) };
    running.push(process_);
    return process_;
  }

  /** On a new connection, like a monitor. */
  const get = async (port: number, path: string, headers: Record<string, string> = {}) => {
    const asking = request({ port, host: '127.0.0.1', path, headers, agent: false });
    asking.end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return { status: response.statusCode, headers: response.headers, text };
  };
  const readiness = async (port: number) => {
    const { status, text } = await get(port, '/readyz').catch(() => ({ status: 0, text: '{}' }));
    return `${status} ${(JSON.parse(text) as { status?: string }).status}`;
  };

  /** Blocks migrations until the returned function is called. */
  async function holdUp(): Promise<() => Promise<void>> {
    const other = openDatabase(store.url, () => undefined);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let begun = () => {};
    const holds = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const unit = other.inTransaction(async (unit) => {
      // On SQLite a transaction blocks all other writers.
      if (other.engine === 'postgres') await sql`lock table card_attempts in access exclusive mode`.execute(db(unit));
      begun();
      await held;
    });
    await holds;
    return async () => {
      letGo();
      await unit;
      await other.close();
    };
  }

  onSqlite('is alive but not ready while it migrates, and responds with 503 to all other requests', async () => {
    const release = await holdUp();
    const port = await freePort();
    const started = run('start', String(port));
    await until('it migrates', async () => (await readiness(port)) === '503 migrating');
    assert.equal((await get(port, '/healthz')).status, 200);
    assert.match((await get(port, '/metrics')).text, /^paylatch_ready 0$/m);
    const page = await get(port, '/p/some-link', { accept: 'text/html' });
    assert.equal(page.status, 503);
    assert.match(page.text, /<h1[^>]*>Service not ready<\/h1>/);
    const api = await get(port, '/fiat/v1/transaction?transaction_id=1', { authorization: 'Bearer none' });
    assert.deepEqual(
      [api.status, JSON.parse(api.text).code, JSON.parse(api.text).retryable, api.headers['retry-after']],
      [503, 'unavailable', true, '5'],
    );
    await release();
    await until('it is ready', async () => (await readiness(port)) === '200 ready');
    assert.equal((await get(port, '/fiat/v1/transaction?transaction_id=1')).status, 401);
    started.child.kill('SIGTERM');
    assert.equal(await started.ended, 0);
  });

  /**
   * A module that blocks the thread of a statement with `hold()` while a file exists. Statements with a duration would
   * end unobserved on a busy machine.
   */
  const holdWhile = (file: string) => `import { existsSync } from 'node:fs';
    import { DatabaseSync } from 'node:sqlite';
    const { prepare } = DatabaseSync.prototype;
    const hold = () => {
      while (existsSync(${JSON.stringify(file)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      return '';
    };
    DatabaseSync.prototype.prepare = function (...given) {
      this.function('hold', hold);
      return prepare.apply(this, given);
    };`;

  test('is alive while the database runs a long migration', { timeout: 90_000 }, async () => {
    const settings: Record<string, string> = { LOG_LEVEL: 'debug' };
    let release = async () => await Promise.resolve();
    if (store.folder === null) release = await holdUp();
    else {
      const held = join(store.folder, 'held');
      writeFileSync(held, '');
      release = async () => await Promise.resolve(rmSync(held));
      settings.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(holdWhile(held))}`;
      // One statement of 0005 runs this trigger.
      await sql
        .raw(`create trigger slow after update on card_attempts when new.id = 1 begin
          update merchants set name = name || hold() where id = 1;
        end`)
        .execute(db(database));
    }
    const port = await freePort();
    const started = run('start', String(port), settings);
    await until(
      'it migrates',
      async () => await Promise.resolve(started.output.stdout.includes('"migration":"0005-prices","msg":"migrating"')),
    );
    for (let times = 0; times < 3; times += 1) {
      assert.equal(await readiness(port), '503 migrating');
      assert.equal((await get(port, '/healthz')).status, 200);
    }
    await release();
    await until('it is ready', async () => (await readiness(port)) === '200 ready');
  });

  test('one of two processes migrates, the other waits, and both serve', async () => {
    const release = await holdUp();
    const ports = [await freePort(), await freePort()];
    const both = ports.map((port) => run('start', String(port)));
    for (const port of ports) await until('it migrates', async () => (await readiness(port)) === '503 migrating');
    await release();
    for (const port of ports) await until('it is ready', async () => (await readiness(port)) === '200 ready');
    for (const { child } of both) child.kill('SIGTERM');
    // The log may arrive here later than the responses.
    assert.deepEqual(await Promise.all(both.map(({ ended }) => ended)), [0, 0]);
    const done = both.flatMap(({ output }) => output.stdout.match(/"msg":"\d+ migrations applied"/g) ?? []);
    assert.deepEqual(done, [`"msg":"${onward.length} migrations applied"`]);
    // Single migrations are logged only at LOG_LEVEL=debug.
    for (const { output } of both) assert.doesNotMatch(output.stdout, /"msg":"migrat(?:ing|ed)"/);
  });

  test('by two concurrent commands migrates once, and is reported on standard error', async () => {
    const release = await holdUp();
    const both = [run('migrate'), run('migrate')];
    for (const { output } of both) {
      await until('it waits', () => Promise.resolve(/^(Waiting|Migrating)/m.test(output.stderr)));
    }
    await release();
    assert.deepEqual(await Promise.all(both.map(({ ended }) => ended)), [0, 0]);
    const [first, second] = both.sort((one, other) => other.output.stdout.length - one.output.stdout.length);
    assert.deepEqual(JSON.parse(first?.output.stdout ?? ''), { applied: onward });
    assert.deepEqual(JSON.parse(second?.output.stdout ?? ''), { applied: [] });
    for (const name of onward) {
      assert.match(
        first?.output.stderr ?? '',
        new RegExp(`^Migrating ${name} …\nMigrated  ${name} in \\d+\\.\\d\\d s$`, 'm'),
      );
    }
    assert.doesNotMatch(second?.output.stderr ?? '', /Migrat/);
  });

  test('reports the failed migration and rolls back', async () => {
    await sql`create table rate_limits (mine text)`.execute(db(database));
    const started = run('start', String(await freePort()));
    assert.equal(await started.ended, 1);
    assert.match(
      started.output.stderr,
      /^The migration 0006-limits failed; all migrations were rolled back\. .*rate_limits.* already exists$/m,
    );
    assert.equal(started.output.stderr.trim().split('\n').length, 1, started.output.stderr);
    assert.equal((await appliedMigrations(database)).at(-1), OLD);
    // Changes of the previous migration are rolled back too.
    await assert.rejects(sql`select amount_minor from card_attempts`.execute(db(database)));
    await sql`drop table rate_limits`.execute(db(database));
    assert.equal(await run('migrate').ended, 0);
  });

  test('that fails after the migrations ends the process', { timeout: 90_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paylatch-start-'));
    const countries = join(folder, 'empty.mmdb');
    writeFileSync(countries, '');
    const started = run('start', String(await freePort()), { COUNTRY_DATABASE: countries });
    assert.equal(await started.ended, 1);
    rmSync(folder, { recursive: true });
  });

  onSqlite('is rejected if the database is newer than the program', async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('9999-flying-cars', '2031-01-01T00:00:00Z')`.execute(
      db(database),
    );
    for (const command of ['start', 'migrate']) {
      const { output, ended } = run(command, String(await freePort()));
      assert.equal(await ended, 1);
      assert.match(output.stderr, /The database is newer than this program: it has the migration 9999-flying-cars\. /);
      assert.equal(output.stderr.trim().split('\n').length, 1, output.stderr);
    }
  });

  test('a signal during a migration stops it and rolls back', async () => {
    const release = await holdUp();
    const port = await freePort();
    const started = run('start', String(port));
    await until('it migrates', async () => (await readiness(port)) === '503 migrating');
    started.child.kill('SIGTERM');
    assert.equal(await started.ended, 0);
    await release();
    assert.equal((await appliedMigrations(database)).at(-1), OLD);
  });

  onSqlite('a draining process reports it until its last response', async () => {
    const port = await freePort();
    const started = run('start', String(port));
    await until('it is ready', async () => (await readiness(port)) === '200 ready');
    const slow = request({
      port,
      host: '127.0.0.1',
      path: '/oauth/token',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    slow.write('grant_type=client_credentials&client_id=nobody');
    await connected(slow);
    const responded = once(slow, 'response');
    await get(port, '/healthz');
    started.child.kill('SIGTERM');
    await until('it drains', async () => (await readiness(port)) === '503 draining');
    assert.equal((await get(port, '/healthz')).status, 200);
    // Requests that a load balancer still sends are served.
    assert.equal((await get(port, '/p/some-link')).status, 404);
    slow.end('&client_secret=none');
    const [response] = (await responded) as [{ statusCode: number; resume(): void }];
    response.resume();
    assert.equal(response.statusCode, 401);
    assert.equal(await started.ended, 0);
  });
});
