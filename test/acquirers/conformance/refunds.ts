import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/shared/time.ts';
import { type BenchSteps, cardCapabilityOf, type Payment } from './bench.ts';
import type { Subject } from './subject.ts';

/** Refunds and disputes of card charges. */
export function refundCases(subject: Subject, steps: BenchSteps): void {
  const { bench, pay, lastCharge, deliver, settle, detailOf } = steps;
  const capability = cardCapabilityOf(subject);
  const amount = capability?.refunds === 'partial' ? 5 : 12.5;

  const paid = async () => {
    const payment = await pay();
    assert.equal(payment.type, 'confirmed');
    await deliver();
    return payment;
  };
  /** Requests a refund, which the acquirer carries out later. Returns its reference. */
  const refund = async ({ link }: Payment): Promise<string> => {
    bench().acquirer.next('refund', { outcome: 'pending' });
    const { status, text } = await bench().fixture.request('/fiat/v1/transaction/refund', {
      body: { transaction_id: link.reference, amount },
    });
    assert.equal(status, 200, text);
    return (await bench().acquirer.refunds()).at(-1) ?? assert.fail('The acquirer received no refund');
  };
  const settleRefund = async (reference: string, outcome: 'succeeded' | 'failed' | 'failed_late') => {
    await bench().acquirer.settleRefund(reference, outcome);
    await deliver();
  };
  const stateOf = async (payment: Payment) => {
    const { refunds, refunded_amount } = await detailOf(payment);
    return [refunds.at(-1)?.state, refunded_amount];
  };

  if (capability?.refunds === 'none') return;

  test('refund: succeeds once, even if its request is repeated', async () => {
    const payment = await paid();
    const reference = await refund(payment);
    await settleRefund(reference, 'succeeded');
    assert.deepEqual(await stateOf(payment), ['succeeded', amount]);
    await settle(MINUTE);
    assert.equal((await lastCharge(payment)).refundedMinor, BigInt(amount * 100));
  });

  test('refund with a lost response: issued once', async () => {
    const payment = await paid();
    bench().acquirer.next('refund', { outcome: 'pending', fault: 'cut_after' });
    await bench().fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: payment.link.reference } });
    await settle(MINUTE);
    await bench().acquirer.settleRefund((await bench().acquirer.refunds()).at(-1) ?? '', 'succeeded');
    await settle(MINUTE);
    assert.deepEqual(await stateOf(payment), ['succeeded', 12.5]);
    assert.equal((await lastCharge(payment)).refundedMinor, 1250n);
  });

  test('refund failure: reported with a reason, and can be issued again', async () => {
    const payment = await paid();
    await settleRefund(await refund(payment), 'failed');
    assert.deepEqual(await stateOf(payment), ['failed', 0]);
    assert.ok((await detailOf(payment)).refunds[0]?.failure?.code);
    await settleRefund(await refund(payment), 'succeeded');
    assert.deepEqual(await stateOf(payment), ['succeeded', amount]);
  });

  test('late refund failure: after it had succeeded, the amount is refundable again', async () => {
    const payment = await paid();
    const reference = await refund(payment);
    await settleRefund(reference, 'succeeded');
    assert.deepEqual(await stateOf(payment), ['succeeded', amount]);
    await settleRefund(reference, 'failed_late');
    assert.deepEqual(await stateOf(payment), ['failed', 0]);
    const failures = (await detailOf(payment)).timeline.filter(({ detail }) => detail?.includes('failed after'));
    assert.equal(failures.length, 1);
  });

  for (const result of ['lost', 'won'] as const)
    test(`dispute: recorded with its amount, then ${result}; the payment stays confirmed`, async () => {
      const payment = await paid();
      const { reference } = await lastCharge(payment);
      const dispute = await bench().acquirer.openDispute(reference);
      await deliver();
      const [opened] = (await detailOf(payment)).disputes;
      assert.deepEqual([opened?.state, opened?.amount, opened?.currency], ['needs_response', 12.5, 'USD']);
      assert.ok(opened?.respond_by);
      await bench().fixture.advance(MINUTE);
      await bench().acquirer.closeDispute(dispute, result);
      await deliver();
      const { disputes, status } = await detailOf(payment);
      assert.deepEqual(
        [disputes.map(({ state, reference: key }) => [state, key]), status],
        [[[result, opened.reference]], 'transaction_status_confirmed'],
      );
    });
}
