// Databases: sqlite
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR } from '../../src/shared/time.ts';
import { until } from '../support/program.ts';
import { creation, submission } from '../support/requests.ts';
import { openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';

/** Response of an endpoint: a status, a refused connection, or none. */
type EndpointBehavior = number | 'refusal' | 'silence';

describe('webhook endpoints', () => {
  let fixture: Fixture;
  /** Responses by path of the callback-url. */
  const behaviors = new Map<string, EndpointBehavior>();
  const delivered: { path: string; transaction: string; sequence: number }[] = [];
  const hanging = new Map<string, (() => void)[]>();

  before(async () => {
    fixture = await openFixture({
      async post(url, _headers, body) {
        const path = new URL(url).pathname;
        const behavior = behaviors.get(path) ?? 204;
        if (behavior === 'silence') {
          await new Promise<void>((resolve) => hanging.set(path, [...(hanging.get(path) ?? []), resolve]));
          throw new Error('no response in time');
        }
        if (behavior === 'refusal') throw new Error('connection refused');
        const { type, data } = JSON.parse(body);
        if (behavior < 300 && type === 'fiat.transaction.updated')
          delivered.push({ path, transaction: data.transaction_id, sequence: data.sequence });
        return { status: behavior, retryAfter: null, body: '' };
      },
    });
  });
  after(async () => await fixture.close());
  beforeEach(() => {
    delivered.length = 0;
    behaviors.clear();
  });

  let number = 0;
  const createMerchant = async (behavior: EndpointBehavior): Promise<TestMerchant & { path: string }> => {
    const merchant = await fixture.makeMerchant('Kettle & Co');
    const path = `/endpoint-${++number}`;
    behaviors.set(path, behavior);
    await setUrl(merchant, path);
    return { ...merchant, path };
  };
  const setUrl = async ({ token }: TestMerchant, path: string) => {
    const body = { key: 'callback-url', value: `http://localhost:1${path}` };
    const { status, text } = await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body, token });
    assert.equal(status, 200, text);
  };
  /** Emits two events, with a webhook each. */
  const pay = async ({ token }: TestMerchant): Promise<string> => {
    const body = creation();
    await fixture.request('/fiat/v1/transaction', { body, token });
    const year = String(new Date(fixture.clock.now() / 1000).getUTCFullYear() + 2);
    const card = submission(body.transaction_id, undefined, { card_expiry_year: year });
    const { text, body: response } = await fixture.request('/fiat/v1/transaction/submit', { body: card, token });
    assert.equal(response.response_type, 'confirmed', text);
    return body.transaction_id;
  };
  const readEndpoint = async ({ token }: TestMerchant) =>
    (await fixture.request('/v1/callbacks', { token })).body.endpoint;
  const deliveredTo = ({ path }: { path: string }) =>
    delivered.filter((each) => each.path === path).map(({ transaction, sequence }) => `${transaction} ${sequence}`);

  test('that respond with 410 are disabled immediately; events are stored and delivered to a new URL', async () => {
    const merchant = await createMerchant(410);
    const first = await pay(merchant);
    await fixture.work();
    const off = await readEndpoint(merchant);
    assert.equal(off.disabled_reason, 'gone');
    assert.ok(off.disabled_at);
    const second = await pay(merchant);
    await fixture.advance(10 * DAY);
    const { callbacks } = (await fixture.request('/v1/callbacks', { token: merchant.token })).body;
    assert.deepEqual(
      callbacks.map(({ state, attempts_made }: Record<string, unknown>) => [state, attempts_made]),
      [
        ['pending', 0],
        ['pending', 0],
        ['pending', 0],
        ['pending', 1],
      ],
    );
    assert.match(fixture.log(), /webhook endpoint disabled/);
    await setUrl(merchant, '/endpoint-new');
    assert.deepEqual(await readEndpoint(merchant), {
      url: 'http://localhost:1/endpoint-new',
      failing_since: null,
      disabled_at: null,
      disabled_reason: null,
    });
    await fixture.work();
    const sent = deliveredTo({ path: '/endpoint-new' });
    assert.deepEqual(sent.toSorted(), [`${first} 1`, `${first} 2`, `${second} 1`, `${second} 2`].toSorted());
    for (const reference of [first, second]) assert.ok(sent.indexOf(`${reference} 1`) < sent.indexOf(`${reference} 2`));
  });

  test('that fail for five days are disabled; a delivered test webhook enables them', async () => {
    const merchant = await createMerchant('refusal');
    for (let day = 0; day < 5; day += 1) {
      await pay(merchant);
      await fixture.work();
      assert.equal((await readEndpoint(merchant)).disabled_at, null, `day ${day}`);
      await fixture.advance(DAY - HOUR);
      await fixture.advance(HOUR);
    }
    await pay(merchant);
    await fixture.work();
    assert.equal((await readEndpoint(merchant)).disabled_reason, 'no_success');
    behaviors.set(merchant.path, 204);
    await fixture.advance(DAY);
    assert.deepEqual(deliveredTo(merchant), []);
    const tried = await fixture.request('/v1/callback/test', { body: {}, token: merchant.token });
    assert.equal(tried.body.delivered, true);
    assert.equal((await readEndpoint(merchant)).disabled_at, null);
    delivered.length = 0;
    await fixture.advance(DAY);
    assert.equal(new Set(deliveredTo(merchant)).size, deliveredTo(merchant).length);
    const { callbacks } = (await fixture.request('/v1/callbacks?state=pending', { token: merchant.token })).body;
    assert.deepEqual(callbacks, []);
  });

  test('are not disabled by a period without attempts', async () => {
    const merchant = await createMerchant('refusal');
    await pay(merchant);
    for (let times = 0; times < 4; times += 1) await fixture.advance(2 * DAY);
    const endpoint = await readEndpoint(merchant);
    assert.equal(endpoint.disabled_at, null);
    assert.ok(Date.parse(endpoint.failing_since) > fixture.clock.now() / 1000 - 86_400_000);
  });

  test('are disabled after failing for five days in total', async () => {
    const merchant = await createMerchant('refusal');
    await pay(merchant);
    await fixture.work();
    for (const days of [1, 1, 1, 3, 3, 1]) await fixture.advance(days * DAY);
    assert.equal((await readEndpoint(merchant)).disabled_at, null);
    await fixture.advance(DAY);
    await pay(merchant);
    await fixture.work();
    assert.equal((await readEndpoint(merchant)).disabled_reason, 'no_success');
  });

  test('are enabled by a redelivery', async () => {
    const merchant = await createMerchant(410);
    const reference = await pay(merchant);
    await fixture.work();
    behaviors.set(merchant.path, 204);
    const { callbacks } = (await fixture.request('/v1/callbacks', { token: merchant.token })).body;
    const first = callbacks.find(({ sequence }: { sequence: number }) => sequence === 1);
    await fixture.request('/v1/callback/redeliver', { body: { id: first.id }, token: merchant.token });
    await fixture.work();
    assert.deepEqual(deliveredTo(merchant), [`${reference} 1`, `${reference} 2`]);
  });

  test('that hang do not delay other merchants’ webhooks', async () => {
    const [silentOnes, live] = [
      await Promise.all(Array.from({ length: 3 }, async () => await createMerchant('silence'))),
      await Promise.all(Array.from({ length: 3 }, async () => await createMerchant(204))),
    ];
    for (const merchant of [...silentOnes, ...live])
      await Promise.all(Array.from({ length: 12 }, async () => await pay(merchant)));
    const { jobs } = fixture.service();
    jobs.start();
    try {
      await until(
        'the responsive ones have received all',
        async () => await Promise.resolve(live.every((merchant) => deliveredTo(merchant).length === 24)),
      );
      for (const { path } of silentOnes)
        assert.equal(hanging.get(path)?.length, 8, 'slots that a hanging one occupies');
      // After a failure, each gets one concurrent attempt.
      for (const { path } of silentOnes) for (const end of hanging.get(path)?.splice(0) ?? []) end();
      await until('their failures are recorded', async () => {
        const rows = await db(fixture.service().database)
          .selectFrom('webhook_endpoints')
          .selectAll()
          .where('failed_at', 'is not', null)
          .execute();
        return silentOnes.every(({ id }) => rows.some((row) => row.merchant_id === id));
      });
      await pay(live[0] ?? assert.fail());
      await until(
        'the responsive one has received that too',
        async () => await Promise.resolve(deliveredTo(live[0] ?? assert.fail()).length === 26),
      );
      for (const { path } of silentOnes) assert.ok((hanging.get(path)?.length ?? 0) <= 8);
    } finally {
      for (const ends of hanging.values()) for (const end of ends) end();
      behaviors.clear();
      for (const merchant of silentOnes) behaviors.set(merchant.path, 204);
      await jobs.stop();
    }
  });
});
