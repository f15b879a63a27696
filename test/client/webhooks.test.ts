// Databases: sqlite
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  createWebhookReceiver,
  memoryWebhookStore,
  type ReceivedWebhook,
  type ReceiverOptions,
  verifyWebhook,
  type WebhookRequest,
  type WebhookStore,
} from '../../client/index.ts';
import { webhookExamples } from '../../src/api/operations/example-webhooks.ts';
import {
  webhookBodies,
  webhookEvents,
  type WebhookEventType,
  webhookEventTypes,
} from '../../src/api/webhook-events.ts';
import { newWebhookSecret } from '../../src/webhooks/secrets.ts';
import { createWebhookSigner } from '../../src/webhooks/signing.ts';
import { systemRandom } from '../../src/system/random.ts';
import { packageRoot } from '../../src/system/root.ts';

const NOW = Date.parse('2026-11-21T10:05:00Z');
const MERCHANT = 1;
const secret = newWebhookSecret(systemRandom);
const otherSecret = newWebhookSecret(systemRandom);
const signer = createWebhookSigner(randomBytes(32));
const publicKey = signer.publicKey(MERCHANT);

/** A webhook as the service sends it. */
function webhook(
  type: WebhookEventType,
  { id = 'evt_1', data = {}, secrets = [secret], sentAt = NOW, merchant = MERCHANT } = {},
): WebhookRequest & { headers: Record<string, string>; body: string } {
  const all = { ...webhookExamples[type], merchant_id: merchant, ...data };
  const body = JSON.stringify({ type, timestamp: '2026-11-21T10:05:00.000000Z', data: all });
  return { headers: signer.headers({ id, body, at: sentAt * 1000 }, { id: merchant, secrets }), body };
}

const options = { key: secret, merchantId: MERCHANT, now: () => NOW };
const payment = (id: string, sequence: number, transaction = 'order-1') =>
  webhook('fiat.transaction.updated', { id, data: { transaction_id: transaction, sequence } });

describe('the examples of events', () => {
  for (const type of webhookEventTypes)
    test(`match their schema: ${type}`, () => {
      const event = { type, timestamp: '2026-11-21T10:05:00.000000Z', data: webhookExamples[type] };
      assert.deepEqual(webhookBodies[type].parse(event), event);
    });
});

describe('verifyWebhook', () => {
  test('returns the event with its ID, by secret, by public key, and during a rotation', async () => {
    for (const key of [secret, publicKey, [otherSecret, secret]]) {
      const event = await verifyWebhook(webhook('fiat.transaction.updated'), { ...options, key });
      assert.equal(event.id, 'evt_1');
      assert.ok(event.type === 'fiat.transaction.updated' && event.data.transaction_id === 'order-1003');
    }
    // Both secrets sign for a while; the receiver may have either.
    const rotated = webhook('callback.test', { secrets: [otherSecret, secret] });
    await verifyWebhook(rotated, options);
    // Headers and bodies of servers with `Request`, and of Node.js.
    const bytes = { headers: new Headers(rotated.headers), body: new TextEncoder().encode(rotated.body) };
    await verifyWebhook(bytes, options);
  });

  for (const [name, code, changed] of [
    ['a changed body', 'invalid_signature', (of) => ({ ...of, body: `${of.body} ` })],
    ['a changed ID', 'invalid_signature', (of) => ({ ...of, headers: { ...of.headers, 'webhook-id': 'evt_2' } })],
    [
      'a signature of another version',
      'invalid_signature',
      (of) => ({
        ...of,
        headers: { ...of.headers, 'webhook-signature': of.headers['webhook-signature']?.replaceAll('v1', 'v2') },
      }),
    ],
    [
      'a signature that is not base64',
      'invalid_signature',
      (of) => ({ ...of, headers: { ...of.headers, 'webhook-signature': 'v1,%%% v1, v1' } }),
    ],
    [
      'no signature',
      'invalid_headers',
      (of) => ({ ...of, headers: { ...of.headers, 'webhook-signature': undefined } }),
    ],
    ['a repeated ID', 'invalid_headers', (of) => ({ ...of, headers: { ...of.headers, 'webhook-id': ['a', 'b'] } })],
    [
      'a time that is no number',
      'invalid_headers',
      (of) => ({ ...of, headers: { ...of.headers, 'webhook-timestamp': '1e9' } }),
    ],
  ] satisfies [string, string, (of: ReturnType<typeof webhook>) => WebhookRequest][]) {
    test(`rejects ${name}`, async () => {
      await assert.rejects(verifyWebhook(changed(webhook('callback.test')), options), { name: 'WebhookError', code });
    });
  }

  test('rejects webhooks of another secret, merchant or time', async () => {
    const reject = async (request: WebhookRequest, code: string, key: string | string[] = secret) => {
      await assert.rejects(verifyWebhook(request, { ...options, key }), { code });
    };
    await reject(webhook('callback.test', { secrets: [otherSecret] }), 'invalid_signature');
    await reject(webhook('callback.test', { merchant: 2 }), 'invalid_signature', publicKey);
    // A secret must not verify as a public key, nor the other way around.
    await reject(webhook('callback.test', { secrets: [] }), 'invalid_signature');
    await reject(webhook('callback.test', { data: { merchant_id: 2 } }), 'other_merchant');
    await reject(webhook('callback.test', { data: { merchant_id: undefined } }), 'invalid_body');
    for (const seconds of [-301, 301])
      await reject(webhook('callback.test', { sentAt: NOW + seconds * 1000 }), 'timestamp_out_of_range');
    for (const seconds of [-300, 300])
      await verifyWebhook(webhook('callback.test', { sentAt: NOW + seconds * 1000 }), options);
    for (const key of ['', 'whsec_', 'whsec_bm9wZQ==', 'whpk_bm9wZQ==', secret.replace('whsec', 'whpk_')])
      await reject(webhook('callback.test'), 'invalid_key', key);
    await reject(webhook('callback.test'), 'invalid_signature', []);
  });
});

/** A receiver with its handled events; retries run when `retry` is called. */
function openReceiver(changed: Partial<ReceiverOptions> = {}) {
  const handled: string[] = [];
  const errors: unknown[] = [];
  const delays: number[] = [];
  let retries: (() => void)[] = [];
  const note = ({ id }: ReceivedWebhook) => void handled.push(id);
  const store = changed.store ?? memoryWebhookStore();
  const receiver = createWebhookReceiver({
    ...options,
    store,
    handlers: { 'fiat.transaction.updated': note, 'fiat.dispute.created': note, 'callback.test': note },
    onError: (error) => errors.push(error),
    schedule: (action, delayMs) => {
      delays.push(delayMs);
      retries.push(action);
    },
    ...changed,
  });
  const retry = async () => {
    const due = retries;
    retries = [];
    for (const action of due) action();
    await receiver.idle();
  };
  return { ...receiver, handled, errors, delays, retry, store };
}

/** A promise with its resolver. */
const gate = () => Promise.withResolvers<void>();

/** The store of the documentation, as a merchant would copy it. */
async function documentedStore(folder: string) {
  const page = await readFile(join(packageRoot(), 'docs', 'webhooks.md'), 'utf8');
  const [, source = ''] = /^```ts\n\/\/ webhook-store\.ts\n([^]*?)^```$/m.exec(page) ?? [];
  const file = join(folder, 'webhook-store.ts');
  await writeFile(file, source);
  const { sqliteWebhookStore } = (await import(pathToFileURL(file).href)) as {
    sqliteWebhookStore: (path: string) => WebhookStore;
  };
  return sqliteWebhookStore;
}

describe('the webhook receiver', () => {
  test('continues after a restart with the documented store', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'paylatch-webhooks-'));
    context.after(async () => await rm(folder, { recursive: true }));
    const sqliteWebhookStore = await documentedStore(folder);
    const open = () => sqliteWebhookStore(join(folder, 'webhooks.db'));
    const crashed = openReceiver({
      store: open(),
      handlers: {
        'fiat.transaction.updated': () => {
          throw new Error('the program ends');
        },
      },
    });
    for (const request of [payment('b', 2), payment('a', 1), payment('a', 1), payment('x', 1, 'order-2')])
      assert.deepEqual(await crashed.receive(request), { status: 204 });
    await crashed.idle();
    const { start, idle, handled } = openReceiver({ store: open() });
    start();
    await idle();
    assert.deepEqual(handled.toSorted(), ['a', 'b', 'x']);
    assert.ok(handled.indexOf('a') < handled.indexOf('b'));
    const again = openReceiver({ store: open() });
    again.start();
    for (const request of [payment('a', 1), payment('late', 1), payment('c', 3)]) await again.receive(request);
    await again.idle();
    assert.deepEqual(again.handled, ['c']);
  });

  test('responds before the handler ends, and handles a repeated event once', async () => {
    const open = gate();
    const handled: string[] = [];
    const { receive, idle } = openReceiver({
      handlers: {
        'callback.test': async ({ id, data }) => {
          await open.promise;
          handled.push(`${id}: ${data.message}`);
        },
      },
    });
    const test = webhook('callback.test');
    assert.deepEqual(await receive(test), { status: 204 });
    assert.deepEqual(handled, []);
    assert.deepEqual(await receive(test), { status: 204 });
    open.resolve();
    await idle();
    assert.deepEqual(await receive(test), { status: 204 });
    await idle();
    assert.deepEqual(handled, ['evt_1: This is a test; no payment has changed.']);
  });

  test('handles a payment in sequence, and skips what is out of date', async () => {
    const { receive, idle, handled, start, store } = openReceiver();
    // Stored before a restart, in another order than they were sent.
    for (const [id, sequence] of [
      ['c', 3],
      ['a', 1],
      ['b', 2],
    ] as const)
      await store.add(await verifyWebhook(payment(id, sequence), options));
    start();
    await idle();
    assert.deepEqual(handled, ['a', 'b', 'c']);
    await receive(payment('late', 2));
    await receive(payment('d', 4));
    await receive(payment('other', 1, 'order-2'));
    await idle();
    assert.deepEqual(handled, ['a', 'b', 'c', 'd', 'other']);
    // A dispute has the sequence of its payment, but is not replaced by the payment's later events.
    await receive(webhook('fiat.dispute.created', { id: 'dispute', data: { transaction_id: 'order-1', sequence: 3 } }));
    await idle();
    assert.deepEqual(handled.slice(5), ['dispute']);
    assert.deepEqual(await store.pending(), []);
  });

  test('orders every event type whose record has several events', async () => {
    const ordered = new Set<string>();
    const working = memoryWebhookStore();
    const markProcessed: WebhookStore['markProcessed'] = async (event, position) => {
      if (position) ordered.add(event.type);
      await working.markProcessed(event, position);
    };
    const store = { ...working, markProcessed };
    const handlers = Object.fromEntries(webhookEventTypes.map((type) => [type, () => {}]));
    const { receive, idle } = openReceiver({ store, handlers });
    for (const [index, type] of webhookEventTypes.entries())
      await receive(webhook(type, { id: type, data: { sequence: index + 1 } }));
    await idle();
    const expected = webhookEventTypes.filter((type) => webhookEvents[type].subject && !webhookEvents[type].isNotice);
    assert.deepEqual([...ordered].toSorted(), expected.toSorted());
  });

  test('repeats a handler that throws, with growing delays, before later events of the payment', async () => {
    let isBroken = true;
    const handled: string[] = [];
    const { receive, idle, errors, delays, retry } = openReceiver({
      handlers: {
        'fiat.transaction.updated': ({ id }) => {
          if (isBroken && id === 'a') throw new Error('no database');
          handled.push(id);
        },
      },
    });
    await receive(payment('a', 1));
    await idle();
    await receive(payment('b', 2));
    await receive(payment('x', 1, 'order-2'));
    await idle();
    assert.deepEqual(handled, ['x']);
    await retry();
    isBroken = false;
    await retry();
    assert.deepEqual(handled, ['x', 'a', 'b']);
    assert.deepEqual(delays, [1000, 2000]);
    assert.equal(errors.length, 2);
  });

  test('runs handlers of one payment one at a time, and at most `concurrency` in all', async () => {
    let [running, most] = [0, 0];
    const byOrder = new Map<string, number>();
    const { start, idle, store } = openReceiver({
      concurrency: 3,
      handlers: {
        'fiat.transaction.updated': async ({ data }) => {
          const ofOrder = (byOrder.get(data.transaction_id) ?? 0) + 1;
          assert.equal(ofOrder, 1);
          byOrder.set(data.transaction_id, ofOrder);
          running += 1;
          most = Math.max(most, running);
          await new Promise(setImmediate);
          running -= 1;
          byOrder.set(data.transaction_id, 0);
        },
      },
    });
    for (let number = 0; number < 60; number += 1)
      await store.add(await verifyWebhook(payment(`evt_${number}`, number + 1, `order-${number % 10}`), options));
    start();
    await idle();
    assert.deepEqual([most, await store.pending()], [3, []]);
  });

  test('responds 500 if an event could not be stored, and continues after a store that failed', async () => {
    const working = memoryWebhookStore();
    let isDown = true;
    const failing = <Call extends (...args: never[]) => unknown>(call: Call) =>
      ((...args: Parameters<Call>) => {
        if (isDown) throw new Error('down');
        return call(...args);
      }) as Call;
    const store: WebhookStore = { ...working, add: failing(working.add), pending: failing(working.pending) };
    const { receive, idle, handled, errors, retry, start } = openReceiver({ store });
    assert.deepEqual(await receive(payment('a', 1)), { status: 500 });
    start();
    await idle();
    assert.equal(errors.length, 2);
    isDown = false;
    assert.deepEqual(await receive(payment('a', 1)), { status: 204 });
    await retry();
    assert.deepEqual(handled, ['a']);
  });

  test('handles an event that is stored just as an earlier read ends', async () => {
    const working = memoryWebhookStore();
    const replies = gate();
    const reply = async <Result>(result: Promise<Result>) => await replies.promise.then(() => result);
    const store: WebhookStore = {
      ...working,
      pending: () => reply(working.pending()),
      add(event) {
        const result = reply(working.add(event));
        replies.resolve();
        return result;
      },
    };
    const { receive, idle, handled, start } = openReceiver({ store });
    start();
    assert.deepEqual(await receive(payment('a', 1)), { status: 204 });
    await idle();
    assert.deepEqual(handled, ['a']);
  });

  test('rejects forged webhooks, and acknowledges types without a handler', async () => {
    const { receive, idle, handled, store, errors } = openReceiver();
    assert.deepEqual(await receive({ ...payment('a', 1), body: '{}' }), { status: 401 });
    assert.deepEqual(await receive(webhook('crypto.withdrawal.updated')), { status: 204 });
    const unknown = webhook('callback.test', { id: 'evt_new' });
    const body = unknown.body.replace('callback.test', 'toString');
    const headers = signer.headers({ id: 'evt_new', body, at: NOW * 1000 }, { id: MERCHANT, secrets: [secret] });
    assert.deepEqual(await receive({ headers, body }), { status: 204 });
    await idle();
    assert.deepEqual([handled, await store.pending(), errors], [[], [], []]);
    const misconfigured = openReceiver({ key: 'whsec_' });
    assert.deepEqual(await misconfigured.receive(payment('a', 1)), { status: 500 });
    assert.equal(misconfigured.errors.length, 1);
  });

  test('is a fetch handler, with a limit on bodies', async () => {
    const { fetch, idle, handled } = openReceiver();
    const { headers, body } = payment('a', 1);
    const post = async (sent: string | ReadableStream) =>
      (
        await fetch(
          new Request('https://shop.example/', { method: 'POST', headers, body: sent, duplex: 'half' } as RequestInit),
        )
      ).status;
    assert.equal(await post(body), 204);
    await idle();
    assert.deepEqual(handled, ['a']);
    assert.equal(await post('{}'), 401);
    let [count, isCancelled] = [0, false];
    const endless = new ReadableStream({
      pull: (controller) => {
        count += 1;
        controller.enqueue(new Uint8Array(100_000));
      },
      cancel: () => void (isCancelled = true),
    });
    assert.equal(await post(endless), 413);
    assert.ok(isCancelled && count < 20, String(count));
    assert.equal((await fetch(new Request('https://shop.example/', { method: 'POST', headers }))).status, 401);
  });
});
