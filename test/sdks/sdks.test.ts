// Databases: sqlite
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/system/root.ts';
import { runCommandInProcess } from '../support/command-line.ts';
import { freePort } from '../support/ports.ts';
import { type Program, type Settings, startProgram, until } from '../support/program.ts';
import { creation, submission } from '../support/requests.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

const run = promisify(execFile);
const sdks = join(packageRoot(), 'sdks');
const folder = mkdtempSync(join(tmpdir(), 'paylatch-sdks-'));
const env = { ...process.env, PYTHONPATH: join(sdks, 'python'), PYTHONDONTWRITEBYTECODE: '1' };
/** Debian's own: another Python in the path may lack SQLite. */
const PYTHON = '/usr/bin/python3';
/** Only the extensions that `composer.json` requires. */
const PHP = ['-n', '-d', 'extension=curl'];

interface Language {
  name: string;
  checks: [command: string, args: string[]][];
  live: [command: string, args: string[]];
  server: (port: number) => [command: string, args: string[]];
  /** Prepares the README's first program in a folder, and returns the command that runs it. */
  firstPayment: (folder: string, program: string) => [command: string, args: string[]];
}

const languages: Language[] = [
  {
    name: 'python',
    checks: [
      ['mypy', ['--strict', '--cache-dir', join(folder, 'mypy'), 'paylatch', 'examples']],
      [PYTHON, ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.']],
    ],
    live: [PYTHON, ['-m', 'tests.live']],
    server: () => [PYTHON, ['examples/server.py']],
    firstPayment: (_, text) => [PYTHON, ['-c', text]],
  },
  {
    name: 'php',
    checks: [['phpunit', ['--do-not-cache-result', '--bootstrap', 'autoload.php', 'tests']]],
    live: ['php', [...PHP, 'tests/live.php']],
    server: (port) => ['php', [...PHP, '-S', `127.0.0.1:${port}`, 'examples/server.php']],
    firstPayment: (place, text) => {
      writeFileSync(join(place, 'pay.php'), text.replace('vendor/autoload.php', join(sdks, 'php/autoload.php')));
      return ['php', [...PHP, 'pay.php']];
    },
  },
  {
    name: 'go',
    checks: [
      ['go', ['vet', './...']],
      ['go', ['test', './...']],
    ],
    live: ['go', ['test', '-count=1', '-tags=live', '-run=Live', '.']],
    server: () => [join(folder, 'go-server'), []],
    firstPayment: (place, text) => {
      writeFileSync(join(place, 'main.go'), text);
      const required = `require paylatch v0.0.0\nreplace paylatch => ${join(sdks, 'go')}\n`;
      writeFileSync(join(place, 'go.mod'), `module shop\ngo 1.19\n${required}`);
      return ['go', ['run', '.']];
    },
  },
];

describe('the SDKs', () => {
  const settings: Settings = {};
  let program: Program;
  let proxy: FaultProxy;

  before(async () => {
    const port = await freePort();
    Object.assign(settings, {
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: `sqlite:${join(folder, 'paylatch.db')}`,
      DEMO_SHOP: 'off',
      LOG_LEVEL: 'error',
      LIMIT_CARD_PER_HOUR: '0',
      LIMIT_SUBMIT_PER_HOUR: '0',
    });
    program = await startProgram(settings);
    proxy = await startFaultProxy(program.origin);
  });
  after(async () => {
    await proxy?.close();
    await program?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A merchant with cards, and the environment of a program that uses its account. */
  const makeMerchant = async (name: string) => {
    const created = await runCommandInProcess(['merchant', 'create', '--name', name], settings);
    const of = ['--merchant', String(created.merchant_id)];
    await runCommandInProcess(['merchant', 'method', ...of, '--method', 'credit_card', '--currency', 'USD'], settings);
    const token = await runCommandInProcess(['token', 'create', ...of], settings);
    const oauth = await runCommandInProcess(['client', 'create', ...of], settings);
    return {
      BASE_URL: program.origin,
      FAULT_URL: proxy.origin,
      MERCHANT_ID: String(created.merchant_id),
      WEBHOOK_SECRET: String(created.callback_secret),
      ACCESS_TOKEN: String(token.access_token),
      CLIENT_ID: String(oauth.client_id),
      CLIENT_SECRET: String(oauth.client_secret),
    };
  };

  for (const { name, checks, live, server, firstPayment } of languages) {
    const cwd = join(sdks, name);

    test(`${name}: its own tests pass`, async () => {
      if (name === 'go') assert.equal((await run('gofmt', ['-l', '.'], { cwd })).stdout, '', 'gofmt');
      for (const [command, args] of checks) await runIn(cwd, command, args, env);
    });

    test(`${name}: accepts payments`, async () => {
      const merchant = await makeMerchant(`${name} payments`);
      await runIn(cwd, ...live, { ...env, ...merchant });
      const [, text = ''] =
        /```\w+\n([^`]+(?:createTransaction|create_transaction)[^`]+)```/i.exec(readme(name)) ?? assert.fail(name);
      const place = mkdtempSync(join(folder, 'first-payment-'));
      const [command, args] = firstPayment(place, text.replace('http://localhost:8080', program.origin));
      const { stdout } = await run(command, args, { cwd: place, env: { ...env, ...merchant } });
      assert.ok(stdout.startsWith(`${program.origin}/p/`), stdout);
    });

    test(`${name}: receives webhooks`, async () => {
      const merchant = await makeMerchant(`${name} webhooks`);
      const port = await freePort();
      const store = join(folder, `${name}-webhooks`);
      if (name === 'php') mkdirSync(store);
      if (name === 'go') await runIn(cwd, 'go', ['build', '-o', join(folder, 'go-server'), './examples/server'], env);
      const shop = await startShop(cwd, server(port), { ...env, ...merchant, PORT: String(port), STORE: store }, port);
      try {
        await receiveWebhooks(shop, merchant);
      } catch (error) {
        throw new Error(`The shop said:\n${shop.output()}`, { cause: error });
      } finally {
        await shop.stop();
      }
    });
  }

  const callApi = async (token: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${program.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
    return (await response.json()) as { callbacks: { id: string }[] };
  };

  /** The shop receives real webhooks, each once, and no forged one. */
  async function receiveWebhooks(shop: Shop, { ACCESS_TOKEN: token }: { ACCESS_TOKEN: string }) {
    const callbackUrl = { key: 'callback-url', value: `${shop.url}/webhooks` };
    await callApi(token, 'PATCH', '/v1/merchant/preferences', callbackUrl);
    const reference = creation().transaction_id;
    const paying = await fetch(`${shop.url}/pay?order=${reference}`, { method: 'POST', redirect: 'manual' });
    assert.equal(paying.status, 303);
    assert.ok(paying.headers.get('location')?.startsWith(program.origin));
    await callApi(token, 'POST', '/fiat/v1/transaction/submit', submission(reference));
    const line = new RegExp(`^${reference}: transaction_status_confirmed, \\d+$`, 'gm');
    const timesHandled = () => shop.output().match(line)?.length ?? 0;
    await until('the shop has handled the payment', async () => await Promise.resolve(timesHandled() > 0));

    const { callbacks } = await callApi(token, 'GET', `/v1/callbacks?transaction_id=${reference}`);
    for (const { id } of callbacks) await callApi(token, 'POST', '/v1/callback/redeliver', { id });
    // Delivered after the redelivered ones.
    await callApi(token, 'POST', '/v1/callback/test', {});
    await until('the shop has handled a later webhook', async () => {
      return await Promise.resolve(shop.output().includes('another event'));
    });
    assert.equal(timesHandled(), 1);

    const forged = { type: 'fiat.transaction.updated', timestamp: new Date().toISOString(), data: {} };
    const headers = {
      'webhook-id': 'evt_forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    };
    const body = JSON.stringify(forged);
    assert.equal((await fetch(`${shop.url}/webhooks`, { method: 'POST', headers, body })).status, 401);
    assert.equal((await fetch(`${shop.url}/webhooks`, { method: 'POST', body })).status, 401);
  }
});

const readme = (name: string) => readFileSync(join(sdks, name, 'README.md'), 'utf8');

interface Shop {
  url: string;
  output(): string;
  stop(): Promise<void>;
}

/** Starts the example server of an SDK. */
async function startShop(
  cwd: string,
  [command, args]: [string, string[]],
  env: NodeJS.ProcessEnv,
  port: number,
): Promise<Shop> {
  const child: ChildProcess = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await until('the shop listens', async () => {
    assert.equal(child.exitCode, null, output);
    const response = await fetch(url, { method: 'POST' }).catch(() => null);
    await response?.body?.cancel();
    return response !== null;
  });
  return {
    url,
    output: () => output,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs a program in a folder; rejects with its output if it fails. */
async function runIn(cwd: string, command: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  await run(command, args, { cwd, env }).catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`, { cause: error });
  });
}
