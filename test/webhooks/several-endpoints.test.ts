import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { MAX_ADDED_ENDPOINTS, type WebhookEndpointEntry } from '../../src/api/webhook-endpoint.ts';
import { webhookBodies } from '../../src/api/webhook-events.ts';
import type { Database } from '../../src/database/database.ts';
import { DAY, HOUR } from '../../src/shared/time.ts';
import { eventSubjects } from '../../src/subjects.ts';
import { redeliverFailed } from '../../src/webhooks/redeliver-failed.ts';
import { onSqlite, testEngine } from '../support/databases.ts';
import { interruptAfter } from '../support/interruption.ts';
import { invoicesOf } from '../support/invoices.ts';
import { openFixture, type FixtureResponse, type Fixture, type TestMerchant } from '../support/fixture.ts';
import { runCommandInProcess } from '../support/command-line.ts';
import { until } from '../support/program.ts';
import { cards, creation, submission } from '../support/requests.ts';
import { db } from '../support/tables.ts';

interface Posted {
  path: string;
  headers: Record<string, string>;
  type: string;
  transaction: string;
  sequence: number;
  body: string;
}

const ORIGIN = 'https://shop.example';
const url = (path: string) => `${ORIGIN}${path}`;

describe('several webhook endpoints', () => {
  let fixture: Fixture;
  let merchant: TestMerchant;
  let posted: Posted[] = [];
  /** Response status by path; 204 by default. */
  const responses = new Map<string, number>();
  /** Paths that do not respond. */
  const silent = new Map<string, (() => void)[]>();
  const headers: [string, string][] = [['server', 'kettle/2']];

  before(async () => {
    fixture = await openFixture({
      async post(target, sent, body) {
        const path = new URL(target).pathname;
        const hanging = silent.get(path);
        if (hanging) await new Promise<void>((resolve) => hanging.push(resolve));
        const { type, data } = JSON.parse(body);
        posted.push({ path, headers: sent, type, transaction: data.transaction_id, sequence: data.sequence, body });
        const status = responses.get(path) ?? 204;
        return await Promise.resolve({ status, retryAfter: null, body: status === 204 ? '' : 'no', headers });
      },
    });
  });
  after(async () => await fixture.close());
  beforeEach(async () => {
    merchant = await fixture.makeMerchant('Kettle & Co');
    responses.clear();
    silent.clear();
    await fixture.advance(2 * DAY);
    posted = [];
  });

  const call = async (
    path: string,
    method: string,
    body?: object,
    token = merchant.managerToken,
  ): Promise<FixtureResponse> => await fixture.request(path, { method, token, ...(body && { body }) });
  const succeed = async (path: string, method: string, body?: object) => {
    const answer = await call(path, method, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const setUrl = async (path: string | null) =>
    await succeed('/v1/merchant/preferences', 'PATCH', { key: 'callback-url', value: path && url(path) });
  const add = async (path: string, types: string[] | null = null): Promise<WebhookEndpointEntry & { secret: string }> =>
    await succeed('/v1/webhook-endpoints', 'POST', { url: url(path), event_types: types });
  const update = async (id: string, change: object) =>
    await succeed('/v1/webhook-endpoint', 'PATCH', { id, ...change });
  const read = async (id: string): Promise<WebhookEndpointEntry> =>
    await succeed(`/v1/webhook-endpoint?id=${id}`, 'GET');
  const list = async (
    query = '',
  ): Promise<{ id: string; webhook_id: string; endpoint_id: string; endpoint_name: string; state: string }[]> =>
    (await succeed(`/v1/callbacks?per_page=100${query}`, 'GET')).callbacks;
  /** Emits two events. */
  const pay = async (): Promise<string> => {
    const link = creation();
    await succeed('/fiat/v1/transaction', 'POST', link);
    const year = String(new Date(fixture.clock.now() / 1000).getUTCFullYear() + 2);
    const card = submission(link.transaction_id, cards.visa, { card_expiry_year: year });
    await succeed('/fiat/v1/transaction/submit', 'POST', card);
    return link.transaction_id;
  };
  const isPayment = ({ type }: Posted) => type === 'fiat.transaction.updated';
  const sentTo = (path: string) =>
    posted
      .filter((each) => isPayment(each) && each.path === path)
      .map((each) => `${each.transaction} ${each.sequence}`);

  test('each receive every event in order, under the same id, signed with their own secret', async () => {
    await setUrl('/main');
    const [books, stock] = [await add('/books'), await add('/stock')];
    await fixture.work();
    posted = [];
    const reference = await pay();
    await fixture.work();
    const secrets = { '/main': merchant.callbackSecret, '/books': books.secret, '/stock': stock.secret };
    for (const [path, secret] of Object.entries(secrets)) {
      assert.deepEqual(sentTo(path), [`${reference} 1`, `${reference} 2`]);
      for (const { headers: sent, body } of posted.filter((each) => each.path === path)) {
        const at = new Date(Number(sent['webhook-timestamp']) * 1000);
        const verifies = (each: string) =>
          sent['webhook-signature']?.split(' ').includes(new Webhook(each).sign(sent['webhook-id'] ?? '', at, body));
        assert.deepEqual(Object.values(secrets).filter(verifies), [secret]);
      }
    }
    for (const sequence of [1, 2]) {
      const ids = posted.filter((each) => each.sequence === sequence).map((each) => each.headers['webhook-id']);
      assert.deepEqual([ids.length, new Set(ids).size], [3, 1]);
    }
    const events = (await succeed('/v1/events?limit=100', 'GET')).events.map(({ id }: { id: string }) => id);
    assert.ok(posted.every((each) => events.includes(each.headers['webhook-id'])));
    const deliveries = await list(`&endpoint_id=${books.id}&type=fiat.transaction.updated`);
    assert.deepEqual(
      deliveries.map((each) => [each.endpoint_id, each.state, each.id === `${each.webhook_id}.${books.id}`]),
      [
        [books.id, 'delivered', true],
        [books.id, 'delivered', true],
      ],
    );
    const copies = (await list()).filter(({ webhook_id: id }) => id === deliveries[0]?.webhook_id);
    assert.deepEqual([...new Set(copies.map((each) => each.endpoint_name))], [new URL(ORIGIN).host]);
    assert.equal(copies.length, 3);
    await update(books.id, { description: 'Bookkeeping' });
    const named = (await list()).filter((each) => each.endpoint_name === 'Bookkeeping');
    assert.ok(named.length > 0 && named.every((each) => each.endpoint_id === books.id));
    assert.deepEqual((await read(books.id)).recent, { delivered: 2, failed: 0, pending: 0 });
    assert.ok((await read(books.id)).last_delivered_at);
  });

  test('receive only the event types that they select', async () => {
    await add('/payments', ['fiat.transaction.updated']);
    const crypto = await add('/crypto', ['crypto.transaction.created', 'crypto.transaction.updated']);
    await fixture.work();
    posted = [];
    await pay();
    await fixture.work();
    assert.deepEqual(new Set(posted.map(({ path }) => path)), new Set(['/payments']));
    await update(crypto.id, { event_types: null });
    await pay();
    await fixture.work();
    assert.equal(sentTo('/crypto').length, 2);
    assert.equal((await list(`&endpoint_id=${crypto.id}&type=crypto.transaction.created`)).length, 0);
    const changed = await update(crypto.id, { event_types: ['crypto.transaction.created'] });
    assert.deepEqual(changed.event_types, ['crypto.transaction.created']);
    await pay();
    await fixture.work();
    assert.equal(sentTo('/crypto').length, 2);
    const refused = await call('/v1/webhook-endpoints', 'POST', { url: url('/x'), event_types: ['callback.test'] });
    assert.equal(refused.status, 422);
  });

  test('fail, retry and are disabled independently of one another', async () => {
    await setUrl('/main');
    const [dead, gone] = [await add('/dead'), await add('/gone')];
    await fixture.work();
    posted = [];
    responses.set('/dead', 500);
    responses.set('/gone', 410);
    const references: string[] = [];
    for (let day = 0; day < 6; day += 1) {
      references.push(await pay());
      await fixture.work();
      assert.deepEqual(sentTo('/main').slice(-2), [`${references[day]} 1`, `${references[day]} 2`]);
      await fixture.advance(DAY);
    }
    assert.equal((await read(gone.id)).disabled_reason, 'gone');
    assert.equal(sentTo('/gone').length, 1);
    const disabled = await read(dead.id);
    assert.deepEqual([disabled.status, disabled.disabled_reason], ['disabled', 'no_success']);
    // Enabled again, they receive everything, in order within a payment.
    responses.clear();
    posted = [];
    await update(dead.id, { enabled: true });
    await succeed('/v1/webhook-endpoint/test', 'POST', { id: gone.id });
    await fixture.advance(2 * DAY);
    for (const path of ['/dead', '/gone']) {
      const sent = sentTo(path);
      for (const reference of references) {
        assert.deepEqual(
          sent.filter((each) => each.startsWith(`${reference} `)),
          [`${reference} 1`, `${reference} 2`],
          path,
        );
      }
    }
    assert.deepEqual([(await read(dead.id)).failing_since, (await read(gone.id)).status], [null, 'enabled']);
  });

  onSqlite('that hang do not delay one another', async () => {
    await setUrl('/main');
    await add('/live');
    await add('/hanging');
    await fixture.work();
    silent.set('/hanging', []);
    for (let number = 0; number < 12; number += 1) await pay();
    const { jobs } = fixture.service();
    jobs.start();
    try {
      await until(
        'the other endpoints have received all',
        async () => await Promise.resolve(sentTo('/live').length === 24 && sentTo('/main').length === 24),
      );
      assert.equal(silent.get('/hanging')?.length, 4, 'concurrent attempts of an added endpoint');
    } finally {
      const hanging = silent.get('/hanging') ?? [];
      silent.clear();
      for (const end of hanging) end();
      await jobs.stop();
    }
    await fixture.work();
    assert.equal(sentTo('/hanging').length, 24);
  });

  /** Attempts that wait for a response; `end` lets them continue. */
  const hang = (...paths: string[]) => {
    for (const path of paths) silent.set(path, []);
    const hanging = () => paths.flatMap((path) => silent.get(path) ?? []);
    return {
      arrived: async (count: number) =>
        await until('the attempts have arrived', async () => await Promise.resolve(hanging().length === count)),
      end: () => {
        const ends = hanging();
        for (const path of paths) silent.delete(path);
        for (const end of ends) end();
      },
    };
  };
  const disabledCount = () =>
    fixture
      .log()
      .split('\n')
      .filter((line) => line.includes('webhook endpoint disabled') && line.includes(`"merchant":${merchant.id},`))
      .length;

  test('moved or removed during an attempt are not disabled by its failure', async () => {
    await setUrl('/main');
    const [moved, removed] = [await add('/moved'), await add('/removed')];
    await fixture.work();
    const paths = ['/main', '/moved', '/removed'];
    for (const path of paths) responses.set(path, 410);
    const attempts = hang(...paths);
    const reference = await pay();
    const working = fixture.work();
    await attempts.arrived(3);
    await setUrl('/new-main');
    await update(moved.id, { url: url('/new') });
    await succeed('/v1/webhook-endpoint/remove', 'POST', { id: removed.id });
    attempts.end();
    await working;
    for (const id of ['callback-url', moved.id]) {
      const { status, last_failed_at: failedAt } = await read(id);
      assert.deepEqual([status, failedAt], ['enabled', null]);
    }
    assert.equal(disabledCount(), 0);
    await fixture.advance(HOUR);
    for (const path of ['/new-main', '/new']) assert.deepEqual(sentTo(path), [`${reference} 1`, `${reference} 2`]);
  });

  test('moved during an attempt are not enabled by its success', async () => {
    const [tested, failing] = [await add('/tested'), await add('/failing')];
    await fixture.work();
    responses.set('/failing', 503);
    await pay();
    await fixture.work();
    responses.delete('/failing');
    const attempts = hang('/tested', '/failing');
    const testing = succeed('/v1/webhook-endpoint/test', 'POST', { id: tested.id });
    const { jobs } = fixture.service();
    jobs.start();
    try {
      fixture.clock.advance(HOUR);
      await attempts.arrived(2);
      for (const [id, path] of [
        [tested.id, '/gone-tested'],
        [failing.id, '/gone-failing'],
      ] as const) {
        responses.set(path, 410);
        await update(id, { url: url(path) });
      }
      await pay();
      await until('the new URLs are disabled', async () => await Promise.resolve(disabledCount() === 2));
      attempts.end();
      assert.equal((await testing).delivered, true);
    } finally {
      await jobs.stop();
    }
    for (const { id } of [tested, failing]) assert.equal((await read(id)).disabled_reason, 'gone');
  });

  test('are disabled once by several failures at the same time', async () => {
    await setUrl('/gone');
    responses.set('/gone', 410);
    const attempts = hang('/gone');
    for (let number = 0; number < 6; number += 1) await pay();
    const working = fixture.work();
    await attempts.arrived(6);
    attempts.end();
    await working;
    assert.equal((await read('callback-url')).disabled_reason, 'gone');
    assert.equal(disabledCount(), 1);
  });

  onSqlite('disabled by the merchant, keep their webhooks until they are enabled', async () => {
    const endpoint = await add('/paused');
    await fixture.work();
    assert.equal((await update(endpoint.id, { enabled: false })).disabled_reason, 'merchant');
    posted = [];
    const reference = await pay();
    await fixture.advance(DAY);
    assert.deepEqual(sentTo('/paused'), []);
    assert.deepEqual((await read(endpoint.id)).recent, { delivered: 0, failed: 0, pending: 2 });
    // A delivered test does not enable it: the merchant decides.
    assert.equal((await succeed('/v1/webhook-endpoint/test', 'POST', { id: endpoint.id })).delivered, true);
    await fixture.work();
    assert.deepEqual(sentTo('/paused'), []);
    await update(endpoint.id, { enabled: true });
    await fixture.work();
    assert.deepEqual(sentTo('/paused'), [`${reference} 1`, `${reference} 2`]);
  });

  test('all failed webhooks of an endpoint are redelivered in order, and no others', async () => {
    const [one, other] = [await add('/one'), await add('/other')];
    await fixture.work();
    for (const path of ['/one', '/other']) responses.set(path, 503);
    const references = [await pay(), await pay()];
    // After its last attempt each is failed, and the next one is due. Tests keep the endpoints enabled.
    const countPending = async () => (await read(one.id)).recent.pending + (await read(other.id)).recent.pending;
    for (let days = 0; days < 60 && (await countPending()) > 0; days += 1) {
      await fixture.advance(DAY);
      responses.clear();
      for (const { id } of [one, other]) await succeed('/v1/webhook-endpoint/test', 'POST', { id });
      for (const path of ['/one', '/other']) responses.set(path, 503);
    }
    assert.deepEqual((await read(one.id)).recent, { delivered: 0, failed: 4, pending: 0 });
    responses.clear();
    posted = [];
    const { redelivered } = await succeed('/v1/webhook-endpoint/redeliver', 'POST', { id: one.id });
    assert.equal(redelivered, 4);
    await fixture.work();
    assert.deepEqual(new Set(posted.map(({ path }) => path)), new Set(['/one']));
    for (const reference of references)
      assert.deepEqual(
        sentTo('/one').filter((each) => each.startsWith(`${reference} `)),
        [`${reference} 1`, `${reference} 2`],
      );
    assert.deepEqual((await read(other.id)).recent, { delivered: 0, failed: 4, pending: 0 });
    assert.equal((await succeed('/v1/webhook-endpoint/redeliver', 'POST', { id: one.id })).redelivered, 0);
  });

  onSqlite('an endpoint without failed webhooks is enabled by a redelivery, which sends those that wait', async () => {
    const { id } = await add('/one');
    await fixture.work();
    responses.set('/one', 410);
    const reference = await pay();
    await fixture.work();
    assert.equal((await read(id)).disabled_reason, 'gone');
    assert.deepEqual((await read(id)).recent, { delivered: 0, failed: 0, pending: 2 });
    responses.clear();
    posted = [];
    assert.equal((await succeed('/v1/webhook-endpoint/redeliver', 'POST', { id })).redelivered, 0);
    assert.equal((await read(id)).disabled_reason, null);
    await fixture.advance(DAY);
    assert.deepEqual(sentTo('/one'), [`${reference} 1`, `${reference} 2`]);
  });

  test('failed webhooks that are redelivered hold back the pending ones of their payment', async () => {
    const { id } = await add('/one');
    await fixture.work();
    responses.set('/one', 503);
    const reference = await pay();
    // Until the first of the payment's two webhooks has failed. Tests keep the endpoint enabled.
    for (let days = 0; days < 30 && (await read(id)).recent.failed === 0; days += 1) {
      await fixture.advance(DAY);
      responses.clear();
      await succeed('/v1/webhook-endpoint/test', 'POST', { id });
      responses.set('/one', 503);
    }
    assert.deepEqual((await read(id)).recent, { delivered: 0, failed: 1, pending: 1 });
    const { database } = fixture.service();
    const webhooks = () =>
      db(database).selectFrom('callbacks').where('merchant_id', '=', merchant.id).where('url', 'is', null);
    const failed = await webhooks().selectAll().where('state', '=', 'failed').executeTakeFirstOrThrow();
    const { id: _id, ...row } = failed;
    // More than a unit of work redelivers.
    const copies = Array.from({ length: 600 }, (_, number) => ({
      ...row,
      ...{ sequence: 100 + number, webhook_id: `${row.webhook_id}.${number}` },
    }));
    await db(database).insertInto('callbacks').values(copies).execute();
    assert.equal((await succeed('/v1/webhook-endpoint/redeliver', 'POST', { id })).redelivered, 601);
    const due = async () =>
      (await webhooks().select('sequence').where('state', '=', 'pending').where('held', '=', 0).execute()).map(
        ({ sequence }) => sequence,
      );
    assert.deepEqual(await due(), [1]);
    await db(database)
      .deleteFrom('callbacks')
      .where('merchant_id', '=', merchant.id)
      .where('sequence', '>', 100)
      .execute();
    responses.clear();
    posted = [];
    await fixture.advance(DAY);
    assert.deepEqual(sentTo('/one').slice(0, 2), [`${reference} 1`, `${reference} 2`]);
    assert.deepEqual((await read(id)).recent, { delivered: 3, failed: 0, pending: 0 });
  });

  test('a removed endpoint receives nothing more, and its webhooks are not listed', async () => {
    await setUrl('/main');
    const endpoint = await add('/old');
    const pending = '&state=pending&type=fiat.transaction.updated';
    responses.set('/old', 503);
    const reference = await pay();
    await fixture.work();
    assert.ok((await list(pending)).length > 0);
    await succeed('/v1/webhook-endpoint/remove', 'POST', { id: endpoint.id });
    posted = [];
    const { database } = fixture.service();
    const recorded = async () =>
      await db(database)
        .selectFrom('callbacks')
        .select('id')
        .where('merchant_id', '=', merchant.id)
        .where('endpoint', '>', 0)
        .where('url', 'is', null)
        .execute();
    const before = await recorded();
    await pay();
    assert.deepEqual(await recorded(), before);
    await fixture.advance(DAY);
    assert.deepEqual(sentTo('/old'), []);
    assert.deepEqual(await list(pending), []);
    assert.deepEqual(
      (await list(`&transaction_id=${reference}`)).map((each) => each.endpoint_id),
      ['callback-url', 'callback-url'],
    );
    for (const [path, method, body] of [
      [`/v1/webhook-endpoint?id=${endpoint.id}`, 'GET', undefined],
      ['/v1/webhook-endpoint', 'PATCH', { id: endpoint.id, enabled: true }],
      ['/v1/webhook-endpoint/remove', 'POST', { id: endpoint.id }],
    ] as const)
      assert.equal((await call(path, method, body)).status, 404, path);
    assert.deepEqual(await list(`&endpoint_id=${endpoint.id}`), []);
    // The cleanup deletes webhooks that can no longer be delivered.
    const rows = await db(database)
      .selectFrom('callbacks')
      .select('id')
      .where('merchant_id', '=', merchant.id)
      .where('state', '=', 'pending')
      .where('url', 'is', null)
      .execute();
    assert.deepEqual(rows, []);
  });

  test('are reported to every endpoint and to previous URLs when they change', async () => {
    await setUrl('/main');
    const endpoint = await add('/books', ['crypto.transaction.created']);
    await fixture.advance(2 * DAY);
    posted = [];
    const notices = async () => {
      await fixture.work();
      const sent = posted.filter(({ type }) => type === 'callback.endpoint_changed');
      posted = [];
      return sent;
    };
    await update(endpoint.id, { url: url('/evil?secret=1') });
    const moved = await notices();
    assert.deepEqual(moved.map(({ path }) => path).toSorted(), ['/books', '/evil', '/main']);
    const { data } = webhookBodies['callback.endpoint_changed'].parse(JSON.parse(moved[0]?.body ?? ''));
    assert.deepEqual(
      [data.endpoint_id, data.change, data.url, data.previous_url, data.event_types],
      [endpoint.id, 'updated', ORIGIN, ORIGIN, ['crypto.transaction.created']],
    );
    assert.match(data.requested_by, /^token \d+$/);
    assert.ok(moved.every(({ body }) => !body.includes('secret')));
    const toBooks = moved.find(({ path }) => path === '/books') ?? assert.fail();
    const at = new Date(Number(toBooks.headers['webhook-timestamp']) * 1000);
    assert.ok(
      toBooks.headers['webhook-signature']?.includes(
        new Webhook(endpoint.secret).sign(toBooks.headers['webhook-id'] ?? '', at, toBooks.body),
      ),
      'signed with the secret of the endpoint that had the URL',
    );
    await update(endpoint.id, { enabled: false });
    assert.deepEqual((await notices()).map(({ path }) => path).toSorted(), ['/books', '/evil', '/main']);
    await update(endpoint.id, { description: 'Bookkeeping' });
    assert.deepEqual(await notices(), []);
    await succeed('/v1/webhook-endpoint/remove', 'POST', { id: endpoint.id });
    assert.deepEqual((await notices()).map(({ path }) => path).toSorted(), ['/books', '/evil', '/main']);
    const notice = (await list()).find(({ id }) => id !== '') ?? assert.fail();
    assert.equal((await succeed(`/v1/callback?id=${notice.id}`, 'GET')).transaction_id, endpoint.id);
    // Other notices reach added endpoints too, and `callback-url` does not change unnoticed.
    await add('/watch', ['fiat.transaction.updated']);
    await fixture.advance(2 * DAY);
    posted = [];
    await setUrl('/elsewhere');
    await fixture.work();
    assert.deepEqual(posted.map(({ path }) => path).toSorted(), ['/elsewhere', '/main', '/watch']);
  });

  onSqlite('need the scope callback:manage, and belong to one merchant', async () => {
    const endpoint = await add('/mine');
    const other = await fixture.makeMerchant('Teapot & Sons');
    for (const [path, method, body] of [
      [`/v1/webhook-endpoint?id=${endpoint.id}`, 'GET', undefined],
      ['/v1/webhook-endpoint', 'PATCH', { id: endpoint.id, enabled: false }],
      ['/v1/webhook-endpoint/secret', 'POST', { id: endpoint.id }],
      ['/v1/webhook-endpoint/test', 'POST', { id: endpoint.id }],
      ['/v1/webhook-endpoint/redeliver', 'POST', { id: endpoint.id }],
      ['/v1/webhook-endpoint/remove', 'POST', { id: endpoint.id }],
    ] as const)
      assert.equal((await call(path, method, body, other.managerToken)).status, 404, path);
    const refused = await call('/v1/webhook-endpoints', 'POST', { url: url('/x') }, merchant.token);
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    assert.deepEqual((await call('/v1/webhook-endpoints', 'GET', undefined, other.token)).body, { endpoints: [] });
    const { entries } = await succeed('/v1/audit-log?per_page=100', 'GET');
    const added = entries.find(({ action }: { action: string }) => action === 'addWebhookEndpoint');
    assert.equal(added.subject, `webhook endpoint ${endpoint.id}`);
    assert.equal(added.after.url, url('/mine'));
    assert.ok(!JSON.stringify(entries).includes('whsec_'));
  });

  onSqlite('need transaction:read to send payments to a new endpoint', async () => {
    const endpoint = await add('/mine');
    const { access_token: token } = await succeed('/v1/tokens', 'POST', { name: 'CI', scopes: ['callback:manage'] });
    for (const [path, method, body, status] of [
      ['/v1/webhook-endpoints', 'POST', { url: url('/evil') }, 403],
      ['/v1/webhook-endpoint', 'PATCH', { id: endpoint.id, url: url('/evil') }, 403],
      ['/v1/webhook-endpoint', 'PATCH', { id: endpoint.id, event_types: null }, 403],
      ['/v1/webhook-endpoint', 'PATCH', { id: endpoint.id, enabled: false }, 200],
      ['/v1/webhook-endpoint/remove', 'POST', { id: endpoint.id }, 200],
    ] as const)
      assert.equal((await call(path, method, body, token)).status, status, JSON.stringify(body));
  });

  onSqlite('change 60 times per hour at most, and can always be removed', async () => {
    const endpoint = await add('/mine');
    for (let changes = 1; changes < 60; changes += 1) await update(endpoint.id, { enabled: changes % 2 === 0 });
    for (const [path, method, body] of [
      ['/v1/webhook-endpoint', 'PATCH', { id: endpoint.id, enabled: true }],
      ['/v1/webhook-endpoints', 'POST', { url: url('/more') }],
    ] as const) {
      const { status, body: problem } = await call(path, method, body);
      assert.deepEqual([status, problem.code, problem.limit], [429, 'rate_limited', 'webhook_endpoints'], path);
    }
    await succeed('/v1/webhook-endpoint/remove', 'POST', { id: endpoint.id });
    await fixture.advance(HOUR);
    await add('/more');
  });

  onSqlite('lose their secret a week after they are removed', async () => {
    const endpoint = await add('/old');
    await succeed('/v1/webhook-endpoint/remove', 'POST', { id: endpoint.id });
    await fixture.work();
    const { database } = fixture.service();
    const readSecret = async () =>
      await db(database)
        .selectFrom('webhook_endpoints')
        .select('secret')
        .where('endpoint_key', '=', endpoint.id)
        .executeTakeFirstOrThrow();
    await fixture.advance(6 * DAY);
    assert.notEqual((await readSecret()).secret, '');
    await fixture.advance(2 * DAY);
    assert.equal((await readSecret()).secret, '');
    // Redelivered, a notice has the signature without a secret.
    posted = [];
    const [notice = assert.fail()] = await list('&type=callback.endpoint_changed');
    await succeed('/v1/callback/redeliver', 'POST', { id: notice.id });
    await fixture.work();
    assert.match(posted[0]?.headers['webhook-signature'] ?? '', /^v1a,\S+$/);
  });

  onSqlite('removed by a repeated request, return the stored response', async () => {
    const endpoint = await add('/mine');
    const remove = async () =>
      await fixture.request('/v1/webhook-endpoint/remove', {
        token: merchant.managerToken,
        body: { id: endpoint.id },
        headers: { 'idempotency-key': 'remove-1' },
      });
    const isRemoved = async (database: Database) => {
      const stored = await db(database)
        .selectFrom('webhook_endpoints')
        .select('removed_at')
        .where('endpoint_key', '=', endpoint.id)
        .executeTakeFirstOrThrow();
      return stored.removed_at !== null;
    };
    assert.equal((await interruptAfter(fixture, isRemoved, remove)).status, 500);
    const repeated = await remove();
    assert.deepEqual([repeated.status, repeated.body.id], [200, endpoint.id], repeated.text);
  });

  onSqlite('redeliver each failed webhook once, although it fails again', async () => {
    const endpoint = await add('/dead');
    await fixture.work();
    responses.set('/dead', 503);
    await pay();
    const { database } = fixture.service();
    const [first = assert.fail()] = await db(database)
      .selectFrom('callbacks')
      .selectAll()
      .where('merchant_id', '=', merchant.id)
      .where('url', 'is', null)
      .execute();
    const { id: _id, ...row } = first;
    const copies = Array.from({ length: 600 }, (_, number) => ({
      ...row,
      ...{ sequence: 100 + number, webhook_id: `${row.webhook_id}.${number}` },
    }));
    await db(database).insertInto('callbacks').values(copies).execute();
    const fail = async () =>
      await db(database)
        .updateTable('callbacks')
        .set({ state: 'failed', held: 0, finished_at: fixture.clock.now() })
        .where('merchant_id', '=', merchant.id)
        .where('url', 'is', null)
        .execute();
    await fail();
    let batches = 0;
    const failing: Database = {
      ...database,
      inTransaction: async (work) => {
        const result = await database.inTransaction(work);
        batches += 1;
        assert.ok(batches < 5, 'redelivers again and again');
        await fail();
        return result;
      },
    };
    assert.equal(
      await redeliverFailed(
        { database: failing, subjects: eventSubjects },
        { merchantId: merchant.id, number: row.endpoint },
        0,
      ),
      602,
    );
    assert.equal(endpoint.id, (await read(endpoint.id)).id);
  });

  onSqlite('that hang leave slots of each lane to other merchants, and take turns', async () => {
    const [main, ...added] = ['/main', ...Array.from({ length: MAX_ADDED_ENDPOINTS }, (_, number) => `/${number}`)];
    await setUrl(main ?? null);
    const endpoints = [];
    for (const path of added) endpoints.push(await add(path));
    await fixture.work();
    await fixture.advance(2 * DAY);
    for (const path of added) silent.set(path, []);
    const hanging = () => [...silent.values()].flat().length;
    for (const { id } of endpoints.slice(0, 3)) await update(id, { enabled: false });
    const { jobs } = fixture.service();
    posted = [];
    jobs.start();
    try {
      await until('notices use all slots of the merchant', async () => await Promise.resolve(hanging() === 8));
      // One attempt for each endpoint: as they end, the others get their turn.
      const first = added.filter((path) => silent.get(path)?.length === 1);
      assert.equal(first.length, 8);
      const other = await fixture.makeMerchant('Teapot & Sons');
      await call('/v1/webhook-endpoints', 'POST', { url: url('/other') }, other.managerToken);
      await until(
        'the other merchant’s notice arrives',
        async () => await Promise.resolve(posted.some(({ path }) => path === '/other')),
      );
      assert.equal(hanging(), 8);
      for (const each of silent.values()) for (const end of each.splice(0)) end();
      await until('the other endpoints get their turn', async () => await Promise.resolve(hanging() === 8));
      assert.ok(first.every((path) => silent.get(path)?.length === 0));
    } finally {
      const open = [...silent.values()].flat();
      silent.clear();
      for (const end of open) end();
      await jobs.stop();
    }
  });

  onSqlite('refuse addresses that callback-url refuses, and are limited', async () => {
    for (const refused of [
      'http://shop.example/x',
      'https://10.0.0.1/x',
      'https://u:p@shop.example/',
      'ftp://x',
      'x',
    ]) {
      const { status, body } = await call('/v1/webhook-endpoints', 'POST', { url: refused });
      assert.deepEqual([status, body.errors?.[0]?.pointer], [422, '/url'], refused);
    }
    for (let number = 0; number < MAX_ADDED_ENDPOINTS; number += 1) await add(`/${number}`);
    const { status, body } = await call('/v1/webhook-endpoints', 'POST', { url: url('/more') });
    assert.deepEqual([status, body.code], [409, 'too_many_endpoints']);
    const { endpoints } = await succeed('/v1/webhook-endpoints', 'GET');
    await succeed('/v1/webhook-endpoint/remove', 'POST', { id: endpoints[0].id });
    await add('/more');
  });

  onSqlite('include the one of callback-url, which only its preference changes', async () => {
    await setUrl('/main');
    const { endpoints } = await succeed('/v1/webhook-endpoints', 'GET');
    assert.deepEqual(
      endpoints.map((each: WebhookEndpointEntry) => [each.id, each.url, each.from_preferences]),
      [['callback-url', url('/main'), true]],
    );
    for (const [path, method, body] of [
      ['/v1/webhook-endpoint', 'PATCH', { id: 'callback-url', enabled: false }],
      ['/v1/webhook-endpoint/remove', 'POST', { id: 'callback-url' }],
    ] as const) {
      const { status, body: problem } = await call(path, method, body);
      assert.deepEqual([status, problem.errors?.[0]?.code], [422, 'from_preferences'], path);
    }
    assert.equal((await succeed('/v1/webhook-endpoint/test', 'POST', { id: 'callback-url' })).delivered, true);
  });

  onSqlite('have secrets that rotate with an overlap', async () => {
    const endpoint = await add('/books');
    const rotated = await succeed('/v1/webhook-endpoint/secret', 'POST', { id: endpoint.id, keep_hours: 1 });
    assert.notEqual(rotated.secret, endpoint.secret);
    await fixture.work();
    const signaturesOf = async () => {
      posted = [];
      await succeed('/v1/webhook-endpoint/test', 'POST', { id: endpoint.id });
      const [{ headers: sent, body } = assert.fail()] = posted;
      const at = new Date(Number(sent['webhook-timestamp']) * 1000);
      return [endpoint.secret, rotated.secret].map((secret) =>
        sent['webhook-signature']?.split(' ').includes(new Webhook(secret).sign(sent['webhook-id'] ?? '', at, body)),
      );
    };
    assert.deepEqual(await signaturesOf(), [true, true]);
    await fixture.advance(HOUR);
    assert.deepEqual(await signaturesOf(), [false, true]);
  });

  onSqlite('show the request and the response of each attempt, without secrets', async () => {
    const endpoint = await add('/books');
    responses.set('/books', 500);
    const reference = await pay();
    await fixture.work();
    const delivery = (await list(`&transaction_id=${reference}`)).at(-1) ?? assert.fail();
    const { attempts, payload } = await succeed(`/v1/callback?id=${delivery.id}`, 'GET');
    const names = attempts[0].request_headers.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp']);
    for (const { name, value } of attempts[0].request_headers)
      if (name === 'webhook-id') assert.equal(value, delivery.webhook_id);
    assert.deepEqual(attempts[0].response_headers[0], { name: 'server', value: 'kettle/2' });
    assert.equal(attempts[0].response_body, 'no');
    assert.equal(payload.data.transaction_id, reference);
    const withoutPayments = await succeed('/v1/tokens', 'POST', { name: 'Till', scopes: ['callback:read'] });
    const limited = await call(`/v1/callback?id=${delivery.id}`, 'GET', undefined, withoutPayments.access_token);
    assert.deepEqual([limited.status, limited.body.payload], [200, null]);
    const { status, previous_status: previous, detail } = limited.body;
    assert.deepEqual([status, previous, detail], [null, null, null]);
    // Attempts contain responses of others, and are deleted after 90 days.
    responses.clear();
    await succeed('/v1/callback/redeliver', 'POST', { id: delivery.id });
    await fixture.work();
    await fixture.advance(91 * DAY);
    assert.deepEqual((await succeed(`/v1/callback?id=${delivery.id}`, 'GET')).attempts, []);
    assert.equal((await read(endpoint.id)).recent.delivered, 2);
  });

  onSqlite('are managed from the command line', async () => {
    const settings = { DATABASE_URL: fixture.databaseUrl, DEMO_SHOP: 'off' };
    const of = ['--merchant', String(merchant.id)];
    const run = async (...command: string[]) => await runCommandInProcess(['webhooks', ...command], settings);
    const added = await run('endpoint', 'add', ...of, '--url', url('/cli'), '--type', 'fiat.transaction.updated');
    assert.match(String(added.secret), /^whsec_/);
    const id = String(added.id);
    assert.equal((await run('secret', ...of, '--endpoint-id', id)).callback_secret, added.secret);
    assert.equal((await run('endpoint', 'update', ...of, '--id', id, '--disable', '--all-types')).status, 'disabled');
    const listed = (await run('endpoint', 'list', ...of)) as unknown as { endpoints: WebhookEndpointEntry[] };
    assert.deepEqual(
      listed.endpoints.map((each) => [each.id, each.status, each.event_types]),
      [[id, 'disabled', null]],
    );
    const listedCallbacks = (await run('list', ...of, '--endpoint-id', id)) as unknown as { callbacks: unknown[] };
    assert.deepEqual(listedCallbacks.callbacks.length > 0, true);
    await run('endpoint', 'remove', ...of, '--id', id);
    const { entries } = await succeed('/v1/audit-log', 'GET');
    const actions = entries.filter(({ subject }: { subject: string }) => subject === `webhook endpoint ${id}`);
    assert.deepEqual(
      actions.map(({ action, before, after }: Record<string, { status: string } | null>) => [
        ...[action, before?.status, after?.status],
      ]),
      [
        ['removeWebhookEndpoint', 'disabled', undefined],
        ['updateWebhookEndpoint', 'enabled', 'disabled'],
        ['addWebhookEndpoint', undefined, 'enabled'],
      ],
    );
    await assert.rejects(run('secret', ...of, '--endpoint-id', id), /no webhook endpoint/);
  });

  test('receive every event of concurrent payments on every endpoint', async () => {
    await setUrl('/main');
    for (const path of ['/a', '/b']) await add(path);
    const { create, pay: payInvoice, mine } = invoicesOf(() => ({ ...fixture, merchant }));
    const references = await Promise.all(Array.from({ length: testEngine === 'sqlite' ? 6 : 3 }, pay));
    const invoice = await create();
    await payInvoice(invoice);
    await mine(2);
    await fixture.work();
    const expected = references.flatMap((reference) => [1, 2].map((sequence) => `${reference} ${sequence}`)).toSorted();
    for (const path of ['/main', '/a', '/b']) {
      assert.deepEqual(sentTo(path).toSorted(), expected, path);
      assert.ok(posted.some((each) => each.path === path && each.type === 'crypto.transaction.created'));
    }
  });
});
