// Databases: sqlite
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { parseRetryAfter, backoffAfter } from '../../src/webhooks/schedule.ts';
import { createWebhookSigner } from '../../src/webhooks/signing.ts';
import { HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const serviceKey = Buffer.alloc(32, 7);
// The timestamp is in seconds, rounded down.
const sentAt = 1_795_000_000_900_000;
/** The published key. Another derivation would break merchants' verification. */
const PUBLISHED = 'whpk_vScMtIIJM9eclVK7oSmpMIqY5QPxVgYtK+6IDH0LSIs=';
const message = { id: 'evt_1', body: '{"type":"callback.test"}', at: sentAt };

/** Verifies the `v1a` signatures with a published key, independently of the signing code. */
function verifies(publicKey: string, headers: Record<string, string>, body = message.body): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter((each) => each.startsWith('v1a,'));
  return signatures.some((each) => verify(null, signed, key, Buffer.from(each.slice('v1a,'.length), 'base64')));
}

describe('the headers of a webhook', () => {
  test('contain one v1 signature per secret, then one v1a', () => {
    const signer = createWebhookSigner(serviceKey);
    const headers = signer.headers(message, { id: 1, secrets: [secretOf(1), secretOf(2)] });
    assert.equal(headers['webhook-id'], 'evt_1');
    assert.equal(headers['webhook-timestamp'], '1795000000');
    const expected = [1, 2].map((byte) =>
      new Webhook(secretOf(byte)).sign('evt_1', new Date(1_795_000_000_900), message.body),
    );
    const [first, second, third, ...rest] = headers['webhook-signature'].split(' ');
    assert.deepEqual([first, second], expected);
    assert.match(third ?? '', /^v1a,[\w+/]{86}==$/);
    assert.deepEqual(rest, []);
  });

  test('verify only with their merchant’s published key and their own body', () => {
    const signer = createWebhookSigner(serviceKey);
    const headers = signer.headers(message, { id: 1, secrets: [] });
    assert.match(signer.publicKey(1), /^whpk_[\w+/]{43}=$/);
    assert.ok(verifies(signer.publicKey(1), headers));
    assert.ok(!verifies(signer.publicKey(2), headers));
    assert.ok(!verifies(signer.publicKey(1), headers, '{}'));
    assert.ok(!verifies(createWebhookSigner(Buffer.alloc(32, 8)).publicKey(1), headers));
  });

  test('are signed with the same keys in every process and release', () => {
    assert.equal(createWebhookSigner(serviceKey).publicKey(1), PUBLISHED);
    const signer = createWebhookSigner(serviceKey);
    for (let merchantId = 1; merchantId <= 1500; merchantId += 1) signer.publicKey(merchantId);
    assert.equal(signer.publicKey(1), PUBLISHED);
  });
});

describe('the retry schedule', () => {
  const fixed = (byte: number) => ({ bytes: (length: number) => new Uint8Array(length).fill(byte) }) as never;
  const pauses = [
    ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
    ...[3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR],
  ];

  test('has a jitter of 20%, and ends after the eleventh retry', () => {
    for (const [index, pause] of pauses.entries()) {
      assert.equal(backoffAfter(index + 1, fixed(0), null), 0.8 * pause);
      assert.equal(backoffAfter(index + 1, fixed(255), null), Math.round(1.2 * pause));
    }
    assert.equal(backoffAfter(pauses.length + 1, fixed(0), null), null);
    assert.equal(backoffAfter(pauses.length + 1, fixed(0), HOUR), null);
  });

  test('respects Retry-After up to an hour', () => {
    assert.equal(backoffAfter(1, fixed(0), SECOND), 4 * SECOND);
    assert.equal(backoffAfter(1, fixed(0), MINUTE), MINUTE);
    assert.equal(backoffAfter(1, fixed(0), 2 * HOUR), HOUR);
  });

  test('parses Retry-After as seconds or a date', () => {
    assert.equal(parseRetryAfter(null, sentAt), null);
    assert.equal(parseRetryAfter(' 120 ', sentAt), 120 * SECOND);
    assert.equal(parseRetryAfter('0', sentAt), 0);
    for (const none of ['soon', '12s', 's12', '1234567890 s']) assert.equal(parseRetryAfter(none, sentAt), null, none);
    const inAMinute = new Date(sentAt / 1000 + 60_000);
    assert.equal(parseRetryAfter(inAMinute.toISOString(), sentAt), MINUTE);
    assert.equal(parseRetryAfter('Wed, 21 Oct 2015 07:28:00 GMT', sentAt), 0);
  });
});
