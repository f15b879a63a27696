// Databases: sqlite
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import type { RefundRequest } from '../../../src/acquirers/refund.ts';
import { randomId, systemRandom } from '../../../src/system/random.ts';
import { cardCharge, openAccount, pushRequest } from './connection.ts';

describe('refunds at Hyperswitch', async () => {
  const { vendor, card, push, clock, parseWebhook } = await openAccount();
  after(async () => await vendor.close());
  beforeEach(() => {
    vendor.reset();
    vendor.webhooks.drop();
  });

  async function charged(): Promise<string> {
    const charge = cardCharge();
    assert.equal((await card.charge(charge)).kind, 'approved');
    return charge.attemptKey;
  }

  function request(chargeKey: string, amountMinor: bigint, change: Partial<RefundRequest> = {}): RefundRequest {
    const refundKey = randomId(systemRandom);
    return { refundKey, reference: null, chargeKey, chargeReference: null, amountMinor, currency: 'EUR', ...change };
  }
  const refundedOf = (name: string) => vendor.charges().find(({ reference }) => reference === name)?.refundedMinor;

  test('refunds in parts, each once', async () => {
    const key = await charged();
    const first = request(key, 400n);
    const outcome = await card.refund(first);
    assert.deepEqual(outcome, { kind: 'succeeded', reference: `re_${first.refundKey}` });
    assert.deepEqual(await card.refund(first), outcome);
    assert.deepEqual(await card.refund({ ...first, reference: `re_${first.refundKey}` }), outcome);
    assert.equal((await card.refund(request(key, 600n))).kind, 'succeeded');
    assert.equal(refundedOf(`pc_${key}`), 1000n);
    const tooMuch = await card.refund(request(key, 100n));
    assert.equal(tooMuch.kind === 'refused' && tooMuch.code, 'amount_exceeds_charge');
  });

  test('a refund in progress is pending until Hyperswitch reports its result', async () => {
    const key = await charged();
    for (const [plan, end, kind] of [
      ['pending', 'succeeded', 'succeeded'],
      ['review', 'failed', 'refused'],
    ] as const) {
      vendor.next('refund', { outcome: plan });
      const refund = request(key, 200n);
      const pending = await card.refund(refund);
      assert.deepEqual(pending, { kind: 'pending', reference: `re_${refund.refundKey}` });
      vendor.settleRefund(`re_${refund.refundKey}`, end);
      assert.equal((await card.refund({ ...refund, reference: `re_${refund.refundKey}` })).kind, kind);
    }
  });

  test('a refund that fails after it succeeded is reported by the webhook', async () => {
    const key = await charged();
    const refund = request(key, 200n);
    await card.refund(refund);
    vendor.settleRefund(`re_${refund.refundKey}`, 'failed_late');
    const kinds = vendor.webhooks.drop().flatMap(({ body, headers }) => {
      const parsed = parseWebhook({ rawBody: Buffer.from(body), headers: new Headers(headers), now: 0 });
      return parsed.kind === 'accepted' ? parsed.notifications.map(({ kind }) => kind) : [];
    });
    assert.deepEqual(kinds, ['charge_changed', 'refund_changed', 'refund']);
  });

  test('a refund without a response is sent again, and issued once', async () => {
    for (const fault of [
      'cut_after',
      'truncated_response',
      'http_500_after',
      'cut_before',
      'http_500',
      'bad_gateway',
    ] as const) {
      const key = await charged();
      const refund = request(key, 400n);
      vendor.next('refund', { fault });
      await assert.rejects(card.refund(refund), fault);
      assert.equal((await card.refund(refund)).kind, 'succeeded', fault);
      assert.equal(refundedOf(`pc_${key}`), 400n, fault);
    }
  });

  test('refusals include the reason', async () => {
    const key = await charged();
    const small = await card.refund(request(key, 99n));
    assert.deepEqual(small, {
      ...{ kind: 'refused', code: 'amount_too_small', detail: 'Hyperswitch refunds at least 1.00 EUR.' },
    });
    const unpaid = cardCharge('4000000000000002');
    await card.charge(unpaid);
    const refused = await card.refund(request(unpaid.attemptKey, 100n));
    assert.equal(refused.kind === 'refused' && refused.code, 'refund_not_possible');
    vendor.next('refund', { outcome: 'failed' });
    const failed = await card.refund(request(key, 100n));
    assert.deepEqual(failed.kind === 'refused' && [failed.code, failed.detail], [
      'refund_failed',
      'The bank returned the refund',
    ]);
    // An unknown payment is not a refusal: the account may have another URL now.
    await assert.rejects(card.refund(request(randomId(systemRandom), 100n)), /HE_02/);
  });

  test('push payments are refunded by their own payment IDs', async () => {
    const payment = pushRequest('gcash_ewallet', 'PHL', 'PHP', clock);
    await push.issueInstructions(payment);
    vendor.receiveFunds(`pp_${payment.instructionsKey}`);
    const refund = request(payment.instructionsKey, 250_000n, { currency: 'PHP' });
    assert.equal((await push.refund(refund)).kind, 'succeeded');
    assert.equal(refundedOf(`pp_${payment.instructionsKey}`), 250_000n);
  });
});
