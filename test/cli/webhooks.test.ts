// Databases: sqlite
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createWebhookReceiver, memoryWebhookStore, verifyWebhook } from '../../client/index.ts';
import { webhookEventTypes } from '../../src/api/webhook-events.ts';
import { packageRoot } from '../../src/system/root.ts';
import { runInProcess } from '../support/command-line.ts';
import { createTestDatabase } from '../support/databases.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/program.ts';
import { createLink, submitCard } from '../support/requests.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';

const program = join(packageRoot(), 'dist', 'server', 'cli.js');
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The webhooks that a command has reported. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{"id"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('webhooks from the command line', () => {
  let fixture: Fixture;
  let endpoint: TestEndpoint;
  const running: ChildProcess[] = [];
  before(async () => {
    fixture = await openFixture();
    endpoint = await openEndpoint();
  });
  beforeEach(() => {
    endpoint.received.length = 0;
    endpoint.respond = () => 204;
  });
  after(async () => {
    for (const child of running) child.kill('SIGKILL');
    await endpoint.close();
    await fixture.close();
  });

  const verify = async (received: TestEndpoint['received'][number] | undefined, key: string) =>
    await verifyWebhook(received ?? assert.fail('nothing received'), { key, merchantId: fixture.merchant.id });

  describe('webhooks trigger', () => {
    test('sends an example of every event, which the client verifies', async () => {
      for (const type of webhookEventTypes) {
        const args = ['webhooks', 'trigger', type, '--to', endpoint.url, '--secret', SECRET];
        const { code, stdout, stderr } = await runInProcess([
          ...args,
          '--merchant',
          String(fixture.merchant.id),
          '--output',
          'json',
        ]);
        assert.equal(code, 0, stderr);
        const event = await verify(endpoint.received.at(-1), SECRET);
        const printed = JSON.parse(stdout) as Record<string, unknown>;
        assert.deepEqual([event.type, printed['id'], printed['status']], [type, event.id, 204]);
      }
    });

    test('prints the secret that it generates, and changes fields of the example', async () => {
      const args = ['webhooks', 'trigger', 'fiat.transaction.updated', '--to', endpoint.url];
      const data = { transaction_id: 'order-7', status: 'transaction_status_failed' };
      const { stdout } = await runInProcess([...args, '--data', JSON.stringify(data)]);
      const secret = /^secret +(whsec_\S+)$/m.exec(stdout)?.[1] ?? assert.fail(stdout);
      assert.match(stdout, /^response +204 \(\d+ ms\)$/m);
      const event = await verify(endpoint.received[0], secret);
      assert.ok(event.type === 'fiat.transaction.updated');
      assert.deepEqual([event.data.transaction_id, event.data.status], ['order-7', 'transaction_status_failed']);
    });

    test('signs with the secret of the environment, also by the variable’s former name', async () => {
      const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
      for (const settings of [
        { WEBHOOK_SECRET: SECRET },
        { CALLBACK_SECRET: SECRET },
        { WEBHOOK_SECRET: SECRET, CALLBACK_SECRET: other },
      ]) {
        endpoint.received.length = 0;
        const { code, stderr } = await runInProcess(['webhooks', 'trigger', 'callback.test', '--to', endpoint.url], {
          ...settings,
        });
        assert.equal(code, 0, stderr);
        await verify(endpoint.received[0], SECRET);
      }
    });

    test('rejects data that the event cannot have, and sends nothing', async () => {
      for (const [data, reason] of [
        ['{"state": "lost"}', /has no field state/],
        ['{"status": "paid"}', /data\/status must be one of/],
        ['[]', /must be a JSON object/],
        ['{', /must be a JSON object/],
      ] as const) {
        const args = ['webhooks', 'trigger', 'fiat.transaction.updated', '--to', endpoint.url, '--data', data];
        const { code, stderr } = await runInProcess(args);
        assert.equal(code, 2);
        assert.match(stderr, reason);
      }
      const { code, stderr } = await runInProcess([
        'webhooks',
        'trigger',
        'fiat.transaction.paid',
        '--to',
        endpoint.url,
      ]);
      assert.equal(code, 2);
      assert.match(stderr, /fiat\.transaction\.updated/);
      assert.equal(endpoint.received.length, 0);
    });

    test('exits with 1 if the webhook was not accepted', async () => {
      endpoint.respond = () => 401;
      const args = ['webhooks', 'trigger', 'callback.test', '--secret', SECRET, '--output', 'json', '--to'];
      const rejected = await runInProcess([...args, endpoint.url]);
      assert.deepEqual([rejected.code, JSON.parse(rejected.stdout).status], [1, 401]);
      const unreachable = await runInProcess([...args, `http://127.0.0.1:${await freePort()}/`]);
      assert.equal(unreachable.code, 1);
      assert.match(JSON.parse(unreachable.stdout).error, /ECONNREFUSED/);
    });

    test('sends to a merchant’s endpoint with its secret, but never in production', async () => {
      const settings = { DATABASE_URL: fixture.databaseUrl };
      const merchant = await fixture.makeMerchant('Kettle & Co');
      const args = ['webhooks', 'trigger', 'fiat.dispute.created', '--merchant', String(merchant.id)];
      const without = await runInProcess(args, settings);
      assert.equal(without.code, 1);
      assert.match(without.stderr, /No webhook URL is set/);
      const { token } = merchant;
      const body = { key: 'callback-url', value: endpoint.url };
      await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body, token });
      assert.equal((await runInProcess(args, settings)).code, 0);
      const received = endpoint.received[0] ?? assert.fail();
      const event = await verifyWebhook(received, { key: merchant.callbackSecret, merchantId: merchant.id });
      assert.equal(event.type, 'fiat.dispute.created');
      endpoint.received.length = 0;
      const unknown = await runInProcess([...args, '--endpoint-id', 'we_none'], settings);
      assert.deepEqual([unknown.code, endpoint.received.length], [1, 0]);
      const empty = await createTestDatabase();
      const production = {
        DATABASE_URL: empty.url,
        PAYLATCH_ENV: 'production',
        PUBLIC_URL: 'https://pay.example',
        PAYLATCH_SECRET_KEY: 'ab'.repeat(32),
      };
      assert.equal((await runInProcess(['merchant', 'create', '--name', 'Kettle & Co'], production)).code, 0);
      const refused = await runInProcess(['webhooks', 'trigger', 'fiat.dispute.created'], production);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /in the sandbox only/);
      await empty.drop();
    });
  });

  describe('webhooks listen --forward', () => {
    /** Starts to forward, and resolves once events are followed. */
    async function forward(args: readonly string[], env: Record<string, string> = {}) {
      const child = spawn(process.execPath, [program, 'webhooks', 'listen', '--output', 'json', ...args], {
        env: { PATH: process.env.PATH, ACCESS_TOKEN: fixture.merchant.token, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.push(child);
      const said = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
      const closed = once(child, 'close') as Promise<[number | null]>;
      await until('it follows the events', async () => {
        if (child.exitCode !== null) assert.fail(said.stderr);
        return said.stdout.includes('\n');
      });
      const stop = async () => {
        child.kill('SIGINT');
        return (await closed)[0];
      };
      return { said, stop };
    }

    const pay = async () => {
      const { reference } = await createLink(fixture);
      assert.equal((await submitCard(fixture, reference)).status, 200);
      await fixture.work();
      return reference;
    };

    test('sends new events with a secret that it prints, even after the server was down', async () => {
      const before = await pay();
      const port = await freePort();
      const receiver = createWebhookReceiver({
        key: SECRET,
        merchantId: fixture.merchant.id,
        store: memoryWebhookStore(),
        handlers: {
          'fiat.transaction.updated': ({ data }) => void handled.push(`${data.transaction_id} ${data.status}`),
        },
      });
      const handled: string[] = [];
      const args = ['--forward', `http://127.0.0.1:${port}/hooks`, '--service', fixture.url, '--secret', SECRET];
      const { said, stop } = await forward(args);
      assert.doesNotMatch(said.stdout, /whsec_/);
      await pay();
      await until('an attempt fails', async () => linesOf(said.stdout).some(({ error }) => error !== null));
      const serve = async (request: IncomingMessage, response: ServerResponse) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of request) chunks.push(chunk as Uint8Array);
        const { status } = await receiver.receive({ headers: request.headers, body: Buffer.concat(chunks) });
        response.writeHead(status).end();
      };
      const server = createServer((request, response) => void serve(request, response)).listen(port, '127.0.0.1');
      await once(server, 'listening');
      const reference = await pay();
      await until('it is handled', async () => handled.includes(`${reference} transaction_status_confirmed`));
      assert.equal(await stop(), 0);
      server.close();
      assert.ok(!handled.some((each) => each.startsWith(before)));
      const sent = linesOf(said.stdout);
      assert.ok(sent.every(({ fault }) => fault === null));
      assert.deepEqual(sent.at(-1), { ...sent.at(-1), type: 'fiat.transaction.updated', status: 204, error: null });
    });

    test('with --all and --chaos, it repeats the faults of a seed', async () => {
      await pay();
      const { events } = (await fixture.request('/v1/events?limit=100')).body as { events: { id: string }[] };
      const args = ['--forward', endpoint.url, '--service', fixture.url, '--all', '--chaos', 'drop', '--seed', '5'];
      const runOnce = async () => {
        endpoint.received.length = 0;
        const { said, stop } = await forward(args);
        await until('all are reported', async () => linesOf(said.stdout).length === events.length);
        assert.equal(await stop(), 0);
        const { secret, seed } = JSON.parse(said.stdout.split('\n')[0] ?? '') as { secret: string; seed: number };
        assert.equal(seed, 5);
        for (const received of endpoint.received) await verify(received, secret);
        return linesOf(said.stdout).map(({ id, fault }) => [id, fault]);
      };
      const first = await runOnce();
      assert.deepEqual(
        first.map(([id]) => id),
        events.map(({ id }) => id),
      );
      const dropped = first.filter(([, fault]) => fault === 'drop');
      assert.ok(dropped.length > 0 && dropped.length < first.length);
      assert.equal(endpoint.received.length, first.length - dropped.length);
      assert.deepEqual(await runOnce(), first);
    });

    test('reports a missing or wrong token', async () => {
      const args = ['webhooks', 'listen', '--forward', endpoint.url, '--service', fixture.url];
      const missing = await runInProcess(args);
      assert.equal(missing.code, 2);
      assert.match(missing.stderr, /ACCESS_TOKEN/);
      const wrong = await runInProcess([...args, '--token', 'pl_test_wrong']);
      assert.equal(wrong.code, 1);
      assert.match(wrong.stderr, /token/i);
    });
  });
});
