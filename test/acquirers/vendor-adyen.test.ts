// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { paidTwice } from './simulators/charges.ts';
import { mismatches } from './simulators/contract.ts';
import { adyenContract } from './simulators/adyen/contract.ts';
import { visitPage } from './simulators/raw-client.ts';
import { openAdyen } from './simulators/test-clients.ts';

/** A request from Adyen's documentation. */
const documentedCharge = {
  amount: { currency: 'USD', value: 1000 },
  reference: 'Your order number',
  paymentMethod: {
    ...{ type: 'scheme', number: '4212345678901237', expiryMonth: '03', expiryYear: '2030' },
    ...{ holderName: 'John Smith', cvc: '737' },
  },
  browserInfo: {
    userAgent: 'Mozilla/5.0 (X11; U; Linux i686; en-US; rv:1.9) Gecko/2008052912 Firefox/3.0',
    acceptHeader: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    ...{ javaEnabled: true, colorDepth: 10, screenHeight: 2000, screenWidth: 3000, timeZoneOffset: 5, language: 'en' },
  },
  returnUrl: 'https://your-company.example.com/return',
  merchantAccount: 'YOUR_MERCHANT_ACCOUNT',
};

describe('the Adyen server', () => {
  let adyen: Awaited<ReturnType<typeof openAdyen>>;
  before(async () => {
    adyen = await openAdyen();
  });
  after(async () => await adyen.vendor.close());

  const pay = async (reference: string, change: object = {}) =>
    (await adyen.post('/payments', adyen.payment(reference, change), `key-${reference}`)).body as any;
  const stateOf = (reference: string) => adyen.vendor.charges().find((each) => each.reference === reference)?.state;
  const events = () => {
    const items = adyen.vendor.webhooks
      .drop()
      .map(({ body }) => JSON.parse(body).notificationItems[0].NotificationRequestItem);
    return items.map(({ eventCode, success, merchantReference }) => `${eventCode} ${success} ${merchantReference}`);
  };
  const withMethod = (paymentMethod: object, currency = 'EUR', more: object = {}) => ({
    ...{ paymentMethod, amount: { value: 10_000, currency } },
    ...more,
  });

  test('approves, declines or returns no outcome, by plan and by test values', async () => {
    assert.equal((await pay('a-1')).resultCode, 'Authorised');
    adyen.vendor.next('charge', { outcome: 'declined', code: '6' });
    const declined = await pay('a-2');
    assert.equal(
      `${declined.resultCode} ${declined.refusalReasonCode} ${declined.refusalReason}`,
      'Refused 6 Expired Card',
    );
    const holder = { ...adyen.payment('').paymentMethod, holderName: 'NOT_ENOUGH_BALANCE' };
    assert.equal((await pay('a-3', { paymentMethod: holder })).refusalReasonCode, '12');
    const outcomes = {
      frictionless: 'Authorised',
      cancelled: 'Cancelled',
      error: 'Error',
      pending: 'Pending',
      received: 'Received',
    } as const;
    for (const [outcome, resultCode] of Object.entries({ ...outcomes, native: 'IdentifyShopper' } as const)) {
      adyen.vendor.next('charge', { outcome: outcome as keyof typeof outcomes });
      assert.equal((await pay(`a-${outcome}`)).resultCode, resultCode);
    }
    adyen.vendor.next('charge', { outcome: 'partially_authorized' });
    assert.equal((await pay('a-part')).amount.value, 500);
    adyen.vendor.receiveFunds('a-pending');
    adyen.vendor.declinePayment('a-received');
    assert.deepEqual(events(), [
      ...['AUTHORISATION true a-1', 'AUTHORISATION false a-2', 'AUTHORISATION false a-3'],
      ...['AUTHORISATION true a-frictionless', 'AUTHORISATION false a-cancelled', 'AUTHORISATION false a-error'],
      ...['AUTHORISATION true a-part', 'AUTHORISATION true a-pending', 'AUTHORISATION false a-received'],
    ]);
  });

  test('authorizes a challenged card only by /payments/details', async () => {
    adyen.vendor.next('charge', { outcome: 'challenge' });
    const { action } = await pay('c-1');
    assert.equal(`${action.type} ${action.method}`, 'redirect GET');
    assert.equal(adyen.vendor.completeChallenge('c-1', 'abandoned'), null);
    assert.match((await visitPage(action.url)).html, /<h1>Simulated bank \(Adyen\)<\/h1>/);
    const { status, location } = await visitPage(action.url, { action: 'approve' });
    assert.equal(status, 303);
    const returned = new URL(location ?? '');
    assert.equal(returned.searchParams.get('attempt'), '1');
    assert.equal(stateOf('c-1'), 'open');
    const details = { details: { redirectResult: returned.searchParams.get('redirectResult') } };
    const complete = async () =>
      (await adyen.post('/payments/details', { ...details, merchantAccount: undefined }, '')).body as any;
    assert.equal((await complete()).resultCode, 'Authorised');
    assert.equal((await complete()).resultCode, 'Authorised');
    assert.deepEqual(events(), ['AUTHORISATION true c-1']);
  });

  test('redirects and returns by POST if the request requires it', async () => {
    const methods = { redirectToIssuerMethod: 'POST', redirectFromIssuerMethod: 'POST' };
    const { action } = await pay('c-2', { paymentMethod: documentedCharge.paymentMethod, ...methods });
    assert.deepEqual(Object.keys(action.data), ['MD', 'PaReq', 'TermUrl']);
    assert.equal((await visitPage(action.url, { fields: action.data })).status, 200);
    const { html } = await visitPage(action.url, { action: 'refuse' });
    assert.match(
      html,
      /<form method="post" action="https:\/\/pay\.example\/return\?attempt=1"><input type="hidden" name="redirectResult"/,
    );
    const returned = adyen.vendor.completeChallenge('c-2', 'failed');
    const details = { details: returned?.fields, merchantAccount: undefined };
    const { body } = await adyen.post('/payments/details', details, '');
    assert.equal((body as any).refusalReasonCode, '11');
    events();
  });

  test('returns instructions for each kind of local method', async () => {
    const thai = await pay('p-1', withMethod({ type: 'promptpay' }, 'THB'));
    assert.equal(`${thai.resultCode} ${thai.action.type}`, 'Pending qrCode');
    const buyer = { firstName: 'Ana', lastName: 'Lee', shopperEmail: 'ana@example.com' };
    const account = await pay('p-2', withMethod({ type: 'doku_bni_va', ...buyer }, 'IDR'));
    assert.equal(`${account.resultCode} ${account.action.type}`, 'PresentToShopper voucher');
    assert.match(account.action.reference, /^\d{16}$/);
    const collect = await pay('p-3', withMethod({ type: 'upi_collect', virtualPaymentAddress: 'ana@bank' }, 'INR'));
    assert.equal(collect.action.type, 'await');
    const bank = await pay('p-4', withMethod({ type: 'molpay_ebanking_fpx_MY', issuer: 'fpx_mb2u' }, 'MYR'));
    assert.equal(`${bank.resultCode} ${bank.action.type}`, 'RedirectShopper redirect');
    adyen.vendor.receiveFunds('p-1');
    // The rupiah has no decimals at Adyen, and two by ISO 4217.
    adyen.vendor.receiveFunds('p-2', 1_000_000n);
    adyen.vendor.expire('p-3');
    assert.equal(adyen.vendor.completeChallenge('p-4', 'failed')?.method, 'GET');
    const rupiah = adyen.vendor.charges().find(({ reference }) => reference === 'p-2');
    assert.equal(rupiah?.paidMinor, 1_000_000n);
    assert.deepEqual(events(), [
      ...['AUTHORISATION true p-1', 'AUTHORISATION true p-2', 'OFFER_CLOSED true p-3', 'AUTHORISATION false p-4'],
    ]);
  });

  test('lists methods with their banks', async () => {
    const { body } = await adyen.post('/paymentMethods', { countryCode: 'MY' }, '');
    const [, fpx] = (body as any).paymentMethods;
    assert.equal(`${fpx.type} ${fpx.issuers[0].id}`, 'molpay_ebanking_fpx_MY fpx_mb2u');
  });

  test('refunds asynchronously, and fails refunds later', async () => {
    const { pspReference } = await pay('r-1');
    const refund = async (reference: string, value: number) =>
      (
        await adyen.post(
          `/payments/${pspReference}/refunds`,
          { reference, amount: { value, currency: 'EUR' } },
          reference,
        )
      ).body as any;
    events();
    assert.equal((await refund('r-1-a', 400)).status, 'received');
    assert.deepEqual(events(), []);
    adyen.vendor.settleRefund('r-1-a', 'succeeded');
    await refund('r-1-b', 601);
    adyen.vendor.next('refund', { outcome: 'failed' });
    await refund('r-1-c', 100);
    adyen.vendor.settleRefund('r-1-a', 'failed_late');
    assert.deepEqual(events(), [
      ...['REFUND true r-1-a', 'REFUND false r-1-b', 'REFUND false r-1-c', 'REFUND_FAILED true r-1-a'],
    ]);
    assert.equal(adyen.vendor.charges().find(({ reference }) => reference === 'r-1')?.refundedMinor, 0n);
  });

  test('reverses, cancels by its reference and by ours', async () => {
    const paid = await pay('x-1');
    events();
    await adyen.post(`/payments/${paid.pspReference}/reversals`, { reference: 'x-1-r' }, 'x-1-r');
    adyen.vendor.next('charge', { outcome: 'pending' }, 2);
    const open = await pay('x-2');
    await adyen.post(`/payments/${open.pspReference}/cancels`, { reference: 'x-2-c' }, 'x-2-c');
    await pay('x-3');
    for (const paymentReference of ['x-3', 'x-1', 'x-unknown'])
      await adyen.post('/cancels', { paymentReference }, `cancel-${paymentReference}`);
    assert.deepEqual(events(), [
      ...['CANCEL_OR_REFUND true x-1-r', 'CANCELLATION true x-2-c', 'TECHNICAL_CANCEL true x-3'],
      ...['TECHNICAL_CANCEL false x-1', 'TECHNICAL_CANCEL false x-unknown'],
    ]);
    assert.equal(stateOf('x-2'), 'cancelled');
    assert.equal(stateOf('x-3'), 'cancelled');
    const unknown = await adyen.post(
      '/payments/NOTAPSPREFERENCE/refunds',
      { amount: { value: 1, currency: 'EUR' } },
      'x-4',
    );
    assert.equal(unknown.status, 422);
  });

  test('replays the response of a repeated key, and charges a reference again under a new key', async () => {
    const first = await adyen.post('/payments', adyen.payment('i-1'), 'i-1');
    const again = await adyen.post('/payments', adyen.payment('i-1'), 'i-1');
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers['idempotency-key'], 'i-1');
    assert.deepEqual(paidTwice(adyen.vendor.charges()), []);
    await adyen.post('/payments', adyen.payment('i-1'), 'i-1-again');
    assert.deepEqual(paidTwice(adyen.vendor.charges()), ['i-1']);
    events();
  });

  test('requires a state in the US and Canada', async () => {
    const address = { street: 'Main St', houseNumberOrName: '1', city: 'Reno', postalCode: '89501', country: 'US' };
    assert.equal((await pay('s-1', { billingAddress: address })).errorCode, '135');
    const withState = { billingAddress: { ...address, stateOrProvince: 'NV' } };
    assert.equal((await adyen.post('/payments', adyen.payment('s-1', withState), 's-1')).status, 200);
    events();
  });

  test('reports disputes and other events', async () => {
    await pay('d-1');
    events();
    const dispute = adyen.vendor.openDispute('d-1', { reasonCode: '4853' });
    adyen.vendor.closeDispute(dispute, 'won');
    adyen.vendor.sendEvent('d-1', 'SECOND_CHARGEBACK');
    assert.deepEqual(events(), [
      ...['NOTIFICATION_OF_CHARGEBACK true d-1', 'CHARGEBACK true d-1', 'CHARGEBACK_REVERSED true d-1'],
      'SECOND_CHARGEBACK true d-1',
    ]);
  });
});

describe('the contract of Adyen', () => {
  test('accepts requests from the documentation', () => {
    assert.deepEqual(mismatches(adyenContract.charge.body, documentedCharge), []);
    const details = { details: { redirectResult: 'X6XtfGC3!Y...' } };
    assert.deepEqual(mismatches(adyenContract.details.body, details), []);
    const refund = { amount: { currency: 'EUR', value: 2500 }, reference: 'YOUR_UNIQUE_REFERENCE' };
    const account = { merchantAccount: 'YOUR_MERCHANT_ACCOUNT' };
    assert.deepEqual(mismatches(adyenContract.refund.body, { ...refund, ...account }), []);
    const cancel = { paymentReference: 'YOUR_UNIQUE_REFERENCE_FOR_THE_PAYMENT', reference: 'YOUR_REFERENCE' };
    assert.deepEqual(mismatches(adyenContract.abandon.body, { ...cancel, ...account }), []);
    const received = { paymentPspReference: '993617894903480A', pspReference: '993617894906488A', status: 'received' };
    assert.deepEqual(
      mismatches(adyenContract.refund.responses[201] ?? z.never(), { ...account, ...refund, ...received }),
      [],
    );
  });

  test('catches missing, unknown and malformed fields, and wrong credentials', async () => {
    const { vendor, post, payment } = await openAdyen({ mayViolate: true });
    const { browserInfo } = documentedCharge;
    const bad: readonly [RegExp, object][] = [
      [/\/returnUrl/, { returnUrl: undefined }],
      [/Unrecognized key: "shopperMail"/, { shopperMail: 'ana@example.com' }],
      [/\/reference Too big/, { reference: 'r'.repeat(81) }],
      [/\/amount\/value/, { amount: { value: 10.5, currency: 'EUR' } }],
      [/\/amount\/currency/, { amount: { value: 10, currency: 'Euro' } }],
      [/\/paymentMethod\/expiryMonth/, { paymentMethod: { ...documentedCharge.paymentMethod, expiryMonth: '3' } }],
      [/\/browserInfo\/acceptHeader/, { browserInfo: { ...browserInfo, acceptHeader: undefined } }],
      [/\/paymentMethod\/type/, { paymentMethod: { type: 'bkash' } }],
      [/\/shopperIP/, { shopperIP: '1.2.3' }],
    ];
    for (const [index, [reason, change]] of bad.entries()) {
      assert.equal((await post('/payments', payment('b', change), `b-${index}`)).status, 422);
      assert.match(vendor.violations.at(-1)?.reasons.join('; ') ?? '', reason);
    }
    assert.equal((await post('/payments', payment('b'), '')).status, 422);
    assert.match(vendor.violations.at(-1)?.reasons.join() ?? '', /headers\/idempotency-key/);
    assert.equal((await post('/payments', payment('b'), 'k'.repeat(65))).status, 422);
    assert.equal(vendor.violations.length, bad.length + 2);
    assert.deepEqual(vendor.charges(), []);

    await post('/payments', payment('b-ok'), 'b-ok');
    await post('/payments', payment('b-ok', { shopperLocale: 'en_US' }), 'b-ok');
    assert.match(vendor.violations.at(-1)?.reasons.join() ?? '', /idempotency-key belongs to another request/);
    const count = vendor.violations.length;
    assert.equal((await post('/payments', payment('b', { merchantAccount: 'Other' }), 'b-other')).status, 403);
    const wrongKey = { 'x-api-key': 'wrong', 'content-type': 'application/json' };
    const response = await fetch(`${vendor.url}/payments`, { method: 'POST', headers: wrongKey, body: '{}' });
    assert.equal(response.status, 401);
    assert.equal(vendor.violations.length, count);
    await vendor.close();
  });
});
