import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { packageRoot } from '../../src/system/root.ts';
import { startHyperswitch } from '../acquirers/simulators/hyperswitch/index.ts';
import { runCommandInProcess, runInProcess } from '../support/command-line.ts';
import { createTestDatabase, onSqlite } from '../support/databases.ts';

const program = join(packageRoot(), 'dist', 'server', 'cli.js');

describe('the commands for acquirer accounts', () => {
  let settings: Record<string, string>;
  let vendor: Awaited<ReturnType<typeof startHyperswitch>>;
  let drop: () => Promise<void>;
  before(async () => {
    const database = await createTestDatabase();
    ({ drop } = database);
    settings = { DATABASE_URL: database.url };
    vendor = await startHyperswitch({ now: () => Date.now() });
  });
  after(async () => {
    await vendor.close();
    await drop();
  });

  /** Runs a command as a program, with standard input. */
  const run = async (args: readonly string[], input: string, env = settings) => {
    const child = spawn(process.execPath, [program, 'acquirer', ...args, '--output', 'json'], {
      env: { PATH: process.env.PATH, ...env },
    });
    child.stdin.end(input);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: code as number, stdout, stderr };
  };
  const credentials = (apiKey: string) =>
    JSON.stringify({ apiUrl: vendor.url, apiKey, responseHashKey: vendor.credentials.hashKey });
  const add = async () => {
    const { code, stdout, stderr } = await run(
      ['add', '--adapter', 'hyperswitch', '--name', 'Cards'],
      credentials(vendor.credentials.apiKey),
    );
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as { account: string; webhook_url: string };
  };

  test('add an account, test its credentials, route methods to it, and disable it', async () => {
    const { account, webhook_url: webhookUrl } = await add();
    assert.ok(webhookUrl.endsWith(`/acquirers/${account}/webhooks`));
    const checked = await runCommandInProcess(['acquirer', 'check', '--account', account], settings);
    assert.equal(checked.result, 'ok');
    const route = ['acquirer', 'route', '--account', account, '--method'];
    await runCommandInProcess([...route, 'credit_card', '--priority', '2'], settings);
    await runCommandInProcess([...route, 'credit_card', '--priority', '1'], settings);
    await runCommandInProcess([...route, 'qr_code', '--country', 'tha', '--currency', 'thb'], settings);
    await runCommandInProcess(['acquirer', 'disable', '--account', account], settings);
    const { accounts } = await runCommandInProcess<{ accounts: Record<string, unknown>[] }>(
      ['acquirer', 'list'],
      settings,
    );
    const [listed] = accounts;
    assert.deepEqual(
      [listed?.account, listed?.adapter, listed?.name, listed?.merchant_id, listed?.routes],
      [
        ...[account, 'hyperswitch', 'Cards', null],
        [
          { payment_method: 'credit_card', country: '*', currency: '*', priority: 1 },
          { payment_method: 'qr_code', country: 'THA', currency: 'THB', priority: 1 },
        ],
      ],
    );
    assert.notEqual(listed?.disabled_at, null);
    assert.deepEqual([listed?.last_webhook_at, listed?.pending_webhooks, listed?.health], [null, 0, []]);
    assert.doesNotMatch(JSON.stringify(accounts), new RegExp(vendor.credentials.apiKey));
    await runCommandInProcess([...route, 'credit_card', '--remove'], settings);
    const missing = await runInProcess([...route, 'credit_card', '--remove'], settings);
    assert.deepEqual([missing.code, /no such route/.test(missing.stderr)], [1, true]);
  });

  onSqlite('refuse a method that the acquirer does not offer', async () => {
    const { account } = await add();
    const refused = await runInProcess(
      ['acquirer', 'route', '--account', account, '--method', 'qr_code', '--country', 'BRA'],
      settings,
    );
    assert.match(refused.stderr, /hyperswitch does not offer qr_code for country BRA/);
  });

  onSqlite('report wrong credentials, and never print them', async () => {
    const { account } = await add();
    const replaced = await run(['credentials', '--account', account], credentials('wrong-key'));
    assert.equal(replaced.code, 0, replaced.stderr);
    const checked = await runInProcess(['acquirer', 'check', '--account', account], settings);
    assert.equal(checked.code, 1);
    assert.match(checked.stdout, /failed/);
    for (const input of ['{"apiKey":"secret-1"', '{"apiKey":"secret-1"}']) {
      const { code, stdout, stderr } = await run(['add', '--adapter', 'hyperswitch', '--name', 'Wrong'], input);
      assert.notEqual(code, 0);
      assert.doesNotMatch(stdout + stderr, /secret-1/);
    }
  });

  onSqlite('require a sealing key in production', async () => {
    const production = {
      ...{ PAYLATCH_ENV: 'production', PUBLIC_URL: 'https://pay.example', PAYLATCH_SECRET_KEY: 'ab'.repeat(32) },
      DATABASE_URL: `${settings.DATABASE_URL ?? ''}-production`,
    };
    if (!production.DATABASE_URL.startsWith('sqlite:')) return;
    const args = ['add', '--adapter', 'hyperswitch', '--name', 'Cards'];
    const refused = await run(args, credentials('key'), production);
    assert.match(refused.stderr, /set SEALING_KEY first/);
    const sealed = await run(args, credentials('key'), { ...production, SEALING_KEY: 'cd'.repeat(32) });
    assert.equal(sealed.code, 0, sealed.stderr);
  });
});
