import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { queryObjects } from 'node:v8';
import { setImmediate as turn } from 'node:timers/promises';
import { after, afterEach, before, describe, type TestContext, test } from 'node:test';
import { Context } from 'hono';
import pg from 'pg';
import type { Service } from '../../src/app.ts';
import type { PageState } from '../../src/api/page-state.ts';
import { HOUR, type Instant, MINUTE, SECOND } from '../../src/shared/time.ts';
import { cancelTransaction } from '../../src/payments/cancel.ts';
import { findByLink } from '../../src/payments/store.ts';
import { AnnouncementHub } from '../../src/database/announcements.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { createPostgresRelay } from '../../src/database/postgres-relay.ts';
import { createHttpApplication } from '../../src/http/application.ts';
import { createEventStreams, type EventStream } from '../../src/http/event-stream.ts';
import { listen } from '../../src/http/server.ts';
import { createLog } from '../../src/system/log.ts';
import { createMetrics } from '../../src/system/metrics.ts';
import { systemRandom } from '../../src/system/random.ts';
import { SimulatedClock } from '../support/clock.ts';
import { testEngine, onSqlite } from '../support/databases.ts';
import { type EventReader, openEvents } from '../support/event-source.ts';
import { readProblem } from '../support/problems.ts';
import { until } from '../support/program.ts';
import { sendRaw } from '../support/raw-http.ts';
import { cards, createLink, submitCard } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { changeCard, changePush } from '../support/acquirer-accounts.ts';

const thai = { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 1250.5 };

describe('live updates of an open page', () => {
  let fixture: Fixture;
  const opened: EventReader[] = [];
  before(async () => {
    fixture = await openFixture();
    const { status } = await fixture.request('/fiat/v1/merchant/payment-methods', {
      method: 'PATCH',
      body: { payment_methods: [{ payment_method: 'qr_code', currency: 'THB', status: 'enable' }] },
      token: fixture.merchant.managerToken,
    });
    assert.equal(status, 200);
  });
  after(async () => await fixture.close());
  afterEach(() => {
    for (const reader of opened.splice(0)) reader.close();
  });

  const follow = async (path: string) => {
    const reader = await openEvents(`${fixture.url}${path}/events`);
    opened.push(reader);
    return reader;
  };
  const nextState = async (reader: EventReader) => JSON.parse((await reader.next('state')).data) as PageState;
  const cancel = async (reference: string) =>
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
  const transactionAt = async (service: Service, path: string) => {
    const transaction = await findByLink(service.database, path.split('/').at(-1) ?? '');
    assert.ok(transaction);
    return transaction;
  };

  test('start with the current state, and send it to no other page', async () => {
    const link = await createLink(fixture);
    const reader = await follow(link.path);
    assert.equal(reader.status, 200);
    assert.equal(reader.headers['content-type'], 'text/event-stream; charset=utf-8');
    assert.match(reader.headers['cache-control'] ?? '', /no-store.*no-transform/);
    assert.equal(reader.headers['x-accel-buffering'], 'no');
    assert.equal(reader.headers['content-encoding'], undefined);
    assert.equal(reader.headers['x-content-type-options'], 'nosniff');
    assert.match(reader.headers['request-id'] as string, /^req_/);
    assert.equal(reader.headers['access-control-allow-origin'], undefined);
    const reported = await nextState(reader);
    const { body: requested } = await fixture.request(`${link.path}/state`, { token: null });
    const timeless = (state: PageState) => ({ ...state, serverTime: '', clientToken: '' });
    assert.deepEqual(timeless(reported), timeless(requested));
    assert.match(reader.received(), /^retry: \d{4}\n\n/);
  });

  onSqlite('are never compressed', async () => {
    const link = await createLink(fixture);
    const reader = await openEvents(`${fixture.url}${link.path}/events`, { 'accept-encoding': 'gzip, deflate, br' });
    opened.push(reader);
    assert.equal(reader.headers['content-encoding'], undefined);
    assert.equal((await nextState(reader)).phase, 'ready');
  });

  onSqlite('keep no request in memory', async () => {
    const links = await Promise.all(Array.from({ length: 10 }, async () => await createLink(fixture)));
    for (const { path } of links) await nextState(await follow(path));
    assert.ok(queryObjects(Context, { format: 'count' }) < links.length);
  });

  onSqlite('spread the reconnects of pages', async () => {
    const link = await createLink(fixture);
    const pauses = new Set<string>();
    for (let index = 0; index < 8; index += 1) {
      const reader = await follow(link.path);
      await reader.next('state');
      pauses.add(/^retry: (\d+)/.exec(reader.received())?.[1] ?? '');
    }
    assert.ok(pauses.size > 1, [...pauses].join(', '));
  });

  test('report a payment and end', async () => {
    const link = await createLink(fixture);
    const reader = await follow(link.path);
    assert.equal((await nextState(reader)).phase, 'ready');
    await submitCard(fixture, link.reference);
    let state = await nextState(reader);
    if (state.phase === 'checking') state = await nextState(reader);
    assert.equal(state.phase, 'paid');
    await reader.ended();
  });

  onSqlite('report each step of a 3-D Secure challenge', async () => {
    const link = await createLink(fixture);
    const reader = await follow(link.path);
    assert.equal((await nextState(reader)).phase, 'ready');
    await submitCard(fixture, link.reference, cards.challenge);
    let state = await nextState(reader);
    if (state.phase === 'checking') state = await nextState(reader);
    assert.equal(state.phase, 'challenge');
    const issuer = new URL(state.challengeUrl ?? '').pathname;
    await fixture.request(issuer, {
      body: 'decision=refuse',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    });
    state = await nextState(reader);
    assert.equal(state.phase, 'ready');
    assert.ok(state.declined);
  });

  onSqlite('report late outcomes of the sandbox', async () => {
    const link = await createLink(fixture);
    await submitCard(fixture, link.reference, cards.unknown);
    const reader = await follow(link.path);
    assert.equal((await nextState(reader)).phase, 'checking');
    await fixture.advance(31 * SECOND);
    assert.equal((await nextState(reader)).phase, 'paid');
  });

  onSqlite('report a cancellation and end', async () => {
    const link = await createLink(fixture);
    const reader = await follow(link.path);
    await nextState(reader);
    await cancel(link.reference);
    assert.equal((await nextState(reader)).phase, 'cancelled');
    await reader.ended();
  });

  for (const action of ['capture', 'void'] as const)
    onSqlite(`follow an authorized payment until its ${action}`, async () => {
      const link = await createLink(fixture, { capture: 'manual' });
      await submitCard(fixture, link.reference);
      const reader = await follow(link.path);
      const authorized = await nextState(reader);
      assert.deepEqual([authorized.phase, authorized.authorized], ['paid', true]);
      await fixture.request(`/fiat/v1/transaction/${action}`, { body: { transaction_id: link.reference } });
      const final = { capture: ['paid', false], void: ['cancelled', true] };
      let state = authorized;
      while (state.pollAfterMs !== null) state = await nextState(reader);
      assert.deepEqual([state.phase, state.authorized], final[action]);
      await reader.ended();
    });

  onSqlite('follow an authorized payment until its expiry', async () => {
    const link = await createLink(fixture, { capture: 'manual' });
    await submitCard(fixture, link.reference);
    await fixture.advance(7 * 24 * HOUR - MINUTE);
    const reader = await follow(link.path);
    assert.equal((await nextState(reader)).phase, 'paid');
    await fixture.advance(2 * MINUTE);
    let state = await nextState(reader);
    while (state.pollAfterMs !== null) state = await nextState(reader);
    assert.deepEqual([state.phase, state.authorized], ['expired', true]);
    await reader.ended();
  });

  onSqlite('report the expiry on time', async () => {
    const link = await createLink(fixture);
    await fixture.advance(24 * HOUR - MINUTE);
    const reader = await follow(link.path);
    assert.equal((await nextState(reader)).phase, 'ready');
    await fixture.advance(2 * MINUTE);
    assert.equal((await nextState(reader)).phase, 'expired');
    await reader.ended();
  });

  test('report push payments and the expiry of payment instructions', async () => {
    const link = await createLink(fixture, thai);
    const reader = await follow(link.path);
    assert.equal((await nextState(reader)).started, null);
    const begin = { body: { payment_method: 'qr_code', choice: null }, token: link.clientToken };
    assert.equal((await fixture.request(`${link.path}/method`, begin)).status, 200);
    let state = await nextState(reader);
    if (!state.started) state = await nextState(reader);
    assert.ok(state.started?.simulatorUrl);
    await fixture.request(new URL(state.started.simulatorUrl).pathname, {
      body: 'decision=exact',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    });
    assert.equal((await nextState(reader)).phase, 'paid');
  });

  onSqlite('continue after the expiry while payments may arrive, and report them', async () => {
    const link = await createLink(fixture, thai);
    const begin = { body: { payment_method: 'qr_code', choice: null }, token: link.clientToken };
    const started = (await fixture.request(`${link.path}/method`, begin)).body as PageState;
    assert.ok(started.started?.simulatorUrl);
    await fixture.advance(25 * HOUR);
    const reader = await follow(link.path);
    const expired = await nextState(reader);
    assert.deepEqual([expired.phase, expired.mayReceiveFunds], ['expired', true]);
    await fixture.request(new URL(started.started.simulatorUrl).pathname, {
      body: 'decision=exact',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    });
    assert.equal((await nextState(reader)).phase, 'paid');
    // A duplicate payment is reported too.
    await fixture.request(new URL(started.started.simulatorUrl).pathname, {
      body: 'decision=exact',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    });
    assert.deepEqual((await nextState(reader)).received, { value: '2501.00', left: '0.00' });
  });

  onSqlite('report expired instructions without an event of the acquirer', async () => {
    const link = await createLink(fixture, thai);
    const begin = { body: { payment_method: 'qr_code', choice: null }, token: link.clientToken };
    const started = (await fixture.request(`${link.path}/method`, begin)).body as PageState;
    const lifetime = (Date.parse(started.started?.expiresAt ?? '') - Date.parse(started.serverTime)) * 1000;
    assert.ok(lifetime > 2 * MINUTE, String(lifetime));
    await fixture.advance(lifetime - MINUTE);
    const restore = changePush(fixture.service(), (push) => ({
      ...push,
      withdraw: () => Promise.reject(new Error('silent')),
    }));
    try {
      const reader = await follow(link.path);
      assert.ok((await nextState(reader)).started);
      await fixture.advance(MINUTE + SECOND);
      assert.equal((await nextState(reader)).started, null);
    } finally {
      restore();
    }
  });

  onSqlite('report a final state once and end', async () => {
    const link = await createLink(fixture);
    await cancel(link.reference);
    const reader = await follow(link.path);
    assert.equal((await nextState(reader)).phase, 'cancelled');
    await reader.ended();
    assert.equal(reader.received().match(/^event:/gm)?.length, 1);
  });

  onSqlite('send no state twice, however often it is read', async () => {
    const link = await createLink(fixture);
    await submitCard(fixture, link.reference, cards.challenge);
    await fixture.advance(24 * HOUR - MINUTE);
    // A 3-D Secure challenge that times out: each read of the payment renews its lock.
    const restore = changeCard(fixture.service(), (card) => ({
      ...card,
      abandon: async (charge) => (await card.fetchOutcome?.(charge)) ?? { kind: 'unknown' },
    }));
    try {
      const reader = await follow(link.path);
      await nextState(reader);
      await fixture.advance(2 * MINUTE);
      for (let index = 0; index < 5; index += 1) await fixture.request(`${link.path}/state`, { token: null });
      await fixture.work();
      await fixture.advance(25 * SECOND);
      await reader.next('beat');
      assert.equal(reader.received().match(/^event: state$/gm)?.length, 1, reader.received());
    } finally {
      restore();
    }
  });

  onSqlite('send heartbeats, and end after a while so that the page reconnects', async () => {
    const link = await createLink(fixture);
    const reader = await follow(link.path);
    await nextState(reader);
    await fixture.advance(20 * SECOND);
    // This event arrives after a heartbeat.
    await submitCard(fixture, link.reference, cards.challenge);
    await nextState(reader);
    assert.doesNotMatch(reader.received(), /^event: beat$/m);
    await fixture.advance(6 * SECOND);
    await reader.next('beat');
    await fixture.advance(25 * SECOND);
    await reader.next('beat');
    await fixture.advance(10 * MINUTE);
    await reader.ended();
  });

  onSqlite('an unknown link has no stream', async () => {
    for (const path of [`/p/${'x'.repeat(27)}`, '/p/x', '/p/%00']) {
      const reader = await openEvents(`${fixture.url}${path}/events`);
      assert.equal(reader.status, 404);
      const headers = new Headers(reader.headers as Record<string, string>);
      assert.equal(readProblem({ status: 404, headers, text: reader.text }, path).code, 'not_found');
    }
    const posted = await fixture.request(`${(await createLink(fixture)).path}/events`, { body: {} });
    assert.equal(posted.status, 405);
    assert.equal(posted.headers.get('allow'), 'GET, HEAD');
  });

  onSqlite('HEAD opens no stream', async () => {
    const { path } = await createLink(fixture);
    const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (piece: Buffer) => (text += piece.toString()));
    socket.write(`HEAD ${path}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    // The response and the connection end after the headers.
    await once(socket, 'end', { signal: AbortSignal.timeout(60_000) });
    socket.end();
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(text, /^content-type: text\/event-stream; charset=utf-8\r$/im);
    assert.match(text, /\r\n\r\n$/);
  });

  onSqlite('are counted while the page is open', async () => {
    const count = async () =>
      Number(/^paylatch_open_streams (\d+)$/m.exec((await fixture.request('/metrics')).text)?.[1] ?? Number.NaN);
    await until('earlier streams are closed', async () => (await count()) === 0);
    const link = await createLink(fixture);
    const readers = [await follow(link.path), await follow(link.path)];
    assert.equal(await count(), 2);
    for (const reader of readers) reader.close();
    await until('the streams are closed', async () => (await count()) === 0);
  });

  test('do not report rolled-back changes', async () => {
    const { database } = fixture.service();
    const heard: string[] = [];
    const leave = database.announcements.subscribe('a', () => heard.push('a'));
    await database.inTransaction(async (unit) => {
      unit.announce('a');
      unit.announce('a');
      assert.deepEqual(heard, []);
    });
    assert.deepEqual(heard, ['a']);
    await assert.rejects(
      database.inTransaction(async (unit) => {
        unit.announce('a');
        throw new Error('no');
      }),
    );
    assert.deepEqual(heard, ['a']);
    leave();
    await database.inTransaction(async (unit) => unit.announce('a'));
    assert.deepEqual(heard, ['a']);
  });

  if (testEngine === 'postgres') {
    /** Runs statements on the server, bypassing the service. */
    const onDatabase = async (statement: string, url = fixture.databaseUrl) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return await client.query(statement);
      } finally {
        await client.end();
      }
    };
    const database = () => new URL(fixture.databaseUrl).pathname.slice(1);
    const endListeners = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '%' and application_name = 'paylatch listener'`;

    test('report changes by another process', async () => {
      const other = await fixture.another();
      try {
        const link = await createLink(fixture);
        const reader = await follow(link.path);
        assert.equal((await nextState(reader)).phase, 'ready');
        await cancelTransaction(other.payments, await transactionAt(other, link.path));
        assert.equal((await nextState(reader)).phase, 'cancelled');
      } finally {
        await other.close();
      }
    });

    test('report a payment confirmed by another process', async () => {
      const other = await fixture.another();
      try {
        const link = await createLink(fixture);
        await submitCard(fixture, link.reference, cards.unknown);
        const reader = await follow(link.path);
        assert.equal((await nextState(reader)).phase, 'checking');
        fixture.clock.advance(31 * SECOND);
        await other.jobs.drain();
        assert.equal((await nextState(reader)).phase, 'paid');
      } finally {
        await other.close();
      }
    });

    test('report missed changes after the LISTEN connection was lost', async () => {
      const link = await createLink(fixture);
      const reader = await follow(link.path);
      assert.equal((await nextState(reader)).phase, 'ready');
      // This change is not announced.
      await onDatabase(
        `update fiat_transactions set status = 'failed', reason = 'cancelled' where link_id = '${link.path.slice(3)}'`,
      );
      await onDatabase(endListeners.replace('%', database()));
      assert.equal((await nextState(reader)).phase, 'cancelled');
    });

    test('detect a LISTEN connection that receives nothing', async () => {
      // Announcements stay within a database: those of another one are lost, as behind a transaction pooler.
      const elsewhere = openPostgres(fixture.databaseUrl.replace(/\/[^/]*$/, '/postgres'), () => {});
      const hub = new AnnouncementHub();
      const errors: string[] = [];
      const relay = createPostgresRelay({
        url: fixture.databaseUrl,
        query: elsewhere.query,
        hub,
        onError: ({ message }) => errors.push(message),
        echoTimeoutMs: 500,
      });
      await relay.listen();
      await relay.close();
      await elsewhere.close();
      assert.equal(hub.isConnected, false);
      assert.match(errors.join(), /do not arrive/);
    });

    test('are unavailable while the process cannot listen, so that pages poll', async () => {
      const elsewhere = fixture.databaseUrl.replace(/\/[^/]*$/, '/postgres');
      const link = await createLink(fixture);
      const reader = await follow(link.path);
      await nextState(reader);
      const { announcements } = fixture.service().database;
      await onDatabase(`alter database ${database()} with allow_connections false`, elsewhere);
      try {
        await onDatabase(endListeners.replace('%', database()), elsewhere);
        await until('no client is connected', async () => !announcements.isConnected);
        await fixture.work();
        await reader.ended();
        const refused = await openEvents(`${fixture.url}${link.path}/events`);
        assert.equal(refused.status, 503);
      } finally {
        await onDatabase(`alter database ${database()} with allow_connections true`, elsewhere);
      }
      await until('a client is connected again', async () => announcements.isConnected);
      assert.equal((await nextState(await follow(link.path))).phase, 'ready');
    });
  }
});

describe('streams per process', () => {
  onSqlite('are limited; further pages poll', async () => {
    const fixture = await openFixture({ env: { MAX_OPEN_STREAMS: '1' } });
    try {
      const { path } = await createLink(fixture);
      const first = await openEvents(`${fixture.url}${path}/events`);
      assert.equal(first.status, 200);
      const second = await openEvents(`${fixture.url}${path}/events`);
      assert.equal(second.status, 503);
      assert.equal(second.headers['retry-after'], '60');
      assert.equal(second.headers['content-type'], 'application/problem+json');
      assert.equal(JSON.parse(second.text).code, 'unavailable');
      first.close();
      let third: EventReader | null = null;
      await until('a slot is free again', async () => {
        third = await openEvents(`${fixture.url}${path}/events`);
        return third.status === 200;
      });
    } finally {
      await fixture.close();
    }
  });

  onSqlite('are also limited by link and by IP address', async () => {
    const env = { TRUSTED_PROXIES: 'loopback', MAX_STREAMS_PER_LINK: '2', MAX_STREAMS_PER_ADDRESS: '3' };
    const fixture = await openFixture({ env });
    try {
      const [one, other] = [await createLink(fixture), await createLink(fixture)];
      const readers: EventReader[] = [];
      const open = async ({ path }: { path: string }, address: string) => {
        const reader = await openEvents(`${fixture.url}${path}/events`, { 'x-forwarded-for': address });
        readers.push(reader);
        return reader.status;
      };
      const [first, second] = ['198.51.100.1', '198.51.100.2'];
      assert.deepEqual([await open(one, first), await open(one, first), await open(one, second)], [200, 200, 503]);
      assert.deepEqual([await open(other, first), await open(other, first)], [200, 503]);
      assert.equal(await open(other, second), 200);
      readers[0]?.close();
      await until('a slot is free again', async () => (await open(one, second)) === 200);
    } finally {
      await fixture.close();
    }
  });

  onSqlite('a rejected link uses no slot', async () => {
    const fixture = await openFixture({ env: { MAX_OPEN_STREAMS: '1' } });
    try {
      const { path } = await createLink(fixture);
      for (let index = 0; index < 3; index += 1) {
        assert.equal((await openEvents(`${fixture.url}/p/x/events`)).status, 404);
        await sendRaw(fixture.url, { method: 'HEAD', path: `${path}/events` });
      }
      assert.equal((await openEvents(`${fixture.url}${path}/events`)).status, 200);
    } finally {
      await fixture.close();
    }
  });

  test('end when the process drains, so that its server can close', async () => {
    const fixture = await openFixture();
    try {
      const { path } = await createLink(fixture);
      const reader = await openEvents(`${fixture.url}${path}/events`);
      await reader.next('state');
      fixture.service().drain();
      await reader.ended();
      assert.equal((await openEvents(`${fixture.url}${path}/events`)).status, 503);
    } finally {
      await fixture.close();
    }
  });

  describe('event streams', () => {
    /** A service that only streams, and its client, for one test. */
    const openStreams = async (context: TestContext) => {
      const clock = new SimulatedClock();
      const metrics = createMetrics();
      const streams = createEventStreams({
        clock,
        random: systemRandom,
        metrics,
        limits: { perProcess: 10, perAddress: 0, perLink: 0 },
      });
      const application = createHttpApplication({
        log: createLog('silent'),
        random: systemRandom,
        metrics,
        clients: () => ({ address: '', country: null, countrySource: null, isForwarder: false }),
        https: false,
      });
      let stream: EventStream | null = null;
      let requests = 0;
      let isClosed = false;
      let waiting = () => 0;
      application.get('/', async (http) => {
        const { outgoing } = http.env;
        requests += 1;
        waiting = () => outgoing.socket?.writableLength ?? 0;
        const handler = { opened: (given: EventStream) => (stream = given), closed: () => (isClosed = true) };
        return await streams.respond(http, () => Promise.resolve(handler));
      });
      const server = await listen({ fetch: application.fetch, port: 0, host: '127.0.0.1' });
      const reader = await openEvents(`http://127.0.0.1:${server.port}/`);
      context.after(async () => {
        reader.close();
        await server.close();
      });
      const current = (): EventStream => {
        assert.ok(stream);
        return stream;
      };
      return {
        ...{ reader, streams, port: server.port },
        current,
        requests: () => requests,
        advance: (duration: Instant) => clock.advance(duration),
        isClosed: () => isClosed,
        /** More bytes than the system buffers. */
        waiting: () => waiting(),
      };
    };
    const page = 'x'.repeat(50_000);
    const piece = 'x'.repeat(10_000);

    /** Sends to a client that does not read, until it is disconnected; returns the number of bytes. */
    const sendUnread = async ({ reader, current, isClosed }: Awaited<ReturnType<typeof openStreams>>, most: number) => {
      reader.stall();
      let sent = 0;
      while (!isClosed() && sent < most) {
        current().send('page', piece);
        sent += 1;
        await turn();
      }
      return sent;
    };

    onSqlite('a client that does not read is disconnected', async (context) => {
      const opened = await openStreams(context);
      const sent = await sendUnread(opened, 10_000);
      assert.ok(opened.isClosed(), `${sent} chunks were sent to a closed connection`);
    });

    onSqlite('a client that does not read the end is disconnected', async (context) => {
      const opened = await openStreams(context);
      opened.reader.stall();
      // Fills the system's buffers of a client that does not read; later data waits behind it.
      while (opened.waiting() === 0) {
        opened.current().send('page', piece);
        await turn();
      }
      assert.ok(!opened.isClosed());
      opened.streams.endAll();
      opened.streams.maintain();
      opened.advance(11 * SECOND);
      assert.equal(opened.streams.maintain(), 1);
      // The connection closes one turn later; until then there is nothing to do.
      assert.equal(opened.streams.maintain(), 0);
      await until('it is released', async () => opened.isClosed());
    });

    onSqlite('a connection serves no other request, and closes when the client closes its side', async (context) => {
      const { port, reader, current, requests, isClosed } = await openStreams(context);
      reader.close();
      await until('the first stream is closed', async () => isClosed());
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      let received = '';
      socket.setEncoding('utf8').on('data', (text: string) => (received += text));
      const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
      socket.write(request);
      await until('the stream is open', async () => received.includes('retry: '));
      const before = requests();
      socket.write(request);
      socket.write('not HTTP');
      current().send('page', 'first');
      await until('the event arrives', async () => received.includes('data: first'));
      socket.end();
      await once(socket, 'close');
      assert.equal(requests(), before);
      assert.equal(received.split('HTTP/1.1').length, 2);
    });

    onSqlite('a client that reads gets everything', async (context) => {
      const { reader, streams, current } = await openStreams(context);
      for (let index = 0; index < 20; index += 1) {
        current().send('page', `${index} ${page}`);
        assert.equal((await reader.next('page')).data, `${index} ${page}`);
      }
      streams.close();
      await reader.ended();
    });
  });
});
