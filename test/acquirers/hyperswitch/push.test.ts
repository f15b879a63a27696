// Databases: sqlite
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { toInstructions, expiryOf } from '../../../src/acquirers/hyperswitch/instructions.ts';
import { localMethods } from '../../../src/acquirers/hyperswitch/methods.ts';
import { NotProcessed } from '../../../src/acquirers/port.ts';
import { AlreadyWithdrawn, type PushPaymentRequest } from '../../../src/acquirers/push-port.ts';
import { MINUTE } from '../../../src/shared/time.ts';
import { openAccount, pushKey, pushRequest } from './connection.ts';

describe('push payments at Hyperswitch', async () => {
  const { vendor, push, clock } = await openAccount();
  after(async () => await vendor.close());
  beforeEach(() => vendor.reset());

  const request = (code: string, country: string, currency: PushPaymentRequest['currency'], change = {}) =>
    pushRequest(code, country, currency, clock, change);
  const nameOf = ({ instructionsKey }: PushPaymentRequest) => `pp_${instructionsKey}`;

  test('every method of every country has instructions, and is paid', async () => {
    const actions: Record<string, string> = {};
    for (const { method, country, currency } of localMethods) {
      const quote = request(method, country, currency);
      const { choices } = await push.listChoices(quote);
      const payment = {
        ...quote,
        choice: choices[0]?.code ?? null,
        payer: { name: 'Ana Lee', email: 'ana@shop.example' },
      };
      const issued = await push.issueInstructions(payment);
      actions[`${method} ${country}`] = issued.instructions.action;
      assert.equal(issued.acquirerReference, nameOf(payment));
      assert.ok(issued.expiresAt <= payment.expiresAt);
      assert.equal((await push.fetchPayment(pushKey(payment)))?.state, 'open');
      vendor.receiveFunds(nameOf(payment));
      const paid = await push.fetchPayment(pushKey(payment));
      assert.equal(paid?.state, 'closed');
      assert.deepEqual(
        paid?.receipts.map(({ receiptKey, amountMinor }) => [receiptKey, amountMinor]),
        [[nameOf(payment), 250_000n]],
      );
    }
    assert.deepEqual(actions, {
      'on_ramp_ideal NLD': 'redirect',
      'qr_code THA': 'qr',
      'qr_code VNM': 'qr',
      'online_banking MYS': 'redirect',
      'online_banking THA': 'redirect',
      'upi IND': 'app_intent',
      'gcash_ewallet PHL': 'redirect',
      'momo_ewallet VNM': 'redirect',
    });
  });

  test('a repeated request has the same instructions', async () => {
    const payment = request('qr_code', 'THA', 'THB');
    const issued = await push.issueInstructions(payment);
    assert.deepEqual(await push.issueInstructions(payment), issued);
    const lost = request('qr_code', 'VNM', 'VND');
    vendor.next('charge', { fault: 'cut_after' });
    await assert.rejects(push.issueInstructions(lost), (error) => !(error instanceof NotProcessed));
    const { instructions } = await push.issueInstructions(lost);
    assert.equal(instructions.action === 'qr' && instructions.scheme, 'vietqr');
  });

  test('withdrawn instructions are never issued, and late payments count', async () => {
    const unknown = request('qr_code', 'THA', 'THB');
    assert.equal(await push.fetchPayment(pushKey(unknown)), null);
    assert.equal((await push.withdraw(pushKey(unknown)))?.state, 'closed');
    await assert.rejects(push.issueInstructions(unknown), AlreadyWithdrawn);

    const open = request('gcash_ewallet', 'PHL', 'PHP');
    await push.issueInstructions(open);
    assert.equal((await push.withdraw(pushKey(open)))?.state, 'closed');
    assert.equal((await push.withdraw(pushKey(open)))?.state, 'closed');
    vendor.receiveFunds(nameOf(open));
    assert.equal((await push.fetchPayment(pushKey(open)))?.receipts.length, 1);

    const paid = request('momo_ewallet', 'VNM', 'VND');
    await push.issueInstructions(paid);
    vendor.receiveFunds(nameOf(paid));
    assert.equal((await push.withdraw(pushKey(paid)))?.receipts.length, 1);
  });

  test('a different amount is one receipt; refusals and expiries have none', async () => {
    const less = request('gcash_ewallet', 'PHL', 'PHP');
    await push.issueInstructions(less);
    vendor.receiveFunds(nameOf(less), 100_000n);
    const partial = await push.fetchPayment(pushKey(less));
    assert.deepEqual(
      partial?.receipts.map(({ amountMinor }) => amountMinor),
      [100_000n],
    );

    const refused = request('online_banking', 'MYS', 'MYR', { choice: 'maybank' });
    await push.issueInstructions(refused);
    vendor.declinePayment(nameOf(refused));
    assert.equal((await push.fetchPayment(pushKey(refused)))?.state, 'refused');

    const expired = request('upi', 'IND', 'INR');
    await push.issueInstructions(expired);
    vendor.expire(nameOf(expired));
    assert.equal((await push.fetchPayment(pushKey(expired)))?.state, 'closed');

    vendor.next('charge', { outcome: 'declined' });
    await assert.rejects(
      push.issueInstructions(request('upi', 'IND', 'INR')),
      /no next action to show for upi: failed/,
    );
  });

  test('unsupported payments are refused before a request', async () => {
    const before = vendor.requests.length;
    for (const payment of [
      ...[request('maya_ewallet', 'PHL', 'PHP'), request('virtual_account', 'NGA', 'NGN')],
      ...[request('online_banking', 'MYS', 'MYR'), request('online_banking', 'THA', 'THB', { choice: 'maybank' })],
      request('upi', 'IND', 'INR', { choice: 'maybank' }),
    ])
      await assert.rejects(push.issueInstructions(payment), NotProcessed);
    assert.equal(vendor.requests.length, before);
  });

  test('the session ends with the transaction, within the limits of Hyperswitch', async () => {
    const seconds = async (expiresIn: number) => {
      await push.issueInstructions(request('qr_code', 'THA', 'THB', { expiresAt: clock.now() + expiresIn }));
      return Object(vendor.requests.at(-1)?.body).session_expiry as number;
    };
    assert.equal(await seconds(MINUTE / 2), 60);
    assert.ok(Math.abs((await seconds(30 * MINUTE)) - 1800) <= 1);
    assert.equal(await seconds(365 * 24 * 60 * MINUTE), 7_890_000);
  });
});

test('timestamps of instructions are milliseconds, or nanoseconds for UPI', () => {
  const ms = Date.parse('2026-11-21T09:15:00Z');
  const transactionExpiresAt = (ms + 3_600_000) * 1000;
  const qr = (display_to_timestamp: number | null) =>
    ({ type: 'qr_code_information', raw_qr_data: 'qr', display_to_timestamp }) as const;
  const upi = { type: 'invoke_upi_intent_sdk', sdk_uri: 'upi://pay?pa=a', display_to_timestamp: ms * 1e6 } as const;
  assert.equal(expiryOf(qr(ms), transactionExpiresAt), ms * 1000);
  assert.equal(expiryOf(upi, transactionExpiresAt), ms * 1000);
  assert.equal(expiryOf(qr(ms * 2), transactionExpiresAt), transactionExpiresAt);
  assert.equal(expiryOf(qr(null), transactionExpiresAt), transactionExpiresAt);
  assert.deepEqual(toInstructions(upi, { country: 'IND' }), {
    ...{ action: 'app_intent', deepLink: 'upi://pay?pa=a', qrPayload: 'upi://pay?pa=a', webUrl: null },
  });
});
