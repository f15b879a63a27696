// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotProcessed } from '../../../src/acquirers/port.ts';
import {
  paymentResponse,
  apiError,
  cardCharge,
  chargeKey,
  connect,
  networkError,
  openAccount,
  pushRequest,
  recorder,
} from './connection.ts';
import { SimulatedClock } from '../../support/clock.ts';

test('sends a charge to the configured host, with the key, the version and no redirects', async () => {
  const charge = cardCharge();
  const { sent, card } = recorder([paymentResponse(charge), Response.json({}, { status: 500 })]);
  assert.equal((await card.charge(charge)).kind, 'approved');
  const [first] = sent;
  assert.ok(first);
  assert.equal(first.url, 'https://api.xendit.co/v3/payment_requests');
  assert.equal(first.init.redirect, 'manual');
  assert.ok(first.init.signal);
  assert.deepEqual(first.init.headers, {
    ...{ accept: 'application/json', authorization: 'Basic eG5kX2RldmVsb3BtZW50X3NlY3JldDo=' },
    ...{ 'api-version': '2024-11-11', 'content-type': 'application/json' },
  });
  assert.deepEqual(JSON.parse(first.init.body ?? ''), {
    ...{ reference_id: charge.attemptKey, type: 'PAY', country: 'TH', currency: 'USD', request_amount: 12.5 },
    ...{ capture_method: 'AUTOMATIC', channel_code: 'CARDS', description: 'Order 7' },
    metadata: { transaction: 'order-7' },
    channel_properties: {
      card_details: {
        ...{ card_number: '4000000000000101', cvn: '123', expiry_month: '03', expiry_year: '2030' },
        ...{ cardholder_first_name: 'Ana', cardholder_last_name: 'Lee', cardholder_email: 'ana@shop.example' },
        cardholder_phone_number: '+6621234567',
      },
      skip_three_ds: false,
      success_return_url: charge.returnUrl,
      failure_return_url: charge.returnUrl,
    },
  });
  // A redirect is not followed: the outcome is unknown.
  const redirected = recorder([new Response(null, { status: 307, headers: { location: 'https://other.example' } })]);
  await assert.rejects(redirected.card.charge(charge), isUnknown);
});

test('a charge may take 20 seconds, its details 4, and any other call 10', async (context) => {
  const timeouts: number[] = [];
  const { timeout } = AbortSignal;
  context.mock.method(AbortSignal, 'timeout', (ms: number) => {
    timeouts.push(ms);
    return timeout(ms);
  });
  const charge = cardCharge();
  const { card } = recorder([
    paymentResponse(charge),
    apiError(500, 'SERVER_ERROR'),
    paymentResponse(charge, { status: 'CANCELED' }),
  ]);
  await card.charge(charge);
  await card.fetchOutcome(chargeKey(charge, 'pr-1'));
  assert.deepEqual(timeouts, [20_000, 4_000, 10_000]);
});

test('distinguishes charges that were not sent from those that may have been', async () => {
  const reject = async (result: Response | Error): Promise<unknown> =>
    await recorder([result])
      .card.charge(cardCharge())
      .then(
        () => assert.fail('the charge has an outcome'),
        (error: unknown) => error,
      );
  const unsent = [
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].map(networkError),
    ...[apiError(401, 'INVALID_API_KEY'), apiError(403, 'INVALID_MERCHANT_SETTINGS')],
    ...[apiError(429, 'RATE_LIMIT_EXCEEDED'), new Response('<html>', { status: 403 })],
    ...[apiError(400, 'API_VALIDATION_ERROR'), apiError(400, 'INVALID_VALUE_ERROR')],
  ];
  for (const result of unsent) assert.ok((await reject(result)) instanceof NotProcessed, describe(result));
  const unknown = [
    ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].map(networkError),
    ...[apiError(500, 'SERVER_ERROR'), apiError(503, 'CHANNEL_UNAVAILABLE'), new Response('<html>', { status: 502 })],
    ...[new Response('<html>', { status: 400 }), new Response('{"status":"SUC', { status: 201 }), Response.json([])],
    ...[Object.assign(new Error('late'), { name: 'TimeoutError' }), new Response('', { status: 404 })],
  ];
  for (const result of unknown) assert.ok(isUnknown(await reject(result)), describe(result));
});

test('errors contain no card data, credentials or response text', async () => {
  for (const result of [
    ...[apiError(403, 'SKIP_3DS_FORBIDDEN'), apiError(500, 'SERVER_ERROR'), networkError('ECONNRESET')],
    Response.json({ ...(await paymentResponse(cardCharge()).json()), status: 4_000_000_000_000_101 }),
    Response.json({ error_code: 'card 4000000000001091', message: '' }, { status: 400 }),
  ]) {
    const error = await recorder([result])
      .card.charge(cardCharge())
      .then(
        () => assert.fail('the charge has an outcome'),
        (thrown: unknown) => thrown as Error,
      );
    assert.doesNotMatch(error.message, /4000|secret|123|eG5k/);
  }
});

test('a failed later call never marks a charge as not sent', async () => {
  const charge = cardCharge();
  // Sent before: 409. Then the search is rate limited.
  const twice = recorder([apiError(409, 'DUPLICATE_ERROR'), apiError(429, 'RATE_LIMIT_EXCEEDED')]);
  assert.deepEqual(await twice.card.charge(charge), { kind: 'unknown' });
  assert.deepEqual(
    twice.sent.map(({ init, url }) => `${init.method} ${new URL(url).pathname}`),
    ['POST /v3/payment_requests', 'GET /transactions'],
  );
  // A challenge that cannot be shown is canceled.
  for (const value of ['javascript:alert(1)', 'http://issuer.example', 'intent://x', '']) {
    const actions = [{ type: 'REDIRECT_CUSTOMER', descriptor: 'WEB_URL', value }];
    const stuck = recorder([
      paymentResponse(charge, { status: 'REQUIRES_ACTION', actions }),
      networkError('ECONNREFUSED'),
    ]);
    assert.deepEqual(await stuck.card.charge(charge), { kind: 'unknown', reference: 'pr-1' }, value);
    assert.equal(stuck.sent[1]?.url, 'https://api.xendit.co/v3/payment_requests/pr-1/cancel');
  }
});

test('a response for another payment is rejected', async () => {
  const charge = cardCharge();
  for (const change of [{ reference_id: 'other' }, { request_amount: 12.51 }, { currency: 'EUR' }]) {
    const { card } = recorder([paymentResponse(charge, change), paymentResponse(charge, change)]);
    await assert.rejects(card.charge(charge), isUnknown);
    await assert.rejects(card.fetchOutcome(chargeKey(charge, 'pr-1')), /another reference, amount or currency/);
  }
});

test('a status without an outcome stays unknown', async () => {
  for (const status of ['ACCEPTING_PAYMENTS', 'AUTHORIZED', 'SOMETHING_NEW']) {
    const charge = cardCharge();
    const { card } = recorder([paymentResponse(charge, { status })]);
    assert.deepEqual(await card.charge(charge), { kind: 'unknown', reference: 'pr-1' }, status);
  }
});

test('return URLs have https and at most 255 characters; anything else is not sent', async () => {
  const reject = async (returnUrl: string) => {
    const { sent, card } = recorder([]);
    await assert.rejects(card.charge(cardCharge(undefined, { returnUrl })), NotProcessed);
    assert.equal(sent.length, 0);
  };
  await reject('http://127.0.0.1:8080/p/link/return');
  await reject(`https://pay.example/${'p'.repeat(236)}`);
  const clock = new SimulatedClock();
  const { sent, push } = recorder([]);
  const wallet = pushRequest('gcash_ewallet', 'PHL', 'PHP', clock, { returnUrl: 'http://pay.example/' });
  await assert.rejects(push.issueInstructions(wallet), /https/);
  await assert.rejects(push.issueInstructions({ ...wallet, choice: 'GCASH' }), NotProcessed);
  const rupiah = pushRequest('virtual_account', 'IDN', 'IDR', clock, { amountMinor: 1_000_050n });
  await assert.rejects(push.issueInstructions(rupiah), /at most 0 decimals/);
  assert.equal(sent.length, 0);
});

test('a test key is not used in production, nor a live key in the sandbox', async () => {
  const live = { secretKey: 'xnd_production_secret' };
  for (const [change, environment] of [
    [{}, 'production'],
    [live, 'sandbox'],
  ] as const) {
    const { sent, card, check } = recorder([], change, environment);
    await assert.rejects(card.charge(cardCharge()), NotProcessed);
    assert.equal((await check()).result, 'failed');
    assert.equal(sent.length, 0);
  }
  assert.equal((await recorder([apiError(404, 'DATA_NOT_FOUND')], live, 'production').check()).result, 'ok');
});

test('checks the credentials without side effects', async () => {
  const { vendor, check } = await openAccount();
  assert.deepEqual(await check(), { result: 'ok', detail: 'Xendit accepts the API key.' });
  assert.deepEqual(
    vendor.requests.map(({ method, path }) => `${method} ${path}`),
    ['GET /v3/payment_requests/pr-00000000-0000-0000-0000-000000000000', 'GET /transactions'],
  );
  assert.deepEqual(vendor.charges(), []);
  const wrong = connect(fetch, { apiUrl: vendor.url, secretKey: 'xnd_development_other' });
  assert.deepEqual(await wrong.check(), { result: 'failed', detail: 'Xendit rejected the API key.' });
  await vendor.close();

  const results: [readonly (Response | Error)[], string][] = [
    [[apiError(403, 'REQUEST_FORBIDDEN_ERROR')], 'failed: The API key lacks permission to read Money-In.'],
    [
      [apiError(404, 'DATA_NOT_FOUND'), apiError(403, 'REQUEST_FORBIDDEN_ERROR')],
      'failed: The API key lacks permission to read Transactions.',
    ],
    [[apiError(429, 'RATE_LIMIT_EXCEEDED')], 'unreachable: Xendit’s rate limit was reached. Try again in a minute.'],
    [
      [apiError(400, 'API_VALIDATION_ERROR')],
      'failed: Xendit rejected the request with error code API_VALIDATION_ERROR.',
    ],
    [[networkError('ECONNREFUSED')], 'unreachable: Xendit could not be reached.'],
    [[new Response('<html>', { status: 502 })], 'unreachable: Xendit returned no valid response. Try again later.'],
  ];
  for (const [responses, expected] of results) {
    const { result, detail } = await recorder([...responses]).check();
    assert.equal(`${result}: ${detail}`, expected);
  }
  const insecure = connect(
    async () => await Promise.resolve(apiError(404, 'DATA_NOT_FOUND')),
    {},
    { publicUrl: 'http://localhost:8080' },
  );
  assert.match((await insecure.check()).detail, /https/);
});

function isUnknown(error: unknown): boolean {
  return error instanceof Error && !(error instanceof NotProcessed);
}

function describe(result: Response | Error): string {
  return result instanceof Error ? `${result.message} ${String(result.cause)}` : String(result.status);
}

/** The outcome of a capture or a void after these responses, which follow that of the payment request. */
async function modify(action: 'capture' | 'void', ...payments: (object | Response)[]): Promise<string> {
  const charge = cardCharge();
  const payment = {
    ...{ payment_id: 'py-1', payment_request_id: 'pr-1', reference_id: charge.attemptKey },
    ...{ currency: 'USD', request_amount: 12.5, status: 'AUTHORIZED' },
  };
  const responses = payments.map((each) => (each instanceof Response ? each : Response.json({ ...payment, ...each })));
  // After a rejection, the payment is read again.
  const rejected = responses.findIndex(({ ok }) => !ok);
  if (rejected >= 0) responses.splice(rejected + 1, 0, paymentResponse(charge));
  const { manualCapture } = recorder([paymentResponse(charge), ...responses]).card;
  assert.ok(manualCapture);
  const request = { charge: chargeKey(charge, 'pr-1'), modificationKey: 'm1', reference: null };
  const outcome =
    action === 'capture'
      ? await manualCapture.capture({ ...request, amountMinor: 1250n })
      : await manualCapture.void(request);
  if (outcome.kind === 'captured') return `captured ${outcome.amountMinor}`;
  return outcome.kind === 'refused' ? `${outcome.code}${outcome.isReleased ? ', released' : ''}` : outcome.kind;
}

test('the payment determines the outcome of captures and voids, even after an error', async () => {
  const paid = (capture_amount: number) => ({ status: 'SUCCEEDED', captures: [{ capture_amount }] });
  for (const [action, expected, ...payments] of [
    ['capture', 'succeeded', {}, paid(12.5)],
    ['capture', 'succeeded', paid(12.5)],
    ['capture', 'captured 500', paid(5)],
    ['capture', 'pending', {}, {}],
    ['capture', 'authorization_ended, released', { status: 'EXPIRED' }],
    ['capture', 'succeeded', {}, apiError(400, 'INVALID_PAYMENT_STATUS'), paid(12.5)],
    ['capture', 'xendit_API_VALIDATION_ERROR', {}, apiError(400, 'API_VALIDATION_ERROR'), {}],
    ['capture', 'pending', {}, apiError(429, 'RATE_LIMIT_EXCEEDED'), {}],
    ['void', 'succeeded', {}, { status: 'CANCELED' }],
    ['void', 'captured 1250', {}, apiError(400, 'INVALID_PAYMENT_STATUS'), paid(12.5)],
    ['void', 'pending', {}, {}],
  ] as const)
    assert.equal(await modify(action, ...payments), expected, `${action} ${JSON.stringify(payments)}`);
});

test('a capture with more decimals than Xendit accepts is refused, and the payment stays authorized', async () => {
  const charge = cardCharge(undefined, { currency: 'IDR', amountMinor: 15_000_000n });
  const rupiah = { currency: 'IDR', request_amount: 150_000 };
  const authorized = Response.json({
    ...{
      payment_id: 'py-1',
      payment_request_id: 'pr-1',
      reference_id: charge.attemptKey,
      status: 'AUTHORIZED',
      ...rupiah,
    },
  });
  const { card, sent } = recorder([paymentResponse(charge, rupiah), authorized]);
  const request = {
    charge: chargeKey(charge, 'pr-1'),
    modificationKey: 'm1',
    reference: null,
    amountMinor: 6_666_667n,
  };
  const outcome = await card.manualCapture?.capture(request);
  assert.equal(
    outcome?.kind === 'refused' && `${outcome.code} ${outcome.isReleased}`,
    'amount_not_supported undefined',
  );
  assert.equal(sent.length, 2, 'nothing but look-ups');
});
