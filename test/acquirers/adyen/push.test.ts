// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Instructions } from '../../../src/api/instructions.ts';
import { NotProcessed } from '../../../src/acquirers/port.ts';
import type { PushPaymentRequest } from '../../../src/acquirers/push-port.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/shared/time.ts';
import { SimulatedClock } from '../../support/clock.ts';
import { type AdyenAccount, connect, openAccount, pushRequest, startedAt } from './account.ts';

describe('local methods through Adyen', () => {
  let account: AdyenAccount;
  before(async () => {
    account = await openAccount();
  });
  after(async () => {
    await account.vendor.close();
  });

  /** Starts a method with its first choice, if it has any. */
  const start = async (...input: Parameters<typeof pushRequest>) => {
    const request = pushRequest(...input);
    const { choices } = await account.connection.push.listChoices(request);
    const choice = request.choice ?? choices[0]?.code ?? null;
    return { request, choices, issued: await account.connection.push.issueInstructions({ ...request, choice }) };
  };
  const payments = () =>
    account.notifications().map((each) => {
      if (each.kind !== 'push_payment') return each.kind;
      const { state, receipts } = each.payment;
      return `${state} ${receipts.map(({ amountMinor }) => amountMinor).join()}`;
    });

  const cells: [string, string, PushPaymentRequest['currency'], Instructions['action'], string | null][] = [
    ['on_ramp_ideal', 'NLD', 'EUR', 'redirect', null],
    ['qr_code', 'THA', 'THB', 'qr', null],
    ['virtual_account', 'IDN', 'IDR', 'bank_details', null],
    ['online_banking', 'IND', 'INR', 'redirect', 'State Bank of India'],
    ['online_banking', 'MYS', 'MYR', 'redirect', 'Maybank2U'],
    ['online_banking', 'PHL', 'PHP', 'redirect', 'BDO'],
    ['online_banking', 'THA', 'THB', 'redirect', 'Bangkok Bank'],
    ['online_banking', 'VNM', 'VND', 'redirect', 'Online Banking Vietnam'],
    ['upi', 'IND', 'INR', 'app_intent', null],
    ['instant_bank_payment', 'AUS', 'AUD', 'await', 'PayTo'],
    ['truemoney_ewallet', 'THA', 'THB', 'redirect', null],
    ['gcash_ewallet', 'PHL', 'PHP', 'redirect', null],
    ['maya_ewallet', 'PHL', 'PHP', 'redirect', null],
    ['grabpay_ewallet', 'PHL', 'PHP', 'redirect', null],
    ['momo_ewallet', 'VNM', 'VND', 'redirect', null],
  ];

  for (const [method, country, currency, action, firstChoice] of cells)
    test(`${method} in ${country}: instructions, then a receipt`, async () => {
      const { request, choices, issued } = await start(method, country, currency);
      assert.equal(issued.instructions.action, action);
      assert.equal(choices[0]?.name ?? null, firstChoice);
      assert.equal(issued.expiresAt, request.expiresAt);
      // Only a voucher has Adyen's reference immediately.
      assert.equal(issued.acquirerReference !== null, action === 'bank_details');
      assert.deepEqual(payments(), []);
      account.vendor.receiveFunds(account.lastReference());
      assert.deepEqual(payments(), ['closed 1000000']);
    });

  test('show a virtual account of the operator’s bank, with the amount in rupiah', async () => {
    const { vendor } = account;
    const { webhookUser, webhookPassword } = vendor.credentials;
    const connection = connect({ apiUrl: vendor.url, webhookUser, webhookPassword, accountBank: 'mandiri' });
    const { instructions } = await connection.push.issueInstructions(pushRequest('virtual_account', 'IDN', 'IDR'));
    assert.ok(instructions.action === 'bank_details');
    const details = Object.fromEntries(instructions.details.map(({ name, value }) => [name, value]));
    assert.equal(details['bank_name'], 'Bank Mandiri');
    assert.match(details['virtual_account_number'] ?? '', /^88\d{14}$/);
    assert.equal(details['amount'], '10000.00');
  });

  test('show one UPI code as link and as QR code', async () => {
    const { issued } = await start('upi', 'IND', 'INR');
    assert.ok(issued.instructions.action === 'app_intent');
    assert.match(issued.instructions.deepLink, /^upi:\/\/pay\?.*am=10000\.00/);
    assert.equal(issued.instructions.qrPayload, issued.instructions.deepLink);
  });

  test('return the same instructions for the same key', async () => {
    const request = pushRequest('gcash_ewallet', 'PHL', 'PHP');
    const first = await account.connection.push.issueInstructions(request);
    assert.deepEqual(await account.connection.push.issueInstructions(request), first);
  });

  test('expire when Adyen says so, if that is earlier', async () => {
    const { issued, request } = await start('qr_code', 'THA', 'THB', { expiresAt: startedAt + HOUR / 2 });
    assert.equal(issued.expiresAt, request.expiresAt);
  });

  test('require payer details before a request', async () => {
    const sent = account.vendor.requests.length;
    for (const [method, country, currency] of [
      ['virtual_account', 'IDN', 'IDR'],
      ['instant_bank_payment', 'AUS', 'AUD'],
    ] as const)
      await assert.rejects(
        account.connection.push.issueInstructions(pushRequest(method, country, currency, { payer: {} })),
        NotProcessed,
      );
    await assert.rejects(
      account.connection.push.issueInstructions(pushRequest('qr_code', 'VNM', 'VND')),
      /does not offer qr_code in VNM/,
    );
    assert.equal(account.vendor.requests.length, sent);
  });

  test('end when the bank or wallet refuses', async () => {
    account.vendor.next('charge', { outcome: 'declined' });
    await assert.rejects(start('maya_ewallet', 'PHL', 'PHP'), NotProcessed);
    account.vendor.webhooks.drop();
    await start('maya_ewallet', 'PHL', 'PHP');
    account.vendor.declinePayment(account.lastReference());
    assert.deepEqual(payments(), ['refused ']);
  });

  test('without a payment are closed by Adyen', async () => {
    await start('on_ramp_ideal', 'NLD', 'EUR');
    account.vendor.expire(account.lastReference());
    assert.deepEqual(payments(), ['closed ']);
  });

  test('cannot be polled or withdrawn: late payments are reported', async () => {
    const { request, issued } = await start('truemoney_ewallet', 'THA', 'THB');
    const key = { ...request, acquirerReference: issued.acquirerReference };
    assert.equal(await account.connection.push.fetchPayment(key), null);
    assert.equal(await account.connection.push.withdraw(key), null);
    account.vendor.receiveFunds(account.lastReference(), 400_000n);
    assert.deepEqual(payments(), ['closed 400000']);
  });

  test('are refunded like cards', async () => {
    const { request } = await start('momo_ewallet', 'VNM', 'VND');
    account.vendor.receiveFunds(account.lastReference());
    const [received] = account.notifications();
    assert.ok(received?.kind === 'push_payment');
    const outcome = await account.connection.push.refund({
      ...{ refundKey: 'refund-1', reference: null, chargeKey: request.instructionsKey },
      chargeReference: received.payment.acquirerReference ?? null,
      ...{ amountMinor: 250_000n, currency: 'VND' },
    });
    assert.equal(outcome.kind, 'pending');
    account.vendor.settleRefund('refund_refund-1', 'succeeded');
    assert.deepEqual(payments(), ['refund']);
  });

  test('without a response are unknown, and their receipts are still reported', async () => {
    account.vendor.next('charge', { fault: 'cut_after' });
    await assert.rejects(start('gcash_ewallet', 'PHL', 'PHP'), (error) => !(error instanceof NotProcessed));
    account.vendor.receiveFunds(account.lastReference());
    assert.deepEqual(payments(), ['closed 1000000']);
  });

  test('list the choices of an amount once a minute, unless Adyen does not respond', async () => {
    const clock = new SimulatedClock();
    let requests = 0;
    const network: typeof fetch = async (...request) => {
      requests += 1;
      return requests === 1 ? await Promise.reject(new Error('no response')) : await fetch(...request);
    };
    const { push } = connect({ apiUrl: account.vendor.url }, network, clock);
    const request = pushRequest('online_banking', 'IND', 'INR');
    const list = async (change: object = {}) => (await push.listChoices({ ...request, ...change })).choices[0]?.name;
    await assert.rejects(list());
    assert.deepEqual(await Promise.all([list(), list()]), ['State Bank of India', 'State Bank of India']);
    clock.advance(MINUTE - SECOND);
    await list();
    assert.equal(requests, 2);
    await list({ amountMinor: 5n });
    assert.equal(await list({ country: 'MYS', currency: 'MYR' }), 'Maybank2U');
    assert.equal(requests, 4);
    clock.advance(SECOND);
    await list();
    assert.equal(requests, 5);
  });
});
