// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotProcessed } from '../../../src/acquirers/port.ts';
import { apiError, cardCharge, chargeKey, networkError, recorder, testCards } from './connection.ts';

const rejection = async (call: Promise<unknown>): Promise<Error> =>
  await call.then(
    () => assert.fail('the call succeeded'),
    (error: unknown) => error as Error,
  );

test('requests go to the configured server, with a timeout and without redirects', async () => {
  const { sent, card } = recorder([
    new Response(null, { status: 302, headers: { location: 'https://evil.example/' } }),
  ]);
  const error = await rejection(card.charge(cardCharge()));
  assert.ok(!(error instanceof NotProcessed));
  assert.equal(sent.length, 1);
  const [request] = sent;
  assert.ok(request);
  const { url, init } = request;
  assert.equal(url, 'https://hyperswitch.example/payments');
  assert.equal(init.redirect, 'manual');
  assert.ok(init.signal instanceof AbortSignal);
  assert.equal(init.headers['api-key'], 'key');
});

test('distinguishes requests that were certainly not processed', async () => {
  const notProcessed = [
    ...[networkError('ECONNREFUSED'), networkError('ENOTFOUND'), networkError('CERT_HAS_EXPIRED')],
    ...[apiError(401, 'IR_01'), apiError(403, 'IR_22'), apiError(429, 'IR_00')],
  ];
  for (const result of notProcessed) {
    const error = await rejection(recorder([result]).card.charge(cardCharge()));
    assert.ok(error instanceof NotProcessed, error.message);
  }
  const unknown = [
    ...[networkError('ECONNRESET'), Object.assign(new Error('late'), { name: 'TimeoutError' })],
    ...[apiError(500, 'HE_00'), apiError(422, 'HE_00'), new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ...[
      new Response('not found', { status: 404 }),
      new Response('{"payment_id"'),
      Response.json({ status: 'succeeded' }),
    ],
  ];
  for (const result of unknown) {
    const error = await rejection(recorder([result]).card.charge(cardCharge()));
    assert.ok(!(error instanceof NotProcessed), error.message);
  }
});

test('no error contains card data, secrets or text from Hyperswitch', async () => {
  for (const result of [
    ...[apiError(401, 'IR_01'), apiError(500, 'HE_00'), networkError('ECONNRESET')],
    ...[Response.json({ payment_id: testCards.approved }), new Response(testCards.approved, { status: 400 })],
  ]) {
    const { message } = await rejection(recorder([result]).card.charge(cardCharge()));
    assert.doesNotMatch(message, /4242|123|key|refused/, message);
  }
});

test('only Hyperswitch’s own 404 means that it has no payment', async () => {
  for (const form of ['wrapped', 'documented'] as const) {
    const { card } = recorder([apiError(404, 'HE_02', form)]);
    assert.equal(await card.fetchOutcome(chargeKey(cardCharge())), null);
  }
  // A wrong address: another server, or a path that Hyperswitch does not have.
  for (const response of [apiError(404, 'IR_02'), new Response('not found', { status: 404 })])
    await rejection(recorder([response]).card.fetchOutcome(chargeKey(cardCharge())));
});

test('a response for another payment, amount or currency is not an outcome', async () => {
  const charge = cardCharge();
  const response = { payment_id: `pc_${charge.attemptKey}`, status: 'succeeded', amount: 1000, currency: 'EUR' };
  const sendRequest = async (change: object) =>
    await recorder([Response.json({ ...response, ...change })]).card.fetchOutcome(chargeKey(charge));
  assert.equal((await sendRequest({}))?.kind, 'approved');
  for (const change of [{ payment_id: 'pay_other' }, { amount: 999 }, { currency: 'USD' }])
    await assert.rejects(sendRequest(change), /another payment/);
});

test('a charge has the payer, the browser and the profile', async () => {
  const { sent, card } = recorder([apiError(500, 'HE_00'), apiError(500, 'HE_00')], { profileId: 'pro_1' });
  await rejection(card.charge(cardCharge(testCards.approved, { description: 'x'.repeat(300) })));
  const body = JSON.parse(sent[0]?.init.body ?? '');
  assert.equal(body.profile_id, 'pro_1');
  assert.equal(body.description.length, 255);
  assert.equal(`${body.capture_method} ${body.authentication_type} ${body.confirm}`, 'automatic three_ds true');
  assert.deepEqual(body.billing.phone, { country_code: '+66', number: '21234567' });
  assert.equal(body.browser_info.ip_address, '203.0.113.7');
  assert.equal(body.browser_info.java_script_enabled, true);
  await rejection(
    card.charge(cardCharge(testCards.approved, { browser: null, payer: { ...cardCharge().payer, ipAddress: null } })),
  );
  assert.deepEqual(JSON.parse(sent[1]?.init.body ?? '').browser_info, {});
});

test('the credentials are checked without a side effect', async () => {
  const sendRequest = async (response: Response | Error) => {
    const { sent, check } = recorder([response]);
    const { result } = await check();
    assert.equal(`${sent.length} ${sent[0]?.init.method}`, '1 GET');
    return result;
  };
  assert.equal(await sendRequest(apiError(404, 'HE_02')), 'ok');
  assert.equal(await sendRequest(apiError(401, 'IR_01')), 'failed');
  assert.equal(await sendRequest(apiError(403, 'IR_22')), 'failed');
  assert.equal(await sendRequest(apiError(404, 'IR_02')), 'failed');
  assert.equal(await sendRequest(apiError(429, 'IR_00')), 'unreachable');
  assert.equal(await sendRequest(new Response('hello')), 'unreachable');
  assert.equal(await sendRequest(networkError('ECONNREFUSED')), 'unreachable');
});
