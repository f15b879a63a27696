import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { DAY, HOUR } from '../../src/shared/time.ts';
import { onSqlite } from '../support/databases.ts';
import { invoicesOf } from '../support/invoices.ts';
import { runCommandInProcess } from '../support/command-line.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';
import { createLink, submitCard } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

interface Row {
  transaction_id: string;
  sequence: number;
}

describe('webhook management', () => {
  let fixture: Fixture;
  let endpoint: TestEndpoint;
  before(async () => {
    fixture = await openFixture();
    endpoint = await openEndpoint();
    await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'callback-url', value: endpoint.url },
    });
  });
  after(async () => {
    await endpoint.close();
    await fixture.close();
  });
  beforeEach(async () => {
    endpoint.respond = () => 204;
    endpoint.body = '';
    await fixture.advance(DAY);
    // An endpoint that fails across tests would be disabled.
    await fixture.request('/v1/callback/test', { body: {} });
    endpoint.received.length = 0;
  });

  const pay = async () => {
    const { reference } = await createLink(fixture);
    assert.equal((await submitCard(fixture, reference)).status, 200);
    await fixture.work();
    return reference;
  };
  const list = async (query: Record<string, string>) =>
    (await fixture.request(`/v1/callbacks?${new URLSearchParams(query).toString()}`)).body;
  const read = async (id: string) => (await fixture.request(`/v1/callback?id=${id}`)).body;
  const isSignedWith = (secret: string, { headers, body }: TestEndpoint['received'][number]) => {
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    const expected = new Webhook(secret).sign(headers['webhook-id'] ?? '', at, body);
    return (headers['webhook-signature'] ?? '').split(' ').includes(expected);
  };

  test('webhooks are filtered by state and transaction, page by page', async () => {
    const reference = await pay();
    const { create, pay: payInvoice, mine } = invoicesOf(() => fixture);
    const invoice = await create();
    await payInvoice(invoice);
    await mine(2);
    const kinds = async (query: Record<string, string>) => {
      const { callbacks } = await list(query);
      return callbacks.map(({ transaction_id: name, sequence }: Row) => `${name} ${sequence}`).join(', ');
    };
    assert.equal(await kinds({ transaction_id: reference }), `${reference} 2, ${reference} 1`);
    const ofInvoice = await kinds({ transaction_id: invoice.txId ?? '' });
    assert.match(ofInvoice, new RegExp(`^${invoice.txId} \\d(, ${invoice.txId} \\d)+$`));
    assert.equal(await kinds({ transaction_id: invoice.id }), ofInvoice);
    assert.equal(await kinds({ transaction_id: 'nothing' }), '');
    assert.equal(await kinds({ transaction_id: reference, state: 'failed' }), '');
    assert.equal(await kinds({ transaction_id: reference, state: 'delivered' }), `${reference} 2, ${reference} 1`);
    const first = await list({ transaction_id: reference, per_page: '1' });
    assert.equal(
      await kinds({ transaction_id: reference, per_page: '1', cursor: first.next_cursor }),
      `${reference} 1`,
    );
    endpoint.respond = () => 503;
    const late = await pay();
    const [waiting, failing] = (await list({ transaction_id: late })).callbacks;
    assert.equal(waiting.last_attempt, null);
    assert.deepEqual([failing.last_attempt.status, failing.last_attempt.error], [503, null]);
    assert.equal(await kinds({ state: 'pending' }), `${late} 2, ${late} 1`);
    const other = await fixture.makeMerchant('Other & Co');
    for (const name of [reference, invoice.id, invoice.txId ?? '']) {
      const theirs = await fixture.request(`/v1/callbacks?transaction_id=${name}`, { token: other.token });
      assert.deepEqual(theirs.body.callbacks, []);
    }
  });

  onSqlite('each webhook has the change that it reports', async () => {
    const changesOf = async (transaction: string) =>
      (await list({ transaction_id: transaction })).callbacks.map(
        ({ status, previous_status: before, detail }: Record<string, string | null>) => [before, status, detail],
      );
    const reference = await pay();
    await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: reference, amount: 2.5 } });
    await fixture.work();
    const [pending, waiting, confirmed] = ['pending', 'waiting', 'confirmed'].map(
      (name) => `transaction_status_${name}`,
    );
    const changes = await changesOf(reference);
    assert.deepEqual(changes[0], [confirmed, confirmed, '2.50 USD refunded']);
    assert.deepEqual(changes.slice(-2), [
      [waiting, confirmed, 'card ending 4242'],
      [pending, waiting, 'card ending 4242'],
    ]);
    const { create } = invoicesOf(() => fixture);
    const { id } = await create();
    await fixture.work();
    assert.deepEqual(await changesOf(id), [[null, 'pending', null]]);
    // A notice has no status.
    await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'callback-url', value: `${endpoint.url}?2` },
    });
    const [notice] = (await list({ type: 'callback.url_changed' })).callbacks;
    assert.deepEqual([notice.status, notice.previous_status, notice.detail], [null, null, null]);
    await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'callback-url', value: endpoint.url },
    });
  });

  onSqlite('the detail has every delivery attempt, with the beginning of the response', async () => {
    endpoint.respond = () => 503;
    endpoint.body = `Down for repairs, card 4242 4242 4242 4242 \u0000\u001b[31m ${'é'.repeat(5000)}`;
    const reference = await pay();
    const { callbacks } = await list({ transaction_id: reference });
    assert.equal(callbacks.length, 2);
    const [second, first] = callbacks;
    assert.deepEqual([first.sequence, first.state, first.attempts_made], [1, 'pending', 1]);
    assert.ok(first.next_attempt_at);
    // Later webhooks of the transaction are held.
    assert.deepEqual([second.sequence, second.state, second.attempts_made], [2, 'pending', 0]);
    const { attempts } = await read(first.id);
    assert.deepEqual([attempts.length, attempts[0].status, attempts[0].url], [1, 503, endpoint.url]);
    assert.equal(attempts[0].response_body.length, 1024);
    assert.match(attempts[0].response_body, /^Down for repairs, card \[number\] \uFFFD\uFFFD\[31m é+$/);
    endpoint.respond = () => 204;
    await fixture.advance(HOUR);
    assert.deepEqual((await list({ transaction_id: reference, state: 'pending' })).callbacks, []);
    const delivered = await read(first.id);
    assert.deepEqual([delivered.state, delivered.attempts.at(-1).status], ['delivered', 204]);
    assert.equal(delivered.next_attempt_at, null);
  });

  test('a redelivery has the same id', async () => {
    const reference = await pay();
    const [newest] = (await list({ transaction_id: reference })).callbacks;
    endpoint.received.length = 0;
    const { status, body } = await fixture.request('/v1/callback/redeliver', { body: { id: newest.id } });
    assert.deepEqual([status, body.state], [200, 'pending']);
    await fixture.work();
    assert.deepEqual(
      endpoint.received.map(({ headers }) => headers['webhook-id']),
      [newest.id],
    );
    assert.equal((await read(newest.id)).attempts.length, 2);
    assert.equal((await fixture.request('/v1/callback/redeliver', { body: { id: 'evt_none' } })).status, 404);
  });

  test('a redelivery during an attempt is not undone by its failure, and both attempts are numbered', async () => {
    const reference = await pay();
    const [newest] = (await list({ transaction_id: reference })).callbacks;
    // The next attempt is the last one.
    await db(fixture.service().database)
      .updateTable('callbacks')
      .set({ attempts_made: 12 })
      .where('webhook_id', '=', newest.id)
      .execute();
    const redeliver = async () => await fixture.request('/v1/callback/redeliver', { body: { id: newest.id } });
    await redeliver();
    const other = await fixture.another();
    endpoint.received.length = 0;
    endpoint.respond = async () => {
      if (endpoint.received.length > 1) return 204;
      await redeliver();
      await other.jobs.drain();
      return 500;
    };
    await fixture.work();
    await other.close();
    const { state, attempts_made: made, attempts } = await read(newest.id);
    assert.deepEqual([state, made], ['delivered', 14]);
    assert.deepEqual(
      attempts.map(({ number, status }: Record<string, unknown>) => [number, status]),
      [
        [1, 204],
        [13, 204],
        [14, 500],
      ],
    );
    assert.equal((await list({ transaction_id: reference })).callbacks.length, 2);
  });

  onSqlite('a failed webhook can be redelivered, and fails again after the attempt', async () => {
    endpoint.respond = () => 500;
    const reference = await pay();
    // One attempt per backoff, until the last.
    for (let attempt = 0; attempt < 12; attempt += 1) await fixture.advance(2 * DAY);
    const failed = (await list({ transaction_id: reference, state: 'failed' })).callbacks;
    assert.ok(failed.length > 0);
    const { id, attempts_made: made } = failed.at(-1);
    await fixture.request('/v1/callback/redeliver', { body: { id } });
    await fixture.work();
    const again = await read(id);
    assert.deepEqual([again.state, again.attempts_made, again.attempts.length], ['failed', made + 1, made + 1]);
    endpoint.respond = () => 204;
    await fixture.request('/v1/callback/redeliver', { body: { id } });
    await fixture.work();
    assert.equal((await read(id)).state, 'delivered');
  });

  test('failed webhooks are listed and redelivered from the command line', async () => {
    endpoint.respond = () => 500;
    // Both are reported with notices.
    for (const value of [`${endpoint.url}?3`, endpoint.url])
      await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: { key: 'callback-url', value } });
    const reference = await pay();
    for (let attempt = 0; attempt < 24; attempt += 1) await fixture.advance(2 * DAY);
    const settings = { DATABASE_URL: fixture.databaseUrl, LOG_LEVEL: 'silent' };
    const of = ['--merchant', String(fixture.merchant.id)];
    const list = ['webhooks', 'list', ...of, '--state', 'failed'];
    const { callbacks: failed } = await runCommandInProcess<{ callbacks: any[] }>(list, settings);
    const ownWebhooks = failed.filter(({ transaction_id }) => transaction_id === reference);
    assert.deepEqual(
      ownWebhooks.map(({ sequence, state }) => [sequence, state]),
      [
        [2, 'failed'],
        [1, 'failed'],
      ],
    );
    endpoint.respond = () => 204;
    endpoint.received.length = 0;
    const result = await runCommandInProcess(['webhooks', 'redeliver', ...of, '--failed'], settings);
    assert.equal(result.redelivered, failed.length);
    assert.ok(failed.some(({ url }) => url !== null));
    const ids = ownWebhooks.map(({ id }) => id).toReversed();
    const pending = await db(fixture.service().database)
      .selectFrom('callbacks')
      .select('held')
      .where('webhook_id', 'in', ids)
      .orderBy('sequence')
      .execute();
    // The second is sent after the first.
    assert.deepEqual(
      pending.map(({ held }) => held),
      [0, 1],
    );
    await fixture.work();
    assert.equal((await runCommandInProcess<{ callbacks: any[] }>(list, settings)).callbacks.length, 0);
    assert.deepEqual(
      endpoint.received.map(({ headers }) => headers['webhook-id']).filter((id) => ids.includes(id)),
      ids,
    );
    await assert.rejects(
      runCommandInProcess(['webhooks', 'redeliver', ...of, '--id', 'evt_none'], settings),
      /no webhook/,
    );
    await assert.rejects(
      runCommandInProcess(['webhooks', 'redeliver', ...of], settings),
      /either --id for one webhook, or --failed/,
    );
  });

  onSqlite('webhooks are listed newest first, page by page', async () => {
    for (let index = 0; index < 3; index += 1) await pay();
    const all = (await list({ per_page: '100' })).callbacks;
    const paged = [];
    let cursor: string | null = null;
    do {
      const page: { callbacks: unknown[]; next_cursor: string | null } = await list({
        per_page: '2',
        ...(cursor !== null && { cursor }),
      });
      paged.push(...page.callbacks);
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(paged, all);
  });

  test('a rotated secret signs immediately, together with the old one for the requested time', async () => {
    const { callbackSecret: before, managerToken: token } = fixture.merchant;
    const rotate = async (body: object, headers: Record<string, string> = {}) =>
      await fixture.request('/v1/callback/secret', { token, body, headers });
    const { body } = await rotate({ keep_hours: 2 });
    assert.match(body.callback_secret, /^whsec_/);
    assert.notEqual(body.callback_secret, before);
    await pay();
    assert.ok(endpoint.received.length > 0);
    for (const item of endpoint.received) {
      assert.ok(isSignedWith(before, item));
      assert.ok(isSignedWith(body.callback_secret, item));
    }
    await fixture.advance(2 * HOUR);
    endpoint.received.length = 0;
    await pay();
    assert.ok(endpoint.received.length > 0);
    for (const item of endpoint.received) {
      assert.ok(!isSignedWith(before, item));
      assert.ok(isSignedWith(body.callback_secret, item));
    }
    const leaked = await rotate({ keep_hours: 0 });
    endpoint.received.length = 0;
    await pay();
    assert.ok(endpoint.received.length > 0);
    for (const item of endpoint.received) assert.ok(!isSignedWith(body.callback_secret, item));
    for (const item of endpoint.received) assert.ok(isSignedWith(leaked.body.callback_secret, item));
    // A secret is returned once; the response is not stored for replay.
    const rotated = await rotate({}, { 'idempotency-key': 'again' });
    assert.equal(rotated.status, 200);
    const { database } = fixture.service();
    assert.deepEqual(await db(database).selectFrom('idempotency_keys').selectAll().execute(), []);
  });

  onSqlite('a test webhook returns the response and stores nothing', async () => {
    endpoint.respond = () => 418;
    endpoint.body = 'I am a teapot';
    const { status, body } = await fixture.request('/v1/callback/test', { body: {} });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.delivered, body.status, body.response_body, body.error, body.url],
      [false, 418, 'I am a teapot', null, endpoint.url],
    );
    assert.equal(JSON.parse(endpoint.received[0]?.body ?? '').type, 'callback.test');
    const closedEndpoint = await openEndpoint();
    await closedEndpoint.close();
    const other = await fixture.makeMerchant('Quiet & Co');
    const refused = await fixture.request('/v1/callback/test', { body: {}, token: other.token });
    assert.deepEqual([refused.status, refused.body.code], [409, 'no_callback_url']);
    await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      token: other.token,
      body: { key: 'callback-url', value: closedEndpoint.url },
    });
    const lost = await fixture.request('/v1/callback/test', { body: {}, token: other.token });
    assert.deepEqual([lost.status, lost.body.delivered, lost.body.status], [200, false, null]);
    assert.match(lost.body.error, /ECONNREFUSED/);
  });

  onSqlite('test webhooks are limited per merchant in production, so that they cannot flood a server', async () => {
    const production = await openFixture({
      env: { PAYLATCH_ENV: 'production', PUBLIC_URL: 'https://pay.example', PAYLATCH_SECRET_KEY: 'ab'.repeat(32) },
    });
    const send = async () => await production.request('/v1/callback/test', { body: {} });
    for (let sent = 0; sent < 30; sent += 1) assert.equal((await send()).body.code, 'no_callback_url');
    const { status, body } = await send();
    assert.deepEqual([status, body.limit], [429, 'webhook_test']);
    await production.close();
  });
});
