import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PushPaymentKey } from '../../../src/acquirers/push-port.ts';
import type { CurrencyCode } from '../../../src/api/currency.ts';
import { DAY, MINUTE } from '../../../src/shared/time.ts';
import { db } from '../../support/tables.ts';
import { type BenchSteps, localMethodOf, type Payment, portsOf } from './bench.ts';
import type { Subject } from './subject.ts';

/** Push payments by a local method of the adapter. */
export function pushCases(subject: Subject, steps: BenchSteps): void {
  const { bench, newPayment, lastCharge, statusOf, detailOf, deliver, settle, startMethod } = steps;
  const local = localMethodOf(subject);
  if (!local) return;
  const { capability, fields } = local;

  const start = async () => {
    const payment = await newPayment(fields);
    const { status, body, text } = await startMethod(payment, capability.method);
    assert.equal(status, 200, text);
    assert.ok(body.started.instructions);
    return { ...payment, reference: (await lastCharge(payment)).reference };
  };

  /** The key of a payment's instructions in calls of the adapter. */
  const keyOf = async ({ link }: Payment): Promise<PushPaymentKey> => {
    const row = await db(bench().fixture.service().database)
      .selectFrom('payment_instructions as instructions')
      .innerJoin('fiat_transactions as transaction', 'transaction.id', 'instructions.fiat_transaction_id')
      .select(['instructions_key', 'acquirer_reference', 'instructions.amount_minor', 'currency'])
      .where('transaction.transaction_id', '=', link.reference)
      .executeTakeFirstOrThrow();
    return {
      instructionsKey: row.instructions_key,
      acquirerReference: row.acquirer_reference,
      amountMinor: BigInt(row.amount_minor),
      currency: row.currency as CurrencyCode,
    };
  };

  test('push payment: its webhook confirms it, twice or late', async () => {
    const { webhooks } = bench().acquirer;
    const payment = await start();
    await bench().acquirer.receiveFunds(payment.reference);
    const first = webhooks.history.length - webhooks.pending.length;
    await webhooks.deliverTwice();
    await bench().fixture.work();
    assert.equal(await statusOf(payment), 'confirmed');
    await webhooks.redeliver(webhooks.history.slice(first));
    await settle(MINUTE);
    assert.equal((await detailOf(payment)).amount_received, 500);
  });

  test('push payment without a webhook: found by polling, if the acquirer can be polled', async () => {
    const payment = await start();
    await bench().acquirer.receiveFunds(payment.reference);
    bench().acquirer.webhooks.drop();
    await bench().fixture.advance(6 * MINUTE);
    const canPoll = (await portsOf(steps).push.fetchPayment(await keyOf(payment))) !== null;
    assert.equal(await statusOf(payment), canPoll ? 'confirmed' : 'waiting');
  });

  test('push payment refused by the payer: another attempt is possible', async () => {
    const payment = await start();
    await bench().acquirer.declinePayment(payment.reference);
    await deliver();
    assert.equal(await statusOf(payment), 'pending');
    const { status, text } = await startMethod(payment, capability.method);
    assert.equal(status, 200, text);
  });

  test('push payment after the expiry: counts, as the capability declares', async () => {
    const payment = await start();
    await settle(3 * DAY);
    assert.equal(await statusOf(payment), 'failed');
    await bench().acquirer.receiveFunds(payment.reference);
    await deliver();
    assert.equal((await detailOf(payment)).amount_received, capability.latePayments ? 500 : 0);
  });

  if (capability.refunds !== 'none')
    test('push payment: refunded in full', async () => {
      const payment = await start();
      await bench().acquirer.receiveFunds(payment.reference);
      await deliver();
      bench().acquirer.next('refund', { outcome: 'pending' });
      const body = { transaction_id: payment.link.reference };
      const { status, text } = await bench().fixture.request('/fiat/v1/transaction/refund', { body });
      assert.equal(status, 200, text);
      await bench().acquirer.settleRefund((await bench().acquirer.refunds()).at(-1) ?? '', 'succeeded');
      await settle(MINUTE);
      assert.equal((await detailOf(payment)).refunded_amount, 500);
    });
}
