// Databases: sqlite
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { randomId, systemRandom } from '../../../src/system/random.ts';
import { connect } from './connection.ts';

const { parseWebhook } = connect(() => Promise.reject(new Error('no request expected')));
const key = randomId(systemRandom);

function sign(body: string, secret = 'secret'): string {
  return createHmac('sha512', secret).update(body).digest('hex');
}

function parse(body: string | object, signature?: string | null) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const header = signature === undefined ? sign(text) : signature;
  const headers = new Headers(header === null ? {} : { 'X-Webhook-Signature-512': header });
  return parseWebhook({ rawBody: new TextEncoder().encode(text), headers, now: 0 });
}

function webhook(type: string, object: object, change: object = {}): object {
  const timestamp = '2026-11-21T09:00:00.000Z';
  return { merchant_id: 'm', event_id: 'evt_1', event_type: 'any', content: { type, object }, timestamp, ...change };
}

function notifications(type: string, object: object) {
  const parsed = parse(webhook(type, object));
  assert.equal(parsed.kind, 'accepted');
  return parsed.notifications;
}

test('the signature is the HMAC-SHA512 of the raw body', () => {
  // Computed by the documented scheme. The body is signed correctly, but is not a webhook.
  const signature =
    '42f08c0da01c9a46d4e5663d5f2140526a016507c598182c6769cca2bcf7ba43c395b719b01d288f5ad322564dce1d40ca28ef50b876fc49a33d13d6783114dd';
  assert.deepEqual(parse('{"a":1}', signature), { kind: 'rejected', reason: 'malformed' });
  assert.deepEqual(parse('{"a":2}', signature), { kind: 'rejected', reason: 'bad_signature' });
});

test('a webhook without a valid signature is refused', () => {
  const body = JSON.stringify(webhook('payment_details', { payment_id: `pc_${key}` }));
  for (const bad of [null, '', 'no', sign(body).slice(1), `${sign(body)}00`, sign(body, 'other'), 'g'.repeat(128)])
    assert.deepEqual(parse(body, bad), { kind: 'rejected', reason: 'bad_signature' }, String(bad));
  assert.equal(parse(body, sign(body).toUpperCase()).kind, 'accepted');
});

test('a signed body of another form is refused and never throws', () => {
  const refund = { refund_id: `re_${key}`, payment_id: `pc_${key}`, amount: '100', currency: 'EUR', status: 'failed' };
  for (const body of [
    ...['', 'null', '[]', '"text"', '{', '\u0000', '{"content":null}'],
    ...[webhook('payment_details', []), webhook('payment_details', { payment_id: 7 })],
    ...[webhook('refund_details', refund), webhook('dispute_details', { dispute_id: 'dp' })],
    ...[webhook('payment_details', { payment_id: `pc_${key}` }, { event_id: 7 })],
  ])
    assert.deepEqual(parse(body), { kind: 'rejected', reason: 'malformed' }, JSON.stringify(body));
});

test('a changed payment is fetched, by the key in its ID', () => {
  const id = 'evt_1';
  const charge = `pc_${key}`;
  assert.deepEqual(notifications('payment_details', { payment_id: charge, status: 'succeeded' }), [
    { id, kind: 'charge_changed', attemptKey: key, reference: charge },
  ]);
  assert.deepEqual(notifications('payment_details', { payment_id: `pp_${key}` }), [
    { id, kind: 'push_payment_changed', instructionsKey: key, reference: `pp_${key}` },
  ]);
});

test('payments of other systems and other events are accepted without a notification', () => {
  assert.deepEqual(notifications('payment_details', { payment_id: 'pay_mbabizu24mvu3mela5njyhpit4' }), []);
  assert.deepEqual(notifications('payout_details', {}), []);
  assert.deepEqual(notifications('mandate_details', { anything: 1 }), []);
});

test('of reversals, only failures are reported', () => {
  const reversal = { refund_id: `rv_${key}`, payment_id: `pc_${key}`, amount: 100, currency: 'EUR' };
  assert.deepEqual(notifications('refund_details', { ...reversal, status: 'succeeded' }), []);
  assert.deepEqual(notifications('refund_details', { ...reversal, status: 'failed' }), [
    { id: 'evt_1', kind: 'reversal_failed', attemptKey: key },
  ]);
});

test('a failed refund is recorded from the signed body; any other is fetched', () => {
  const refund = { refund_id: `re_${key}`, payment_id: `pc_${key}`, amount: 100, currency: 'EUR' };
  assert.deepEqual(notifications('refund_details', { ...refund, status: 'succeeded' }), [
    { id: 'evt_1', kind: 'refund_changed', refundKey: key, reference: `re_${key}` },
  ]);
  const outcome = { kind: 'refused', reference: `re_${key}`, code: 'refund_failed', detail: 'The bank returned it' };
  assert.deepEqual(
    notifications('refund_details', { ...refund, status: 'failed', error_message: 'The bank returned it' }),
    [{ id: 'evt_1', kind: 'refund', refundKey: key, outcome }],
  );
});

test('a dispute has the key of its charge, an amount and a deadline', () => {
  const opened = {
    ...{ dispute_id: 'dp_1', payment_id: `pc_${key}`, amount: '500', currency: 'EUR', dispute_stage: 'dispute' },
    ...{ dispute_status: 'dispute_opened', connector_reason: 'fraudulent', connector_reason_code: '10.4' },
    ...{ challenge_required_by: '2026-12-05T09:00:00Z', created_at: '2026-11-20T09:00:00Z' },
  };
  const at = (text: string) => Date.parse(text) * 1000;
  const report = {
    ...{ disputeKey: 'dp_1', chargeKey: key, state: 'needs_response', amountMinor: 500n, currency: 'EUR' },
    ...{ reasonCode: '10.4', reason: 'fraudulent', respondBy: at('2026-12-05T09:00:00Z') },
    updatedAt: at('2026-11-21T09:00:00Z'),
  };
  assert.deepEqual(notifications('dispute_details', opened), [{ id: 'evt_1', kind: 'dispute', dispute: report }]);
  const states: [object, string, boolean][] = [
    [{ dispute_stage: 'pre_dispute' }, 'inquiry', true],
    [{ dispute_status: 'dispute_challenged' }, 'under_review', false],
    [{ dispute_status: 'dispute_won' }, 'won', false],
    [{ dispute_status: 'dispute_cancelled' }, 'won', false],
    [{ dispute_status: 'dispute_lost' }, 'lost', false],
    [{ dispute_status: 'dispute_accepted' }, 'lost', false],
    [{ dispute_status: 'dispute_expired' }, 'lost', false],
  ];
  for (const [change, state, hasDeadline] of states) {
    const [notification] = notifications('dispute_details', { ...opened, ...change });
    assert.ok(notification?.kind === 'dispute');
    assert.equal(notification.dispute.state, state);
    assert.equal(notification.dispute.respondBy !== null, hasDeadline);
  }
  for (const foreign of [{ payment_id: 'pay_other' }, { currency: 'XAU' }, { dispute_status: 'dispute_new' }])
    assert.deepEqual(notifications('dispute_details', { ...opened, ...foreign }), []);
});
