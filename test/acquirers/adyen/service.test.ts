// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, MINUTE, SECOND } from '../../../src/shared/time.ts';
import { createBuyers, type Link } from '../../support/buyer.ts';
import { moveLastEventNumber } from '../../support/event-numbers.ts';
import { createLink } from '../../support/requests.ts';
import { db } from '../../support/tables.ts';
import { type Payment, useBench } from '../conformance/bench.ts';
import { adyenSubject } from '../conformance/subject.ts';

/** Behavior of Adyen alone; the conformance suite covers the rest. */
describe('payments through Adyen', () => {
  const steps = useBench(adyenSubject);
  const { bench, pay, newPayment, submit, deliver, statusOf, detailOf, lastCharge } = steps;
  const { stateOf, startPayment, tryStartPayment } = createBuyers(() => bench().fixture);

  test('forged results do not open the circuit for other payers', async () => {
    const payment = await pay({ outcome: 'challenge' });
    for (let number = 0; number < 6; number += 1)
      await bench().fixture.request(`${payment.link.path}/return?redirectResult=invented-${number}`, { token: null });
    const indonesian = { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 50 };
    const { link } = await newPayment(indonesian);
    for (let number = 0; number < 6; number += 1) await tryStartPayment(link, 'virtual_account');
    assert.equal((await pay()).type, 'confirmed');
    assert.equal(await statusOf(payment), 'waiting');
  });

  test('refunds that cannot be sent do not open the circuit for payers', async () => {
    const { fixture, acquirer } = bench();
    const links: Link[] = [];
    for (let number = 0; number < 5; number += 1) links.push((await pay()).link);
    await deliver();
    await db(fixture.service().database).updateTable('card_attempts').set({ acquirer_reference: null }).execute();
    for (const { reference } of links)
      await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: reference } });
    assert.deepEqual(await acquirer.refunds(), []);
    assert.equal((await pay()).type, 'confirmed');
  });

  test('a duplicate approval is reversed', async () => {
    const { acquirer, fixture } = bench();
    const payment = await pay({ outcome: 'approved', fault: 'cut_after' });
    const [approval] = acquirer.webhooks.drop();
    assert.ok(approval);
    // Adyen reports an unknown charge although it exists: the approval follows.
    acquirer.sendEvent?.((await lastCharge(payment)).reference, 'TECHNICAL_CANCEL', false);
    await deliver();
    assert.equal(await statusOf(payment), 'pending');
    assert.equal((await submit(payment)).body.response_type, 'confirmed');
    await acquirer.webhooks.send(approval);
    await fixture.work();
    const charges = await steps.chargesOf(payment);
    assert.deepEqual(
      charges.map(({ refundedMinor }) => refundedMinor),
      [1250n, 0n],
    );
    await deliver();
    assert.equal(await statusOf(payment), 'confirmed');
  });

  test('an authorized charge that Adyen did not have when it was asked stays authorized', async () => {
    const { acquirer } = bench();
    const payment = await newPayment({ capture: 'manual' });
    acquirer.next('charge', { outcome: 'approved' });
    assert.equal((await submit(payment)).body.response_type, 'authorized');
    await deliver();
    acquirer.sendEvent?.((await lastCharge(payment)).reference, 'TECHNICAL_CANCEL', false);
    await deliver();
    assert.deepEqual(
      [await statusOf(payment), (await detailOf(payment)).authorization?.status],
      ['waiting', 'authorized'],
    );
  });

  const authorized = async (): Promise<Payment> => {
    const payment = await newPayment({ capture: 'manual' });
    bench().acquirer.next('charge', { outcome: 'approved' });
    await submit(payment);
    await deliver();
    return payment;
  };
  const send = async (action: 'capture' | 'void' | 'refund', { link }: Payment, amount?: number) => {
    const body = { transaction_id: link.reference, ...(amount !== undefined && { amount }) };
    const { status, text } = await bench().fixture.request(`/fiat/v1/transaction/${action}`, { body });
    assert.equal(status, 200, text);
    await deliver();
  };
  const captures = ['through the API', 'in the Customer Area'] as const;
  /** A captured charge: the payment and Adyen's reference. */
  const captured = async (place: (typeof captures)[number]) => {
    const payment = await authorized();
    const { reference } = await lastCharge(payment);
    if (place === 'through the API') await send('capture', payment, 10);
    else await bench().acquirer.captureOutside?.(reference, 1000n);
    await deliver();
    return { payment, reference };
  };
  const captureStateOf = async (payment: Payment) => {
    const { authorization, amount_received } = await detailOf(payment);
    return [await statusOf(payment), authorization?.status, amount_received];
  };
  const timelineOf = async (payment: Payment) => (await detailOf(payment)).timeline.map(({ detail }) => detail ?? '');

  for (const state of ['authorized', 'capture requested again', 'expired', 'captured outside'] as const)
    test(`a failed capture that Adyen captures again counts as received: ${state}`, async () => {
      const { acquirer } = bench();
      const payment = await authorized();
      const { reference } = await lastCharge(payment);
      if (state === 'captured outside') {
        await acquirer.captureOutside?.(reference, 1000n);
        await deliver();
      } else await send('capture', payment, 10);
      await acquirer.failCapture?.(reference);
      await deliver();
      assert.deepEqual(await captureStateOf(payment), ['waiting', 'authorized', 0]);
      if (state === 'capture requested again') {
        acquirer.next('capture', { outcome: 'failed' });
        await send('capture', payment, 5);
      }
      if (state === 'expired') {
        acquirer.next('cancel', { outcome: 'failed' });
        await steps.settle(8 * DAY);
        assert.deepEqual(await captureStateOf(payment), ['failed', 'expired', 0]);
      }
      await bench().fixture.advance(SECOND);
      acquirer.recapture?.(reference);
      await acquirer.webhooks.deliverTwice();
      await bench().fixture.work();
      assert.deepEqual(await captureStateOf(payment), ['confirmed', 'captured', 10]);
      await bench().fixture.advance(SECOND);
      await acquirer.failCapture?.(reference);
      await deliver();
      assert.equal((await captureStateOf(payment)).at(-1), 0);
    });

  for (const place of captures)
    test(`a failure that arrives after the repeated capture changes nothing: ${place}`, async () => {
      const { acquirer, fixture } = bench();
      const { payment, reference } = await captured(place);
      await fixture.advance(SECOND);
      await acquirer.failCapture?.(reference);
      const [failure = assert.fail()] = acquirer.webhooks.drop();
      await fixture.advance(SECOND);
      acquirer.recapture?.(reference);
      await deliver();
      await acquirer.webhooks.send(failure);
      await fixture.work();
      assert.deepEqual(await captureStateOf(payment), ['confirmed', 'captured', 10]);
      await fixture.advance(SECOND);
      await acquirer.failCapture?.(reference);
      await deliver();
      assert.deepEqual(await captureStateOf(payment), ['waiting', 'authorized', 0]);
    });

  test('a capture whose failure arrives first stays failed', async () => {
    const { acquirer, fixture } = bench();
    const payment = await authorized();
    await fixture.request('/fiat/v1/transaction/capture', { body: { transaction_id: payment.link.reference } });
    await fixture.advance(SECOND);
    await acquirer.failCapture?.((await lastCharge(payment)).reference);
    acquirer.webhooks.reorder();
    await deliver();
    assert.deepEqual(await captureStateOf(payment), ['waiting', 'authorized', 0]);
  });

  /** The failure of a capture arrives before its success; then the acquirer repeats the capture. */
  async function failFirst(payment: Awaited<ReturnType<typeof authorized>>, reference: string) {
    const { acquirer, fixture } = bench();
    await acquirer.failCapture?.(reference);
    acquirer.webhooks.reorder();
    await deliver();
    assert.deepEqual(await captureStateOf(payment), ['waiting', 'authorized', 0]);
    await fixture.advance(SECOND);
    acquirer.recapture?.(reference);
    await deliver();
    assert.deepEqual(await captureStateOf(payment), ['confirmed', 'captured', 10]);
  }

  for (const place of captures) {
    test(`a failure that arrives before the repeated capture is not undone by it: ${place}`, async () => {
      const { acquirer, fixture } = bench();
      const { payment, reference } = await captured(place);
      await fixture.advance(SECOND);
      await acquirer.failCapture?.(reference);
      await deliver();
      await fixture.advance(SECOND);
      acquirer.recapture?.(reference);
      await fixture.advance(SECOND);
      await failFirst(payment, reference);
    });

    test(`a failed capture that an earlier release has stored is reversed: ${place}`, async () => {
      const { acquirer, fixture } = bench();
      const { payment, reference } = await captured(place);
      await acquirer.failCapture?.(reference);
      await acquirer.webhooks.deliver();
      const { database } = fixture.service();
      const { id, body } = await db(database)
        .selectFrom('acquirer_notifications')
        .select(['id', 'body'])
        .where('next_attempt_at', 'is not', null)
        .executeTakeFirstOrThrow();
      const { outcome, ...notification } = JSON.parse(body);
      assert.equal(outcome.isLate, true);
      // Such a release stored neither the time nor that the failure is late.
      const earlier = { ...notification, outcome: { ...outcome, isLate: undefined, occurredAt: undefined } };
      await db(database)
        .updateTable('acquirer_notifications')
        .set({ body: JSON.stringify(earlier) })
        .where('id', '=', id)
        .execute();
      await fixture.work();
      assert.deepEqual(await captureStateOf(payment), ['waiting', 'authorized', 0]);
    });
  }

  test('a capture in the Customer Area whose failure arrives first stays failed', async () => {
    const { acquirer, fixture } = bench();
    const payment = await authorized();
    const { reference } = await lastCharge(payment);
    await acquirer.captureOutside?.(reference, 1000n);
    await fixture.advance(SECOND);
    await failFirst(payment, reference);
  });

  const countMismatches = () => bench().fixture.log().split('external capture does not match the authorization').length;

  test('a capture that succeeds after another was repeated is logged as an error', async () => {
    const { acquirer, fixture } = bench();
    const before = countMismatches();
    const payment = await authorized();
    const { reference } = await lastCharge(payment);
    await send('capture', payment, 10);
    await acquirer.failCapture?.(reference);
    await deliver();
    await fixture.request('/fiat/v1/transaction/capture', {
      body: { transaction_id: payment.link.reference, amount: 5 },
    });
    const [second = assert.fail()] = acquirer.webhooks.drop();
    await fixture.advance(SECOND);
    acquirer.recapture?.(reference);
    await deliver();
    assert.deepEqual(await captureStateOf(payment), ['confirmed', 'captured', 10]);
    assert.equal(countMismatches(), before);
    await acquirer.webhooks.send(second);
    await fixture.work();
    assert.deepEqual(await captureStateOf(payment), ['confirmed', 'captured', 10]);
    assert.equal(countMismatches(), before + 1);
  });

  test('a repeated capture of a voided authorization is logged as an error', async () => {
    const { acquirer, fixture } = bench();
    const before = countMismatches();
    const payment = await authorized();
    const { reference } = await lastCharge(payment);
    await send('capture', payment, 10);
    await acquirer.failCapture?.(reference);
    await deliver();
    await send('void', payment);
    await fixture.advance(SECOND);
    acquirer.recapture?.(reference);
    await deliver();
    assert.deepEqual(await captureStateOf(payment), ['failed', 'voided', 0]);
    assert.equal(countMismatches(), before + 1);
  });

  test('an immediate rejection is no late failure of a confirmed capture', async () => {
    const { acquirer } = bench();
    const payment = await authorized();
    const { reference, id } = await lastCharge(payment);
    await send('capture', payment, 10);
    const merchantReference = acquirer.webhooks.history.at(-1)?.reference ?? '';
    // The idempotency key too: it stays the same across releases.
    assert.match(merchantReference, /^capture_[\w-]{27}$/);
    const ids = { merchantReference, pspReference: 'CAPTURE000000002', originalReference: id };
    acquirer.sendEvent?.(reference, 'CAPTURE', false, { ...ids, reason: 'Insufficient balance on payment' });
    await deliver();
    assert.deepEqual(await captureStateOf(payment), ['confirmed', 'captured', 10]);
  });

  test('a failed refund that Adyen sends again counts as refunded', async () => {
    const { acquirer, fixture } = bench();
    const payment = await pay();
    await deliver();
    acquirer.next('refund', { outcome: 'failed_late' as never });
    await send('refund', payment, 10);
    const [failed] = (await detailOf(payment)).refunds;
    assert.equal(failed?.state, 'failed');
    assert.match(failed?.failure?.detail ?? '', /Adyen may still send it: check the Customer Area/);
    assert.equal((await detailOf(payment)).refunded_amount, 0);
    // The first report, delivered after the failure, changes nothing.
    const first = acquirer.webhooks.history.findLast(({ event }) => event === 'REFUND') ?? assert.fail();
    await acquirer.webhooks.send(first);
    await fixture.work();
    assert.equal((await detailOf(payment)).refunded_amount, 0);

    acquirer.next('refund', { outcome: 'succeeded' as never });
    await send('refund', payment, 5);
    await fixture.advance(DAY);
    acquirer.resendRefund?.((await acquirer.refunds()).at(-2) ?? '');
    await acquirer.webhooks.deliverTwice();
    await fixture.work();
    const { refunds, refunded_amount } = await detailOf(payment);
    assert.deepEqual(
      [refunds.map(({ state, failure }) => [state, failure ?? null]), refunded_amount],
      [
        [
          ['succeeded', null],
          ['succeeded', null],
        ],
        15,
      ],
    );
    assert.match(fixture.log(), /refunds exceed the received amount/);
    assert.equal((await lastCharge(payment)).refundedMinor, 1500n);
  });

  test('a failure that arrives after the refund was sent again changes nothing', async () => {
    const { acquirer, fixture } = bench();
    const payment = await pay();
    await deliver();
    acquirer.next('refund', { outcome: 'failed_late' as never });
    await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: payment.link.reference } });
    await acquirer.webhooks.deliver(1);
    const [failure = assert.fail()] = acquirer.webhooks.drop();
    await fixture.advance(DAY);
    acquirer.resendRefund?.((await acquirer.refunds()).at(-1) ?? '');
    await deliver();
    await acquirer.webhooks.send(failure);
    await fixture.work();
    const { refunds, refunded_amount } = await detailOf(payment);
    assert.deepEqual([refunds[0]?.state, refunded_amount], ['succeeded', 12.5]);
  });

  test('a refund whose failure arrives before its success stays failed', async () => {
    const { acquirer, fixture } = bench();
    const payment = await pay();
    await deliver();
    acquirer.next('refund', { outcome: 'failed_late' as never });
    await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: payment.link.reference } });
    acquirer.webhooks.reorder();
    await deliver();
    assert.equal((await detailOf(payment)).refunds[0]?.state, 'failed');
  });

  test('the reference of the result replaces that of the challenge', async () => {
    const payment = await pay({ outcome: 'challenge' });
    await steps.completeChallenge(payment, 'authenticated');
    await deliver();
    const { id } = await lastCharge(payment);
    assert.equal((await detailOf(payment)).attempts[0]?.acquirer_reference, id);
    bench().acquirer.next('refund', { outcome: 'succeeded' as never });
    await send('refund', payment);
    assert.equal((await lastCharge(payment)).refundedMinor, 1250n);
  });

  test('a card that is charged after the offer was closed has its own reference', async () => {
    const { acquirer } = bench();
    const payment = await pay({ outcome: 'challenge', fault: 'cut_after' });
    const { reference, id } = await lastCharge(payment);
    acquirer.sendEvent?.(reference, 'OFFER_CLOSED', true, { pspReference: 'OFFER00000000001' });
    await deliver();
    assert.equal((await detailOf(payment)).attempts[0]?.acquirer_reference, undefined);
    await acquirer.receiveFunds(reference);
    await deliver();
    assert.equal((await detailOf(payment)).attempts[0]?.acquirer_reference, id);
  });

  test('an automatic capture that fails is shown and logged', async () => {
    const { acquirer, fixture } = bench();
    const payment = await pay();
    await deliver();
    const { reference, id } = await lastCharge(payment);
    const ids = { pspReference: 'CAPTURE000000001', originalReference: id };
    acquirer.sendEvent?.(reference, 'CAPTURE_FAILED', true, { ...ids, reason: 'Rejected by the scheme' });
    await deliver();
    assert.equal(await statusOf(payment), 'confirmed');
    assert.ok((await timelineOf(payment)).some((detail) => detail.includes('could not be captured')));
    assert.match(fixture.log(), /"charge could not be captured"/);
  });

  test('a cancellation of an approved charge is shown and logged', async () => {
    const { acquirer, fixture } = bench();
    const payment = await pay();
    await deliver();
    const { reference, id } = await lastCharge(payment);
    const ids = { pspReference: 'CANCEL0000000001', originalReference: id };
    acquirer.sendEvent?.(reference, 'TECHNICAL_CANCEL', true, ids);
    await deliver();
    assert.equal(await statusOf(payment), 'confirmed');
    assert.ok(
      (await timelineOf(payment)).some((detail) => detail.includes('both as approved and as declined or canceled')),
    );
    assert.match(fixture.log(), /both as approved and as declined or canceled/);
  });

  for (const step of ['charge', 'challenge'] as const)
    test(`an approval that arrives after the cancellation of the charge is shown and logged: ${step}`, async () => {
      const { acquirer, fixture } = bench();
      const countReports = () => fixture.log().split('both as approved and as declined or canceled').length;
      const before = countReports();
      const payment = await pay(
        step === 'charge' ? { outcome: 'approved', fault: 'cut_after' } : { outcome: 'challenge' },
      );
      if (step === 'challenge') await acquirer.receiveFunds((await lastCharge(payment)).reference);
      const [approval = assert.fail()] = acquirer.webhooks.drop();
      const { reference, id } = await lastCharge(payment);
      const ids = { pspReference: `CANCEL${step}`, originalReference: id };
      acquirer.sendEvent?.(reference, 'TECHNICAL_CANCEL', true, ids);
      await deliver();
      assert.equal(await statusOf(payment), 'pending');
      await acquirer.webhooks.send(approval);
      await fixture.work();
      assert.equal(await statusOf(payment), 'confirmed');
      assert.ok(
        (await timelineOf(payment)).some((detail) => detail.includes('both as approved and as declined or canceled')),
      );
      assert.equal(countReports(), before + 1);
    });

  test('another charge with the same key that is approved after a cancellation is no problem', async () => {
    const { acquirer, fixture } = bench();
    const payment = await pay({ outcome: 'approved', fault: 'cut_after' });
    const [approval = assert.fail()] = acquirer.webhooks.drop();
    const ids = { pspReference: 'CANCEL0000000003', originalReference: 'ANOTHER000000001' };
    acquirer.sendEvent?.((await lastCharge(payment)).reference, 'TECHNICAL_CANCEL', true, ids);
    await deliver();
    await acquirer.webhooks.send(approval);
    await fixture.work();
    assert.equal(await statusOf(payment), 'confirmed');
    assert.ok(
      !(await timelineOf(payment)).some((detail) => detail.includes('both as approved and as declined or canceled')),
    );
    assert.equal((await detailOf(payment)).attempts[0]?.acquirer_reference, (await lastCharge(payment)).id);
  });

  /** Sends dispute events of a charge, one after another: event, fields and additional data. */
  const dispute = async (payment: Payment, ...events: [string, (object | undefined)?, object?][]) => {
    const { acquirer, fixture } = bench();
    const { reference, id } = await lastCharge(payment);
    for (const [event, ids = { pspReference: `DISPUTE${id.slice(7)}`, originalReference: id }, data = {}] of events) {
      await fixture.advance(SECOND);
      const additionalData = { defensePeriodEndsAt: '2030-01-01T00:00:00+01:00', ...data };
      acquirer.sendEvent?.(reference, event, true, { ...ids, additionalData });
      await deliver();
    }
    return (await detailOf(payment)).disputes.map(({ state, respond_by }) => [state, respond_by]);
  };

  test('events that name only the payment update its dispute', async () => {
    const payment = await pay();
    await deliver();
    const onlyPayment = {};
    assert.deepEqual(await dispute(payment, ['CHARGEBACK'], ['CHARGEBACK_REVERSED', onlyPayment]), [['won', null]]);
    assert.deepEqual(await dispute(payment, ['SECOND_CHARGEBACK', onlyPayment]), [['lost', null]]);
    // With the setting that includes the reference of the payment, the other is that of the dispute.
    assert.deepEqual(await dispute(payment, ['PREARBITRATION_WON']), [['won', null]]);
  });

  test('a dispute that was answered stays under review when the amount is debited', async () => {
    for (const disputeStatus of ['Pending', undefined]) {
      const payment = await pay();
      await deliver();
      const states = await dispute(
        payment,
        ['NOTIFICATION_OF_CHARGEBACK', undefined, { disputeStatus: 'Undefended' }],
        ['INFORMATION_SUPPLIED', undefined, { disputeStatus: 'Pending' }],
        ['CHARGEBACK', undefined, disputeStatus === undefined ? {} : { disputeStatus }],
      );
      assert.deepEqual(states, [['under_review', null]], disputeStatus);
    }
  });

  for (const event of ['CANCELLATION', 'CANCEL_OR_REFUND'])
    test(`a void in the Customer Area (${event}) ends the authorization`, async () => {
      const { acquirer } = bench();
      const payment = await authorized();
      const { reference, id } = await lastCharge(payment);
      const ids = { pspReference: `${event.slice(0, 8)}00000001`, originalReference: id };
      acquirer.sendEvent?.(reference, event, false, ids);
      await deliver();
      assert.deepEqual(await captureStateOf(payment), ['waiting', 'authorized', 0]);
      acquirer.sendEvent?.(reference, event, true, ids);
      await deliver();
      assert.deepEqual(await captureStateOf(payment), ['failed', 'expired', 0]);
    });

  for (const action of ['void', 'capture'] as const)
    test(`a void in the Customer Area ends the authorization while a ${action} is pending`, async () => {
      const { acquirer, fixture } = bench();
      const payment = await authorized();
      const { reference, id } = await lastCharge(payment);
      await fixture.request(`/fiat/v1/transaction/${action}`, { body: { transaction_id: payment.link.reference } });
      const [result = assert.fail()] = acquirer.webhooks.drop();
      assert.deepEqual(await captureStateOf(payment), ['waiting', `${action}_pending`, 0]);
      const ids = { pspReference: `PENDING${action}`, originalReference: id };
      acquirer.sendEvent?.(reference, 'CANCELLATION', true, ids);
      await deliver();
      assert.deepEqual(await captureStateOf(payment), ['failed', action === 'void' ? 'voided' : 'expired', 0]);
      // The acquirer has captured it after all.
      await acquirer.webhooks.send(result);
      await fixture.work();
      const after = action === 'void' ? ['failed', 'voided', 0] : ['confirmed', 'captured', 12.5];
      assert.deepEqual(await captureStateOf(payment), after);
    });

  test('a notification that cannot be applied is tried again, and reported when it is abandoned', async () => {
    const { fixture } = bench();
    const payment = await pay({ outcome: 'approved', fault: 'cut_after' });
    const lost = await pay({ outcome: 'approved', fault: 'cut_after' });
    for (const { link } of [payment, lost]) await moveLastEventNumber(fixture, { payment: link.reference }, -1);
    await deliver();
    assert.deepEqual([await statusOf(payment), await statusOf(lost)], ['waiting', 'waiting']);
    await moveLastEventNumber(fixture, { payment: payment.link.reference }, 1);
    await fixture.advance(5 * SECOND);
    assert.equal(await statusOf(payment), 'confirmed');
    const isAbandoned = () => fixture.log().includes('notification abandoned: compare the payment with the acquirer');
    for (let day = 0; day < 11; day += 1) await fixture.advance(DAY);
    assert.equal(isAbandoned(), false);
    await fixture.advance(DAY);
    assert.equal(isAbandoned(), true);
    await moveLastEventNumber(fixture, { payment: lost.link.reference }, 1);
  });

  test('a result in another currency pays nothing', async () => {
    const { acquirer, fixture } = bench();
    const payment = await pay({ outcome: 'approved', fault: 'cut_after' });
    const { reference, amountMinor } = await lastCharge(payment);
    const [approval] = acquirer.webhooks.drop();
    assert.ok(approval);
    const amount = { currency: 'VND', value: Number(amountMinor) };
    acquirer.sendEvent?.(reference, 'AUTHORISATION', true, { amount, pspReference: 'ANOTHERPAYMENT01' });
    await deliver();
    assert.equal(await statusOf(payment), 'waiting');
    await acquirer.webhooks.send(approval);
    await fixture.work();
    assert.equal(await statusOf(payment), 'confirmed');

    const thai = { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 50 };
    const link = await createLink(fixture, thai);
    await startPayment(link, 'qr_code');
    const push = await lastCharge({ link });
    acquirer.sendEvent?.(push.reference, 'AUTHORISATION', true, { amount: { currency: 'VND', value: 5000 } });
    await deliver();
    assert.deepEqual([await statusOf({ link }), (await detailOf({ link })).amount_received], ['waiting', 0]);
    assert.match(fixture.log(), /in another currency/);
  });

  test('the buyer chooses one of Adyen’s banks', async () => {
    const malaysian = { payment_method: 'online_banking', country: 'MYS', currency: 'MYR', amount: 50 };
    const link = await createLink(bench().fixture, malaysian);
    const { methods } = await stateOf(link);
    const banking = methods.find(({ code }) => code === 'online_banking');
    assert.deepEqual(
      banking?.choices?.map(({ code }) => code),
      ['fpx_mb2u', 'fpx_cimbclicks', 'fpx_pbb'],
    );
    await startPayment(link, 'online_banking', 'fpx_pbb');
    await bench().acquirer.declinePayment((await lastCharge({ link })).reference);
    await deliver();
    assert.equal(await statusOf({ link }), 'pending');
  });

  const dutch = { payment_method: 'on_ramp_ideal', country: 'NLD', currency: 'EUR', amount: 50 };
  const refund = async (link: Link) => {
    bench().acquirer.next('refund', { outcome: 'succeeded' as never });
    await bench().fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: link.reference } });
    await deliver();
    return (await detailOf({ link })).refunded_amount;
  };

  test('a local payment that is received before the response to its start can be refunded', async () => {
    const { acquirer, fixture } = bench();
    const link = await createLink(fixture, dutch);
    acquirer.next('charge', { fault: 'late' });
    const arrival = acquirer.waitForRequest('charge');
    const started = tryStartPayment(link, 'on_ramp_ideal');
    await Promise.race([arrival, started.then(() => assert.fail('Adyen received no payment'))]);
    await acquirer.receiveFunds((await lastCharge({ link })).reference);
    await deliver();
    acquirer.releaseResponses();
    await started;
    assert.equal(await refund(link), 50);
    assert.equal((await lastCharge({ link })).refundedMinor, 5000n);
  });

  test('a local payment that an earlier release has received can be refunded', async () => {
    const link = await createLink(bench().fixture, dutch);
    await startPayment(link, 'on_ramp_ideal');
    await bench().acquirer.receiveFunds((await lastCharge({ link })).reference);
    await deliver();
    // Such a release did not store the reference of the payment.
    await db(bench().fixture.service().database)
      .updateTable('payment_instructions')
      .set({ acquirer_reference: null })
      .execute();
    assert.equal(await refund(link), 50);
    assert.equal((await lastCharge({ link })).refundedMinor, 5000n);
  });

  test('polls of local payments, which send nothing, do not count as calls', async () => {
    const { fixture, accountKey, acquirer } = bench();
    const link = await createLink(fixture, dutch);
    await startPayment(link, 'on_ramp_ideal');
    const measured = () => fixture.service().payments.acquirers.find(accountKey)?.health?.().calls;
    const before = measured();
    await fixture.advance(10 * MINUTE);
    assert.equal(measured(), before);
    await acquirer.receiveFunds((await lastCharge({ link })).reference);
    await deliver();
    assert.equal(await refund(link), 50);
    assert.equal(measured(), (before ?? 0) + 1);
  });

  test('no API key is logged', () => {
    assert.doesNotMatch(bench().fixture.log(), /AQEtestAdyen/);
  });
});
