// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, MINUTE } from '../../../src/shared/time.ts';
import { useBench } from '../conformance/bench.ts';
import { hyperswitchSubject } from '../conformance/subject.ts';

/** Behavior of Hyperswitch alone; the conformance suite covers the rest. */
describe('payments through Hyperswitch', () => {
  const steps = useBench(hyperswitchSubject);
  const { bench, newPayment, submit, deliver, settle, statusOf, detailOf } = steps;

  for (const [action, call, code] of [
    ['void', 'cancel', 'void_refused'],
    ['capture', 'capture', 'capture_failed'],
  ] as const)
    test(`a ${action} that the connector rejects leaves the payment authorized`, async () => {
      const { acquirer, fixture } = bench();
      const payment = await newPayment({ capture: 'manual' });
      acquirer.next('charge', { outcome: 'approved' });
      await submit(payment);
      await deliver();
      acquirer.next(call, { outcome: 'connector_rejected' as never });
      await fixture.request(`/fiat/v1/transaction/${action}`, { body: { transaction_id: payment.link.reference } });
      const stateOf = async () => {
        const { authorization } = await detailOf(payment);
        return [await statusOf(payment), authorization?.status, authorization?.failure?.code];
      };
      assert.deepEqual(await stateOf(), ['waiting', 'authorized', code]);
      // Its webhook reports a failed payment.
      await deliver();
      assert.deepEqual(await stateOf(), ['waiting', 'authorized', code]);
      await settle(7 * DAY);
      await settle(MINUTE);
      assert.deepEqual((await stateOf()).slice(0, 2), ['failed', 'expired']);
      assert.match(fixture.log(), /expired authorization could not be voided: void it with the acquirer/);
    });
});
