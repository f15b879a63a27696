// Databases: sqlite
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { external, withdrawalsOf } from '../support/withdrawals.ts';
import { invoicesOf } from '../support/invoices.ts';
import { openEndpoint, type ReceivedWebhook, type TestEndpoint } from '../support/webhook-endpoint.ts';
import { createLink, creation, submission } from '../support/requests.ts';
import { openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';

/** Verifies webhooks as the guide describes, independently of the signing code. */
function verifyV1a(publicKey: string, { headers, body }: ReceivedWebhook): boolean {
  const raw = Buffer.from(publicKey.slice('whpk_'.length), 'base64');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter((each) => each.startsWith('v1a,'));
  return signatures.some((each) => verify(null, signed, key, Buffer.from(each.slice('v1a,'.length), 'base64')));
}

function verifyV1(secret: string, { headers, body }: ReceivedWebhook): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe('webhook signatures', () => {
  let fixture: Fixture;
  let endpoint: TestEndpoint;
  let attacker: TestMerchant;
  let attackerReceiver: TestEndpoint;

  before(async () => {
    // standardwebhooks checks timestamps against the system clock.
    fixture = await openFixture();
    fixture.clock.advance(Date.now() * 1000 - fixture.clock.now());
    endpoint = await openEndpoint();
    attackerReceiver = await openEndpoint();
    attacker = await fixture.makeMerchant('Mallory & Co');
    for (const [token, { url }] of [
      [fixture.merchant.token, endpoint],
      [attacker.token, attackerReceiver],
    ] as const) {
      const body = { key: 'callback-url', value: url };
      assert.equal((await fixture.request('/v1/merchant/preferences', { method: 'PATCH', token, body })).status, 200);
    }
  });
  after(async () => {
    await endpoint.close();
    await attackerReceiver.close();
    await fixture.close();
  });

  const publicKey = async (merchantId: number): Promise<string> => {
    const { status, body } = await fixture.request(`/.well-known/webhook-keys/${merchantId}`, { token: null });
    assert.equal(status, 200);
    assert.deepEqual(
      body.keys.map(({ type }: { type: string }) => type),
      ['ed25519'],
    );
    return body.keys[0].public_key;
  };

  test('a webhook of one merchant, replayed to another, fails verification', async () => {
    const { reference } = await createLink(fixture);
    const options = { token: attacker.token };
    const created = await fixture.request('/fiat/v1/transaction', {
      ...options,
      body: creation({ transaction_id: reference }),
    });
    assert.equal(created.status, 200, created.text);
    const year = String(new Date(fixture.clock.now() / 1000).getUTCFullYear() + 2);
    const card = submission(reference, undefined, { card_expiry_year: year });
    const paid = await fixture.request('/fiat/v1/transaction/submit', { ...options, body: card });
    assert.equal(paid.status, 200, paid.text);
    await fixture.work();
    const replayed = attackerReceiver.received.at(-1);
    assert.ok(replayed);
    const { data } = JSON.parse(replayed.body);
    assert.deepEqual([data.transaction_id, data.status], [reference, 'transaction_status_confirmed']);
    // The victim's endpoint refuses the attacker's valid webhook: by both signatures and by the merchant ID.
    assert.ok(verifyV1a(await publicKey(attacker.id), replayed));
    assert.ok(verifyV1(attacker.callbackSecret, replayed));
    assert.ok(!verifyV1a(await publicKey(fixture.merchant.id), replayed));
    assert.ok(!verifyV1(fixture.merchant.callbackSecret, replayed));
    assert.equal(data.merchant_id, attacker.id);
  });

  test('every event type includes its merchant, verifies, and equals the pulled event', async () => {
    endpoint.received.length = 0;
    const key = await publicKey(fixture.merchant.id);
    const { reference } = await createLink(fixture);
    const cancelled = await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
    assert.equal(cancelled.status, 200, cancelled.text);
    const { create, pay, mine } = invoicesOf(() => fixture);
    const invoice = await create();
    await pay(invoice);
    await mine(2);
    const { requestWithdrawal } = withdrawalsOf(() => fixture);
    const withdrawn = await requestWithdrawal({
      ...{ code: 'btc', walletAddress: invoice.walletAddress, source: 'credited', destination: external.bitcoin },
    });
    assert.equal(withdrawn.status, 200, withdrawn.text);
    const destination = { key: 'auto-withdrawal-destination-btc', value: external.bitcoin };
    const changed = await fixture.request('/v1/merchant/preferences', {
      ...{ method: 'PATCH', body: destination, token: fixture.merchant.managerToken },
    });
    assert.equal(changed.status, 200, changed.text);
    await fixture.work();
    assert.equal((await fixture.request('/v1/callback/test', { body: {} })).body.delivered, true);
    const bodies = endpoint.received.map((each) => {
      assert.ok(verifyV1a(key, each));
      assert.ok(verifyV1(fixture.merchant.callbackSecret, each));
      return { id: each.headers['webhook-id'], ...JSON.parse(each.body) };
    });
    assert.deepEqual(
      new Set(bodies.map(({ type }) => type)),
      new Set([
        'callback.test',
        'crypto.transaction.created',
        'crypto.transaction.updated',
        'crypto.withdrawal.destination_changed',
        'crypto.withdrawal.updated',
        'fiat.transaction.updated',
      ]),
    );
    for (const { type, data } of bodies) assert.equal(data.merchant_id, fixture.merchant.id, type);
    const { body } = await fixture.request('/v1/events?limit=100');
    const sent = new Map(bodies.map((each) => [each.id, each]));
    assert.equal(body.has_more, false);
    for (const event of body.events) assert.deepEqual(event, sent.get(event.id), event.type);
  });

  test('the keys are published for each merchant, and the merchant reads its own', async () => {
    const ownKeys = await fixture.request('/v1/callback/keys');
    assert.deepEqual(ownKeys.body, {
      merchant_id: fixture.merchant.id,
      url: `${fixture.url}/.well-known/webhook-keys/${fixture.merchant.id}`,
      keys: [{ type: 'ed25519', public_key: await publicKey(fixture.merchant.id) }],
    });
    await fixture.restart();
    assert.deepEqual((await fixture.request('/v1/callback/keys')).body, ownKeys.body);
    for (const path of ['', '/', '/0', '/-1', '/1.5', '/1e3', '/9999999999999999', '/one'])
      assert.equal((await fixture.request(`/.well-known/webhook-keys${path}`, { token: null })).status, 404, path);
  });
});
