// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseXenditWebhook } from '../../../src/acquirers/xendit/webhook.ts';
import { randomId, systemRandom } from '../../../src/system/random.ts';

const key = randomId(systemRandom);
const payment = {
  ...{ payment_id: 'py-1', payment_request_id: 'pr-1', reference_id: key, channel_code: 'CARDS', status: 'SUCCEEDED' },
  ...{ request_amount: 10_000, currency: 'IDR' },
};
const refund = { id: 'rfd-1', reference_id: key, status: 'SUCCEEDED', amount: 5, currency: 'IDR' };
const dispute = {
  ...{ event: 'dispute.action_required', id: 'mi-dspt-1', status: 'ACTION_REQUIRED', channel_code: 'CARDS' },
  ...{ currency: 'USD', amount: { initial: '1000.00', terminal: null }, category: { name: 'fraud' } },
  ...{ created_at: '2026-03-01T19:50:51.724Z', updated_at: '2026-03-01T19:50:51.724Z' },
  ...{ due_date: '2026-03-15T19:50:51.724Z', related_disputes: [], payment_id: 'py-1', reference_id: key },
};

function parse(body: unknown, token: string | null = 'token') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = new Headers(token === null ? {} : { 'x-callback-token': token });
  return parseXenditWebhook({ rawBody: Buffer.from(text), headers, now: 0 }, 'token');
}

test('refuses a webhook without the token, whatever its body', () => {
  for (const token of [null, '', 'Token', 'token ', 'token-other', 'x'.repeat(10_000)]) {
    // The platform trims header values.
    const expected = token === 'token ' ? 'accepted' : 'rejected';
    const parsed = parse({ event: 'payment.capture', data: payment }, token);
    assert.equal(parsed.kind, expected, String(token));
    if (parsed.kind === 'rejected') assert.equal(parsed.reason, 'bad_signature');
  }
  assert.deepEqual(parse('no JSON', 'other'), { kind: 'rejected', reason: 'bad_signature' });
});

test('a webhook only identifies the payment or refund to fetch', () => {
  assert.deepEqual(parse({ event: 'payment.capture', data: payment }), {
    kind: 'accepted',
    notifications: [{ id: 'payment.capture py-1', kind: 'charge_changed', attemptKey: key, reference: 'pr-1' }],
  });
  const expiry = {
    event: 'payment_request.expiry',
    data: { ...payment, payment_id: undefined, channel_code: 'GCASH' },
  };
  assert.deepEqual(parse(expiry), {
    kind: 'accepted',
    notifications: [
      ...[{ id: 'payment_request.expiry pr-1', kind: 'push_payment_changed', instructionsKey: key, reference: 'pr-1' }],
    ],
  });
  const expected = {
    kind: 'accepted',
    notifications: [{ id: 'refund.failed rfd-1', kind: 'refund_changed', refundKey: key, reference: 'rfd-1' }],
  };
  assert.deepEqual(parse({ event: 'refund.failed', data: refund }), expected);
  // As in the example of Xendit's API reference.
  assert.deepEqual(parse({ event: 'refund.failed', data: { event: 'refund.failed', data: refund } }), expected);
});

test('a failed reversal is reported', () => {
  const failed = { event: 'refund.failed', data: { ...refund, reference_id: `${key}-reversal`, status: 'FAILED' } };
  assert.deepEqual(parse(failed), {
    kind: 'accepted',
    notifications: [{ id: 'refund.failed rfd-1', kind: 'reversal_failed', attemptKey: key }],
  });
});

test('a dispute is reported with its amount and deadline', () => {
  const report = (change: object) => {
    const parsed = parse({ ...dispute, ...change });
    assert.ok(parsed.kind === 'accepted');
    const [notification] = parsed.notifications;
    return notification?.kind === 'dispute' ? notification : null;
  };
  assert.deepEqual(report({}), {
    id: 'dispute.action_required mi-dspt-1 2026-03-01T19:50:51.724Z',
    kind: 'dispute',
    dispute: {
      ...{ disputeKey: 'mi-dspt-1', chargeKey: key, state: 'needs_response', amountMinor: 100_000n, currency: 'USD' },
      ...{ reasonCode: null, reason: 'fraud' },
      respondBy: Date.parse(dispute.due_date) * 1000,
      updatedAt: Date.parse(dispute.updated_at) * 1000,
    },
  });
  const lost = report({ event: 'dispute.lost', status: 'LOST', category: null })?.dispute;
  assert.deepEqual([lost?.state, lost?.respondBy, lost?.reason], ['lost', null, null]);
  const approaching = report({ event: 'dispute.due_date_approaching', updated_at: '2026-03-13T08:00:00Z' });
  assert.equal(approaching?.dispute.state, 'needs_response');
  assert.equal(report({ currency: 'VND', amount: { initial: '50000.00' } })?.dispute.amountMinor, 50_000n);
  for (const change of [
    { currency: 'XTS' },
    { reference_id: 'order-7' },
    { reference_id: undefined },
    { status: 'NEW' },
  ])
    assert.equal(report(change), null, JSON.stringify(change));
});

test('accepts webhooks for other systems, and reports nothing', () => {
  for (const body of [
    { event: 'payment.capture', data: { ...payment, reference_id: 'order-7' } },
    { event: 'refund.succeeded', data: { ...refund, reference_id: `${key}-reversal` } },
    { event: 'payment_token.activation', data: {} },
    { event: 'something.new' },
  ])
    assert.deepEqual(parse(body), { kind: 'accepted', notifications: [] }, JSON.stringify(body));
});

test('refuses malformed bodies without throwing', () => {
  const bodies = [
    ...['', 'null', '[]', '"text"', '{', '\u0000', '{}', { event: 7 }, { event: 'payment.capture' }],
    ...[
      { event: 'payment.capture', data: null },
      { event: 'payment.capture', data: { ...payment, reference_id: 7 } },
    ],
    { event: 'payment.capture', data: { ...payment, payment_request_id: 'p'.repeat(101) } },
    ...[
      { event: 'refund.failed', data: {} },
      { event: 'refund.failed', data: { data: {} } },
    ],
    ...[{ ...dispute, amount: { initial: 'many' } }, { ...dispute, id: '' }, { event: 'e'.repeat(101) }],
  ];
  for (const body of bodies)
    assert.deepEqual(parse(body), { kind: 'rejected', reason: 'malformed' }, JSON.stringify(body));
  const invalid = parseXenditWebhook(
    { rawBody: Buffer.from([0xff, 0xfe]), headers: new Headers({ 'x-callback-token': 'token' }), now: 0 },
    'token',
  );
  assert.equal(invalid.kind, 'rejected');
});
