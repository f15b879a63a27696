// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SECOND } from '../../../src/shared/time.ts';
import { db } from '../../support/tables.ts';
import { useBench } from '../conformance/bench.ts';
import { xenditSubject } from '../conformance/subject.ts';

/** Behavior of Xendit alone; the conformance suite covers the rest. */
describe('payments through Xendit', () => {
  const steps = useBench(xenditSubject);
  const { bench, pay, submit, deliver, statusOf, lastCharge, detailOf } = steps;

  test('a webhook with a valid token alone confirms no payment', async () => {
    const { acquirer, fixture } = bench();
    const payment = await pay({ outcome: 'challenge' });
    const { reference, id } = await lastCharge(payment);
    const data = { payment_request_id: id, reference_id: reference, channel_code: 'CARDS', status: 'SUCCEEDED' };
    const status = await acquirer.webhooks.send({
      ...{ event: 'payment.capture', reference },
      headers: { 'content-type': 'application/json', 'x-callback-token': 'testCallbackToken' },
      body: JSON.stringify({ event: 'payment.capture', data }),
    });
    assert.equal(status, 200);
    await fixture.work();
    assert.equal(await statusOf(payment), 'waiting');
  });

  test('a challenge without a response ends with its webhook, which contains its ID', async () => {
    const payment = await pay({ outcome: 'challenge', fault: 'cut_after' });
    bench().acquirer.expire?.((await lastCharge(payment)).reference);
    await deliver();
    assert.equal(await statusOf(payment), 'pending');
    assert.equal((await submit(payment)).body.response_type, 'confirmed');
  });

  test('a failed reversal of a duplicate charge is shown and logged', async () => {
    const { acquirer, fixture } = bench();
    const payment = await pay();
    const { reference } = await lastCharge(payment);
    const report = async (id: string) => {
      const data = { id, reference_id: `${reference}-reversal`, status: 'FAILED' };
      const status = await acquirer.webhooks.send({
        ...{ event: 'refund.failed', reference },
        headers: { 'content-type': 'application/json', 'x-callback-token': 'testCallbackToken' },
        body: JSON.stringify({ event: 'refund.failed', data }),
      });
      assert.equal(status, 200);
      await fixture.work();
    };
    await report('rfd-1');
    assert.doesNotMatch(fixture.log(), /could not be reversed/, 'a valid charge has no reversal');
    await db(fixture.service().database).updateTable('card_attempts').set({ state: 'reversed' }).execute();
    await report('rfd-2');
    const { timeline } = await detailOf(payment);
    assert.ok(timeline.some(({ detail }) => detail?.includes('could not be reversed')));
    assert.match(fixture.log(), /duplicate charge could not be reversed/);
  });

  test('a late failure of a refund is looked up again if Xendit does not respond', async () => {
    const { acquirer, fixture } = bench();
    const payment = await pay();
    await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: payment.link.reference } });
    const reference = (await acquirer.refunds()).at(-1) ?? '';
    await acquirer.settleRefund(reference, 'succeeded');
    await deliver();
    await acquirer.settleRefund(reference, 'failed_late');
    acquirer.next('fetchRefund', { fault: 'http_500' });
    await deliver();
    assert.equal((await detailOf(payment)).refunded_amount, 12.5);
    await fixture.advance(6 * SECOND);
    assert.equal((await detailOf(payment)).refunded_amount, 0);
  });
});
