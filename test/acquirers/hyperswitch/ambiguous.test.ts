// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotProcessed } from '../../../src/acquirers/port.ts';
import { SimulatedClock } from '../../support/clock.ts';
import { apiError, cardCharge, chargeKey, networkError, pushRequest, recorder } from './connection.ts';

const charge = cardCharge();
const respond = (status: string, fields: object = {}) =>
  Response.json({ payment_id: `pc_${charge.attemptKey}`, status, amount: 1000, currency: 'EUR', ...fields });
/** Charges with these responses. Returns the outcome and the requests, in order. */
async function attempt(...responses: (Response | Error)[]) {
  const { sent, card } = recorder(responses);
  const outcome = await card.charge(charge);
  const requests = sent.map(({ url, init }) => `${init.method} ${new URL(url).pathname.replace(/pc_[\w-]+/, 'ID')}`);
  return { outcome, requests };
}

const cancelled = ['POST /payments', 'POST /payments/ID/cancel', 'GET /payments/ID'];

test('an unsupported challenge is canceled immediately', async () => {
  for (const next_action of [
    { type: 'three_ds_invoke', three_ds_data: {} },
    { type: 'redirect_to_url', redirect_to_url: 'javascript:alert(1)' },
    { type: 'redirect_to_url', redirect_to_url: 'http://issuer.example/' },
    null,
  ]) {
    const { outcome, requests } = await attempt(
      respond('requires_customer_action', { next_action }),
      Response.json({}),
      respond('cancelled'),
    );
    assert.equal(outcome.kind === 'declined' && outcome.decline.code, 'authentication_abandoned');
    assert.deepEqual(requests, cancelled);
    // Later, the service abandons charges without an outcome.
    const { card } = recorder([respond('requires_customer_action', { next_action })]);
    assert.equal(await card.fetchOutcome(chargeKey(charge)), null);
  }
});

test('a duplicate of a request in progress is unknown, and not canceled', async () => {
  const { outcome, requests } = await attempt(apiError(400, 'HE_01'), respond('requires_confirmation'));
  assert.deepEqual(outcome, { kind: 'unknown' });
  assert.deepEqual(requests, ['POST /payments', 'GET /payments/ID']);
});

test('after a connector error, the stored payment determines the outcome', async () => {
  const failed = await attempt(apiError(400, 'CE_01'), respond('failed', { error_code: 'expired_card' }));
  assert.equal(failed.outcome.kind === 'declined' && failed.outcome.decline.code, 'expired_card');
  const approved = await attempt(apiError(400, 'CE_01'), respond('succeeded'));
  assert.equal(approved.outcome.kind, 'approved');
  const open = await attempt(apiError(400, 'CE_00'), respond('processing'));
  assert.equal(open.outcome.kind, 'unknown');
});

test('a rejected charge whose payment ID was stored is closed', async () => {
  const { outcome, requests } = await attempt(
    apiError(400, 'IR_39'),
    respond('requires_payment_method'),
    Response.json({}),
    respond('cancelled'),
  );
  assert.equal(outcome.kind, 'declined');
  assert.deepEqual(requests, ['POST /payments', 'GET /payments/ID', 'POST /payments/ID/cancel', 'GET /payments/ID']);
  const wrong = await attempt(
    apiError(422, 'IR_05'),
    respond('requires_payment_method'),
    Response.json({}),
    respond('cancelled'),
  );
  assert.equal(wrong.outcome.kind === 'declined' && wrong.outcome.decline.advice, 'check_details');
  await assert.rejects(attempt(apiError(501, 'IR_00'), apiError(404, 'HE_02')), NotProcessed);
  // Without a response to the lookup, nothing is certain. The first request may have charged the card.
  for (const lookup of [apiError(429, 'IR_00'), apiError(401, 'IR_01'), networkError('ECONNREFUSED')])
    await assert.rejects(
      attempt(apiError(400, 'CE_01'), lookup),
      (error) => error instanceof Error && !(error instanceof NotProcessed),
    );
  await assert.rejects(
    attempt(apiError(422, 'IR_05'), apiError(500, 'HE_00')),
    (error) => !(error instanceof NotProcessed),
  );
});

test('a payment that was not confirmed yet has no outcome: the service cancels it', async () => {
  for (const status of ['requires_payment_method', 'requires_confirmation']) {
    const { card } = recorder([respond(status)]);
    assert.equal(await card.fetchOutcome(chargeKey(charge)), null);
  }
  const { card, sent } = recorder([Response.json({}), respond('cancelled')]);
  assert.equal((await card.abandon(chargeKey(charge))).kind, 'declined');
  assert.equal(sent.length, 2);
});

test('a busy payment is not abandoned', async () => {
  const { card } = recorder([apiError(422, 'HE_00')]);
  await assert.rejects(card.abandon(chargeKey(charge)), /422/);
});

test('a charge that arrives between the look-up and the cancellation keeps its outcome', async () => {
  const { card } = recorder([
    ...[apiError(404, 'HE_02'), apiError(400, 'HE_01')],
    ...[apiError(400, 'IR_14'), respond('succeeded')],
  ]);
  assert.equal((await card.abandon(chargeKey(charge))).kind, 'approved');
});

test('less than the amount and statuses of later versions are unknown', async () => {
  for (const found of [
    respond('succeeded', { amount_received: 999 }),
    respond('partially_captured'),
    respond('new_status'),
  ]) {
    const { card } = recorder([found]);
    assert.equal((await card.fetchOutcome(chargeKey(charge)))?.kind, 'unknown');
  }
});

test('an unsupported next action issues no instructions', async () => {
  const payment = pushRequest('qr_code', 'THA', 'THB', new SimulatedClock());
  const issue = async (next_action: object | null) => {
    const fields = { payment_id: `pp_${payment.instructionsKey}`, amount: 250_000, currency: 'THB' };
    const created = Response.json({ ...fields, status: 'requires_customer_action', next_action });
    return await recorder([created]).push.issueInstructions(payment);
  };
  const { instructions } = await issue({ type: 'redirect_to_url', redirect_to_url: 'https://bank.example/qr' });
  assert.deepEqual(instructions, { action: 'redirect', url: 'https://bank.example/qr' });
  for (const next_action of [
    { type: 'qr_code_information', image_data_url: 'data:', qr_code_url: 'https://bank.example/qr.png' },
    { type: 'fetch_qr_code_information', qr_code_fetch_url: 'https://bank.example/qr' },
    { type: 'invoke_upi_intent_sdk', sdk_uri: 'javascript:alert(1)', display_from_timestamp: 1 },
    null,
  ])
    await assert.rejects(issue(next_action), /no next action to show for qr_code/);
});

test('a rupiah payment of an earlier release is looked up, canceled and refunded', async () => {
  const payment = { ...pushRequest('qr_code', 'THA', 'THB', new SimulatedClock()), currency: 'IDR' as const };
  const key = { ...payment, acquirerReference: null };
  const fields = { payment_id: `pp_${payment.instructionsKey}`, amount: 250_000, currency: 'IDR' };
  const found = (status: string) => Response.json({ ...fields, status });
  const receipts = (await recorder([found('succeeded')]).push.fetchPayment(key))?.receipts;
  assert.deepEqual(
    receipts?.map(({ amountMinor }) => amountMinor),
    [250_000n],
  );
  assert.equal((await recorder([Response.json({}), found('cancelled')]).push.withdraw(key))?.state, 'closed');
  // Hyperswitch never received it: its ID is reserved.
  const unknown = [apiError(404, 'HE_02'), found('requires_payment_method'), Response.json({}), found('cancelled')];
  assert.equal((await recorder(unknown).push.withdraw(key))?.state, 'closed');
  const refundKey = 'refund-of_27-characters_001';
  const refunded = { refund_id: `re_${refundKey}`, payment_id: fields.payment_id, amount: 250_000 };
  const outcome = await recorder([Response.json({ ...refunded, currency: 'IDR', status: 'succeeded' })]).push.refund({
    ...{ refundKey, reference: null, chargeKey: payment.instructionsKey, chargeReference: null },
    ...{ amountMinor: 250_000n, currency: 'IDR' },
  });
  assert.equal(outcome.kind, 'succeeded');
});

test('a rejected reversal is refused, unless its refund exists', async () => {
  const reverse = async (...responses: Response[]) =>
    await recorder([respond('succeeded'), ...responses]).card.reverse(chargeKey(charge));
  const refused = { kind: 'refused', code: 'hyperswitch_IR_14' };
  assert.deepEqual(await reverse(apiError(400, 'IR_14'), apiError(404, 'HE_02')), refused);
  const refund = { refund_id: `rv_${charge.attemptKey}`, payment_id: `pc_${charge.attemptKey}`, amount: 1000 };
  const existing = Response.json({ ...refund, currency: 'EUR', status: 'pending' });
  assert.deepEqual(await reverse(apiError(400, 'IR_14'), existing), { kind: 'requested' });
  await assert.rejects(reverse(apiError(500, 'HE_00')), /500/);
});

test('a release that the connector rejects is refused, also when it is requested again', async () => {
  const refused = { kind: 'refused', code: 'void_refused' };
  const released = recorder([authorizedPayment(), Response.json({}), respond('failed')]).card;
  assert.deepEqual(await released.reverse(chargeKey(charge)), refused);
  assert.deepEqual(await recorder([respond('failed')]).card.reverse(chargeKey(charge)), refused);
});

test('a partly received payment without its amount is read again later', async () => {
  const payment = pushRequest('qr_code', 'THA', 'THB', new SimulatedClock());
  const fields = { payment_id: `pp_${payment.instructionsKey}`, amount: 250_000, currency: 'THB' };
  const { push } = recorder([Response.json({ ...fields, status: 'partially_captured' })]);
  await assert.rejects(push.fetchPayment({ ...payment, acquirerReference: null }), /without its amount/);
});

/** The outcome of a capture or a void after these responses. */
async function modify(action: 'capture' | 'void', ...responses: Response[]): Promise<string> {
  const { manualCapture } = recorder(responses).card;
  assert.ok(manualCapture);
  const request = { charge: chargeKey(charge), modificationKey: 'm1', reference: null };
  const outcome =
    action === 'capture'
      ? await manualCapture.capture({ ...request, amountMinor: 1000n })
      : await manualCapture.void(request);
  if (outcome.kind === 'captured') return `captured ${outcome.amountMinor}`;
  return outcome.kind === 'refused' ? `${outcome.code}${outcome.isReleased ? ', released' : ''}` : outcome.kind;
}

const authorizedPayment = () => respond('requires_capture', { capture_method: 'manual' });

test('the payment determines the outcome of a capture, even after an error', async () => {
  const partly = { amount_received: 600 };
  for (const [expected, ...responses] of [
    ['succeeded', authorizedPayment(), respond('succeeded')],
    ['succeeded', respond('succeeded')],
    ['captured 600', respond('partially_captured', partly)],
    ['succeeded', authorizedPayment(), apiError(400, 'IR_14'), respond('succeeded')],
    ['pending', authorizedPayment(), apiError(400, 'CE_00'), respond('processing')],
    ['hyperswitch_IR_06', authorizedPayment(), apiError(400, 'IR_06'), authorizedPayment()],
    // The connector may still hold the amount.
    ['capture_failed', authorizedPayment(), apiError(400, 'CE_01'), respond('failed')],
    ['authorization_ended, released', respond('cancelled')],
  ] as const)
    assert.equal(await modify('capture', ...responses), expected);
  await assert.rejects(modify('capture', respond('partially_captured')), /without its amount/);
  await assert.rejects(modify('capture', apiError(404, 'HE_02')), /cannot find the authorized payment/);
  // Temporary: the next call reads the payment first.
  for (const code of ['HE_00', 'CE_01'])
    await assert.rejects(modify('capture', authorizedPayment(), apiError(500, code)), /returned 500 for a capture/);
});

test('the payment determines the outcome of a void, even after an error', async () => {
  const canceled = () => Response.json({});
  for (const [expected, ...responses] of [
    ['succeeded', canceled(), respond('cancelled')],
    ['succeeded', apiError(400, 'IR_16'), respond('expired')],
    ['captured 1000', apiError(400, 'IR_16'), respond('succeeded')],
    ['void_refused', apiError(400, 'IR_16'), authorizedPayment()],
    ['void_refused', canceled(), respond('failed')],
    ['void_refused', apiError(400, 'IR_16'), respond('failed')],
    ['pending', canceled(), authorizedPayment()],
  ] as const)
    assert.equal(await modify('void', ...responses), expected);
});
