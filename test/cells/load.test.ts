import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Load, startLoad } from '../support/payment-load.ts';
import { movedTables, belongsTo } from '../../src/cells/tables.ts';
import { openDatabase } from '../../src/database/open.ts';
import { describeTables } from '../../src/migrations/describe-tables.ts';
import { migrationNames } from '../../src/migrations/migrate.ts';
import { packageRoot } from '../../src/system/root.ts';
import { runCommandInProcess, runInProcess } from '../support/command-line.ts';
import { createMigratedDatabase, type TestDatabase } from '../support/databases.ts';
import { needs } from '../support/installed.ts';
import { assertPayments, moveDueTimesBack } from '../support/payment-checks.ts';
import { freePort } from '../support/ports.ts';
import { type Program, type Settings, startProgram, until } from '../support/program.ts';
import { db } from '../support/tables.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';

const WORKERS = 3;
/** Payments before the move, and after it. */
const PAYMENTS = 15;
/** A module with which the move is killed after each of its commits, when it reports the step. */
const KILL_AT_REPORT = `process.stderr.write = (text) =>
  text.startsWith('Merchant ') && process.kill(process.pid, 'SIGKILL')`;

/** Two services with a database each, behind HAProxy with the shipped configuration. */
describe('a merchant that moves under load', needs('haproxy'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-cells-'));
  const databases: TestDatabase[] = [];
  const programs: Program[] = [];
  let proxy: ChildProcess;
  let endpoint: TestEndpoint;
  let load: Load | undefined;
  let aa: Settings;
  let ab: Settings;
  let origin: string;
  let token: string;
  let merchantId: number;

  before(async () => {
    endpoint = await openEndpoint();
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const open = async (cell: string): Promise<Settings> => {
      const database = await createMigratedDatabase();
      databases.push(database);
      return {
        ...{ CELL: cell, DATABASE_URL: database.url, PORT: String(await freePort()), HOST: '127.0.0.1' },
        ...{ PUBLIC_URL: origin, PAYLATCH_SECRET_KEY: 'cd'.repeat(32), DEMO_SHOP: 'off', LOG_LEVEL: 'error' },
        SEALING_KEY: (cell === 'aa' ? '33' : '44').repeat(32),
      };
    };
    aa = await open('aa');
    ab = await open('ab');
    const created = await runCommandInProcess(['merchant', 'create', '--name', 'Kettle & Co'], aa);
    merchantId = Number(created.merchant_id);
    const of = ['--merchant', String(merchantId)];
    await runCommandInProcess(['merchant', 'method', ...of, '--method', 'credit_card', '--currency', 'USD'], aa);
    token = String((await runCommandInProcess(['token', 'create', ...of], aa)).access_token);
    for (const settings of [aa, ab]) programs.push(await startProgram(settings));
    copyFileSync(join(packageRoot(), 'deploy', 'cells', 'hosts.map'), join(folder, 'hosts.map'));
    writeFileSync(join(folder, 'moved.map'), '');
    proxy = spawn('haproxy', ['-W', '-db', '-f', join(packageRoot(), 'deploy', 'cells', 'haproxy.cfg')], {
      env: {
        ...{ PATH: process.env.PATH, PAYLATCH_BIND: `127.0.0.1:${port}`, PAYLATCH_MAPS: folder },
        ...{ PAYLATCH_CELL_AA: `127.0.0.1:${aa.PORT}`, PAYLATCH_CELL_AB: `127.0.0.1:${ab.PORT}` },
        PAYLATCH_CELL_DEFAULT: `127.0.0.1:${aa.PORT}`,
      },
      stdio: 'ignore',
    });
    await until('the proxy routes', async () => {
      const response = await fetch(`${origin}/healthz`).catch(() => null);
      await response?.body?.cancel();
      return response?.status === 200;
    });
  });
  after(async () => {
    // After a failed assertion it still pays.
    await load?.abandon();
    proxy?.kill('SIGTERM');
    if (proxy) await once(proxy, 'exit');
    await endpoint?.close();
    await Promise.all(programs.map(async (program) => await program.end()));
    for (const database of databases) await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('loses nothing and doubles nothing, though the command is killed', async () => {
    const set = await fetch(`${origin}/v1/merchant/preferences`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ key: 'callback-url', value: endpoint.url }),
    });
    assert.equal(set.status, 200, await set.text());
    load = startLoad({ baseUrl: origin, token, workers: WORKERS, run: 'move', hasInvoices: false });
    const { facts } = load;
    await until('payments are made', () => Promise.resolve(facts.confirmed.size >= PAYMENTS));

    const targetEnv = join(folder, 'ab.env');
    writeFileSync(
      targetEnv,
      Object.entries(ab)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
      { mode: 0o600 },
    );
    const args = ['merchant', 'move', String(merchantId), '--to', 'ab', '--target-env', targetEnv];
    for (const step of ['frozen', 'copied', 'finished']) {
      const script = join(packageRoot(), 'scripts', 'paylatch.mjs');
      const preloaded = ['--import', `data:text/javascript,${encodeURIComponent(KILL_AT_REPORT)}`];
      const child = spawn(process.execPath, [...preloaded, script, ...args], {
        env: { PATH: process.env.PATH, ...aa },
        stdio: 'ignore',
      });
      const [, signal] = await once(child, 'exit');
      assert.equal(signal, 'SIGKILL', `not killed when ${step}`);
    }
    const moved = await runInProcess([...args, '--output', 'json'], aa);
    assert.equal(moved.code, 0, moved.stderr);
    const map = await runInProcess(['merchant', 'moved'], aa);
    const before = facts.confirmed.size;
    writeFileSync(join(folder, 'moved.map'), map.stdout);
    proxy.kill('SIGUSR2');
    await until('payments are made in the new cell', () => Promise.resolve(facts.confirmed.size >= before + PAYMENTS));

    const database = openDatabase(ab.DATABASE_URL ?? '', () => undefined);
    const former = openDatabase(aa.DATABASE_URL ?? '', () => undefined);
    try {
      // What had no outcome when the merchant left is claimed for a minute.
      const stopped = load.stop();
      await until('all requests have ended', async () => {
        await moveDueTimesBack(database);
        return await Promise.race([stopped.then(() => true), pause(200, false)]);
      });
      await until('all payments and webhooks are finished', async () => {
        await moveDueTimesBack(database);
        const attempts = db(database)
          .selectFrom('card_attempts')
          .select('id')
          .where('state', 'in', ['submitting', 'unknown']);
        const webhooks = db(database).selectFrom('callbacks').select('id').where('state', '=', 'pending');
        return (await attempts.execute()).length + (await webhooks.execute()).length === 0;
      });
      await load.finishPulling();
      assert.deepEqual(load.violations, []);

      await assertPayments(database, { ...facts, approvedAtIssuer: new Set() });
      const events = await db(database)
        .selectFrom('events')
        .select('webhook_id')
        .where('webhook_id', 'is not', null)
        .execute();
      const ids = new Set(events.map((event) => event.webhook_id ?? ''));
      assert.equal(ids.size, events.length);
      assert.deepEqual(new Set(load.pulled), ids);
      assert.equal(load.pulled.length, ids.size, 'the event log returned an event twice');
      const received = new Set(endpoint.received.map(({ headers }) => headers['webhook-id'] ?? ''));
      assert.deepEqual(received, ids);

      for (const { link } of facts.created.values()) {
        const page = await fetch(link);
        await page.body?.cancel();
        // Expired, by the due times above.
        assert.ok(page.status === 200 || page.status === 410, `${link}: ${page.status}`);
      }
      for (const table of movedTables(await describeTables(migrationNames.at(-1) ?? ''))) {
        const left =
          await sql`select 1 from ${sql.table(table.name)} where ${belongsTo(merchantId, table.name)}`.execute(
            former.query,
          );
        assert.equal(left.rows.length, 0, table.name);
      }
      const discarded = await runInProcess([...args.with(1, 'discard'), '--output', 'json'], aa);
      assert.equal(discarded.code, 0, discarded.stderr);
    } finally {
      await database.close();
      await former.close();
    }
  });
});
