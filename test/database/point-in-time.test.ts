// Databases: postgres
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { findPostgresPrograms } from '../../scripts/postgres.mjs';
import { checkBackups } from '../../src/backup/check.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { migrate } from '../../src/migrations/migrate.ts';
import { systemClock } from '../../src/system/clock.ts';
import { packageRoot } from '../../src/system/root.ts';
import { resumeIssuing } from '../../src/wallets/accounts.ts';
import { SimulatedClock } from '../support/clock.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { invoicesOf } from '../support/invoices.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/program.ts';
import { createLink, submitCard } from '../support/requests.ts';

describe('the backup script for PostgreSQL', () => {
  const programs = findPostgresPrograms();
  /** PostgreSQL refuses to run as root. */
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : null;
  const clock = new SimulatedClock();
  /** Bodies of webhooks. */
  const delivered: string[] = [];
  let folder: string;
  let script: string;
  let port: number;
  let stopCluster = async (_signal?: NodeJS.Signals) => await Promise.resolve();
  let fixture: Fixture | null = null;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'paylatch-point-in-time-'));
    script = join(folder, 'paylatch-postgres');
    copyFileSync(join(packageRoot(), 'deploy', 'postgres', 'paylatch-postgres'), script);
    chmodSync(script, 0o755);
    if (owner) chownSync(folder, owner.uid, owner.gid);
    port = await freePort();
  });
  after(async () => {
    // After a failure.
    await closeService();
    await stopCluster();
    rmSync(folder, { recursive: true });
  });

  /** Runs a program as the owner of the clusters; resolves with its exit code and output. */
  async function run(program: string, ...args: string[]): Promise<{ code: number; output: string }> {
    const connection = { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'paylatch', PGDATABASE: 'postgres' };
    const env = { PATH: `${programs}:${process.env.PATH}`, ...connection };
    return await new Promise((resolve) =>
      execFile(program, args, { ...owner, env, cwd: folder }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      ),
    );
  }

  async function succeed(program: string, ...args: string[]): Promise<void> {
    const { code, output } = await run(program, ...args);
    assert.equal(code, 0, output);
  }

  async function assertFails(args: readonly string[], message: RegExp, expected = 1): Promise<void> {
    const { code, output } = await run(script, ...args);
    assert.deepEqual([code, message.test(output)], [expected, true], output);
  }

  /** A folder for backups. */
  async function createStore(name: string): Promise<string> {
    const store = join(folder, name);
    await succeed('mkdir', '-m', '700', store);
    return store;
  }

  /** Starts a cluster; resolves when it accepts writes, and rejects with its log if it ends before. */
  async function start(data: string, ...flags: string[]): Promise<void> {
    const child = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
      ...owner,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    stopCluster = async (signal = 'SIGINT') => {
      child.kill(signal);
      await ended;
      stopCluster = async () => await Promise.resolve();
    };
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        if (log.includes('database system is ready to accept connections')) resolve();
      });
      void ended.then(() => reject(new Error(log)));
    });
  }

  const url = () => `postgres://paylatch@127.0.0.1:${port}/postgres`;

  async function query(text: string): Promise<Record<string, string>[]> {
    const client = new pg.Client({ connectionString: url() });
    await client.connect();
    try {
      return (await client.query<Record<string, string>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  const references = async () =>
    (await query('select transaction_id as reference from fiat_transactions order by id')).map(
      ({ reference }) => reference,
    );

  async function withDatabase<Result>(use: (database: Database) => Promise<Result>): Promise<Result> {
    const database = openDatabase(url(), (error) => console.error(error));
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  }

  const checkArchive = async () =>
    await withDatabase(
      async (database) => await checkBackups({ database, clock: systemClock(), isSandbox: false }).run(),
    );

  async function openService(): Promise<void> {
    fixture = await openFixture({
      clock,
      database: { url: url(), folder: null, drop: () => Promise.resolve() },
      post: (_url, _headers, body) => {
        delivered.push(body);
        return Promise.resolve({ status: 204, retryAfter: null, body: '' });
      },
    });
    await fixture.work();
  }

  async function closeService(): Promise<void> {
    await fixture?.close({ isCounted: false });
    fixture = null;
  }

  /** All files and folders that others than their owner can access. */
  const accessible = (path: string) =>
    [path, ...readdirSync(path, { recursive: true }).map((name) => join(path, String(name)))].filter(
      (each) => (lstatSync(each).mode & 0o077) !== 0,
    );

  test('restores exactly the payments up to a time, and the service continues from there', async () => {
    const store = await createStore('backups');
    const data = join(folder, 'data');
    await succeed(join(programs, 'initdb'), `--pgdata=${data}`, '--username=paylatch', '--auth=trust', '--no-sync');
    const settings = [
      'archive_mode = on',
      `archive_command = '${script} archive ${store} %p %f'`,
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      // For speed.
      ...['fsync = off', 'jit = off'],
    ];
    appendFileSync(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
    await start(data);
    await withDatabase(migrate);
    await openService();
    const current = () => fixture ?? assert.fail();
    const { token, ...merchant } = current().merchant;
    const pay = async () => {
      const { reference } = await createLink(current(), {}, token);
      const { status, text } = await submitCard(current(), reference, undefined, token);
      assert.equal(status, 200, text);
      return reference;
    };
    const { create } = invoicesOf(current);
    const issue = async () => (await create({ type: 'user' }, { token, ...merchant })).walletAddress;
    const callback = { key: 'callback-url', value: 'https://shop.example/callbacks' };
    await current().request('/v1/merchant/preferences', { method: 'PATCH', body: callback });

    const kept = [await pay()];
    const addresses = [await issue()];
    await current().work();
    await query('select pg_switch_wal()');
    await until('WAL has been archived', async () => {
      const [{ count = '0' } = {}] = await query('select archived_count as count from pg_stat_archiver');
      return Number(count) > 0;
    });
    assert.match((await checkArchive()).found, /no base backup/);
    // As after a backup that was killed: no process has an ID as high as this.
    await succeed('mkdir', '-m', '700', join(store, 'base'), join(store, 'base', 'incomplete-99999999'));
    await succeed(script, 'backup', store, '2');
    assert.equal(readdirSync(join(store, 'base')).length, 1);
    delivered.length = 0;
    kept.push(await pay());
    const [{ time = '' } = {}] = await query(
      `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.USZ') as time`,
    );
    const dropped = [await pay()];
    addresses.push(await issue());
    await current().work();
    const deliveredBefore = delivered.filter((body) => body.includes(`"${kept[1]}"`));
    assert.ok(deliveredBefore.length > 0);
    // Ends after the time, so it cannot be used.
    await succeed(script, 'backup', store, '2');
    dropped.push(await pay());
    assert.deepEqual(await references(), [...kept, ...dropped]);
    assert.match(
      (await checkArchive()).found,
      /^(?:WAL was last archived|The last base backup was completed) 0 hours ago\.$/,
    );
    await query(
      `update installation set value = to_char(now() at time zone 'utc' - interval '9 days', 'YYYY-MM-DD"T"HH24:MI:SSZ')
       where name = 'last_base_backup_at'`,
    );
    const old = await checkArchive();
    assert.deepEqual([old.status, old.found], ['warning', 'The last base backup was completed 216 hours ago.']);
    await closeService();
    await stopCluster();
    assert.deepEqual(accessible(store), []);

    const restored = join(folder, 'restored');
    await succeed(script, 'restore', store, time, restored);
    assert.deepEqual(accessible(restored), []);
    await start(restored);
    delivered.length = 0;
    await openService();
    assert.deepEqual(await references(), kept);
    assert.deepEqual(
      deliveredBefore.filter((body) => !delivered.includes(body)),
      [],
      'webhooks delivered after the time are sent again, unchanged',
    );
    const refused = await current().request('/v1/transaction/invoice', {
      body: { txId: 'refused', code: 'btc', amount: '200000', type: 'user' },
      token,
    });
    assert.deepEqual([refused.status, refused.body.code], [503, 'chain_unavailable']);
    assert.match(current().log(), /the database has lost writes/);
    const { text: metrics } = await current().request('/metrics', { token: null });
    assert.match(metrics, /paylatch_lost_writes_total\{chain="bitcoin",reason="timeline"\} 1/);
    const { context } = current().service().invoices;
    await resumeIssuing(context, context.chains.forCurrency('btc')?.accountId ?? assert.fail(), 20);
    addresses.push(await issue());
    assert.equal(new Set(addresses).size, 3);
    kept.push(await pay());
    await closeService();
    await stopCluster();

    // A test restore of the abandoned timeline, to its end.
    const drill = join(folder, 'drill');
    await succeed(script, 'restore', store, 'latest', drill, '1');
    await start(drill, '-c', 'archive_mode=off');
    assert.deepEqual(await references(), [...kept.slice(0, 2), ...dropped]);
    await stopCluster();

    // One base backup of the new timeline suffices.
    await start(restored);
    const archived = readdirSync(join(store, 'wal'));
    await succeed(script, 'backup', store, '1');
    assert.equal(readdirSync(join(store, 'base')).length, 1);
    const left = readdirSync(join(store, 'wal'));
    assert.ok(archived.some((name) => !left.includes(name)));
    await query("insert into installation (name, value) values ('last', 'written')");
    await stopCluster();
    const last = join(folder, 'last');
    await succeed(script, 'restore', store, 'latest', last);
    await start(last);
    assert.deepEqual(await references(), kept);
    assert.deepEqual(await query("select value from installation where name = 'last'"), [{ value: 'written' }]);

    await query("alter system set archive_command = 'false'");
    await query('select pg_reload_conf()');
    await query('select pg_switch_wal()');
    await until('archiving has failed', async () => {
      const [{ count = '0' } = {}] = await query('select failed_count as count from pg_stat_archiver');
      return Number(count) > 0;
    });
    assert.match((await checkArchive()).found, /^PostgreSQL cannot archive its WAL file 0000000/);
    await stopCluster('SIGQUIT');
  });

  test('never overwrites an archived file, and tells a missing file from one that cannot be read', async () => {
    const store = await createStore('files');
    const [name, source, target] = ['000000010000000000000001', join(folder, 'segment'), join(folder, 'fetched')];
    await assertFails(['fetch', store, name, target], /wal does not exist/, 126);
    writeFileSync(source, 'first');
    await succeed(script, 'archive', store, source, name);
    await succeed(script, 'archive', store, source, name);
    writeFileSync(source, 'other');
    await assertFails(['archive', store, source, name], /exists with other content/);
    await succeed(script, 'fetch', store, name, target);
    assert.equal(readFileSync(target, 'utf8'), 'first');
    assert.deepEqual(readdirSync(join(store, 'wal')), [`${name}.gz`]);
    await assertFails(['fetch', store, '00000002.history', target], /^$/);
    writeFileSync(join(store, 'wal', `${name}.gz`), 'damaged');
    await assertFails(['fetch', store, name, target], /cannot be read/, 126);
    await assertFails(['archive', join(folder, 'missing'), source, name], /mkdir/);
  });

  test('refuses a restore that it cannot complete', async () => {
    const store = await createStore('bases');
    const target = join(folder, 'target');
    await assertFails(['restore', store, 'latest', target], /no base backup/);
    await succeed('mkdir', '-p', join(store, 'base', '2026-11-21T03:00:00.000001'));
    for (const time of ['2026-11-21T02:59:59Z', '2026-11-21T03:00:00Z', '2026-11-21T03:00:00.000000Z'])
      await assertFails(['restore', store, time, target], /no base backup .* ended before/);
    for (const time of ['yesterday', '2026-11-21T03:00:00', "2026-11-21'Z"])
      await assertFails(['restore', store, time, target], /not a time in UTC|invalid argument/);
    await assertFails(['restore', 'files', '2026-11-21T03:00:01Z', target], /not an absolute path/);
    await assertFails(['restore', store, '2026-11-21T03:00:01Z', folder], /is not empty/);
    await assertFails(['backup', store, '0'], /KEEP/);
  });
});
