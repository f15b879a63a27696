import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE } from '../../../src/shared/time.ts';
import { type BenchSteps, cardCapabilityOf, type Payment } from './bench.ts';
import type { Subject } from './subject.ts';

/** Cards that are authorized, and captured or voided later. */
export function captureCases(subject: Subject, steps: BenchSteps): void {
  const { bench, newPayment, submit, lastCharge, deliver, settle, detailOf } = steps;
  const capability = cardCapabilityOf(subject);
  if (!capability?.manualCapture) return;
  const { validity } = capability.manualCapture;
  const { voidCall } = subject;

  const authorized = async (): Promise<Payment> => {
    const payment = await newPayment({ capture: 'manual' });
    bench().acquirer.next('charge', { outcome: 'approved' });
    assert.equal((await submit(payment)).body.response_type, 'authorized');
    await deliver();
    return payment;
  };
  const send = async (action: 'capture' | 'void' | 'refund', { link }: Payment, amount?: number) =>
    await bench().fixture.request(`/fiat/v1/transaction/${action}`, {
      body: { transaction_id: link.reference, ...(amount !== undefined && { amount }) },
    });
  /** Status of transaction and authorization, and the amount received. */
  const stateOf = async (payment: Payment) => {
    const { status, authorization, amount_received: received } = await detailOf(payment);
    return [status.slice('transaction_status_'.length), authorization?.status, received];
  };
  /** State and captured amount of the acquirer's charge. */
  const chargeOf = async (payment: Payment) => {
    const { state, paidMinor } = await lastCharge(payment);
    return [state, paidMinor];
  };

  test('manual capture: an approved card is authorized, then captured in full', async () => {
    const payment = await authorized();
    assert.deepEqual(
      [await stateOf(payment), await chargeOf(payment)],
      [
        ['waiting', 'authorized', 0],
        ['authorized', 0n],
      ],
    );
    assert.equal((await send('capture', payment)).status, 200);
    await deliver();
    assert.deepEqual(
      [await stateOf(payment), await chargeOf(payment)],
      [
        ['confirmed', 'captured', 12.5],
        ['paid', 1250n],
      ],
    );
    await settle(DAY);
    assert.deepEqual(await chargeOf(payment), ['paid', 1250n]);
  });

  test('manual capture after a challenge', async () => {
    const payment = await newPayment({ capture: 'manual' });
    bench().acquirer.next('charge', { outcome: 'challenge' });
    await submit(payment);
    await steps.completeChallenge(payment, 'authenticated');
    await deliver();
    assert.deepEqual(await stateOf(payment), ['waiting', 'authorized', 0]);
  });

  test('partial capture: charges a part, of which at most that can be refunded', async () => {
    const payment = await authorized();
    await send('capture', payment, 10);
    await deliver();
    assert.deepEqual(
      [await stateOf(payment), await chargeOf(payment)],
      [
        ['confirmed', 'captured', 10],
        ['paid', 1000n],
      ],
    );
    assert.equal((await send('refund', payment, 10.01)).body.code, 'not_refundable');
    assert.equal((await send('refund', payment)).status, 200);
    await bench().acquirer.settleRefund((await bench().acquirer.refunds()).at(-1) ?? '', 'succeeded');
    await settle(MINUTE);
    assert.equal((await lastCharge(payment)).refundedMinor, 1000n);
  });

  for (const fault of ['cut_before', 'cut_after', 'http_500_after'] as const) {
    test(`capture with the fault ${fault}: captured once`, async () => {
      const payment = await authorized();
      bench().acquirer.next('capture', { fault });
      await send('capture', payment, 10);
      await settle(2 * MINUTE);
      await settle(2 * MINUTE);
      assert.deepEqual(
        [await stateOf(payment), await chargeOf(payment)],
        [
          ['confirmed', 'captured', 10],
          ['paid', 1000n],
        ],
      );
    });

    test(`void with the fault ${fault}: voided`, async () => {
      const payment = await authorized();
      bench().acquirer.next(voidCall, { fault });
      await send('void', payment);
      await settle(2 * MINUTE);
      await settle(2 * MINUTE);
      assert.deepEqual(
        [await stateOf(payment), await chargeOf(payment)],
        [
          ['failed', 'voided', 0],
          ['cancelled', 0n],
        ],
      );
    });
  }

  test('webhook of a capture before its response, repeated and late: applied once', async () => {
    const { acquirer } = bench();
    const payment = await authorized();
    acquirer.next('capture', { fault: 'late' });
    const arrival = acquirer.waitForRequest('capture');
    const result = send('capture', payment);
    await Promise.race([arrival, result.then(() => assert.fail('The acquirer received no capture'))]);
    const first = acquirer.webhooks.history.length - acquirer.webhooks.pending.length;
    await acquirer.webhooks.deliverTwice();
    await bench().fixture.work();
    acquirer.releaseResponses();
    await result;
    await settle(2 * MINUTE);
    assert.deepEqual(await stateOf(payment), ['confirmed', 'captured', 12.5]);
    const { timeline } = await detailOf(payment);
    await acquirer.webhooks.redeliver(acquirer.webhooks.history.slice(first));
    await bench().fixture.work();
    assert.deepEqual((await detailOf(payment)).timeline, timeline);
  });

  test('void: releases the amount', async () => {
    const payment = await authorized();
    await send('void', payment);
    await deliver();
    assert.deepEqual(
      [await stateOf(payment), await chargeOf(payment)],
      [
        ['failed', 'voided', 0],
        ['cancelled', 0n],
      ],
    );
    assert.equal((await send('capture', payment)).body.code, 'no_open_authorization');
  });

  test('refused void: stays authorized with the reason, and expires', async () => {
    const payment = await authorized();
    bench().acquirer.next(voidCall, { outcome: 'failed' });
    await send('void', payment);
    await deliver();
    assert.deepEqual(
      [await stateOf(payment), await chargeOf(payment)],
      [
        ['waiting', 'authorized', 0],
        ['authorized', 0n],
      ],
    );
    assert.ok((await detailOf(payment)).authorization?.failure?.code);
    await settle(validity);
    assert.deepEqual(
      [await stateOf(payment), await chargeOf(payment)],
      [
        ['failed', 'expired', 0],
        ['cancelled', 0n],
      ],
    );
  });

  test('refused capture: stays authorized, and can be captured again', async () => {
    const payment = await authorized();
    bench().acquirer.next('capture', { outcome: 'failed' });
    await send('capture', payment);
    await deliver();
    assert.deepEqual(await stateOf(payment), ['waiting', 'authorized', 0]);
    assert.ok((await detailOf(payment)).authorization?.failure?.code);
    await send('capture', payment);
    await deliver();
    assert.deepEqual(await stateOf(payment), ['confirmed', 'captured', 12.5]);
  });

  test('expiry: reported when it is due, released with the acquirer; a later capture is refused', async () => {
    const payment = await authorized();
    await settle(validity - MINUTE);
    assert.deepEqual(await stateOf(payment), ['waiting', 'authorized', 0]);
    await settle(MINUTE);
    assert.deepEqual(
      [await stateOf(payment), await chargeOf(payment)],
      [
        ['failed', 'expired', 0],
        ['cancelled', 0n],
      ],
    );
    assert.equal((await send('capture', payment)).body.code, 'no_open_authorization');
  });

  for (const action of ['capture', 'void', 'expiry'] as const)
    test(`amount captured with the acquirer, then ${action}: counts as received`, async () => {
      const { acquirer } = bench();
      if (!acquirer.captureOutside) return;
      const payment = await authorized();
      await acquirer.captureOutside((await lastCharge(payment)).reference, 1000n);
      if (action !== 'expiry') await send(action, payment);
      await deliver();
      await settle(action === 'expiry' ? validity : MINUTE);
      assert.deepEqual(
        [await stateOf(payment), await chargeOf(payment)],
        [
          ['confirmed', 'captured', 10],
          ['paid', 1000n],
        ],
      );
      assert.equal((await send('refund', payment, 10.01)).body.code, 'not_refundable');
    });

  test('capture made with the acquirer and reported only by webhook: counts once, even if the webhook is repeated', async () => {
    const { acquirer } = bench();
    // Other acquirers are polled.
    if (!acquirer.captureOutside || !acquirer.failCapture) return;
    const payment = await authorized();
    const { reference } = await lastCharge(payment);
    await acquirer.captureOutside(reference, 1000n);
    const report = acquirer.webhooks.pending.at(-1) ?? assert.fail();
    await acquirer.webhooks.deliverTwice();
    await bench().fixture.work();
    assert.deepEqual(await stateOf(payment), ['confirmed', 'captured', 10]);
    assert.equal((await send('capture', payment)).body.code, 'no_open_authorization');
    await acquirer.failCapture(reference);
    await deliver();
    assert.deepEqual(await stateOf(payment), ['waiting', 'authorized', 0]);
    await acquirer.webhooks.send(report);
    await bench().fixture.work();
    assert.deepEqual(await stateOf(payment), ['waiting', 'authorized', 0]);
  });

  test('late capture failure: the captured amount is reversed, and can be captured again', async () => {
    const { acquirer } = bench();
    if (!acquirer.failCapture) return;
    const payment = await authorized();
    await send('capture', payment, 10);
    await deliver();
    await acquirer.failCapture((await lastCharge(payment)).reference);
    await deliver();
    assert.deepEqual(await stateOf(payment), ['waiting', 'authorized', 0]);
    await send('capture', payment);
    await deliver();
    assert.deepEqual(
      [await stateOf(payment), await chargeOf(payment)],
      [
        ['confirmed', 'captured', 12.5],
        ['paid', 1250n],
      ],
    );
  });
}
