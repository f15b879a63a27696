import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createAccountStore } from '../../src/acquirers/account-store.ts';
import { recordBackup } from '../../src/backup/check.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createMerchant } from '../../src/merchants/merchants.ts';
import { DAY, HOUR, MINUTE } from '../../src/shared/time.ts';
import { systemClock } from '../../src/system/clock.ts';
import type { Finding } from '../../src/system/diagnosis.ts';
import { systemRandom } from '../../src/system/random.ts';
import { createOutbox } from '../../src/webhooks/outbox.ts';
import { createWebhookSecrets } from '../../src/webhooks/secrets.ts';
import { startHyperswitch } from '../acquirers/simulators/hyperswitch/index.ts';
import { runInProcess } from '../support/command-line.ts';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import {
  createMigratedDatabase,
  createTestDatabase,
  onSqlite,
  type TestDatabase,
  testEngine,
} from '../support/databases.ts';

const clock = systemClock();
const checkNames = [
  ...['settings', 'database', 'replication', 'migrations', 'tls', 'proxy', 'clock'],
  ...['acquirers', 'rates', 'chains', 'webhooks', 'email', 'backups'],
];

interface Diagnosis {
  code: number;
  status: string;
  checks: ({ check: string } & Finding)[];
}

async function diagnose(settings: Record<string, string>): Promise<Diagnosis> {
  const { code, stdout, stderr } = await runInProcess(['doctor', '--output', 'json'], settings);
  assert.equal(stderr, '');
  return { code, ...(JSON.parse(stdout) as Omit<Diagnosis, 'code'>) };
}

function findingOf({ checks }: Diagnosis, name: string): Finding {
  return checks.find(({ check }) => check === name) ?? assert.fail(`no check ${name}`);
}

/** The health check of a service, with a response of the test. */
async function openHealthServer() {
  const server = createServer((_request, response) => {
    if (health.date) response.setHeader('Date', health.date());
    response.statusCode = health.status;
    response.end(health.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const health = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    status: 200,
    body: '{"status":"alive"}',
    date: null as (() => string) | null,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return health;
}

describe('paylatch doctor', () => {
  let stored: TestDatabase;
  let database: Database;
  let health: Awaited<ReturnType<typeof openHealthServer>>;
  let settings: Record<string, string>;
  before(async () => {
    health = await openHealthServer();
  });
  after(async () => await health.close());
  beforeEach(async () => {
    stored = await createMigratedDatabase();
    database = openDatabase(stored.url, () => undefined);
    Object.assign(health, { status: 200, body: '{"status":"alive"}', date: null });
    settings = { DATABASE_URL: stored.url, PUBLIC_URL: health.url };
  });
  afterEach(async () => {
    await database.close();
    await stored.drop();
  });
  const finding = async (name: string, more: Record<string, string> = {}) =>
    findingOf(await diagnose({ ...settings, ...more }), name);

  test('finds nothing wrong with a running sandbox, and changes nothing', async () => {
    const { code, status, checks } = await diagnose(settings);
    // PostgreSQL in tests writes without fsync, which is a problem.
    const isDurable = testEngine === 'sqlite';
    assert.deepEqual([code, status], isDurable ? [0, 'ok'] : [1, 'problem'], JSON.stringify(checks));
    const found = checks.filter((each) => each.status !== 'ok').map(({ check }) => check);
    assert.deepEqual(found, isDurable ? [] : ['database']);
    assert.deepEqual(
      checks.map(({ check }) => check),
      checkNames,
    );
    for (const { action, check } of checks) assert.equal(action === null, !found.includes(check), check);
    const text = await runInProcess(['doctor'], settings);
    assert.equal(text.code, code);
    assert.match(text.stdout, /^✓ replication {2}\S/m);
    assert.match(text.stdout, /^✓ tls {10}\S/m);
    assert.equal(text.stdout.match(/^✓ /gm)?.length, checkNames.length - found.length, text.stdout);
    const { rows } = await sql`select * from installation`.execute(database.query);
    assert.deepEqual(rows, []);
  });

  test('names an invalid setting', async () => {
    const { code, checks } = await diagnose({ ...settings, PORT: 'eighty' });
    assert.equal(code, 1);
    assert.deepEqual(
      checks.map(({ check, status }) => [check, status]),
      [['settings', 'problem']],
    );
    assert.match(checks[0]?.found ?? '', /^PORT=eighty is invalid/);
    const text = await runInProcess(['doctor'], { ...settings, PORT: 'eighty' });
    assert.match(text.stdout, /^✗ settings {2}PORT=eighty is invalid.*\n {12}→ Correct this setting/);
  });

  test('names what is unsafe in production', async () => {
    const production = {
      PAYLATCH_ENV: 'production',
      PUBLIC_URL: 'https://127.0.0.1:1',
      PAYLATCH_SECRET_KEY: '11'.repeat(32),
      LOG_LEVEL: 'debug',
      LIMIT_SUBMIT_PER_HOUR: '0',
    };
    const diagnosis = await diagnose({ ...settings, ...production });
    assert.equal(diagnosis.code, 1);
    const { status, found, action } = findingOf(diagnosis, 'settings');
    assert.equal(status, 'warning');
    assert.match(found, /unsealed.*cannot find a contact.*LOG_LEVEL=debug.*submit_address/);
    assert.match(action ?? '', /SEALING_KEY.*SECURITY_CONTACT/);
    assert.equal(findingOf(diagnosis, 'tls').status, 'problem');
    assert.match(findingOf(diagnosis, 'proxy').found, /does not respond.*No proxy is trusted/);
    assert.match(findingOf(diagnosis, 'acquirers').action ?? '', /paylatch acquirer add/);
    assert.equal(findingOf(diagnosis, 'rates').status, 'warning');
    assert.deepEqual(findingOf(diagnosis, 'backups').found, 'There has never been a backup.');
    assert.match(
      await finding('proxy', { TRUSTED_PROXIES: '128.0.0.0/1' }).then(({ found: wide }) => wide),
      /too broad/,
    );
  });

  test('reports a database that does not respond, and still runs the other checks', async () => {
    const diagnosis = await diagnose({ ...settings, DATABASE_URL: 'postgres://paylatch:hunter2@127.0.0.1:1/paylatch' });
    assert.deepEqual(
      diagnosis.checks.map(({ check }) => check),
      checkNames,
    );
    assert.equal(findingOf(diagnosis, 'database').status, 'problem');
    assert.match(findingOf(diagnosis, 'database').found, /does not respond/);
    assert.equal(findingOf(diagnosis, 'proxy').status, 'ok');
    assert.doesNotMatch(JSON.stringify(diagnosis), /hunter2/);
  });

  onSqlite('reports a file that does not exist or cannot be opened, and still runs the other checks', async () => {
    const folder = stored.folder ?? assert.fail();
    const missing = join(folder, 'new', 'paylatch.db');
    for (const [path, pattern] of [
      [missing, /paylatch\.db does not exist\.$/],
      [folder, /^The database cannot be opened: unable to open database file\.$/],
    ] as const) {
      const diagnosis = await diagnose({ ...settings, DATABASE_URL: `sqlite:${path}` });
      assert.equal(diagnosis.code, 1);
      assert.deepEqual(
        diagnosis.checks.map(({ check }) => check),
        checkNames,
      );
      const { status, found } = findingOf(diagnosis, 'database');
      assert.equal(status, 'problem');
      assert.match(found, pattern);
      assert.equal(findingOf(diagnosis, 'migrations').status, 'problem');
      assert.equal(findingOf(diagnosis, 'proxy').status, 'ok');
    }
    assert.ok(!existsSync(join(folder, 'new')), 'nothing is created');
  });

  test('reports a slow PostgreSQL, its settings that can lose payments, and replicas without synchronous replication', async () => {
    if (testEngine === 'sqlite') {
      assert.match((await finding('database')).found, /^SQLite, with .* GB free/);
      assert.match((await finding('replication')).found, /no replicas/);
      return;
    }
    const proxy = await openDatabaseProxy(stored.url);
    proxy.delayMs = 25;
    assert.match((await finding('database', { DATABASE_URL: proxy.url })).found, /A round trip takes \d+ ms/);
    await proxy.close();
    const name = new URL(stored.url).pathname.slice(1);
    await sql`alter database ${sql.ref(name)} set synchronous_commit = off`.execute(database.query);
    assert.match((await finding('database')).found, /can lose acknowledged payments/);
    assert.equal((await finding('replication')).status, 'ok');
    await sql`alter database ${sql.ref(name)} set synchronous_commit = on`.execute(database.query);
    // Replaces the server's view, because no replica is connected.
    const replicas = async (...states: (string | null)[]) => {
      const rows = states.map((state, index) => {
        // A WAL receiver or a base backup does not replay. Unreadable columns are null.
        const replayed = state === null || state.startsWith('receiver ') ? null : '0/3000060';
        const columns = [`replica${index}`, state?.replace('receiver ', '') ?? null, replayed];
        return sql`select ${sql.join(columns.map((column) => sql`${sql.lit(column)}::text`))}`;
      });
      await sql`create or replace view public.pg_stat_replication (application_name, sync_state, replay_lsn) as
        ${sql.join(rows, sql` union all `)}`.execute(database.query);
    };
    await sql`alter database ${sql.ref(name)} set search_path = public, pg_catalog`.execute(database.query);
    for (const [states, status] of [
      [['async', 'async'], 'problem'],
      [['async', 'potential'], 'problem'],
      [['async', 'sync'], 'ok'],
      [['quorum', 'quorum'], 'ok'],
      [[null, null], 'warning'],
      [['receiver async'], 'ok'],
      [['receiver sync'], 'ok'],
      [['receiver async', 'async'], 'problem'],
    ] as const) {
      await replicas(...states);
      const found = await finding('replication');
      assert.equal(found.status, status, JSON.stringify([states, found]));
    }
    await replicas('async', 'sync');
    await sql`alter database ${sql.ref(name)} set synchronous_commit = local`.execute(database.query);
    assert.match((await finding('replication')).found, /do not wait .*synchronous_commit = local/);
    // The same, of settings that only the server has.
    await sql`create view public.pg_settings as
      select 'synchronous_standby_names' as name, 'ANY 1 (*)' as setting`.execute(database.query);
    await sql`drop view public.pg_stat_replication`.execute(database.query);
    assert.match((await finding('replication')).found, /every write waits/);
  });

  test('reports pending and unknown migrations, and a database of the other environment', async () => {
    const empty = await createTestDatabase();
    try {
      const pending = await finding('migrations', { DATABASE_URL: empty.url });
      assert.equal(pending.status, 'problem');
      assert.match(pending.action ?? '', /npx paylatch migrate/);
    } finally {
      await empty.drop();
    }
    await sql`insert into installation (name, value) values ('environment', 'production')`.execute(database.query);
    assert.match((await finding('migrations')).found, /the database belongs to production/);
    await sql`delete from installation`.execute(database.query);
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(database.query);
    assert.match((await finding('migrations')).found, /newer than this program/);
  });

  test('reports another program at the public URL', async () => {
    health.body = 'Welcome to nginx!';
    assert.match((await finding('proxy')).found, /returns 200, not the service's response/);
    health.status = 502;
    assert.match((await finding('proxy')).action ?? '', /forwards to the service/);
  });

  test('reports a proxy that forwards its own request, and is not trusted', async () => {
    health.body = '{"status":"alive","proxy":"untrusted"}';
    const { status, found, action } = await finding('proxy', { TRUSTED_PROXIES: '10.0.0.1' });
    assert.equal(status, 'problem');
    assert.match(found, /not in TRUSTED_PROXIES/);
    assert.match(action ?? '', /the log of the service/);
  });

  test('reports clocks that differ', async () => {
    for (const [offsetMs, status] of [
      [0, 'ok'],
      [-5000, 'warning'],
      [90_000, 'problem'],
    ] as const) {
      health.date = () => new Date(Date.now() + offsetMs).toUTCString();
      const { status: found, found: text } = await finding('clock');
      assert.equal(found, status, text);
    }
    health.date = () => 'unknown';
    if (testEngine === 'sqlite') assert.match((await finding('clock')).found, /no other clock/);
  });

  test('reports acquirer accounts with wrong credentials, without routes, or without a response', async () => {
    const vendor = await startHyperswitch({ now: () => Date.now() });
    const store = createAccountStore({ clock, random: systemRandom, environment: 'sandbox', sealingKeys: [] });
    const credentials = {
      apiUrl: vendor.url,
      apiKey: vendor.credentials.apiKey,
      responseHashKey: vendor.credentials.hashKey,
    };
    const insert = async (name: string, more = {}) =>
      await database.inTransaction(
        async (unit) =>
          await store.insert(unit, {
            ...{ merchantId: null, adapter: 'hyperswitch', name },
            credentials: { ...credentials, ...more },
          }),
      );
    try {
      const account = await insert('Cards');
      assert.match((await finding('acquirers')).found, /^Cards \(hyperswitch, .*\) has no routes\.$/);
      const route = { paymentMethod: 'credit_card', country: '*', currency: '*', priority: 1 };
      await database.inTransaction(async (unit) => await store.setRoutes(unit, account, [route]));
      assert.equal((await finding('acquirers')).status, 'ok');
      const wrong = await insert('Wrong', { apiKey: 'wrong' });
      const refused = await finding('acquirers');
      assert.equal(refused.status, 'problem');
      assert.match(refused.found, /^Wrong \(hyperswitch/);
      assert.match(refused.action ?? '', new RegExp(`acquirer credentials --account ${wrong.key}`));
      await database.inTransaction(async (unit) => await store.update(unit, wrong, { disabledAt: wrong.updatedAt }));
      assert.equal((await finding('acquirers')).status, 'ok');
    } finally {
      await vendor.close();
    }
    const unreachable = await finding('acquirers');
    assert.equal(unreachable.status, 'problem');
    assert.match(unreachable.action ?? '', /outgoing connections/);
  });

  test('reports failing and disabled webhook endpoints', async () => {
    const webhookSecrets = createWebhookSecrets(systemRandom, []);
    const { id } = await database.inTransaction(
      async (unit) => await createMerchant(unit, { name: 'Kettle', clock, webhookSecrets }),
    );
    const now = clock.now();
    await sql`update webhook_endpoints set failing_since = ${now}, failed_at = ${now}`.execute(database.query);
    const failing = await finding('webhooks');
    assert.equal(failing.status, 'warning');
    assert.match(failing.found, new RegExp(`merchant ${id} \\(failing since 20`));
    await sql`update webhook_endpoints set off_at = ${now}, off_reason = 'gone'`.execute(database.query);
    const disabled = await diagnose(settings);
    assert.equal(findingOf(disabled, 'webhooks').status, 'problem');
    assert.equal(disabled.code, 1);
  });

  test('reports webhooks that no process sends', async () => {
    const webhookSecrets = createWebhookSecrets(systemRandom, []);
    const { id } = await database.inTransaction(
      async (unit) => await createMerchant(unit, { name: 'Kettle', clock, webhookSecrets }),
    );
    await sql`update webhook_endpoints set url = 'https://shop.example/callbacks'`.execute(database.query);
    const at = clock.now() - 12 * MINUTE;
    const outbox = createOutbox({ clock: { now: () => at }, random: systemRandom });
    await database.inTransaction(
      async (unit) =>
        await outbox.record(unit, {
          ...{ merchant_id: id, subject_kind: 'fiat_transaction', subject_id: 1, sequence: 1, at, webhook_id: 'evt_1' },
          ...{ type: 'fiat.transaction.updated', status: '', previous_status: null, detail: null, data: '{}' },
        }),
    );
    const overdue = await finding('webhooks');
    assert.deepEqual([overdue.status, overdue.found], ['problem', 'A due webhook has not been sent for 12 minutes.']);
    await sql`update webhook_endpoints set failing_since = ${at}, failed_at = ${at}`.execute(database.query);
    assert.doesNotMatch((await finding('webhooks')).found, /due webhook/, 'an endpoint that fails has a backlog');
  });

  test('reports a chain whose node does not respond', async () => {
    const { status, found } = await finding('chains', {
      CHAIN_BTC_URL: 'http://user:hunter2@127.0.0.1:1',
      CHAIN_BTC_NETWORK: 'mainnet',
      CHAIN_BTC_ACCOUNT_KEY:
        'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    });
    assert.equal(status, 'problem');
    assert.match(found, /^Bitcoin: /);
    assert.doesNotMatch(found, /hunter2/);
  });

  test('reports the age of the last backup', async () => {
    await recordBackup(database, clock.now() - 2 * HOUR);
    assert.equal((await finding('backups')).found, 'The last backup was completed 2 hours ago.');
    await recordBackup(database, clock.now() - 3 * DAY);
    const old = await finding('backups');
    assert.deepEqual([old.status, old.found], ['warning', 'The last backup was completed 72 hours ago.']);
    if (stored.folder === null) return;
    assert.equal((await runInProcess(['backup', `${stored.folder}/new.backup`], settings)).code, 0);
    assert.equal((await finding('backups')).found, 'The last backup was completed 0 hours ago.');
  });
});
