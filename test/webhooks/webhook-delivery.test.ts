import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { webhookBodies } from '../../src/api/webhook-events.ts';
import { DAY, HOUR, MINUTE, SECOND, toMillis } from '../../src/shared/time.ts';
import { onSqlite } from '../support/databases.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';
import { cards, createLink, detailOf, submitCard, withoutPayers } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('webhook delivery', () => {
  let fixture: Fixture;
  let endpoint: TestEndpoint;
  before(async () => {
    fixture = await openFixture();
    endpoint = await openEndpoint();
    await setCallbackUrl(endpoint.url);
  });
  after(async () => {
    await endpoint.close();
    await fixture.close();
  });
  beforeEach(() => {
    endpoint.received.length = 0;
    endpoint.respond = () => 204;
  });

  const setCallbackUrl = async (value: string | null) => {
    const response = await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'callback-url', value },
    });
    assert.equal(response.status, 200, response.text);
  };
  const bodies = () =>
    endpoint.received.map((item) => webhookBodies['fiat.transaction.updated'].parse(JSON.parse(item.body)));

  test('delivers each status change signed, in order, without gaps, equal to the GET response', async () => {
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference, cards.declined);
    await submitCard(fixture, reference);
    await fixture.work();
    const webhook = new Webhook(fixture.merchant.callbackSecret);
    for (const item of endpoint.received) {
      // The library allows five minutes of difference to the system clock; ours is simulated.
      const headers: Record<string, string> = item.headers;
      const signed = webhook.sign(
        headers['webhook-id'] ?? '',
        new Date(Number(headers['webhook-timestamp']) * 1000),
        item.body,
      );
      assert.equal(headers['webhook-signature']?.split(' ')[0], signed);
      assert.equal(headers['webhook-timestamp'], String(Math.floor(toMillis(fixture.clock.now()) / 1000)));
    }
    assert.deepEqual(
      bodies().map(({ data }) => [data.sequence, data.previous_status, data.status]),
      [
        [1, 'transaction_status_pending', 'transaction_status_waiting'],
        [2, 'transaction_status_waiting', 'transaction_status_pending'],
        [3, 'transaction_status_pending', 'transaction_status_waiting'],
        [4, 'transaction_status_waiting', 'transaction_status_confirmed'],
      ],
    );
    const {
      merchant_id: merchantId,
      previous_status: _previous,
      sequence: _sequence,
      ...last
    } = bodies().at(-1)?.data ?? assert.fail('no webhook');
    assert.deepEqual(last, withoutPayers(await detailOf(fixture, reference)));
    assert.equal(merchantId, fixture.merchant.id);
  });

  onSqlite('has signatures that the standardwebhooks package verifies', async () => {
    const live = await openFixture({ env: {} });
    try {
      const now = Date.now() * 1000;
      live.clock.advance(now - live.clock.now());
      await live.request('/v1/merchant/preferences', {
        method: 'PATCH',
        body: { key: 'callback-url', value: endpoint.url },
      });
      const { reference } = await createLink(live);
      await submitCard(live, reference);
      await live.work();
      assert.equal(endpoint.received.length, 2);
      const webhook = new Webhook(live.merchant.callbackSecret);
      for (const item of endpoint.received) webhook.verify(item.body, item.headers);
      const [first] = endpoint.received;
      assert.throws(() => webhook.verify(`${first?.body} `, first?.headers ?? {}));
      assert.throws(() => new Webhook(fixture.merchant.callbackSecret).verify(first?.body ?? '', first?.headers ?? {}));
    } finally {
      await live.close();
    }
  });

  test('retries with the same webhook-id, and holds later webhooks of the subject', async () => {
    endpoint.respond = () => 500;
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference);
    await fixture.work();
    assert.equal(endpoint.received.length, 1);
    endpoint.respond = () => 204;
    await fixture.advance(4 * SECOND - SECOND);
    assert.equal(endpoint.received.length, 1);
    await fixture.advance(4 * SECOND);
    assert.deepEqual(
      bodies().map(({ data }) => data.sequence),
      [1, 1, 2],
    );
    assert.equal(endpoint.received[0]?.headers['webhook-id'], endpoint.received[1]?.headers['webhook-id']);
    assert.notEqual(endpoint.received[1]?.headers['webhook-id'], endpoint.received[2]?.headers['webhook-id']);
  });

  onSqlite('retries a failing endpoint for more than two days, then marks the webhook as failed', async () => {
    endpoint.respond = () => 503;
    const { reference } = await createLink(fixture, {});
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
    await fixture.work();
    for (let hour = 0; hour < 24 * 7; hour += 1) await fixture.advance(HOUR);
    assert.equal(endpoint.received.length, 12);
    const rows = await db(fixture.service().database)
      .selectFrom('callbacks')
      .selectAll()
      .where('state', '=', 'failed')
      .execute();
    assert.equal(rows.length, 1);
    const attempts = await db(fixture.service().database)
      .selectFrom('callback_attempts')
      .selectAll()
      .where('callback_id', '=', rows[0]?.id ?? 0)
      .orderBy('number')
      .execute();
    assert.equal(attempts.length, 12);
    assert.equal(attempts[0]?.status_code, 503);
    const lastPause = (attempts[11]?.at ?? 0) - (attempts[10]?.at ?? 0);
    assert.ok(lastPause >= 0.8 * DAY && lastPause <= 1.2 * DAY + HOUR + MINUTE);
  });

  onSqlite('treats a redirect as a failure and does not follow it', async () => {
    endpoint.respond = () => 302;
    const { reference } = await createLink(fixture);
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
    await fixture.work();
    assert.equal(endpoint.received.length, 1);
    endpoint.respond = () => 204;
    await fixture.advance(10 * SECOND);
    assert.equal(endpoint.received.length, 2);
  });

  test('stores no webhooks without a callback-url', async () => {
    await setCallbackUrl(null);
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference);
    await fixture.work();
    await setCallbackUrl(endpoint.url);
    await fixture.advance(HOUR);
    // Only the notices of the removed and restored URL.
    assert.deepEqual(
      endpoint.received.map(({ body }) => JSON.parse(body).type),
      ['callback.url_changed', 'callback.url_changed'],
    );
  });

  test('sends a webhook from one process only while it awaits the response', async () => {
    const other = await fixture.another();
    endpoint.respond = async () => {
      if (endpoint.received.length === 1) await other.jobs.drain();
      return 204;
    };
    const { reference } = await createLink(fixture);
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
    await fixture.work();
    assert.equal(endpoint.received.length, 1);
    await other.close();
  });

  test('delivers pending webhooks after a restart', async () => {
    endpoint.respond = () => 500;
    const { reference } = await createLink(fixture);
    await submitCard(fixture, reference);
    await fixture.work();
    endpoint.respond = () => 204;
    await fixture.restart();
    await fixture.advance(10 * SECOND);
    assert.deepEqual(
      bodies().map(({ data }) => data.sequence),
      [1, 1, 2],
    );
  });
});
