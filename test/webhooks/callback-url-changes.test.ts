// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { webhookBodies } from '../../src/api/webhook-events.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { creation } from '../support/requests.ts';
import { otherExternal, external } from '../support/withdrawals.ts';
import { openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';
import { PASSWORD, signedIn } from '../support/users.ts';

interface Posted {
  url: string;
  headers: Record<string, string>;
  body: string;
}

const shop = 'https://shop.example/callbacks';
const evil = 'https://evil.example/callbacks';

describe('a changed callback URL', () => {
  let fixture: Fixture;
  let merchant: TestMerchant;
  let posted: Posted[] = [];
  /** Response status by URL; 204 by default. */
  const responses = new Map<string, number>();

  before(async () => {
    fixture = await openFixture({
      post: (url, headers, body) => {
        posted.push({ url, headers, body });
        return Promise.resolve({ status: responses.get(url) ?? 204, retryAfter: null, body: '' });
      },
    });
  });
  beforeEach(async () => {
    merchant = await fixture.makeMerchant('Kettle & Co');
    responses.clear();
    await set({ 'callback-url': shop });
    await fixture.advance(2 * DAY);
    posted = [];
  });
  after(async () => await fixture.close());

  const set = async (values: Record<string, unknown>) => {
    const preferences = Object.entries(values).map(([key, value]) => ({ key, value }));
    const token = merchant.managerToken;
    const response = await fixture.request('/v1/merchant/preferences', { token, body: { preferences } });
    assert.equal(response.status, 200, response.text);
  };
  const list = async () =>
    (await fixture.request('/v1/callbacks?per_page=100', { token: merchant.token })).body.callbacks;
  /** URLs of the sent webhooks, by event type. */
  const sentUrls = () => {
    const urls: Record<string, string[]> = {};
    for (const { url, body } of posted) (urls[JSON.parse(body).type] ??= []).push(url);
    for (const list of Object.values(urls)) list.sort((one, other) => (one < other ? -1 : 1));
    return urls;
  };
  const urlChanged = 'callback.url_changed';
  const destinationChanged = 'crypto.withdrawal.destination_changed';

  test('is reported to the new URL and to the previous one, signed, and listed', async () => {
    await set({ 'callback-url': evil });
    await fixture.work();
    assert.deepEqual(sentUrls(), { [urlChanged]: [evil, shop] });
    assert.equal(new Set(posted.map(({ headers }) => headers['webhook-id'])).size, 2);
    for (const { headers, body } of posted) {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      const signature = new Webhook(merchant.callbackSecret).sign(headers['webhook-id'] ?? '', at, body);
      assert.equal(headers['webhook-signature']?.split(' ')[0], signature);
      const { data } = webhookBodies['callback.url_changed'].parse(JSON.parse(body));
      // Only origins: a path or query may contain a secret.
      assert.deepEqual(
        [data.previous_url, data.url, data.merchant_id],
        [new URL(shop).origin, new URL(evil).origin, merchant.id],
      );
      assert.match(data.requested_by, /^token \d+$/);
    }
    const callbacks = await list();
    assert.deepEqual(
      callbacks.map(({ type, transaction_id: reference, url, state }: Record<string, string>) => [
        type,
        reference,
        url,
        state,
      ]),
      [shop, evil].map((url) => [urlChanged, 'callback-url', url, 'delivered']),
    );
    const { body: events } = await fixture.request('/v1/events', { token: merchant.token });
    assert.deepEqual(
      events.events.map(({ id, type }: { id: string; type: string }) => [id, type]),
      [[callbacks[1].id, urlChanged]],
    );
    const { body: detail } = await fixture.request(`/v1/callback?id=${callbacks[0].id}`, { token: merchant.token });
    assert.deepEqual(
      detail.attempts.map(({ url, status }: { url: string; status: number }) => [url, status]),
      [[shop, 204]],
    );
  });

  test('together with a changed destination, in either order, notifies the previous URL of both', async () => {
    const destination = { 'auto-withdrawal-destination-btc': external.bitcoin };
    await set({ 'callback-url': evil, ...destination });
    await fixture.work();
    assert.deepEqual(sentUrls(), { [urlChanged]: [evil, shop], [destinationChanged]: [evil, shop] });
    await set({ 'callback-url': shop });
    await fixture.advance(2 * DAY);
    posted = [];
    await set({ 'auto-withdrawal-destination-btc': otherExternal.bitcoin, 'callback-url': evil });
    await fixture.work();
    assert.deepEqual(sentUrls(), { [urlChanged]: [evil, shop], [destinationChanged]: [shop] });
  });

  test('when removed together with a changed destination, is reported to the previous URL', async () => {
    await set({ 'callback-url': null, 'auto-withdrawal-destination-btc': external.bitcoin });
    await fixture.work();
    assert.deepEqual(sentUrls(), { [urlChanged]: [shop], [destinationChanged]: [shop] });
    posted = [];
    await fixture.advance(HOUR);
    await set({ 'callback-url': evil });
    await fixture.work();
    assert.deepEqual(sentUrls(), { [urlChanged]: [evil, shop] });
  });

  test('is no longer reported to the previous URL after a day', async () => {
    await set({ 'callback-url': evil });
    await fixture.advance(DAY - SECOND);
    posted = [];
    await set({ 'auto-withdrawal-destination-btc': external.bitcoin });
    await fixture.work();
    assert.deepEqual(sentUrls(), { [destinationChanged]: [evil, shop] });
    await fixture.advance(2 * SECOND);
    posted = [];
    await set({ 'auto-withdrawal-destination-btc': otherExternal.bitcoin });
    await fixture.work();
    assert.deepEqual(sentUrls(), { [destinationChanged]: [evil] });
  });

  test('changed many times notifies a limited number of URLs, always including the longest-used one', async () => {
    for (let round = 0; round < 30; round += 1) {
      await set({ 'callback-url': `https://evil.example/${round}` });
      await fixture.advance(SECOND);
    }
    assert.equal(posted.filter(({ url }) => url === shop).length, 30);
    assert.ok(posted.length <= 30 * 6, `${posted.length} requests`);
    // Short-lived URLs do not displace the one that was restored and used for the day.
    await set({ 'callback-url': shop });
    await fixture.advance(DAY - 20 * SECOND);
    posted = [];
    await set({ 'callback-url': evil, 'auto-withdrawal-destination-btc': external.bitcoin });
    await fixture.work();
    for (const type of [urlChanged, destinationChanged]) {
      assert.ok(sentUrls()[type]?.includes(shop), type);
      assert.ok((sentUrls()[type]?.length ?? 0) <= 6, type);
    }
  });

  test('or destination is changed 60 times per hour at most, and can always be removed', async () => {
    const token = merchant.managerToken;
    for (const [key, values, limit] of [
      ['callback-url', [evil, shop], 'callback_url'],
      ['auto-withdrawal-destination-btc', [external.bitcoin, otherExternal.bitcoin], 'withdrawal_destination'],
    ] as const) {
      for (let changes = 0; changes < 60; changes += 1) await set({ [key]: values[changes % 2] });
      const body = { key, value: values[0] };
      const refused = await fixture.request('/v1/merchant/preferences', { method: 'PATCH', token, body });
      const { code, limit: exceeded } = refused.body;
      assert.deepEqual([refused.status, code, exceeded], [429, 'rate_limited', limit], refused.text);
      await set({ [key]: values[1] });
      await set({ [key]: null });
      await fixture.advance(HOUR);
      await set({ [key]: values[0] });
    }
  });

  test('or rotated secret of a user requires a step-up', async () => {
    const owner = await signedIn(fixture, 'owner', { merchant: merchant.id });
    const path = '/v1/merchant/preferences';
    const change = async (preferences: Record<string, unknown>) => {
      const body = { preferences: Object.entries(preferences).map(([key, value]) => ({ key, value })) };
      return await owner.request(path, { body });
    };
    await fixture.advance(HOUR);
    for (const value of [evil, null]) {
      const refused = [
        await change({ 'callback-version': 1, 'callback-url': value }),
        await owner.request(path, { method: 'PATCH', body: { key: 'callback-url', value } }),
        await owner.request('/v1/merchant/preference', { body: { preferences: [{ key: 'callback-url', value }] } }),
      ];
      refused.push(await owner.request('/v1/callback/secret', { body: {} }));
      for (const { status, body } of refused) assert.deepEqual([status, body.code], [403, 'step_up_required']);
    }
    const { body: stored } = await owner.request(path);
    assert.deepEqual(
      stored.merchantPreferences.map(({ key, value }: Record<string, unknown>) => [key, value]),
      [['callback-url', shop]],
    );
    assert.equal((await change({ 'callback-version': 1, 'callback-url': shop })).status, 200);
    await owner.request('/account/step-up/password', { body: { password: PASSWORD } });
    for (const value of [evil, null, shop]) assert.equal((await change({ 'callback-url': value })).status, 200);
    assert.equal((await owner.request('/v1/callback/secret', { body: {} })).status, 200);
  });

  test('set to the same value, or for the first time, reports nothing', async () => {
    await set({ 'callback-url': shop });
    const other = await fixture.makeMerchant('Teapot & Sons');
    const body = { key: 'callback-url', value: shop };
    assert.equal(
      (await fixture.request('/v1/merchant/preferences', { method: 'PATCH', token: other.token, body })).status,
      200,
    );
    await fixture.work();
    assert.deepEqual(sentUrls(), {});
  });

  test('is reported to the previous URL even if the new endpoint is disabled or has a backlog', async () => {
    responses.set(evil, 410);
    await set({ 'callback-url': evil });
    // Its first webhook disables it.
    const payment = creation();
    for (const [path, body] of [
      ['/fiat/v1/transaction', payment],
      ['/fiat/v1/transaction/cancel', { transaction_id: payment.transaction_id }],
    ] as const)
      assert.equal((await fixture.request(path, { token: merchant.token, body })).status, 200, path);
    await fixture.work();
    const readEndpoint = async () => (await fixture.request('/v1/callbacks', { token: merchant.token })).body.endpoint;
    assert.equal((await readEndpoint()).disabled_reason, 'gone');
    posted = [];
    await set({ 'auto-withdrawal-destination-btc': external.bitcoin });
    await fixture.work();
    assert.deepEqual(sentUrls(), { [destinationChanged]: [evil, shop] });
  });

  test('is retried at a failing previous URL without affecting the current endpoint', async () => {
    responses.set(shop, 410);
    await set({ 'callback-url': evil });
    await fixture.work();
    await fixture.advance(MINUTE);
    assert.deepEqual(sentUrls(), { [urlChanged]: [evil, shop, shop] });
    const { endpoint } = (await fixture.request('/v1/callbacks', { token: merchant.token })).body;
    assert.deepEqual([endpoint.disabled_at, endpoint.failing_since], [null, null]);
    responses.delete(shop);
    posted = [];
    const failing = (await list()).find(({ url }: { url: string }) => url === shop);
    assert.equal(failing.state, 'pending');
    const sent = await fixture.request('/v1/callback/redeliver', { token: merchant.token, body: { id: failing.id } });
    assert.equal(sent.status, 200, sent.text);
    await fixture.work();
    assert.deepEqual(sentUrls(), { [urlChanged]: [shop] });
  });
});
