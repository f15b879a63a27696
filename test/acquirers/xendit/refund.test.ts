// Databases: sqlite
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { NotProcessed } from '../../../src/acquirers/port.ts';
import { apiError, cardCharge, chargeKey, openAccount, recorder, refundOf, testCards } from './connection.ts';

describe('refunds at Xendit', async () => {
  const { vendor, card } = await openAccount();
  after(async () => await vendor.close());
  beforeEach(() => vendor.reset());

  const paid = async () => {
    const charge = cardCharge();
    const { kind, reference = null } = await card.charge(charge);
    assert.equal(kind, 'approved');
    return { charge, reference };
  };
  const refundedOf = (key: string) => vendor.charges().find(({ reference }) => reference === key)?.refundedMinor;

  test('a refund is pending, then succeeds', async () => {
    const { charge, reference } = await paid();
    const refund = refundOf(charge, reference);
    const first = await card.refund(refund);
    assert.equal(first.kind, 'pending');
    assert.match(first.reference ?? '', /^rfd-/);
    vendor.settleRefund(refund.refundKey, 'succeeded');
    const known = { ...refund, reference: first.reference ?? '' };
    assert.deepEqual(await card.refund(known), { kind: 'succeeded', reference: first.reference });
    // The response was lost: the refund is found by its key, with its current state.
    assert.deepEqual(await card.refund(refund), { kind: 'succeeded', reference: first.reference });
    assert.equal(refundedOf(charge.attemptKey), 500n);
  });

  test('a refund without a response is issued once', async () => {
    for (const fault of ['cut_before', 'cut_after', 'http_500_after', 'http_503', 'truncated_response'] as const) {
      const { charge, reference } = await paid();
      const refund = refundOf(charge, reference);
      vendor.next('refund', { fault });
      await assert.rejects(card.refund(refund), fault);
      assert.equal((await card.refund(refund)).kind, 'pending', fault);
      assert.equal((await card.refund(refund)).kind, 'pending', fault);
      vendor.settleRefund(refund.refundKey, 'succeeded');
      assert.equal(refundedOf(charge.attemptKey), 500n, fault);
    }
  });

  test('a refund fails, even after it had succeeded', async () => {
    const { charge, reference } = await paid();
    vendor.next('refund', { outcome: 'failed' });
    const refund = refundOf(charge, reference);
    const first = await card.refund(refund);
    assert.equal(first.kind, 'pending');
    const failed = await card.refund({ ...refund, reference: first.reference ?? '' });
    assert.equal(failed.kind === 'refused' && failed.code, 'refund_failed');
    const late = refundOf(charge, reference);
    const { reference: id = '' } = await card.refund(late);
    vendor.settleRefund(late.refundKey, 'succeeded');
    assert.equal((await card.refund({ ...late, reference: id })).kind, 'succeeded');
    vendor.settleRefund(late.refundKey, 'failed_late');
    assert.equal((await card.refund({ ...late, reference: id })).kind, 'refused');
  });

  test('refusals are final; temporary errors leave the refund pending', async () => {
    const { charge, reference } = await paid();
    const tooMuch = await card.refund(refundOf(charge, reference, { amountMinor: 1251n }));
    assert.equal(tooMuch.kind === 'refused' && tooMuch.code, 'amount_exceeds_charge');
    const reject = async (code: string) => {
      vendor.next('refund', { outcome: 'rejected', code });
      return await card.refund(refundOf(charge, reference));
    };
    const poor = await reject('INSUFFICIENT_BALANCE');
    assert.equal(poor.kind === 'refused' && poor.code, 'insufficient_balance');
    for (const code of ['REFUND_IN_PROGRESS', 'TEMPORARILY_UNAVAILABLE'])
      assert.deepEqual(await reject(code), { kind: 'pending' });
    await assert.rejects(reject('SOMETHING_NEW'), NotProcessed);
    vendor.next('refund', { fault: 'rate_limited' });
    await assert.rejects(card.refund(refundOf(charge, reference)), NotProcessed);
    const open = cardCharge(testCards.challenge);
    const { reference: openId = null } = await card.charge(open);
    const early = await card.refund(refundOf(open, openId));
    assert.equal(early.kind === 'refused' && early.code, 'refund_not_possible');
    const unpayable = await card.refund(refundOf(charge, reference, { amountMinor: 150n, currency: 'IDR' }));
    assert.equal(unpayable.kind === 'refused' && unpayable.code, 'amount_not_supported');
  });

  test('a refund of a charge without an ID finds it, or is not issued', async () => {
    const { charge } = await paid();
    assert.equal((await card.refund(refundOf(charge, null))).kind, 'pending');
    await assert.rejects(card.refund(refundOf(cardCharge(), null)), /no transaction/);
  });

  test('a duplicate charge is reversed once', async () => {
    const { charge, reference } = await paid();
    await card.reverse(chargeKey(charge, reference));
    await card.reverse(chargeKey(charge, reference));
    vendor.settleRefund(`${charge.attemptKey}-reversal`, 'succeeded');
    await card.reverse(chargeKey(charge, null));
    assert.equal(refundedOf(charge.attemptKey), 1250n);
    vendor.next('refund', { outcome: 'failed' });
    const failing = await paid();
    await card.reverse(chargeKey(failing.charge, failing.reference));
    const refused = await card.reverse(chargeKey(failing.charge, failing.reference));
    assert.deepEqual(refused, { kind: 'refused', code: 'refund_failed' });
    vendor.next('refund', { outcome: 'rejected', code: 'REFUND_IN_PROGRESS' });
    const waiting = await paid();
    await assert.rejects(card.reverse(chargeKey(waiting.charge, waiting.reference)), /yet/);
  });

  test('a repeated key is pending, and a response for another refund is rejected', async () => {
    const charge = cardCharge();
    const refund = refundOf(charge, 'pr-1');
    const none = () => Response.json({ data: [] });
    const duplicate = recorder([none(), apiError(409, 'DUPLICATE_ERROR'), none()]);
    assert.deepEqual(await duplicate.card.refund(refund), { kind: 'pending' });
    const other = Response.json({
      id: 'rfd-1',
      reference_id: 'other',
      currency: 'USD',
      amount: 5,
      status: 'SUCCEEDED',
    });
    await assert.rejects(recorder([none(), other]).card.refund(refund), /another reference/);
  });
});
