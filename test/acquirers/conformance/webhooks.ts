import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../../../src/shared/time.ts';
import { type BenchSteps, portsOf } from './bench.ts';

/** Webhooks of a charge: early, missing, repeated, out of order, forged. */
export function webhookCases(steps: BenchSteps): void {
  const { bench, pay, newPayment, submit, statusOf, deliver, completeChallenge, assertChargedOnce } = steps;

  test('webhook before the response: applied once', async () => {
    const { acquirer } = bench();
    const payment = await newPayment();
    acquirer.next('charge', { outcome: 'approved', fault: 'late' });
    const arrival = acquirer.waitForRequest('charge');
    const result = submit(payment);
    await Promise.race([arrival, result.then(() => assert.fail('The acquirer received no charge'))]);
    await deliver();
    await assertChargedOnce(payment);
    assert.equal(acquirer.releaseResponses(), 1);
    const response = await result;
    assert.equal(response.body.response_type, 'confirmed');
    await assertChargedOnce(payment);
  });

  test('no webhook: the return, or a poll, confirms a completed challenge', async () => {
    const returned = await pay({ outcome: 'challenge' });
    await completeChallenge(returned, 'authenticated');
    bench().acquirer.webhooks.drop();
    await assertChargedOnce(returned);

    const polled = await pay({ outcome: 'challenge' });
    await completeChallenge(polled, 'authenticated', { returns: false });
    bench().acquirer.webhooks.drop();
    await bench().fixture.advance(6 * MINUTE);
    // Without a lookup, the challenge stays open until it expires: the card is charged only when the payer returns.
    if (portsOf(steps).card.fetchOutcome) await assertChargedOnce(polled);
    else {
      assert.equal(await statusOf(polled), 'waiting');
      await steps.assertNotCharged(polled);
    }
  });

  test('a webhook alone confirms a charge; twice, late and out of order it changes nothing', async () => {
    const { webhooks } = bench().acquirer;
    const payment = await pay({ outcome: 'approved', fault: 'cut_after' });
    assert.equal(payment.type, 'processing');
    const first = webhooks.history.length - webhooks.pending.length;
    webhooks.reorder();
    const results = await webhooks.deliverTwice();
    assert.ok(results.length > 0 && results.every(({ status }) => status === 200));
    await bench().fixture.work();
    await assertChargedOnce(payment);
    const { timeline } = await steps.detailOf(payment);
    await bench().fixture.advance(HOUR);
    await webhooks.redeliver(webhooks.history.slice(first).toReversed());
    await bench().fixture.work();
    assert.deepEqual((await steps.detailOf(payment)).timeline, timeline);
    await assertChargedOnce(payment);
  });

  test('forged webhooks are refused, and confirm nothing', async () => {
    const { acquirer, accountKey, fixture } = bench();
    const payment = await pay({ outcome: 'approved', fault: 'cut_after' });
    if (!portsOf(steps).parseWebhook) {
      // An acquirer without webhooks accepts none.
      const { status } = await fixture.request(`/acquirers/${accountKey}/webhooks`, { body: [], token: null });
      assert.equal(status, 404);
      return;
    }
    for (const forgery of ['wrong_key', 'unsigned'] as const)
      assert.equal(await acquirer.webhooks.send(acquirer.webhooks.forge(forgery)), 401, forgery);
    // An unsigned format is polled before anything is recorded, so a changed amount has no effect.
    const changed = await acquirer.webhooks.send(acquirer.webhooks.forge('changed'));
    await fixture.work();
    if (changed === 401) assert.equal(await statusOf(payment), 'waiting');
    else assert.equal((await steps.detailOf(payment)).amount_received, 12.5);
    await deliver();
    await assertChargedOnce(payment);
  });
}
