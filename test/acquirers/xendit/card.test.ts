// Databases: sqlite
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { NotProcessed } from '../../../src/acquirers/port.ts';
import { paidTwice } from '../simulators/charges.ts';
import { type Fault, faults } from '../simulators/faults.ts';
import { visitPage } from '../simulators/raw-client.ts';
import { cardCharge, chargeKey, openAccount, testCards } from './connection.ts';

describe('cards at Xendit', async () => {
  const { vendor, card, parseWebhook } = await openAccount();
  after(async () => {
    assert.deepEqual(paidTwice(vendor.charges()), []);
    await vendor.close();
  });
  beforeEach(() => {
    vendor.reset();
    vendor.webhooks.drop();
  });

  const chargeOf = (key: string) => vendor.charges().find(({ reference }) => reference === key);

  test('an approved charge, found by its ID and by its reference', async () => {
    const charge = cardCharge();
    const outcome = await card.charge(charge);
    assert.deepEqual(outcome, { kind: 'approved', reference: chargeOf(charge.attemptKey)?.id });
    assert.deepEqual(await card.fetchOutcome(chargeKey(charge, outcome.reference ?? '')), outcome);
    assert.deepEqual(await card.fetchOutcome(chargeKey(charge, null)), outcome);
    assert.equal(chargeOf(charge.attemptKey)?.paidMinor, 1250n);
  });

  test('a charge sent twice is charged once, and both get its outcome', async () => {
    const charge = cardCharge();
    const first = await card.charge(charge);
    assert.deepEqual(await card.charge(charge), first);
    vendor.next('charge', { outcome: 'declined', code: 'STOLEN_CARD' });
    const declined = cardCharge();
    const refused = await card.charge(declined);
    assert.deepEqual(await card.charge(declined), refused);
    // An open challenge has no transaction yet.
    const challenge = cardCharge(testCards.challenge);
    assert.equal((await card.charge(challenge)).kind, 'challenge');
    assert.deepEqual(await card.charge(challenge), { kind: 'unknown' });
    assert.equal(vendor.charges().filter(({ reference }) => reference === challenge.attemptKey).length, 1);
  });

  test('a duplicate charge that was partially captured in the dashboard is refunded by the captured amount', async () => {
    const charge = { ...cardCharge(), capture: 'manual' as const };
    const { reference = '' } = await card.charge(charge);
    vendor.captureOutside(charge.attemptKey, 500n);
    await card.reverse(chargeKey(charge, reference));
    vendor.settleRefund(`${charge.attemptKey}-reversal`, 'succeeded');
    const { paidMinor, refundedMinor } = chargeOf(charge.attemptKey) ?? assert.fail();
    assert.deepEqual([paidMinor, refundedMinor], [500n, 500n]);
  });

  test('a duplicate authorization is released once, even if the response is lost', async () => {
    const charge = cardCharge(testCards.approved, { capture: 'manual' });
    const { reference = '' } = await card.charge(charge);
    vendor.next('cancelPayment', { fault: 'cut_after' });
    await assert.rejects(card.reverse(chargeKey(charge, reference)));
    assert.equal(chargeOf(charge.attemptKey)?.state, 'cancelled');
    assert.deepEqual(await card.reverse(chargeKey(charge, reference)), { kind: 'requested' });
  });

  test('a decline has the network’s response codes, if there are any', async () => {
    const decline = async (fault: Fault) => {
      vendor.next('charge', { outcome: 'declined', code: 'INSUFFICIENT_BALANCE' });
      vendor.next('fetchPayment', { fault });
      const outcome = await card.charge(cardCharge());
      assert.ok(outcome.kind === 'declined');
      return outcome;
    };
    const full = await decline('none');
    assert.deepEqual(full.details, { networkCode: '05', merchantAdviceCode: '03' });
    assert.deepEqual(full.decline, {
      ...{ code: 'insufficient_funds', network_code: '05', retryable: false, advice: 'do_not_retry' },
    });
    const plain = await decline('http_500');
    assert.equal(plain.details, undefined);
    assert.equal(plain.decline.advice, 'use_other_card');
  });

  test('the test amounts decline with their codes', async () => {
    const codes: [bigint, string][] = [
      ...([
        [10_051_00n, 'expired_card'],
        [10_054_00n, 'insufficient_funds'],
        [10_055_00n, 'card_declined'],
      ] as const),
      ...([
        [10_058_00n, 'incorrect_cvc'],
        [10_059_00n, 'card_declined'],
      ] as const),
    ].map(([amount, code]) => [amount, code]);
    for (const [amountMinor, code] of codes) {
      const outcome = await card.charge(cardCharge(testCards.approved, { amountMinor }));
      assert.equal(outcome.kind === 'declined' && outcome.decline.code, code);
    }
  });

  test('a challenge is completed, refused or abandoned', async () => {
    const open = async (number: string = testCards.challenge) => {
      const charge = cardCharge(number);
      const outcome = await card.charge(charge);
      assert.ok(outcome.kind === 'challenge' && outcome.reference !== undefined);
      assert.deepEqual([outcome.challenge.method, outcome.challenge.fields], ['GET', {}]);
      return { charge, url: outcome.challenge.url, key: chargeKey(charge, outcome.reference) };
    };
    const approved = await open();
    assert.equal((await card.fetchOutcome(approved.key))?.kind, 'challenge');
    const { location } = await visitPage(approved.url, { action: 'approve' });
    assert.equal(location, approved.charge.returnUrl);
    assert.equal((await card.fetchOutcome(approved.key))?.kind, 'approved');

    const refused = await open();
    await visitPage(refused.url, { action: 'refuse' });
    const failed = await card.fetchOutcome(refused.key);
    assert.equal(failed?.kind === 'declined' && failed.decline.code, 'authentication_failed');

    const left = await open();
    const abandoned = await card.abandon(left.key);
    assert.equal(abandoned.kind === 'declined' && abandoned.decline.code, 'authentication_abandoned');
    assert.deepEqual(await card.abandon(left.key), abandoned);
    assert.equal(chargeOf(left.charge.attemptKey)?.state, 'cancelled');

    const frictionless = await open(testCards.frictionless);
    assert.equal((await visitPage(frictionless.url)).location, frictionless.charge.returnUrl);
    assert.equal((await card.fetchOutcome(frictionless.key))?.kind, 'approved');

    const expired = await open();
    vendor.expire(expired.charge.attemptKey);
    const ended = await card.fetchOutcome(expired.key);
    assert.equal(ended?.kind === 'declined' && ended.decline.code, 'authentication_abandoned');
  });

  test('abandoning too late returns the approval', async () => {
    const charge = cardCharge(testCards.challenge);
    const { reference = null } = await card.charge(charge);
    vendor.completeChallenge(charge.attemptKey, 'authenticated');
    assert.equal((await card.abandon(chargeKey(charge, reference))).kind, 'approved');
  });

  test('a charge without a response is unknown until a transaction or a webhook identifies it', async () => {
    const lost = Object.keys(faults).filter((name): name is Fault =>
      [
        'cut_before',
        'cut_after',
        'truncated_response',
        'http_500',
        'http_500_after',
        'http_503',
        'bad_gateway',
      ].includes(name),
    );
    for (const fault of lost) {
      vendor.next('charge', { fault });
      const charge = cardCharge();
      await assert.rejects(card.charge(charge), (error) => !(error instanceof NotProcessed), fault);
      const found = faults[fault].isCarriedOut ? 'approved' : 'unknown';
      assert.equal((await card.fetchOutcome(chargeKey(charge, null)))?.kind, found, fault);
      assert.equal((await card.abandon(chargeKey(charge, null))).kind, found, fault);
    }
    // A challenge whose response was lost: its webhook has the ID.
    vendor.next('charge', { fault: 'cut_after' });
    const challenge = cardCharge(testCards.challenge);
    await assert.rejects(card.charge(challenge));
    assert.deepEqual(await card.fetchOutcome(chargeKey(challenge, null)), { kind: 'unknown' });
    vendor.webhooks.drop();
    vendor.expire(challenge.attemptKey);
    const [sent] = vendor.webhooks.drop();
    assert.ok(sent);
    const parsed = parseWebhook({ rawBody: Buffer.from(sent.body), headers: new Headers(sent.headers), now: 0 });
    const [notification] = parsed.kind === 'accepted' ? parsed.notifications : [];
    assert.ok(notification?.kind === 'charge_changed');
    const outcome = await card.fetchOutcome(chargeKey(challenge, notification.reference ?? null));
    assert.equal(outcome?.kind, 'declined');
  });

  test('rate-limited and refused charges count as not sent', async () => {
    vendor.next('charge', { fault: 'rate_limited' });
    await assert.rejects(card.charge(cardCharge()), NotProcessed);
    vendor.next('charge', { outcome: 'rejected', code: 'INVALID_VALUE_ERROR' });
    await assert.rejects(card.charge(cardCharge()), NotProcessed);
    vendor.next('charge', { outcome: 'rejected', code: 'CARD_EXPIRED' });
    const expired = await card.charge(cardCharge());
    assert.equal(expired.kind === 'declined' && expired.decline.code, 'expired_card');
  });

  test('a charge in progress stays unknown until it is paid', async () => {
    vendor.next('charge', { outcome: 'pending' });
    const charge = cardCharge();
    const { kind, reference = null } = await card.charge(charge);
    assert.equal(kind, 'unknown');
    vendor.receiveFunds(charge.attemptKey);
    assert.equal((await card.fetchOutcome(chargeKey(charge, reference)))?.kind, 'approved');
  });

  test('webhooks identify the charge, and forged ones are refused', async () => {
    const charge = cardCharge(testCards.challenge);
    const { reference } = await card.charge(charge);
    vendor.completeChallenge(charge.attemptKey, 'authenticated');
    const parse = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
      parseWebhook({ rawBody: Buffer.from(body), headers: new Headers(headers), now: 0 });
    for (const forgery of ['wrong_key', 'unsigned'] as const)
      assert.deepEqual(parse(vendor.webhooks.forge(forgery)), { kind: 'rejected', reason: 'bad_signature' });
    // A changed amount changes nothing: only the IDs are used.
    const changed = parse(vendor.webhooks.forge('changed'));
    const [sent] = vendor.webhooks.drop();
    assert.ok(sent);
    assert.deepEqual(parse(sent), changed);
    assert.ok(changed.kind === 'accepted');
    const [{ id: _, ...notification } = { id: '' }] = changed.notifications;
    assert.deepEqual(notification, { kind: 'charge_changed', attemptKey: charge.attemptKey, reference });
  });
});
