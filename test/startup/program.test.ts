// Databases: sqlite
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { generateToken } from '../../src/auth/tokens.ts';
import { systemRandom } from '../../src/system/random.ts';
import { packageRoot } from '../../src/system/root.ts';
import { runInProcess } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { openEvents } from '../support/event-source.ts';
import { freePort } from '../support/ports.ts';
import { connected } from '../support/program.ts';

const program = join(packageRoot(), 'scripts', 'paylatch.mjs');

function run(
  args: readonly string[],
  env: Record<string, string>,
  { file = program, cwd }: { file?: string; cwd?: string } = {},
) {
  const child = spawn(process.execPath, [file, ...args], {
    ...(cwd && { cwd }),
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return watch(child);
}

/** Collects the output of a process. */
function watch(child: ChildProcessByStdio<null, Readable, Readable>) {
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  return { child, output, ended };
}

/** Resolves when an output line matches. */
async function said({ child, output }: ReturnType<typeof run>, pattern: RegExp): Promise<void> {
  while (!pattern.test(output.stdout)) {
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'close').then(() => assert.fail(`it ended: ${output.stderr}`)),
    ]);
  }
}

describe('the program', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(async () => await database.drop());

  const env = (more: Record<string, string> = {}) => ({ DATABASE_URL: database.url, DEMO_SHOP: 'off', ...more });

  test('exits with one line on an invalid setting', async () => {
    for (const [wrong, pattern] of [
      [{ PORT: 'eighty' }, /^PORT=eighty is invalid/],
      [{ PAYLATCH_ENV: 'prod' }, /^PAYLATCH_ENV=prod is invalid: must be sandbox or production/],
      [{ PAYLATCH_COLOR: 'blue' }, /^PAYLATCH_COLOR is not a setting/],
      [{ SECURITY_CONTACT: 'call us' }, /^SECURITY_CONTACT=call us is invalid/],
      [{ TRUSTED_PROXIES: 'everyone' }, /^TRUSTED_PROXIES=everyone is invalid/],
      [{ DATABASE_URL: 'mysql://root:hunter2@db/x' }, /^DATABASE_URL is invalid/],
      [{ PAYLATCH_ENV: 'production' }, /^PUBLIC_URL must be set/],
      [{ PUBLIC_URL: 'https://shop.example/pay' }, /^PUBLIC_URL=\S+ is invalid: must be a URL without a path/],
      [{ PUBLIC_URL: 'https://pay.example?x=1' }, /^PUBLIC_URL=\S+ is invalid: must be a URL without a path/],
      [{ PAYLATCH_ENV: 'production', PUBLIC_URL: 'http://pay.example' }, /^PUBLIC_URL must start with https/],
      [{ PAYLATCH_ENV: 'production', PUBLIC_URL: 'https://pay.example' }, /^PAYLATCH_SECRET_KEY must be set/],
      [
        {
          ...{ PAYLATCH_ENV: 'production', PUBLIC_URL: 'https://pay.example' },
          WITHDRAWAL_DESTINATION_DELAY_HOURS: '0',
        },
        /^WITHDRAWAL_DESTINATION_DELAY_HOURS must be 1 or more/,
      ],
      [{ DATABASE_REPLICA_URL: 'postgresql://replica/x', DATABASE_URL: 'sqlite:x.db' }, /^DATABASE_REPLICA_URL needs/],
      [{ CHAIN_SEED_FILE: 'missing' }, /^CHAIN_SEED_FILE=missing is invalid: must be the path of a file/],
      // Docker creates a folder in place of a mounted file that is missing.
      [{ CHAIN_SEED_FILE: '/' }, /^CHAIN_SEED_FILE=\/ is invalid: must be the path of a file/],
      [{ SEALING_KEY_FILE: '/' }, /^SEALING_KEY_FILE=\/ is invalid: must be the path of a file/],
      [{ SEALING_KEY_FILE: 'package.json' }, /^The file SEALING_KEY_FILE must contain 64 hexadecimal digits/],
      [{ SEALING_KEY_FILE: 'package.json', SEALING_KEY: 'ab'.repeat(32) }, /^Only one of SEALING_KEY and/],
      [{ SMTP_URL_FILE: '/' }, /^SMTP_URL_FILE=\/ is invalid: must be the path of a file/],
      [{ SMTP_URL_FILE: 'package.json' }, /^The file SMTP_URL_FILE must/],
      [{ SMTP_URL_FILE: 'package.json', SMTP_URL: 'smtp://x:hunter2@mail.example' }, /^Only one of SMTP_URL and/],
      [{ COUNTRY_DATABASE: '/' }, /^COUNTRY_DATABASE=\/ is invalid: must be the path of an \.mmdb file/],
    ] as const) {
      const { code, stderr } = await runInProcess(['migrate'], env({ ...wrong }));
      assert.equal(code, 2);
      assert.match(stderr, pattern);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
      assert.doesNotMatch(stderr, /hunter2/);
    }
    const { code, stderr } = await run(['start'], env({ PORT: 'eighty' })).ended;
    assert.deepEqual([code, stderr.split('\n').length], [2, 2], stderr);
  });

  test('creates merchants, methods and tokens on the command line', async () => {
    const made = JSON.parse(
      (await runInProcess(['merchant', 'create', '--name', 'Kettle', '--output', 'json'], env())).stdout,
    );
    assert.match(made.callback_secret, /^whsec_/);
    const id = String(made.merchant_id);
    const method = ['--method', 'credit_card', '--currency', 'usd', '--fee-percent', '2.9', '--fee-fix', '0.30'];
    assert.equal((await runInProcess(['merchant', 'method', '--merchant', id, ...method], env())).code, 0);
    const token = JSON.parse(
      (await runInProcess(['token', 'create', '--merchant', id, '--role', 'manager', '--output', 'json'], env()))
        .stdout,
    );
    assert.match(token.access_token, /^pl_test_/);
    assert.equal(token.role, 'manager');
    const unknownMerchant = await runInProcess(['token', 'create', '--merchant', '999'], env());
    assert.equal(unknownMerchant.code, 1);
    assert.match(unknownMerchant.stderr, /No merchant has the ID 999/);
    const linkArgs = ['link', 'create', '--merchant', id, '--amount', '12.50', '--output', 'json'];
    const link = JSON.parse((await runInProcess(linkArgs, env({ PUBLIC_URL: 'http://pay.example' }))).stdout);
    assert.match(link.link, /^http:\/\/pay\.example\/p\/[\w-]{27}$/);
    const wrong = await runInProcess(['link', 'create', '--merchant', id, '--amount', '12.505'], env());
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^--amount has more decimals than the currency USD has/m);
    const rotated = JSON.parse(
      (await runInProcess(['webhooks', 'secret', '--merchant', id, '--rotate', '--output', 'json'], env())).stdout,
    );
    assert.notEqual(rotated.callback_secret, made.callback_secret);
  });

  test('only a start replaces a build that is older than the sources', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paylatch-clone-'));
    const write = (file: string, content: string) => {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), content);
    };
    const prints = (text: string) => `process.stdout.write(${JSON.stringify(text)});`;
    const clone = async (...args: string[]) =>
      await run(args, {}, { file: join(folder, 'scripts', 'paylatch.mjs') }).ended;
    copyFileSync(join(packageRoot(), 'package.json'), join(folder, 'package.json'));
    write('scripts/paylatch.mjs', readFileSync(program, 'utf8'));
    write('src/new.ts', '');
    write(
      'scripts/build.mjs',
      `import { writeFileSync } from 'node:fs';
      export const isStale = () => true;
      export const build = () => writeFileSync(new URL('../dist/server/cli.js', import.meta.url), ${JSON.stringify(prints('new'))});`,
    );
    write('dist/server/cli.js', prints('old'));
    write('dist/built', '');
    const backup = await clone('backup', 'file');
    assert.deepEqual([backup.code, backup.stdout], [0, 'old']);
    assert.match(backup.stderr, /^The sources are newer than the build\. .*npm run build\n$/);
    const started = await clone('start');
    assert.deepEqual([started.stdout, started.stderr], ['new', 'Building…\n']);
    write('dist/server/cli.js', prints('partial'));
    rmSync(join(folder, 'dist', 'built'));
    assert.equal((await clone('backup', 'file')).stdout, 'new');
    rmSync(folder, { recursive: true });
  });

  test('starts, prints its URL, serves, and drains on SIGTERM', async () => {
    const port = await freePort();
    const started = run(['start'], env({ PORT: String(port) }));
    await said(started, /accepts requests at/);
    const ready = await fetch(`http://localhost:${port}/readyz`);
    assert.equal(ready.status, 200);
    assert.match(await (await fetch(`http://localhost:${port}/metrics`)).text(), /paylatch_http_request_seconds/);

    // A request whose body is still being sent when the signal arrives.
    const slow = request({
      port,
      host: '127.0.0.1',
      path: '/oauth/token',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    slow.write('grant_type=client_credentials&client_id=none');
    await connected(slow);
    const responded = once(slow, 'response');
    // Earlier data on another connection has been read when this response arrives.
    await once(request({ port, host: '127.0.0.1', path: '/healthz', agent: false }).end(), 'response');
    started.child.kill('SIGTERM');
    await said(started, /draining/);
    slow.end('&client_secret=none');
    const [response] = (await responded) as [{ statusCode: number; resume(): void }];
    response.resume();
    assert.equal(response.statusCode, 401);
    assert.equal((await started.ended).code, 0);
  });

  test('exits on SIGTERM with open live-update streams', async () => {
    const port = await freePort();
    const started = run(['start'], env({ PORT: String(port) }));
    await said(started, /accepts requests at/);
    const link = JSON.parse(
      (await run(['link', 'create', '--merchant', '1', '--amount', '3', '--output', 'json'], env()).ended).stdout,
    );
    const reader = await openEvents(`http://localhost:${port}${new URL(link.link).pathname}/events`);
    await reader.next('state');
    const signaledMs = performance.now();
    started.child.kill('SIGTERM');
    await reader.ended();
    assert.equal((await started.ended).code, 0);
    // Running requests would delay it by 30 seconds.
    assert.ok(performance.now() - signaledMs < 25_000);
  });

  test('a signal to npm start reaches the process', async () => {
    const port = await freePort();
    const child = spawn('npm', ['start'], {
      cwd: packageRoot(),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env({ PORT: String(port) }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = watch(child);
    await said(started, /accepts requests at/);
    child.kill('SIGTERM');
    // npm's own exit code does not matter; its output closes when the service has exited.
    await started.ended;
    assert.match(started.output.stdout, /draining/);
    await assert.rejects(fetch(`http://localhost:${port}/healthz`));
  });

  test('a port in use is reported in one line', async () => {
    const holder = createServer();
    holder.listen(0);
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const { code, stderr } = await run(['start'], env({ PORT: String(port) })).ended;
    holder.close();
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^Port ${port} is in use`, 'm'));
  });

  test('the first sandbox start prints token, link and shop, even if the shop’s port is in use', async () => {
    const own = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'paylatch-demo-'));
    const port = await freePort();
    const holder = createServer();
    holder.listen(port + 1);
    await once(holder, 'listening');
    try {
      // The shop stores its secrets next to the embedded database, or below the working folder.
      const demo = () => run(['start'], { DATABASE_URL: own.url, PORT: String(port) }, { cwd: folder });
      const first = demo();
      await said(first, /Webhook secret/);
      assert.match(first.output.stdout, /Access token +pl_test_/);
      assert.match(first.output.stdout, new RegExp(`Payment link +http://localhost:${port}/p/`));
      assert.match(first.output.stdout, /Demo shop +not started/);
      const token = /Access token +(pl_test_\S+)/.exec(first.output.stdout)?.[1];
      const listed = await fetch(`http://localhost:${port}/v1/callbacks`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { endpoint } = (await listed.json()) as { endpoint: { url: string } };
      assert.equal(endpoint.url, `http://localhost:${port + 1}/callbacks`);
      first.child.kill('SIGTERM');
      await first.ended;
      holder.close();
      await once(holder, 'close');

      const file = own.folder ? join(own.folder, 'demo-shop.json') : join(folder, 'data', 'demo-shop.json');
      truncateSync(file, 20);
      const second = demo();
      await said(second, /Webhook secret/);
      assert.match(second.output.stdout, new RegExp(`Demo shop +http://localhost:${port + 1}`));
      assert.match(second.output.stdout, /Merchant +Demo shop \(ID 1\)/);
      assert.match(second.output.stdout, /Access token +printed at the first start/);
      assert.equal((await fetch(`http://localhost:${port + 1}/`)).status, 200);
      second.child.kill('SIGTERM');
      assert.equal((await second.ended).code, 0);
    } finally {
      holder.close();
      rmSync(folder, { recursive: true });
      await own.drop();
    }
  });

  test('a sandbox prints its addresses even without a payment link and a stored token; another error ends it', {
    timeout: 90_000,
  }, async () => {
    const own = await createTestDatabase();
    const folder = own.folder ?? assert.fail();
    const port = await freePort();
    const demo = () => run(['start'], { DATABASE_URL: own.url, PORT: String(port) });
    const end = async ({ child, ended }: ReturnType<typeof run>) => {
      child.kill('SIGTERM');
      assert.equal((await ended).code, 0);
    };
    // A folder in place of the file: it cannot be written, even by root.
    mkdirSync(join(folder, 'demo-shop.json.new'));
    const first = demo();
    await said(first, /Webhook secret/);
    assert.match(first.output.stdout, /Access token +pl_test_/);
    assert.match(first.output.stdout, /demo-shop\.json.*"msg":"the token of the demo shop could not be stored/);
    assert.equal((await fetch(`http://localhost:${port + 1}/`)).status, 200);
    await end(first);

    const method = ['--merchant', '1', '--method', 'credit_card', '--currency', 'USD', '--disable'];
    assert.equal((await runInProcess(['merchant', 'method', ...method], env({ DATABASE_URL: own.url }))).code, 0);
    const second = demo();
    await said(second, /Webhook secret/);
    assert.match(second.output.stdout, /Payment link +not created with credit_card in USD: .*not enabled/);
    await end(second);

    const file = new DatabaseSync(join(folder, 'paylatch.db'));
    file.exec(`create trigger broken before insert on access_tokens begin select raise(abort, 'broken'); end`);
    file.close();
    const { code, stdout, stderr } = await demo().ended;
    assert.equal(code, 1);
    assert.match(stderr, /^The database .*broken.*\n$/);
    assert.match(stdout, /"msg":"ready"/);
    await own.drop();
  });

  test('production has no sandbox: no acquirer, no issuer page, no sandbox tokens', async () => {
    const own = await createTestDatabase();
    const production = {
      PAYLATCH_ENV: 'production',
      PUBLIC_URL: 'https://pay.example',
      PAYLATCH_SECRET_KEY: 'ab'.repeat(32),
      DATABASE_URL: own.url,
    };
    const port = await freePort();
    const started = run(['start'], env({ ...production, PORT: String(port), DEMO_SHOP: 'on' }));
    await said(started, /accepts requests at/);
    const issuer = await fetch(`http://localhost:${port}/sandbox/issuer/x`);
    assert.equal(issuer.status, 404);
    assert.match(issuer.headers.get('strict-transport-security') ?? '', /max-age/);
    assert.equal((await run(['merchant', 'create', '--name', 'Kettle'], env(production)).ended).code, 0);
    const { access_token: live } = JSON.parse(
      (await run(['token', 'create', '--merchant', '1', '--output', 'json'], env(production)).ended).stdout,
    );
    const sandbox = generateToken('sandbox', systemRandom);
    assert.match(live, /^pl_live_/);
    const sendRequest = async (token: string) =>
      await fetch(`http://localhost:${port}/fiat/v1/merchant/payment-methods`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"country":"USA","currency":"USD"}',
      });
    assert.equal((await sendRequest(sandbox)).status, 401);
    const { payment_methods: methods } = (await (await sendRequest(live)).json()) as {
      payment_methods: { status: string }[];
    };
    assert.ok(methods.length > 0 && methods.every(({ status }) => status === 'disable'));
    started.child.kill('SIGTERM');
    assert.equal((await started.ended).code, 0);
    await own.drop();
  });
});
