import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/shared/time.ts';
import { type BenchSteps, CARD_PREFIX, knowsUnreceived, newCard, portsOf } from './bench.ts';

/** Charges: their outcomes, 3-D Secure, lost requests and responses, repeated submissions. */
export function cardCases(steps: BenchSteps): void {
  const { bench, pay, submit, newPayment, lastCharge, statusOf, deliver, settle, completeChallenge } = steps;
  const { assertChargedOnce, assertNotCharged, chargesOf } = steps;

  test('3-D Secure frictionless: approved, and the payer sees no challenge', async () => {
    const payment = await pay({ outcome: 'frictionless' });
    // Some acquirers redirect through the issuer without a challenge.
    if (payment.type === '3ds_redirect') await completeChallenge(payment, 'authenticated');
    else assert.equal(payment.type, 'confirmed');
    await deliver();
    await assertChargedOnce(payment);
  });

  test('3-D Secure challenge: approved when the payer returns, and declined if they fail it', async () => {
    const payment = await pay({ outcome: 'challenge' });
    assert.equal(payment.type, '3ds_redirect');
    await completeChallenge(payment, 'authenticated');
    await assertChargedOnce(payment);
    await deliver();
    await assertChargedOnce(payment);

    const failed = await pay({ outcome: 'challenge' });
    await completeChallenge(failed, 'failed');
    await deliver();
    assert.equal(await statusOf(failed), 'pending');
    await assertNotCharged(failed);
  });

  test('3-D Secure: the return of one payment confirms no other', async () => {
    const cheap = await pay({ outcome: 'challenge' });
    const { reference } = await lastCharge(cheap);
    const navigation = await bench().acquirer.completeChallenge(reference, 'authenticated');
    const dear = await pay({ outcome: 'challenge' });
    const search = new URL(navigation?.url ?? '').search || '?result=approved';
    await bench().fixture.request(`${dear.link.path}/return${search}`, { token: null });
    assert.equal(await statusOf(dear), 'waiting');
  });

  test('3-D Secure abandoned: canceled with the acquirer, and another card can pay', async () => {
    const payment = await pay({ outcome: 'challenge' });
    const token = await steps.tokenOf(payment);
    await bench().fixture.request(`${payment.link.path}/abandon`, { body: {}, token });
    await deliver();
    assert.equal(await statusOf(payment), 'pending');
    assert.equal((await lastCharge(payment)).state === 'paid', false);
    bench().acquirer.next('charge', { outcome: 'approved' });
    await submit(payment);
    await deliver();
    await assertChargedOnce(payment);

    const left = await pay({ outcome: 'challenge' });
    await settle(DAY + HOUR);
    await settle(MINUTE);
    assert.equal(await statusOf(left), 'failed');
    assert.notEqual((await lastCharge(left)).state, 'open');
    await assertNotCharged(left);
  });

  test('decline: reported with a reason, and another card can pay', async () => {
    const payment = await pay({ outcome: 'declined' });
    assert.equal(payment.type, 'declined');
    assert.ok(payment.body.decline.code);
    await deliver();
    bench().acquirer.next('charge', { outcome: 'approved' });
    await submit(payment);
    await deliver();
    await assertChargedOnce(payment);
  });

  for (const fault of ['cut_after', 'truncated_response', 'http_500_after'] as const)
    test(`lost response (${fault}): the outcome is found, and the payer is charged once`, async () => {
      const payment = await pay({ outcome: 'approved', fault });
      assert.equal(payment.type, 'processing');
      // Without webhooks, if the acquirer can be polled.
      const isFoundByPolling = portsOf(steps).card.fetchOutcome !== undefined;
      if (isFoundByPolling) bench().acquirer.webhooks.drop();
      await settle();
      await assertChargedOnce(payment);
    });

  for (const fault of ['cut_before', 'http_503', 'bad_gateway'] as const)
    test(`lost request (${fault}): nothing is charged, and no outcome is assumed`, async () => {
      const isCertain = await knowsUnreceived(steps);
      const payment = await pay({ outcome: 'approved', fault });
      await settle();
      await assertNotCharged(payment);
      // Without certainty, a second charge could follow a first one.
      const isOver = payment.type === 'declined' || isCertain;
      assert.equal(await statusOf(payment), isOver ? 'pending' : 'waiting');
      if (!isOver) return;
      bench().acquirer.next('charge', { outcome: 'approved' });
      await submit(payment);
      await deliver();
      await assertChargedOnce(payment);
    });

  test('duplicate create: the same submission twice, at once and after a lost response, charges once', async () => {
    const payment = await newPayment();
    const once = { key: 'once', card: newCard() };
    await Promise.all([submit(payment, once), submit(payment, once)]);
    await settle();
    await assertChargedOnce(payment);

    const lost = await newPayment();
    bench().acquirer.next('charge', { outcome: 'approved', fault: 'cut_after' });
    const again = { key: 'again', card: newCard() };
    await submit(lost, again);
    await submit(lost, again);
    await settle();
    await assertChargedOnce(lost);
    assert.equal((await chargesOf(lost)).length, 1);
  });

  test('no card number or security code is logged', () => {
    assert.doesNotMatch(bench().fixture.log(), new RegExp(`${CARD_PREFIX}\\d{6}`));
  });
}
