// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NotProcessed, type CardCharge, type ChargeOutcome } from '../../../src/acquirers/port.ts';
import type { RefundRequest } from '../../../src/acquirers/refund.ts';
import { paidTwice } from '../simulators/charges.ts';
import { visitPage } from '../simulators/raw-client.ts';
import { type AdyenAccount, cardCharge, challengedCard, chargeKey, newKey, openAccount } from './account.ts';

describe('cards through Adyen', () => {
  let account: AdyenAccount;
  before(async () => {
    account = await openAccount();
  });
  after(async () => {
    await account.vendor.close();
    assert.deepEqual(paidTwice(account.vendor.charges()), []);
  });

  const pay = async (change: Partial<CardCharge> = {}) => {
    const charge = cardCharge(change);
    const outcome = await account.connection.card.charge(charge);
    return { charge, outcome, key: chargeKey(charge, outcome.reference ?? null) };
  };
  /** Outcomes in the webhooks that wait, by attempt key. */
  const reported = () =>
    account
      .notifications()
      .flatMap((each): [string, ChargeOutcome['kind']][] =>
        each.kind === 'charge' ? [[each.attemptKey, each.outcome.kind]] : [],
      );
  /** The buyer completes the challenge. Returns the parameters of the browser's return. */
  const challenge = (result: 'authenticated' | 'failed') =>
    account.vendor.completeChallenge(account.lastReference(), result)?.fields ?? {};

  test('are approved, with and without 3-D Secure', async () => {
    const plain = await pay();
    assert.equal(plain.outcome.kind, 'approved');
    assert.ok(plain.outcome.reference);
    account.vendor.next('charge', { outcome: 'frictionless' });
    const { outcome, charge } = await pay();
    assert.equal(outcome.kind === 'approved' && outcome.threeDSecure, true);
    assert.deepEqual(reported(), [
      [plain.charge.attemptKey, 'approved'],
      [charge.attemptKey, 'approved'],
    ]);
  });

  test('are declined with a reason', async () => {
    account.vendor.next('charge', { outcome: 'declined', code: '12' });
    const { outcome, charge } = await pay();
    assert.deepEqual(outcome.kind === 'declined' && [outcome.decline.code, outcome.decline.advice], [
      'insufficient_funds',
      'use_other_card',
    ]);
    for (const result of ['cancelled', 'error'] as const) {
      account.vendor.next('charge', { outcome: result });
      assert.equal((await pay()).outcome.kind, 'declined');
    }
    assert.deepEqual(reported()[0], [charge.attemptKey, 'declined']);
  });

  test('are approved in the US and Canada without a state', async () => {
    for (const country of ['US', 'CA'])
      assert.equal((await pay({ payer: { ...cardCharge().payer, country, state: '' } })).outcome.kind, 'approved');
    account.vendor.webhooks.drop();
  });

  test('without a result are unknown, native 3-D Secure included', async () => {
    for (const result of ['pending', 'received', 'native'] as const) {
      account.vendor.next('charge', { outcome: result });
      assert.equal((await pay()).outcome.kind, 'unknown', result);
    }
  });

  test('with a challenge are approved by the result of the return, even if repeated', async () => {
    const { outcome, key } = await pay({ card: challengedCard });
    assert.ok(outcome.kind === 'challenge');
    assert.equal(outcome.challenge.method, 'GET');
    assert.match((await visitPage(outcome.challenge.url)).html, /EUR 1250/);
    const returned = challenge('authenticated');
    const completed = await account.connection.card.complete(key, returned);
    assert.equal(completed?.kind, 'approved');
    assert.deepEqual(await account.connection.card.complete(key, returned), completed);
    assert.deepEqual(reported(), [[key.attemptKey, 'approved']]);
  });

  test('with a failed challenge are declined', async () => {
    const { key } = await pay({ card: challengedCard });
    const outcome = await account.connection.card.complete(key, challenge('failed'));
    assert.equal(outcome?.kind === 'declined' && outcome.decline.code, 'authentication_failed');
    assert.deepEqual(reported(), [[key.attemptKey, 'declined']]);
  });

  test('ignore results of other payments, and returns without a result', async () => {
    const cheap = await pay({ card: challengedCard, amountMinor: 1n });
    const returned = challenge('authenticated');
    const expensive = await pay({ card: challengedCard, amountMinor: 100_000n });
    const { complete } = account.connection.card;
    assert.equal(await complete(expensive.key, returned), null);
    assert.equal(await complete({ ...expensive.key, reference: cheap.key.reference }, returned), null);
    assert.equal(await complete(expensive.key, { redirectResult: 'invented' }), null);
    assert.equal(await complete(expensive.key, { paid: '1' }), null);
    assert.equal(account.vendor.charges().at(-1)?.state, 'open');
    account.vendor.webhooks.drop();
  });

  test('with an abandoned challenge are declined by the webhook of the cancellation', async () => {
    const { key } = await pay({ card: challengedCard });
    assert.deepEqual(await account.connection.card.abandon(key), { kind: 'unknown' });
    assert.deepEqual(reported(), [[key.attemptKey, 'declined']]);
    assert.equal(account.vendor.charges().at(-1)?.state, 'cancelled');
  });

  test('are charged once under one key', async () => {
    const charge = cardCharge();
    const outcomes = [await account.connection.card.charge(charge), await account.connection.card.charge(charge)];
    assert.deepEqual(outcomes[0], outcomes[1]);
    assert.equal(reported().length, 1);
  });

  test('without a response are unknown; their webhook reports the outcome, and abandoning them changes nothing', async () => {
    for (const fault of ['cut_after', 'truncated_response', 'http_500_after'] as const) {
      account.vendor.next('charge', { fault });
      const charge = cardCharge();
      await assert.rejects(account.connection.card.charge(charge), (error) => !(error instanceof NotProcessed));
      assert.deepEqual(await account.connection.card.abandon(chargeKey(charge, null)), { kind: 'unknown' });
      assert.deepEqual(reported(), [[charge.attemptKey, 'approved']], fault);
    }
  });

  test('that time out, before or after Adyen charged them, are resolved by its webhooks', async () => {
    for (const [fault, kind] of [
      ['silent', 'declined'],
      ['silent_after', 'approved'],
    ] as const) {
      account.vendor.next('charge', { fault });
      const arrived = account.vendor.waitForRequest('charge');
      const charge = cardCharge();
      const failed = assert.rejects(account.connection.card.charge(charge), (error: Error) => {
        return !(error instanceof NotProcessed) && error.message.includes('timeout');
      });
      await arrived;
      account.expireCalls();
      await failed;
      await account.connection.card.abandon(chargeKey(charge, null));
      assert.deepEqual(reported(), [[charge.attemptKey, kind]], fault);
    }
  });

  test('that Adyen never received are declined once they are abandoned', async () => {
    for (const fault of ['cut_before', 'http_503', 'bad_gateway'] as const) {
      account.vendor.next('charge', { fault });
      const charge = cardCharge();
      await assert.rejects(account.connection.card.charge(charge), (error) => !(error instanceof NotProcessed));
      await account.connection.card.abandon(chargeKey(charge, null));
      assert.deepEqual(reported(), [[charge.attemptKey, 'declined']], fault);
    }
  });

  test('that arrive after the first cancellation are canceled by the next', async () => {
    const charge = cardCharge({ card: challengedCard });
    const key = chargeKey(charge, null);
    await account.connection.card.abandon(key);
    await account.connection.card.charge(charge);
    await account.connection.card.abandon(key);
    assert.deepEqual(reported(), [
      [charge.attemptKey, 'declined'],
      [charge.attemptKey, 'declined'],
    ]);
    assert.equal(account.vendor.charges().at(-1)?.state, 'cancelled');
  });

  test('refused by the rate limit were not sent', async () => {
    account.vendor.next('charge', { fault: 'rate_limited' });
    await assert.rejects(pay(), NotProcessed);
  });

  test('partially authorized are reversed and declined, whatever the webhook reports', async () => {
    account.vendor.next('charge', { outcome: 'partially_authorized' });
    const { outcome } = await pay();
    assert.equal(outcome.kind === 'declined' && outcome.decline.code, 'insufficient_funds');
    const last = account.vendor.charges().at(-1);
    assert.deepEqual([last?.paidMinor, last?.refundedMinor], [625n, 625n]);
    assert.deepEqual(reported(), []);
  });

  test('partially authorized are unknown if the reversal fails: no other account is tried', async () => {
    for (const fault of ['rate_limited', 'cut_before'] as const) {
      account.vendor.next('charge', { outcome: 'partially_authorized' });
      account.vendor.next('reverse', { fault });
      await assert.rejects(pay(), (error) => error instanceof Error && !(error instanceof NotProcessed));
    }
    account.vendor.webhooks.drop();
  });

  test('are reversed once', async () => {
    const { key } = await pay();
    await account.connection.card.reverse(key);
    await account.connection.card.reverse(key);
    const last = account.vendor.charges().at(-1);
    assert.equal(last?.refundedMinor, last?.paidMinor);
    await assert.rejects(account.connection.card.reverse({ ...key, reference: null }));
    const unknown = await account.connection.card.reverse({
      ...key,
      attemptKey: newKey(),
      reference: 'UNKNOWN0PAYMENT0',
    });
    assert.deepEqual(unknown, { kind: 'refused', code: 'adyen_167' });
    account.vendor.webhooks.drop();
  });

  const refundOf = ({ attemptKey, reference }: { attemptKey: string; reference: string | null }): RefundRequest => {
    const key = { refundKey: newKey(), reference: null, chargeKey: attemptKey, chargeReference: reference };
    return { ...key, amountMinor: 1000n, currency: 'EUR' };
  };
  const refunds = () =>
    account.notifications().flatMap((each) => (each.kind === 'refund' ? [[each.refundKey, each.outcome.kind]] : []));

  test('are refunded once under one key, and the webhook reports the result', async () => {
    const { key } = await pay();
    account.vendor.webhooks.drop();
    const request = refundOf(key);
    const first = await account.connection.card.refund(request);
    assert.equal(first.kind, 'pending');
    assert.deepEqual(await account.connection.card.refund(request), first);
    assert.deepEqual(await account.connection.card.refund({ ...request, reference: first.reference ?? null }), first);
    account.vendor.settleRefund(`refund_${request.refundKey}`, 'succeeded');
    assert.deepEqual(refunds(), [[request.refundKey, 'succeeded']]);
    assert.equal(account.vendor.charges().at(-1)?.refundedMinor, 1000n);
  });

  test('report refused and late failed refunds', async () => {
    const { key } = await pay();
    account.vendor.webhooks.drop();
    for (const result of ['failed', 'failed_late'] as const) {
      const request = refundOf(key);
      account.vendor.next('refund', { outcome: result });
      assert.equal((await account.connection.card.refund(request)).kind, 'pending');
      const expected = result === 'failed' ? ['refused'] : ['succeeded', 'refused'];
      assert.deepEqual(
        refunds(),
        expected.map((kind) => [request.refundKey, kind]),
      );
    }
  });

  test('report captures and voids that Adyen rejects, and amounts that it does not accept, as refused', async () => {
    const { key } = await pay();
    account.vendor.webhooks.drop();
    const { manualCapture } = account.connection.card;
    assert.ok(manualCapture);
    const request = { charge: { ...key, reference: 'UNKNOWN0PAYMENT0' }, modificationKey: newKey(), reference: null };
    assert.deepEqual(await manualCapture.capture({ ...request, amountMinor: 1000n }), {
      ...{ kind: 'refused', code: 'adyen_167', detail: 'Adyen rejected the capture.' },
    });
    assert.deepEqual(await manualCapture.void(request), {
      ...{ kind: 'refused', code: 'adyen_167', detail: 'Adyen rejected the void.' },
    });
    const rupiah = { ...request, charge: { ...key, currency: 'IDR' as const }, amountMinor: 150_050n };
    const unsupported = await manualCapture.capture(rupiah);
    assert.equal(unsupported.kind === 'refused' && unsupported.code, 'unsupported_amount');
    const unknown = { ...request, charge: { ...key, reference: null } };
    await assert.rejects(manualCapture.void(unknown), /no Adyen reference/);
    const refund = await account.connection.card.refund({ ...refundOf(key), currency: 'IDR', amountMinor: 150_050n });
    assert.equal(refund.kind === 'refused' && refund.code, 'unsupported_amount');
  });

  test('report a refund without a response as unknown, and a rejected one as refused', async () => {
    const { key } = await pay();
    account.vendor.webhooks.drop();
    const request = refundOf(key);
    account.vendor.next('refund', { fault: 'cut_after' });
    await assert.rejects(account.connection.card.refund(request));
    // The same key again: Adyen returns its first response.
    assert.equal((await account.connection.card.refund(request)).kind, 'pending');
    assert.equal(account.vendor.charges().at(-1)?.refundedMinor, 1000n);
    const unknown = { ...refundOf(key), chargeReference: 'UNKNOWN0PAYMENT0' };
    assert.deepEqual(await account.connection.card.refund(unknown), {
      ...{ kind: 'refused', code: 'adyen_167', detail: 'Adyen rejected the refund.' },
    });
    await assert.rejects(account.connection.card.refund({ ...request, chargeReference: null }), /no Adyen reference/);
  });
});
