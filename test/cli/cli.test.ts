import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { packageRoot } from '../../src/system/root.ts';
import { Webhook } from 'standardwebhooks';
import { runInProcess } from '../support/command-line.ts';
import { createTestDatabase, onSqlite, testEngine } from '../support/databases.ts';
import { copyTransaction } from '../support/many-transactions.ts';
import { until } from '../support/program.ts';
import { createLink, submitCard } from '../support/requests.ts';
import { withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const program = join(packageRoot(), 'dist', 'server', 'cli.js');

/** Preloaded into an export: its last step never completes, so the signal always arrives while it runs. */
const NEVER_RENAMES = `data:text/javascript,${encodeURIComponent(`import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  fs.rename = () => new Promise(() => setInterval(() => {}, 60_000));
  syncBuiltinESMExports();`)}`;

/** Preloaded into a backup: the terminal is closed as soon as it writes. */
const HANGS_UP = `data:text/javascript,${encodeURIComponent(`import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { createWriteStream } = fs;
  fs.createWriteStream = (...args) => createWriteStream(...args).on('open', () => process.kill(process.pid, 'SIGHUP'));
  syncBuiltinESMExports();`)}`;

/** A running command. */
function begin(args: readonly string[], env: Record<string, string> = {}, flags: readonly string[] = []) {
  const child = spawn(process.execPath, [...flags, program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => ({
    ...said,
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  return { child: child as ChildProcess, said, ended };
}

const run = async (args: readonly string[], env?: Record<string, string>) => await begin(args, env).ended;

/** Entries of a help section: the first word of each, or the long names of options. */
function listed(help: string, heading: 'Commands' | 'Options'): string[] {
  const part = new RegExp(`^${heading}:\\n((?:  .*\\n)+)`, 'm').exec(help)?.[1] ?? '';
  const entry = heading === 'Commands' ? /^ {2}([a-z]+)/gm : /^ {2}(?:-\w, )?(--[\w-]+)/gm;
  return Array.from(part.matchAll(entry), ([, name]) => name ?? '').filter((name) => !/^(help|--help)$/.test(name));
}

/** Every runnable command, with its help. */
async function everyCommand(names: readonly string[] = []): Promise<{ names: readonly string[]; help: string }[]> {
  const { code, stdout: help } = await runInProcess([...names, '--help']);
  assert.equal(code, 0, names.join(' '));
  const inner = listed(help, 'Commands');
  const within = (await Promise.all(inner.map(async (name) => await everyCommand([...names, name])))).flat();
  // A command with subcommands is runnable itself if it has options.
  const isCommand = inner.length === 0 || (names.length > 0 && listed(help, 'Options').length > 0);
  return isCommand ? [{ names, help }, ...within] : within;
}

describe('the commands', () => {
  let all: Awaited<ReturnType<typeof everyCommand>>;
  before(async () => {
    all = await everyCommand();
  });

  onSqlite('each have an example', () => {
    assert.ok(all.length > 10);
    for (const { names, help } of all) {
      const pattern = new RegExp(`Examples?:\\n(?:.*\\n)*.*npx paylatch ${names.join(' ')}`);
      assert.match(help, pattern, names.join(' '));
    }
  });

  onSqlite('are documented with exactly their options', async () => {
    const page = await readFile(join(packageRoot(), 'docs', 'cli.md'), 'utf8');
    const parts = new Map(
      page
        .split(/^### /m)
        .slice(1)
        .map((part) => [/^`paylatch ([a-z ]+)`/.exec(part)?.[1] ?? part, part]),
    );
    assert.deepEqual([...parts.keys()].toSorted(), all.map(({ names }) => names.join(' ')).toSorted());
    for (const { names, help } of all) {
      const rows = (parts.get(names.join(' ')) ?? '').split('\n').filter((line) => line.startsWith('| `'));
      const reported = rows.flatMap((row) =>
        Array.from((row.split('|')[1] ?? '').matchAll(/`(--[\w-]+)/g), ([, name]) => name ?? ''),
      );
      assert.deepEqual(reported.toSorted(), listed(help, 'Options').toSorted(), names.join(' '));
    }
  });
});

describe('invalid usage', () => {
  for (const [args, pattern] of [
    [['tokn'], /^Unknown command 'tokn' \(Did you mean token\?\) See: npx paylatch --help$/],
    [['token', 'creat'], /Did you mean create\?.*npx paylatch token --help$/],
    [['token', 'create'], /^Required option '--merchant <id>' not specified\. See: npx paylatch token create --help$/],
    [['token', 'create', '--merchant', 'one'], /'one' is invalid\. It must be an ID, such as 1/],
    [['token', 'create', '--merchant', '1', '--scopes', ','], /Set at least one scope/],
    [
      ['merchant', 'method', '--merchant', '1', '--method', 'credit_card', '--currency', 'USD', '--fee-percent', ''],
      /^Option '--fee-percent <percent>' argument '' is invalid\. It must be a number, such as 2\.9\./,
    ],
    [['merchant', 'create', '--name', ' '], /It must not be empty/],
    [['export', '--merchant', '1', '--since', 'yesterday'], /^--since must be a date/],
    [['export', '--merchant', '1', '--currency', 'XXX'], /^--currency must be an active ISO 4217 code/],
    [['export', '--merchant', '1', '--file', '/'], /is not a file/],
    [['export', '--merchant', '1', '--status', 'confirmed'], /^--status must be one of: transaction_status_pending/],
    [['webhooks', 'list', '--merchant', '1', '--state', 'failed,lost'], /^--state must be one of/],
    [['token', 'list', '--merchant', '1', '--json'], /^Unknown option '--json'/],
    [['export', '--merchant', '1', '--metadata', '__proto__=x'], /--metadata.* It must not have the key `__proto__`\./],
    [['webhooks', 'listen', '--secret', 'x'], /webhook secret/],
    [['webhooks', 'listen', '--secret', 'nope'], /webhook secret/],
    [['webhooks', 'listen', '--secret', 'whsec_bm9wZQ=='], /webhook secret/],
    [
      ['link', 'create', '--amount', 'much', '--success', 'ftp://x'],
      /^--amount must be a number; --success must start with/,
    ],
  ] as const) {
    onSqlite(`prints one line and exits with 2: ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await runInProcess(args, { DATABASE_URL: 'sqlite::memory:' });
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr.trimEnd(), pattern);
      assert.equal(stderr.trimEnd().split('\n').length, 1);
      const { stderr: asJson } = await runInProcess([...args, '--output', 'json'], { DATABASE_URL: 'sqlite::memory:' });
      const problem = JSON.parse(asJson);
      assert.match(problem.code, /^(invalid_usage|validation_failed)$/);
      assert.equal(typeof problem.detail, 'string');
    });
  }

  onSqlite('shows the commands if one is missing', async () => {
    const { code, stdout, stderr } = await run(['token']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^Usage: paylatch token/);
  });
});

onSqlite('an unusable database is reported in one line, without its password, with exit code 1', async () => {
  const list = ['token', 'list', '--merchant', '1'];
  const unreachable = 'postgres://user:hunter2@127.0.0.1:1/x';
  for (const [args, url, pattern] of [
    [list, 'sqlite:/', /^The database cannot be opened: .*DATABASE_URL/],
    [list, unreachable, /^The database does not respond: .*ECONNREFUSED.*DATABASE_URL/],
    [['backup', join(tmpdir(), 'unreachable.backup')], unreachable, /^The database does not respond: .*DATABASE_URL/],
  ] as const) {
    const { code, stdout, stderr } = await run(args, { DATABASE_URL: url });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, pattern);
    assert.doesNotMatch(stderr, /hunter2/);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
  }
});

onSqlite('a stack trace is shown on request, with positions in the source files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-cli-'));
  const file = join(folder, 'foreign.db');
  const foreign = new DatabaseSync(file);
  foreign.exec('create table merchants (id integer)');
  foreign.close();
  const settings = { DATABASE_URL: `sqlite:${file}` };
  const short = await run(['migrate'], settings);
  assert.equal(short.code, 1);
  assert.match(short.stderr, /table merchants already exists$/m);
  assert.doesNotMatch(short.stderr, /^ +at /m);
  const long = await run(['migrate'], { ...settings, LOG_LEVEL: 'debug' });
  assert.match(long.stderr, /^ +at .*\(?src\/migrations\/migrate\.ts:\d+:\d+\)?$/m);
  rmSync(folder, { recursive: true });
});

onSqlite('the first command on a database reports in two lines that it migrates', async () => {
  const empty = await createTestDatabase();
  const create = ['merchant', 'create', '--name', 'Kettle & Co'];
  const first = await run(create, { DATABASE_URL: empty.url });
  assert.match(first.stderr, /^Migrating the database …\n\d+ migrations applied\n$/);
  assert.equal((await run(create, { DATABASE_URL: empty.url })).stderr, '');
  await empty.drop();
});

describe('commands', () => {
  /** Only SQLite exports all rows: on PostgreSQL, `export.test.ts` reads many rows. */
  const COUNT = testEngine === 'sqlite' ? 60_000 : 1000;
  let fixture: Fixture;
  let env: Record<string, string>;
  let of: string[];
  let folder: string;

  before(async () => {
    fixture = await openFixture();
    env = { DATABASE_URL: fixture.databaseUrl };
    of = ['--merchant', String(fixture.merchant.id)];
    folder = mkdtempSync(join(tmpdir(), 'paylatch-cli-'));
    const { reference } = await createLink(fixture, { description: 'paid, "for"\u00e9' });
    await submitCard(fixture, reference);
    await createLink(fixture, { description: 'x'.repeat(255) });
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await fixture.close();
  });

  onSqlite('gas prints the gas wallet and its balance', async () => {
    await fixture.work();
    const address = await withdrawalsOf(() => fixture).fillGasWallet(3n * 10n ** 18n);
    const { code, stdout } = await runInProcess(['gas', '--output', 'json'], env);
    assert.equal(code, 0);
    const wallet = { chain: 'ethereum', address, wei: '3000000000000000000', height: 1 };
    assert.deepEqual(JSON.parse(stdout), { wallets: [wallet] });
    assert.match((await runInProcess(['gas'], env)).stdout, new RegExp(address));
    const empty = await createTestDatabase();
    const nowhere = await runInProcess(['gas'], {
      DATABASE_URL: empty.url,
      PAYLATCH_ENV: 'production',
      PUBLIC_URL: 'https://pay.example',
      PAYLATCH_SECRET_KEY: 'ab'.repeat(32),
    });
    assert.notEqual(nowhere.code, 0);
    assert.match(nowhere.stderr, /Ethereum is not configured/);
    await empty.drop();
  });

  onSqlite('a method keeps an omitted fee, and accepts only its currencies', async () => {
    const method = ['merchant', 'method', ...of, '--output', 'json', '--method'];
    const usd = ['credit_card', '--currency', 'usd'];
    const first = JSON.parse(
      (await runInProcess([...method, ...usd, '--fee-percent', '2.9', '--fee-fix', '0.30'], env)).stdout,
    );
    assert.deepEqual([first.fee_percent, first.fee_fix], [2.9, 0.3]);
    const second = JSON.parse((await runInProcess([...method, ...usd, '--fee-percent', '3'], env)).stdout);
    assert.deepEqual([second.fee_percent, second.fee_fix, second.status], [3, 0.3, 'enable']);
    const wrong = await runInProcess(['merchant', 'method', ...of, '--method', 'upi', '--currency', 'USD'], env);
    assert.deepEqual([wrong.code, wrong.stderr], [2, '--currency is not a currency of upi; must be one of INR.\n']);
    const unknown = await runInProcess(['merchant', 'method', ...of, '--method', 'barter', '--currency', 'USD'], env);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /^--method must be one of credit_card, .*rocket_ewallet\.\n$/);
  });

  onSqlite('enabling a method without an acquirer in production prints a message', async (context) => {
    const own = mkdtempSync(join(tmpdir(), 'paylatch-cli-'));
    context.after(() => rmSync(own, { recursive: true }));
    const production = {
      DATABASE_URL: `sqlite:${join(own, 'production.db')}`,
      PAYLATCH_ENV: 'production',
      PUBLIC_URL: 'https://pay.example',
      PAYLATCH_SECRET_KEY: 'ab'.repeat(32),
    };
    const { code } = await runInProcess(['merchant', 'create', '--name', 'Kettle & Co'], production);
    assert.equal(code, 0);
    const messageOf = async (method: string, more: Record<string, string> = {}) => {
      const args = [
        'merchant',
        'method',
        '--merchant',
        '1',
        '--method',
        method,
        '--currency',
        'USD',
        '--output',
        'json',
      ];
      return JSON.parse((await runInProcess(args, { ...production, ...more })).stdout).message;
    };
    assert.match(await messageOf('credit_card'), /no acquirer/);
    assert.match(await messageOf('crypto_payment'), /no acquirer/);
    const accountKey =
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
    const node = { CHAIN_BTC_URL: 'http://127.0.0.1:1', CHAIN_BTC_ACCOUNT_KEY: accountKey };
    assert.equal(await messageOf('crypto_payment', node), undefined);
  });

  onSqlite('received callbacks are verified and printed, for any path', async () => {
    const secret = fixture.merchant.callbackSecret;
    const listening = begin(['webhooks', 'listen', '--port', '0', '--output', 'json'], { WEBHOOK_SECRET: secret });
    await until('it is listening', async () => listening.said.stderr.includes('\n'));
    const url = /http:\/\/localhost:\d+\//.exec(listening.said.stderr)?.[0] ?? assert.fail(listening.said.stderr);
    const body = '{"type":"callback.test","timestamp":"2026-11-21T09:00:00.000000Z","data":{}}';
    const at = new Date();
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
    };
    assert.equal((await fetch(`${url}shop/callbacks`, { method: 'POST', body, headers })).status, 204);
    await until('the webhook is printed', async () => listening.said.stdout.includes('\n'));
    assert.deepEqual(JSON.parse(listening.said.stdout), {
      id: 'evt_1',
      valid: true,
      problem: null,
      body: JSON.parse(body),
    });
    const forged = await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-id': 'x' } });
    assert.equal(forged.status, 401);
    await until('the webhook is printed', async () => listening.said.stdout.includes('"valid":false'));
    listening.child.kill('SIGINT');
    assert.equal((await listening.ended).code, 0);
  });

  test('lists are tables with aligned columns', async () => {
    for (const name of ['A', 'A longer name']) await runInProcess(['token', 'create', ...of, '--name', name], env);
    const { stdout } = await runInProcess(['token', 'list', ...of], env);
    const lines = stdout.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^ID +NAME +ROLE +CREATED +LAST USED +EXPIRES +SCOPES$/);
    const at = (lines[0] ?? '').indexOf('ROLE');
    assert.deepEqual(
      lines.slice(1, 3).map((line) => line.slice(at, at + 8)),
      ['merchant', 'merchant'],
    );
    const empty = await runInProcess(['client', 'list', ...of], env);
    assert.deepEqual([empty.code, empty.stdout, empty.stderr], [0, '', 'No clients.\n']);
  });

  test('changes are in the audit log of the merchant, or service-wide', async () => {
    await runInProcess(['token', 'create', ...of, '--name', 'Audited'], env);
    await runInProcess(['addresses', 'suspend', '--chain', 'bitcoin'], env);
    await runInProcess(['addresses', 'resume', '--chain', 'bitcoin', '--without-chain'], env);
    const entriesOf = async (...args: string[]) => {
      const { stdout } = await runInProcess(['audit', 'list', ...args, '--output', 'json'], env);
      return JSON.parse(stdout).entries as { action: string; subject: string; actor: string }[];
    };
    const [own] = await entriesOf(...of);
    assert.deepEqual([own?.action, own?.actor.startsWith('command line')], ['createAccessToken', true]);
    const service = (await entriesOf()).map(({ action, subject }) => [action, subject]);
    assert.deepEqual(service.slice(0, 2), [
      ['resumeAddresses', 'bitcoin'],
      ['suspendAddresses', 'bitcoin'],
    ]);
    assert.ok(!service.some(([action]) => action === 'createAccessToken'));
    assert.deepEqual(
      (await entriesOf('--action', 'suspendAddresses,createAccessToken')).map(({ action }) => action),
      ['suspendAddresses'],
    );
    assert.deepEqual(await entriesOf(...of, '--till', '2020-01-01'), []);
    assert.match((await runInProcess(['audit', 'list'], env)).stdout, /^ID +AT +ACTOR +ACTION +SUBJECT +OUTCOME\n/);
  });

  onSqlite(
    'a backup leaves no partial file when its terminal is closed, and needs no reader of its progress',
    async () => {
      const own = mkdtempSync(join(tmpdir(), 'paylatch-backup-'));
      const hungUp = await begin(['backup', join(own, 'a.backup')], env, ['--import', HANGS_UP]).ended;
      assert.deepEqual([hungUp.code, hungUp.signal], [1, null]);
      assert.match(hungUp.stderr, /^Interrupted: no backup was written\.$/m);
      assert.deepEqual(readdirSync(own), []);
      const unread = begin(['backup', join(own, 'b.backup')], env);
      unread.child.stderr?.destroy();
      assert.equal((await unread.ended).code, 0);
      assert.deepEqual(readdirSync(own), ['b.backup']);
      rmSync(own, { recursive: true });
    },
  );

  describe('an export', () => {
    before(async () => {
      const { id } = (await fixture.request('/fiat/v1/transactions?status=transaction_status_pending')).body
        .transactions[0];
      await copyTransaction(fixture.service().database, id, COUNT);
    });

    test('prints the API’s response', async () => {
      const query = 'status=transaction_status_confirmed&order_direction=asc';
      const { text } = await fixture.request(`/fiat/v1/transactions/export?${query}`);
      const { code, stdout, stderr } = await run(
        ['export', ...of, '--status', 'transaction_status_confirmed', '--order-direction', 'asc'],
        env,
      );
      const both = 'transaction_status_confirmed,transaction_status_failed';
      assert.equal((await runInProcess(['export', ...of, '--status', both], env)).stdout, stdout);
      assert.deepEqual([code, stderr, stdout], [0, '', text]);
      const narrow = '?search=copy-7&currency=USD&country=USA';
      const found = await fixture.request(`/fiat/v1/transactions/export${narrow}`);
      const filters = ['--search', 'copy-7', '--currency', 'USD', '--country', 'USA'];
      assert.equal((await runInProcess(['export', ...of, ...filters], env)).stdout, found.text);
      assert.ok(found.text.includes('copy-7'));
      const asJson = await runInProcess(['export', ...of, '--output', 'json'], env);
      assert.deepEqual([asJson.code, asJson.stdout], [2, '']);
      assert.match(JSON.parse(asJson.stderr).detail, /^--output json requires --file/);
      assert.equal(parse(stdout, { columns: true }).length, 1);
    });

    onSqlite('of many rows uses constant memory, and its file appears only when complete', async () => {
      const file = join(folder, 'all.csv');
      writeFileSync(file, 'the previous value');
      const args = ['export', ...of, '--file', file, '--progress', '--output', 'json'];
      const { code, stdout, stderr } = await begin(args, env, ['--max-old-space-size=64']).ended;
      assert.equal(code, 0, stderr);
      const text = readFileSync(file, 'utf8');
      assert.deepEqual(JSON.parse(stdout), { file, rows: COUNT + 2, bytes: Buffer.byteLength(text) });
      assert.match(stderr, /60,002 transactions, [\d.]+ s\n$/);
      const rows: Record<string, string>[] = parse(text, { columns: true });
      assert.equal(new Set(rows.map(({ id }) => id)).size, COUNT + 2);
      assert.deepEqual(readdirSync(folder), ['all.csv']);
      assert.equal(statSync(file).mode & 0o777, 0o600, 'other users cannot read it');
    });

    onSqlite('ended by a signal leaves no new file and keeps an existing one', async () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        const file = join(folder, 'all.csv');
        writeFileSync(file, 'the previous value');
        const exporting = begin(['export', ...of, '--file', file], env, ['--import', NEVER_RENAMES]);
        await until('it has started', async () => readdirSync(folder).length === 2);
        exporting.child.kill(signal);
        assert.equal((await exporting.ended).signal, signal);
        assert.deepEqual(readdirSync(folder), ['all.csv']);
        assert.equal(readFileSync(file, 'utf8'), 'the previous value');
      }
    });

    onSqlite('reports a write error', async () => {
      const file = join(folder, 'nowhere', 'all.csv');
      const { code, stderr } = await runInProcess(['export', ...of, '--file', file], env);
      assert.deepEqual([code, stderr], [1, `${file} could not be written (ENOENT).\n`]);
      assert.ok(!existsSync(file));
    });

    onSqlite('exits quietly when its reader closes the pipe', async () => {
      const exporting = begin(['export', ...of], env);
      await once(exporting.child.stdout ?? assert.fail(), 'data');
      exporting.child.stdout?.destroy();
      const { code, stderr } = await exporting.ended;
      assert.deepEqual([code, stderr], [141, '']);
    });
  });
});
