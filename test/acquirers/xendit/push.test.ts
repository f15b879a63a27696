// Databases: sqlite
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { localMethods } from '../../../src/acquirers/xendit/methods.ts';
import { NotProcessed } from '../../../src/acquirers/port.ts';
import { MINUTE, toMillis } from '../../../src/shared/time.ts';
import type { Fault } from '../simulators/faults.ts';
import { visitPage } from '../simulators/raw-client.ts';
import { apiError, openAccount, pushKey, pushRequest, recorder } from './connection.ts';

describe('local methods at Xendit', async () => {
  const { vendor, clock, push, card } = await openAccount({ accountBank: 'bca' });
  after(async () => await vendor.close());
  beforeEach(() => vendor.reset());

  const started = async (method: string, country: string, currency: 'THB' | 'VND' | 'IDR' | 'PHP' | 'MYR') => {
    const offered = localMethods.find((each) => each.method === method && each.country === country);
    const payment = pushRequest(method, country, currency, clock, { choice: offered?.banks?.[0]?.code ?? null });
    const issued = await push.issueInstructions(payment);
    return { payment, issued, key: pushKey(payment, issued.acquirerReference) };
  };
  const bodyOf = (reference: string) =>
    vendor.requests.findLast(({ body }) => (body as { reference_id?: string } | null)?.reference_id === reference)
      ?.body as any;

  for (const { method, country, currency, instructionsKind, banks, maximumValidity } of localMethods)
    test(`${method} in ${country} is issued, paid and reported`, async () => {
      const { choices } = await push.listChoices(pushRequest(method, country, currency, clock));
      assert.deepEqual(choices, banks ?? []);
      const { payment, issued, key } = await started(method, country, currency as 'THB');
      assert.equal(
        issued.instructions.action,
        { qr: 'qr', account: 'bank_details', page: 'redirect' }[instructionsKind],
      );
      assert.ok(issued.expiresAt <= payment.expiresAt);
      if (maximumValidity !== undefined) assert.ok(issued.expiresAt <= clock.now() + maximumValidity);
      const open = { state: 'open', receipts: [], confirmations: null, acquirerReference: issued.acquirerReference };
      assert.deepEqual(await push.fetchPayment(key), open);
      vendor.receiveFunds(payment.instructionsKey);
      const paid = await push.fetchPayment(key);
      assert.equal(paid?.state, 'closed');
      assert.equal(paid.receipts[0]?.amountMinor, payment.amountMinor);
      assert.match(paid.receipts[0]?.receiptKey ?? '', /^py-/);
      assert.deepEqual(await push.fetchPayment(key), paid);
      // Without the ID, it is found through the transaction.
      assert.deepEqual(await push.fetchPayment(pushKey(payment, null)), paid);
    });

  test('returns the code, account or page, and requests the right expiry', async () => {
    const qr = await started('qr_code', 'THA', 'THB');
    assert.ok(qr.issued.instructions.action === 'qr');
    assert.match(qr.issued.instructions.payload, /^000201/);
    assert.equal(qr.issued.instructions.scheme, 'promptpay');
    const account = await started('virtual_account', 'IDN', 'IDR');
    assert.ok(account.issued.instructions.action === 'bank_details');
    const [bank, number, amount] = account.issued.instructions.details;
    assert.deepEqual(bank, { name: 'bank_name', value: 'BCA' });
    assert.match(number?.value ?? '', /^\d{8,}$/);
    assert.deepEqual(amount, { name: 'amount', value: '2500.00' });
    const sent = bodyOf(account.payment.instructionsKey);
    assert.equal(sent.channel_code, 'BCA_VIRTUAL_ACCOUNT');
    assert.deepEqual(sent.channel_properties, {
      display_name: 'Cafe Dong Co',
      expires_at: new Date(toMillis(account.payment.expiresAt)).toISOString(),
    });
    const bankPage = await started('online_banking', 'MYS', 'MYR');
    assert.equal(bodyOf(bankPage.payment.instructionsKey).channel_code, 'MAYB2U_FPX');
    assert.ok(bankPage.issued.instructions.action === 'redirect');
    const { location } = await visitPage(bankPage.issued.instructions.url, { action: 'approve' });
    assert.equal(location, bankPage.payment.returnUrl);
    assert.equal((await push.fetchPayment(bankPage.key))?.receipts.length, 1);
    const wallet = await started('gcash_ewallet', 'PHL', 'PHP');
    assert.ok(wallet.issued.expiresAt <= clock.now() + 15 * MINUTE);
  });

  test('a virtual account reports a different amount than requested', async () => {
    const { payment, key } = await started('virtual_account', 'VNM', 'VND');
    vendor.receiveFunds(payment.instructionsKey, 200_000n);
    const paid = await push.fetchPayment(key);
    assert.equal(paid?.receipts[0]?.amountMinor, 200_000n);
  });

  test('refused, expired and withdrawn payments', async () => {
    const refused = await started('momo_ewallet', 'VNM', 'VND');
    vendor.declinePayment(refused.payment.instructionsKey);
    assert.equal((await push.fetchPayment(refused.key))?.state, 'refused');
    const expired = await started('truemoney_ewallet', 'THA', 'THB');
    vendor.expire(expired.payment.instructionsKey);
    assert.equal((await push.fetchPayment(expired.key))?.state, 'closed');
    assert.equal((await push.withdraw(expired.key))?.state, 'closed');
    const left = await started('grabpay_ewallet', 'PHL', 'PHP');
    assert.equal((await push.withdraw(left.key))?.state, 'closed');
    const late = await started('maya_ewallet', 'PHL', 'PHP');
    vendor.receiveFunds(late.payment.instructionsKey);
    assert.equal((await push.withdraw(late.key))?.receipts.length, 1);
    // Nothing is known of it, so a late payment must be expected.
    const unknown = pushRequest('qr_code', 'THA', 'THB', clock);
    assert.equal(await push.fetchPayment(pushKey(unknown, null)), null);
    assert.equal(await push.withdraw(pushKey(unknown, null)), null);
  });

  test('instructions without a response may exist; their receipts are found', async () => {
    for (const fault of ['cut_before', 'cut_after', 'http_500', 'http_503'] as const satisfies Fault[]) {
      vendor.next('charge', { fault });
      const payment = pushRequest('qr_code', 'THA', 'THB', clock);
      await assert.rejects(push.issueInstructions(payment), (error) => !(error instanceof NotProcessed), fault);
      assert.equal(await push.withdraw(pushKey(payment, null)), null, fault);
    }
    vendor.next('charge', { fault: 'cut_after' });
    const payment = pushRequest('qr_code', 'THA', 'THB', clock);
    await assert.rejects(push.issueInstructions(payment));
    vendor.receiveFunds(payment.instructionsKey);
    assert.equal((await push.fetchPayment(pushKey(payment, null)))?.receipts.length, 1);
  });

  test('unsupported or refused methods count as not sent', async () => {
    for (const payment of [
      pushRequest('qr_code', 'VNM', 'VND', clock),
      pushRequest('online_banking', 'THA', 'THB', clock, { choice: 'MAYB2U_FPX' }),
      pushRequest('online_banking', 'THA', 'THB', clock),
      pushRequest('qr_code', 'THA', 'THB', clock, { choice: 'KBANK_MOBILE_BANKING' }),
    ])
      await assert.rejects(push.issueInstructions(payment), NotProcessed);
    vendor.next('charge', { outcome: 'declined', code: 'DECLINED_BY_PROCESSOR' });
    await assert.rejects(push.issueInstructions(pushRequest('gcash_ewallet', 'PHL', 'PHP', clock)), NotProcessed);
    vendor.next('charge', { fault: 'rate_limited' });
    await assert.rejects(push.issueInstructions(pushRequest('gcash_ewallet', 'PHL', 'PHP', clock)), NotProcessed);
  });

  test('refunds wallets, and refuses methods without refunds', async () => {
    const refund = async ({ payment, key }: Awaited<ReturnType<typeof started>>) => {
      vendor.receiveFunds(payment.instructionsKey);
      const { instructionsKey: chargeKey, currency } = payment;
      const request = { refundKey: `${chargeKey.slice(0, 26)}r`, reference: null, chargeKey, currency };
      return await push.refund({ ...request, chargeReference: key.acquirerReference, amountMinor: 100_00n });
    };
    assert.equal((await refund(await started('gcash_ewallet', 'PHL', 'PHP'))).kind, 'pending');
    const refused = await refund(await started('qr_code', 'THA', 'THB'));
    assert.equal(refused.kind === 'refused' && refused.code, 'refund_not_supported');
    assert.ok(card);
  });

  test('PromptPay has the channel name of the account', async () => {
    const payment = pushRequest('qr_code', 'THA', 'THB', clock);
    const { sent, push: other } = recorder([apiError(400, 'INVALID_VALUE_ERROR')], { promptPayChannel: 'QRPROMPTPAY' });
    await assert.rejects(other.issueInstructions(payment), NotProcessed);
    assert.equal(JSON.parse(sent[0]?.init.body ?? '').channel_code, 'QRPROMPTPAY');
  });

  test('a request without a supported action is canceled', async () => {
    const payment = pushRequest('gcash_ewallet', 'PHL', 'PHP', clock);
    const respond = (change: object) =>
      Response.json({
        ...{ payment_request_id: 'pr-1', reference_id: payment.instructionsKey, currency: 'PHP', request_amount: 2500 },
        ...{ status: 'REQUIRES_ACTION', actions: [], ...change },
      });
    const actions = [{ type: 'API_POST_REQUEST', descriptor: 'VALIDATE_OTP', value: 'https://api.xendit.co/otp' }];
    const { sent, push: other } = recorder([respond({ actions }), respond({ status: 'CANCELED' })]);
    await assert.rejects(other.issueInstructions(payment), /no next action to show for GCASH/);
    assert.equal(sent[1]?.url, 'https://api.xendit.co/v3/payment_requests/pr-1/cancel');
    // A channel that cannot cancel keeps the request open.
    const stuck = recorder([apiError(400, 'TEMPORARILY_UNAVAILABLE'), respond({})]);
    assert.equal(await stuck.push.withdraw(pushKey(payment, 'pr-1')), null);
    // Paid, but the payment is not available yet: it is polled again.
    const early = recorder([respond({ status: 'SUCCEEDED' })]);
    await assert.rejects(early.push.fetchPayment(pushKey(payment, 'pr-1')), /without its payment/);
  });
});
