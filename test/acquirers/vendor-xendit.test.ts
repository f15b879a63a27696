// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mismatches } from './simulators/contract.ts';
import { visitPage } from './simulators/raw-client.ts';
import { now, openXendit } from './simulators/test-clients.ts';
import { channels } from './simulators/xendit/channels.ts';
import { xenditContract } from './simulators/xendit/contract.ts';

describe('the Xendit server', () => {
  let xendit: Awaited<ReturnType<typeof openXendit>>;
  before(async () => {
    xendit = await openXendit();
  });
  after(async () => await xendit.vendor.close());

  async function pay(reference: string, change: object = {}): Promise<any> {
    return (await xendit.post('/v3/payment_requests', xendit.payment(reference, change))).body;
  }
  const fetchRequest = async (id: string) => (await xendit.get(`/v3/payment_requests/${id}`)).body as any;
  const events = () => xendit.vendor.webhooks.drop().map(({ event, reference }) => `${event} ${reference}`);
  const card = (card_number: string) => {
    const { channel_properties } = xendit.payment('');
    return {
      channel_properties: { ...channel_properties, card_details: { ...channel_properties.card_details, card_number } },
    };
  };
  const local = (country: string, currency: string, channel_code: string, request_amount = 100) => ({
    ...{ country, currency, channel_code, request_amount },
    channel_properties: { success_return_url: 'https://pay.example/r', failure_return_url: 'https://pay.example/f' },
  });

  test('approves and declines cards, by plan and by test amounts', async () => {
    const paid = await pay('a-1');
    assert.equal(`${paid.status} ${paid.channel_properties.card_details}`, 'SUCCEEDED undefined');
    const { body } = await xendit.get(`/v3/payments/${paid.latest_payment_id}`);
    assert.equal((body as any).captures[0].capture_amount, 150.5);
    assert.equal((await pay('a-2', { request_amount: 10_054 })).failure_code, 'INSUFFICIENT_BALANCE');
    xendit.vendor.next('charge', { outcome: 'declined', code: 'STOLEN_CARD' });
    assert.equal((await pay('a-3')).failure_code, 'STOLEN_CARD');
    xendit.vendor.next('charge', { outcome: 'pending' });
    const open = await pay('a-4');
    assert.equal(open.status, 'ACCEPTING_PAYMENTS');
    xendit.vendor.receiveFunds('a-4');
    assert.equal((await fetchRequest(open.payment_request_id)).status, 'SUCCEEDED');
    assert.deepEqual(events(), [
      ...['payment.capture a-1', 'payment.failure a-2', 'payment.failure a-3', 'payment.capture a-4'],
    ]);
    const again = await xendit.post('/v3/payment_requests', xendit.payment('a-1'));
    assert.equal(`${again.status} ${(again.body as any).error_code}`, '409 DUPLICATE_ERROR');
  });

  test('redirects for a challenge and for a frictionless card', async () => {
    const requested = await pay('c-1', card('4000000000002503'));
    const [{ type, descriptor, value }] = requested.actions;
    assert.equal(`${type} ${descriptor}`, 'REDIRECT_CUSTOMER WEB_URL');
    assert.equal(xendit.vendor.completeChallenge('c-1', 'abandoned'), null);
    assert.match((await visitPage(value)).html, /<button name="action" value="approve">Approve<\/button>/);
    const { location } = await visitPage(value, { action: 'refuse' });
    assert.equal(location, 'https://pay.example/return?attempt=1&failed=1');
    assert.equal((await fetchRequest(requested.payment_request_id)).failure_code, 'AUTHENTICATION_FAILED');
    const frictionless = await pay('c-2', card('4000000000001000'));
    assert.equal((await visitPage(frictionless.actions[0].value)).location, 'https://pay.example/return?attempt=1');
    assert.deepEqual(events(), ['payment.failure c-1', 'payment.capture c-2']);
  });

  test('returns instructions for each kind of channel, and simulates payments', async () => {
    const qr = await pay('p-1', local('TH', 'THB', 'PROMPTPAY'));
    assert.equal(qr.actions[0].descriptor, 'QR_STRING');
    const account = await pay('p-2', local('VN', 'VND', 'BIDV_VIRTUAL_ACCOUNT', 50_000));
    assert.equal(account.actions[0].descriptor, 'VIRTUAL_ACCOUNT_NUMBER');
    await pay('p-3', local('PH', 'PHP', 'GCASH'));
    const twice = await pay('p-3', local('PH', 'PHP', 'GCASH'));
    assert.equal(twice.status, 'REQUIRES_ACTION');
    const simulated = await xendit.post(`/v3/payment_requests/${qr.payment_request_id}/simulate`, { amount: 100 });
    assert.equal((simulated.body as any).status, 'PENDING');
    xendit.vendor.receiveFunds('p-2', 40_000n);
    xendit.vendor.declinePayment('p-3');
    const late = await pay('p-4', local('MY', 'MYR', 'MAYB2U_FPX'));
    xendit.vendor.expire('p-4');
    const cancel = async (id: string) => (await xendit.post(`/v3/payment_requests/${id}/cancel`)).status;
    assert.equal(await cancel(late.payment_request_id), 400);
    const open = await pay('p-5', local('TH', 'THB', 'TRUEMONEY'));
    assert.equal(await cancel(open.payment_request_id), 200);
    assert.deepEqual(events(), [
      ...['payment.capture p-1', 'payment.capture p-2', 'payment.failure p-3', 'payment_request.expiry p-4'],
    ]);
    const paid = xendit.vendor.charges().find(({ reference }) => reference === 'p-2');
    assert.equal(`${paid?.amountMinor} ${paid?.paidMinor}`, '50000 40000');
    const unknown = await xendit.post('/v3/payment_requests', xendit.payment('p-6', local('TH', 'VND', 'PROMPTPAY')));
    assert.equal((unknown.body as any).error_code, 'INVALID_VALUE_ERROR');
  });

  test('refunds where the channel can, once per key', async () => {
    const { payment_request_id } = await pay('r-1');
    const refund = async (reference_id: string, change: object = {}, key = reference_id) =>
      await xendit.post(
        '/refunds',
        { payment_request_id, reference_id, amount: 50, currency: 'THB', reason: 'REQUESTED_BY_CUSTOMER', ...change },
        { 'idempotency-key': key },
      );
    events();
    const first = (await refund('r-1-a')).body as any;
    assert.deepEqual((await refund('r-1-a')).body, first);
    assert.equal(first.status, 'PENDING');
    assert.equal(((await refund('r-1-b', { amount: 100.51 })).body as any).error_code, 'REFUND_AMOUNT_EXCEEDED');
    xendit.vendor.settleRefund('r-1-a', 'succeeded');
    assert.equal(((await xendit.get(`/refunds/${first.id}`)).body as any).status, 'SUCCEEDED');
    xendit.vendor.settleRefund('r-1-a', 'failed_late');
    xendit.vendor.next('refund', { outcome: 'failed' });
    await refund('r-1-c');
    assert.deepEqual(events(), ['refund.succeeded r-1-a', 'refund.failed r-1-a', 'refund.failed r-1-c']);
    assert.equal((await refund('r-1-a', { amount: 60 })).status, 409);
    const qr = await pay('r-2', local('TH', 'THB', 'PROMPTPAY'));
    xendit.vendor.receiveFunds('r-2');
    const refused = await refund('r-2-a', { payment_request_id: qr.payment_request_id });
    assert.equal(`${refused.status} ${(refused.body as any).error_code}`, '403 REFUND_NOT_SUPPORTED');
    const qris = await pay('r-3', local('ID', 'IDR', 'QRIS', 10_000));
    xendit.vendor.receiveFunds('r-3');
    const part = { payment_request_id: qris.payment_request_id, currency: 'IDR', amount: 5000 };
    assert.equal(((await refund('r-3-a', part)).body as any).error_code, 'PARTIAL_REFUND_NOT_SUPPORTED');
    events();
  });

  test('lists transactions by reference, and the balance', async () => {
    const { payment_request_id } = await pay('t-1');
    const { body } = await xendit.get('/transactions?reference_id=t-1');
    assert.equal((body as any).data[0].product_data.payment_request_id, payment_request_id);
    assert.equal(((await xendit.get('/balance')).body as any).balance, 1_000_000);
    events();
  });

  test('reports disputes', async () => {
    await pay('d-1');
    events();
    const dispute = xendit.vendor.openDispute('d-1', { amountMinor: 5000n });
    xendit.vendor.closeDispute(dispute, 'lost');
    assert.deepEqual(events(), ['dispute.action_required d-1', 'dispute.lost d-1']);
  });

  test('limits requests per minute', async () => {
    let time = now();
    const { vendor, get } = await openXendit({ requestsPerMinute: 2, now: () => time });
    const unknown = `/v3/payment_requests/pr-${'0'.repeat(36)}`;
    assert.equal((await get(unknown)).headers['rate-limit-remaining'], '1');
    assert.equal((await get(unknown)).status, 404);
    time += 20_000;
    const refused = await get(unknown);
    assert.equal(`${refused.status} ${refused.headers['rate-limit-reset']}`, '429 40.00');
    time += 40_001;
    assert.equal((await get(unknown)).status, 404);
    await vendor.close();
  });

  test('has the channels of the documentation', () => {
    const countBy = (action: string) => channels.filter((channel) => channel.action === action).length;
    assert.deepEqual(['card', 'qr', 'account'].map(countBy), [5, 3, 18]);
    const withRefunds = channels.filter(({ refunds }) => refunds !== 'none').map(({ code }) => code);
    assert.deepEqual([...new Set(withRefunds)].sort(), [
      ...['CARDS', 'GCASH', 'GRABPAY', 'MOMO', 'PAYMAYA', 'QRIS', 'SHOPEEPAY', 'ZALOPAY'],
    ]);
  });
});

describe('the contract of Xendit', () => {
  test('accepts requests from the documentation', () => {
    const card = {
      ...{ reference_id: 'order_123456_3ds', type: 'PAY', country: 'ID', currency: 'IDR', request_amount: 100_000 },
      ...{ capture_method: 'AUTOMATIC', channel_code: 'CARDS' },
      channel_properties: {
        card_details: {
          ...{ cvn: '123', card_number: '4000000000001091', expiry_year: '2029', expiry_month: '12' },
          ...{ cardholder_first_name: 'John', cardholder_last_name: 'Doe', cardholder_email: 'john.doe@example.com' },
          cardholder_phone_number: '+628123456789',
        },
        skip_three_ds: false,
        ...{ failure_return_url: 'https://example.com/failure', success_return_url: 'https://example.com/success' },
      },
    };
    assert.deepEqual(mismatches(xenditContract.charge.body, card), []);
    const qr = {
      ...{ reference_id: 'qr_th_321654', type: 'PAY', country: 'TH', currency: 'THB', request_amount: 1500 },
      ...{ channel_code: 'PROMPTPAY', channel_properties: { expires_at: '2025-01-15T23:59:59Z' } },
    };
    assert.deepEqual(mismatches(xenditContract.charge.body, qr), []);
  });

  test('catches missing, unknown and malformed fields, and wrong credentials', async () => {
    const { vendor, post, payment } = await openXendit({ mayViolate: true });
    const { channel_properties } = payment('');
    const bad: readonly [RegExp, object][] = [
      [/\/reference_id/, { reference_id: undefined }],
      [/\/reference_id Too big/, { reference_id: 'r'.repeat(256) }],
      [/Unrecognized key: "amount"/, { amount: 100 }],
      [/\/request_amount has more decimals/, { request_amount: 1.005 }],
      [/\/request_amount has more decimals/, { country: 'VN', currency: 'VND', request_amount: 1000.5 }],
      [/\/country/, { country: 'BD' }],
      [/card_details belong to CARDS only/, { channel_code: 'PROMPTPAY' }],
      [
        /\/channel_properties\/success_return_url/,
        { channel_properties: { ...channel_properties, success_return_url: 'http://a.example/r' } },
      ],
    ];
    for (const [reason, change] of bad) {
      assert.equal((await post('/v3/payment_requests', payment('b', change))).status, 400);
      assert.match(vendor.violations.at(-1)?.reasons.join('; ') ?? '', reason);
    }
    await post('/v3/payment_requests', payment('b'), { 'api-version': '2024-01-01' });
    assert.match(vendor.violations.at(-1)?.reasons.join() ?? '', /headers\/api-version/);
    assert.deepEqual(vendor.charges(), []);
    const wrong = { authorization: `Basic ${Buffer.from('wrong:').toString('base64')}` };
    assert.equal((await post('/v3/payment_requests', payment('b'), wrong)).status, 401);
    assert.equal(vendor.violations.length, bad.length + 1);
    await vendor.close();
  });
});
