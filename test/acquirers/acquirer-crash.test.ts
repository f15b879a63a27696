// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR, MINUTE } from '../../src/shared/time.ts';
import { submission } from '../support/requests.ts';
import {
  cardCapabilityOf,
  knowsUnreceived,
  localMethodOf,
  newCard,
  type Payment,
  useBench,
} from './conformance/bench.ts';
import { serveUntilKilled, type Start, startKilledService } from './conformance/killed-service.ts';
import type { Subject } from './conformance/subject.ts';
import { cardSubjects } from './conformance/subjects.ts';

/** A call is cut before the acquirer carries it out, or afterward, before its response. */
const moments = [
  { moment: 'before', fault: 'silent' },
  { moment: 'after', fault: 'silent_after' },
] as const;

/** The payments whose calls hang when the process is killed. */
type Interrupted = Record<'charged' | 'challenged' | 'refunded', Payment> & {
  returnPath: string;
  /** Null without manual capture. */
  authorized: Record<'captured' | 'voided', Payment> | null;
  /** Null without a local method. */
  started: Payment | null;
};

function crashCases(subject: Subject): void {
  const steps = useBench(subject);
  const { bench, pay, newPayment, submit, deliver, settle, statusOf, detailOf, lastCharge } = steps;
  const local = localMethodOf(subject);
  const canCapture = cardCapabilityOf(subject)?.manualCapture !== undefined;

  const authorizing = { outcome: 'approved' } as const;
  const manual = { capture: 'manual' };

  test('killed at each call: charged, captured and refunded at most once, every outcome found', async () => {
    const { fixture, acquirer } = bench();
    const service = await startKilledService(import.meta.filename, subject, bench());
    const post = (body: object, token: string): RequestInit => ({
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const interrupted: Record<string, Interrupted> = {};
    try {
      for (const { moment, fault } of moments) {
        const challenged = await pay({ outcome: 'challenge' });
        const navigation = await steps.completeChallenge(challenged, 'authenticated', { returns: false });
        acquirer.webhooks.drop();
        const { pathname, search } = new URL(navigation.url);
        const refunded = await pay();
        await deliver();
        const authorized = canCapture
          ? { captured: await pay(authorizing, manual), voided: await pay(authorizing, manual) }
          : null;
        await deliver();
        const [charged, started] = [await newPayment(), local && (await newPayment(local.fields))];

        const card = submission(charged.link.reference, newCard());
        const { token } = fixture.merchant;
        await service.hang('charge', { outcome: 'approved', fault }, '/fiat/v1/transaction/submit', post(card, token));
        await service.hang(subject.outcomeCall, { fault }, pathname + search, {});
        const refund = post({ transaction_id: refunded.link.reference }, token);
        await service.hang('refund', { outcome: 'pending', fault }, '/fiat/v1/transaction/refund', refund);
        if (authorized) {
          const capture = post({ transaction_id: authorized.captured.link.reference, amount: 10 }, token);
          await service.hang('capture', { fault }, '/fiat/v1/transaction/capture', capture);
          const release = post({ transaction_id: authorized.voided.link.reference }, token);
          await service.hang(subject.voidCall, { fault }, '/fiat/v1/transaction/void', release);
        }
        if (local && started) {
          const method = post({ payment_method: local.capability.method }, (await steps.tokenOf(started)) ?? '');
          await service.hang('charge', { fault }, `${started.link.path}/method`, method);
        }
        interrupted[moment] = { charged, challenged, refunded, authorized, started, returnPath: pathname + search };
      }
    } finally {
      await service.kill();
    }

    const { before, after } = interrupted;
    assert.ok(before && after);
    await settle(MINUTE);
    // The payer reloads the page of their return.
    for (const { returnPath } of [before, after]) await fixture.request(returnPath, { token: null });
    await settle(HOUR);
    for (const reference of await acquirer.refunds()) await acquirer.settleRefund(reference, 'succeeded');
    await settle(HOUR);

    await steps.assertNotCharged(before.charged);
    const isCertain = await knowsUnreceived(steps);
    assert.equal(await statusOf(before.charged), isCertain ? 'pending' : 'waiting');
    if (isCertain) {
      await submit(before.charged);
      await deliver();
      await steps.assertChargedOnce(before.charged);
    }
    for (const payment of [after.charged, before.challenged, after.challenged]) await steps.assertChargedOnce(payment);
    for (const { authorized } of [before, after]) {
      if (!authorized) continue;
      const { captured, voided } = authorized;
      const { status, amount_received: received } = await detailOf(captured);
      assert.deepEqual([status, received], ['transaction_status_confirmed', 10]);
      assert.equal((await lastCharge(captured)).paidMinor, 1000n);
      assert.equal((await detailOf(voided)).authorization?.status, 'voided');
      assert.equal((await lastCharge(voided)).state, 'cancelled');
    }
    for (const { refunded, started } of [before, after]) {
      const { refunds, refunded_amount } = await detailOf(refunded);
      assert.deepEqual([refunds.map(({ state }) => state), refunded_amount], [['succeeded'], 12.5]);
      assert.equal((await lastCharge(refunded)).refundedMinor, 1250n);
      if (!local || !started) continue;
      assert.equal(await statusOf(started), 'pending');
      const { status, text } = await steps.startMethod(started, local.capability.method);
      assert.equal(status, 200, text);
      await acquirer.receiveFunds((await lastCharge(started)).reference);
      await deliver();
      assert.deepEqual([await statusOf(started), (await detailOf(started)).amount_received], ['confirmed', 500]);
    }
  });
}

// This file is also the program of the killed process.
const { KILLED_SERVICE } = process.env;
if (KILLED_SERVICE) await serveUntilKilled(JSON.parse(KILLED_SERVICE) as Start);
for (const subject of KILLED_SERVICE ? [] : cardSubjects)
  describe(`a process of the service with an account at ${subject.adapter.displayName}`, () => crashCases(subject));
