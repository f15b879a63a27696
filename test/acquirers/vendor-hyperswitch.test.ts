// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mismatches } from './simulators/contract.ts';
import { hyperswitchContract } from './simulators/hyperswitch/contract.ts';
import { hyperswitchSignature } from './simulators/hyperswitch/signing.ts';
import { visitPage } from './simulators/raw-client.ts';
import { openHyperswitch } from './simulators/test-clients.ts';

describe('the Hyperswitch server', () => {
  let client: Awaited<ReturnType<typeof openHyperswitch>>;
  let created = 1;
  before(async () => {
    client = await openHyperswitch();
  });
  after(async () => await client.vendor.close());

  const nextId = (prefix = 'pay') => client.id(prefix, (created += 1));
  async function pay(change: object = {}): Promise<any> {
    return (await client.post('/payments', client.payment(nextId(), change))).body;
  }
  const fetchPayment = async (id: string) => (await client.get(`/payments/${id}?force_sync=true`)).body as any;
  const events = () => client.vendor.webhooks.drop().map(({ event }) => event);
  const card = (card_number: string) => ({
    payment_method_data: { card: { ...client.payment('').payment_method_data.card, card_number } },
  });
  const local = (payment_method: string, payment_method_type: string, data: object, currency: string) => ({
    ...{ payment_method, payment_method_type, payment_method_data: data, currency, amount: 10_000 },
    authentication_type: undefined,
  });

  test('approves, declines or returns no outcome, by plan and by test cards', async () => {
    assert.equal((await pay()).status, 'succeeded');
    const declined = await pay(card('4000000000009995'));
    assert.equal(`${declined.status} ${declined.error_code}`, 'failed insufficient_funds');
    assert.equal((await fetchPayment(declined.payment_id)).unified_code, 'UE_1000');
    const statuses = {
      pending: 'processing',
      review: 'review',
      requires_capture: 'requires_capture',
      conflicted: 'conflicted',
    } as const;
    for (const [outcome, status] of Object.entries({
      ...statuses,
      partially_captured: 'partially_captured',
    } as const)) {
      client.vendor.next('charge', { outcome: outcome as keyof typeof statuses });
      assert.equal((await pay()).status, status);
    }
    client.vendor.next('charge', { outcome: 'frictionless' });
    assert.equal((await pay()).external_authentication_details.authentication_flow, 'frictionless');
    assert.deepEqual(events(), [
      ...['payment_succeeded', 'payment_failed', 'payment_processing', 'payment_captured', 'payment_succeeded'],
    ]);
  });

  test('finishes a challenge at its page, and signs the return', async () => {
    const { payment_id, next_action } = await pay(card('4000003800000446'));
    assert.equal(next_action.type, 'redirect_to_url');
    assert.equal(client.vendor.completeChallenge(payment_id, 'abandoned'), null);
    const { location } = await visitPage(next_action.redirect_to_url, { action: 'approve' });
    const { signature, signature_algorithm, ...returned } = Object.fromEntries(new URL(location ?? '').searchParams);
    assert.equal(`${returned['status']} ${returned['payment_id']} ${returned['attempt']}`, `succeeded ${payment_id} 1`);
    const names = ['amount', 'attempt', 'manual_retry_allowed', 'payment_id', 'payment_intent_client_secret', 'status'];
    const signed = names.map((name) => `${name}=${returned[name]}`).join('&');
    assert.equal(signature, hyperswitchSignature(client.vendor.credentials.hashKey, signed));
    assert.equal(signature_algorithm, 'HMAC-SHA512');
    assert.equal((await fetchPayment(payment_id)).amount_received, 1000);
    const other = await pay(card('4000003800000446'));
    client.vendor.completeChallenge(other.payment_id, 'failed');
    assert.equal((await fetchPayment(other.payment_id)).unified_code, 'UE_3000');
    assert.deepEqual(events(), ['action_required', 'payment_succeeded', 'action_required', 'payment_failed']);
  });

  test('refuses a repeated payment ID, and cancels open payments', async () => {
    const payment_id = nextId();
    const open = { ...client.payment(payment_id), confirm: false };
    assert.equal(((await client.post('/payments', open)).body as any).status, 'requires_payment_method');
    const again = await client.post('/payments', client.payment(payment_id));
    assert.equal(`${again.status} ${(again.body as any).error.code}`, '400 HE_01');
    const cancel = async (id: string) =>
      await client.post(`/payments/${id}/cancel`, { cancellation_reason: 'expired' });
    assert.equal(((await cancel(payment_id)).body as any).status, 'cancelled');
    assert.equal((await cancel(payment_id)).status, 400);
    assert.equal((await cancel(nextId())).status, 404);
    assert.equal((await client.get(`/payments/${nextId()}`)).status, 404);
    assert.deepEqual(events(), ['payment_cancelled']);
  });

  test('returns instructions for each kind of local method', async () => {
    const thai = await pay(local('real_time_payment', 'prompt_pay', { real_time_payment: { prompt_pay: {} } }, 'THB'));
    assert.equal(thai.next_action.type, 'qr_code_information');
    const account = await pay(
      local('bank_transfer', 'mandiri_va', { bank_transfer: { mandiri_va_bank_transfer: {} } }, 'IDR'),
    );
    const details = account.next_action.bank_transfer_steps_and_charges_details.doku_bank_transfer_instructions;
    assert.match(`${details.reference} ${details.expires_at}`, /^\d{16} \d{13}$/);
    const upi = await pay(local('upi', 'upi_intent', { upi: { upi_intent: {} } }, 'INR'));
    assert.equal(upi.next_action.type, 'invoke_upi_intent_sdk');
    const collect = await pay(local('upi', 'upi_collect', { upi: { upi_collect: { vpa_id: 'ana@bank' } } }, 'INR'));
    assert.equal(collect.next_action.type, 'wait_screen_information');
    const fpx = { bank_redirect: { online_banking_fpx: { issuer: 'maybank' } } };
    const bank = await pay(local('bank_redirect', 'online_banking_fpx', fpx, 'MYR'));
    assert.equal(bank.next_action.type, 'redirect_to_url');
    events();
    client.vendor.receiveFunds(thai.payment_id);
    client.vendor.receiveFunds(account.payment_id, 4000n);
    client.vendor.expire(upi.payment_id);
    client.vendor.declinePayment(collect.payment_id);
    assert.deepEqual(events(), ['payment_succeeded', 'payment_captured', 'payment_expired', 'payment_failed']);
    assert.equal((await fetchPayment(account.payment_id)).status, 'partially_captured');
  });

  test('refunds in parts, never too much, and reports late failures', async () => {
    const { payment_id } = await pay();
    events();
    const refund = async (change: object) =>
      await client.post('/refunds', { payment_id, refund_id: nextId('ref'), ...change });
    const first = (await refund({ amount: 400, reason: 'return' })).body as any;
    assert.equal(first.status, 'succeeded');
    const twice = await refund({ refund_id: first.refund_id, amount: 100 });
    assert.equal((twice.body as any).error.code, 'HE_01');
    assert.equal(((await refund({ amount: 601 })).body as any).error.code, 'IR_13');
    client.vendor.next('refund', { outcome: 'pending' });
    const second = (await refund({ amount: 600 })).body as any;
    assert.equal(second.status, 'pending');
    client.vendor.settleRefund(second.refund_id, 'failed');
    client.vendor.settleRefund(first.refund_id, 'failed_late');
    assert.equal(((await client.get(`/refunds/${second.refund_id}`)).body as any).status, 'failed');
    assert.equal((await client.get(`/refunds/${nextId('ref')}`)).status, 404);
    assert.deepEqual(events(), ['refund_succeeded', 'refund_failed', 'refund_failed']);
    const unpaid = await pay(card('4000000000000002'));
    assert.equal(((await refund({ payment_id: unpaid.payment_id })).body as any).error.code, 'IR_14');
    events();
  });

  test('reports disputes', async () => {
    const { payment_id } = await pay();
    events();
    const dispute = client.vendor.openDispute(payment_id, { amountMinor: 500n });
    const { body } = await client.get(`/disputes/${dispute}`);
    assert.equal(`${(body as any).dispute_status} ${(body as any).amount}`, 'dispute_opened 500');
    client.vendor.closeDispute(dispute, 'lost');
    assert.deepEqual(events(), ['dispute_opened', 'dispute_lost']);
    assert.equal((await client.get('/disputes/dp_unknown')).status, 404);
  });

  test('returns errors in both formats', async () => {
    const { vendor, get, id } = await openHyperswitch({ errorForm: 'documented' });
    const { body } = await get(`/payments/${id('pay')}`);
    assert.deepEqual(Object.keys(body as object), ['error_type', 'message', 'code']);
    await vendor.close();
  });
});

describe('the contract of Hyperswitch', () => {
  test('accepts fields from the documentation', () => {
    const billing = {
      address: {
        ...{ city: 'San Fransico', country: 'US', first_name: 'joseph', last_name: 'Doe', line1: '1467' },
        ...{ line2: 'Harrison Street', line3: 'Harrison Street', state: 'California', zip: '94122' },
      },
      phone: { country_code: '+91', number: '9123456789' },
    };
    const card = {
      ...{ card_cvc: '123', card_exp_month: '10', card_exp_year: '25', card_holder_name: 'joseph Doe' },
      card_number: '4242424242424242',
    };
    const charge = {
      ...{ payment_id: 'pay_mbabizu24mvu3mela5njyhpit4', amount: 6540, currency: 'USD', confirm: true, billing },
      ...{ authentication_type: 'no_three_ds', payment_method: 'card', payment_method_data: { card } },
    };
    assert.deepEqual(mismatches(hyperswitchContract.charge.body, charge), []);
  });

  test('catches missing, unknown and malformed fields, and wrong credentials', async () => {
    const { vendor, post, payment, id } = await openHyperswitch({ mayViolate: true });
    const { card } = payment('').payment_method_data;
    const bad: readonly [RegExp, object][] = [
      [/\/payment_id must be an ID of 30 characters/, { payment_id: 'pay_short' }],
      [/\/currency/, { currency: undefined }],
      [/Unrecognized key: "email"/, { email: 'ana@example.com' }],
      [/\/amount/, { amount: 10.5 }],
      [
        /\/payment_method_data\/card\/card_exp_month/,
        { payment_method_data: { card: { ...card, card_exp_month: '3' } } },
      ],
      [/needs payment_method and payment_method_data/, { payment_method: undefined }],
      [/differ/, { payment_method: 'wallet' }],
      [/3-D Secure needs return_url/, { return_url: undefined }],
      [/\/return_url must use https/, { return_url: 'http://pay.example/return' }],
    ];
    for (const [reason, change] of bad) {
      assert.equal((await post('/payments', payment(id('pay'), change))).status, 400);
      assert.match(vendor.violations.at(-1)?.reasons.join('; ') ?? '', reason);
    }
    const small = { payment_id: id('pay'), refund_id: id('ref'), amount: 99 };
    assert.equal((await post('/refunds', small)).status, 400);
    await fetch(`${vendor.url}/payments/${id('pay')}?sync=1`, { headers: { 'api-key': vendor.credentials.apiKey } });
    assert.match(vendor.violations.at(-1)?.reasons.join() ?? '', /query\/ Unrecognized key: "sync"/);
    assert.equal(vendor.violations.length, bad.length + 2);
    assert.deepEqual(vendor.charges(), []);
    const response = await fetch(`${vendor.url}/payments/${id('pay')}`, { headers: { 'api-key': 'wrong' } });
    assert.equal(response.status, 401);
    assert.equal(vendor.violations.length, bad.length + 2);
    await vendor.close();
  });
});
