// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { apiUrl, credentialsSchema } from '../../../src/acquirers/adyen/credentials.ts';
import { createAdyenClient } from '../../../src/acquirers/adyen/client.ts';
import { NotProcessed, Outage } from '../../../src/acquirers/port.ts';
import { cardCharge, connect, credentials } from './account.ts';

type Result = { status?: number; body?: unknown; headers?: Record<string, string> } | Error;

/** A network with one response; records the requests. */
function network(result: Result) {
  const requests: { url: string; init: RequestInit }[] = [];
  const fetch: typeof globalThis.fetch = (url, init = {}) => {
    requests.push({ url: new Request(url).url, init });
    if (result instanceof Error) return Promise.reject(result);
    const { status = 200, body = {}, headers = {} } = result;
    const isRaw = typeof body === 'string' || body instanceof ReadableStream;
    return Promise.resolve(new Response(isRaw ? body : JSON.stringify(body), { status, headers }));
  };
  return { fetch, requests };
}

const call = async (result: Result) => {
  const { fetch, requests } = network(result);
  const client = createAdyenClient({ credentials: credentialsSchema.parse(credentials), fetch });
  const send = client({
    path: '/payments',
    body: { number: '4111111111111111' },
    responseSchema: z.object({ id: z.string() }),
  });
  return {
    requests,
    error: await send.then(
      () => null,
      (error: unknown) => error as Error,
    ),
  };
};

const serviceError = (errorCode: string, errorType = 'validation') => {
  return { status: 422, errorCode, errorType, message: 'Wrong number 4111111111111111' };
};

/** The error of a connection, as `fetch` reports it. */
const networkError = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

describe('the client of Adyen', () => {
  test('sends requests to the host of its environment only, without redirects', async () => {
    const hostOf = (change: object) => apiUrl(credentialsSchema.parse({ ...credentials, ...change }));
    assert.equal(hostOf({}), 'https://checkout-test.adyen.com/v71');
    const live = { environment: 'live', liveUrlPrefix: '1797a841fbb37ca7-AdyenDemo' };
    assert.equal(hostOf(live), 'https://1797a841fbb37ca7-AdyenDemo-checkout-live.adyenpayments.com/checkout/v71');
    assert.equal(hostOf({ apiUrl: 'http://localhost:4000/v71/' }), 'http://localhost:4000/v71');
    for (const url of ['https://cards.example/v71', 'http://10.0.0.1/v71', 'http://localhost:4000/v71?to='])
      assert.throws(() => hostOf({ apiUrl: url }), url);
    const { requests, error } = await call({ body: { id: 'a', more: 'ignored' } });
    assert.equal(error, null);
    const [{ url, init }] = requests as [(typeof requests)[0]];
    assert.equal(url, 'https://checkout-test.adyen.com/v71/payments');
    assert.equal(init.redirect, 'manual');
    assert.ok(init.signal);
    assert.equal(new Headers(init.headers).get('x-api-key'), credentials.apiKey);
  });

  test('reports requests that were certainly not processed', async () => {
    const results: Result[] = [
      { status: 401, body: serviceError('000', 'security') },
      { status: 403, body: serviceError('901', 'security') },
      { status: 429 },
      { status: 400, body: serviceError('702') },
      { status: 422, body: serviceError('130') },
      networkError('ECONNREFUSED'),
      networkError('ENOTFOUND'),
      networkError('UND_ERR_CONNECT_TIMEOUT'),
      networkError('CERT_REVOKED'),
      networkError('HOSTNAME_MISMATCH'),
    ];
    for (const result of results) assert.ok((await call(result)).error instanceof NotProcessed, JSON.stringify(result));
  });

  test('leaves everything else unknown', async () => {
    const results: Result[] = [
      { status: 500, body: serviceError('905', 'internal') },
      { status: 502, body: '<html>' },
      { status: 503 },
      { status: 302, headers: { location: 'https://evil.example/' } },
      { status: 404 },
      // Adyen still processes the first request with this key.
      { status: 422, body: serviceError('704') },
      { status: 422, body: serviceError('130'), headers: { 'transient-error': 'true' } },
      { status: 422, body: 'no JSON' },
      { status: 200, body: 'no JSON' },
      { status: 200, body: { other: 1 } },
      networkError('ECONNRESET'),
      networkError('UND_ERR_SOCKET'),
      new DOMException('The operation was aborted', 'TimeoutError'),
    ];
    for (const result of results) {
      const { error } = await call(result);
      assert.ok(error && !(error instanceof NotProcessed), JSON.stringify(result));
    }
  });

  test('reads at most 4 MB of a response', async () => {
    const space = ' '.repeat(1024 * 1024);
    let [sent, isCanceled] = [0, false];
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 100) controller.close();
        else controller.enqueue(new TextEncoder().encode(space));
      },
      cancel() {
        isCanceled = true;
      },
    });
    const { error } = await call({ body: endless });
    assert.ok(error instanceof Outage && !(error instanceof NotProcessed));
    assert.match(error.message, /was cut off: RESPONSE_TOO_LARGE/);
    assert.ok(isCanceled && sent < 10);
    assert.equal((await call({ body: `{"id":"a"}${space.repeat(3)}` })).error, null);
  });

  test('includes no request or response in errors', async () => {
    const results: Result[] = [
      { status: 422, body: serviceError('101 4111111111111111') },
      { status: 500, body: serviceError('1') },
      { status: 200, body: { id: 4111111111111111 } },
      networkError('ECONNRESET'),
    ];
    for (const result of results) {
      const { error } = await call(result);
      assert.doesNotMatch(`${error?.message} ${error?.stack}`, /4111111111111111|AQEtest/);
    }
  });
});

describe('the check of Adyen credentials', () => {
  const check = async (response: Result) => {
    const { result, detail } = await connect({}, network(response).fetch).check();
    return `${result}: ${detail}`;
  };

  test('lists payment methods and explains a failure', async () => {
    const methods = [{ type: 'scheme', name: 'Cards' }];
    assert.equal(await check({ body: { paymentMethods: methods } }), 'ok: Payment methods of the merchant account: 1.');
    assert.match(await check({ status: 401 }), /^failed: Adyen rejected the API key/);
    assert.match(await check({ status: 403 }), /^failed: .*PaylatchTest/);
    assert.match(await check({ status: 422, body: serviceError('702') }), /^failed: .*702/);
    assert.match(await check({ status: 500 }), /^unreachable: /);
    assert.match(await check({ status: 429 }), /^unreachable: /);
    assert.match(await check(networkError('ECONNREFUSED')), /^unreachable: /);
  });
});

describe('card requests to Adyen', () => {
  test('contain the fields for 3-D Secure by redirect, and capture immediately', async () => {
    const { fetch, requests } = network({ body: { resultCode: 'Authorised', pspReference: 'A' } });
    const charge = cardCharge();
    await connect({}, fetch).card.charge(charge);
    const { init } = requests[0] as (typeof requests)[0];
    const reference = `card_${charge.attemptKey}_1250`;
    assert.equal(new Headers(init.headers).get('idempotency-key'), reference);
    assert.deepEqual(JSON.parse(init.body as string), {
      ...{ merchantAccount: 'PaylatchTest', reference, merchantOrderReference: 'order-1' },
      amount: { currency: 'EUR', value: 1250 },
      paymentMethod: {
        ...{ type: 'scheme', number: '4111111111111111', expiryMonth: '03', expiryYear: '2030', cvc: '737' },
        holderName: 'Ada Lovelace',
      },
      ...{ returnUrl: 'https://pay.example/p/link/return', channel: 'Web', shopperInteraction: 'Ecommerce' },
      ...{ captureDelayHours: 0, redirectFromIssuerMethod: 'GET' },
      authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
      billingAddress: {
        ...{ street: 'St James’s Square', houseNumberOrName: '12', city: 'London' },
        ...{ postalCode: 'W1J 7NT', country: 'GB' },
      },
      shopperName: { firstName: 'Ada', lastName: 'Lovelace' },
      ...{ shopperEmail: 'ada@example.com', telephoneNumber: '+442079460000', shopperIP: '203.0.113.7' },
      browserInfo: {
        ...{ userAgent: 'Mozilla/5.0', acceptHeader: '*/*', language: 'en-GB', colorDepth: 24 },
        ...{ screenHeight: 800, screenWidth: 1280, timeZoneOffset: 0, javaEnabled: false },
      },
      shopperLocale: 'en-GB',
    });
  });

  test('fill in details that the card form does not request', async () => {
    const { fetch, requests } = network({ body: { resultCode: 'Authorised', pspReference: 'A' } });
    const { payer, ...charge } = cardCharge();
    const short = { ...payer, phone: '', address: '', city: '', state: '', postcode: '', country: 'AE' };
    await connect({}, fetch).card.charge({ ...charge, payer: short });
    const { billingAddress, telephoneNumber } = JSON.parse(requests[0]?.init.body as string);
    const unknown = 'N/A';
    assert.deepEqual(billingAddress, {
      ...{ street: unknown, houseNumberOrName: unknown, city: unknown, postalCode: unknown, country: 'AE' },
    });
    assert.equal(telephoneNumber, undefined);
  });

  test('contain the code of the state in the US and Canada, where Adyen requires it', async () => {
    const sent = async (country: string, state: string) => {
      const { fetch, requests } = network({ body: { resultCode: 'Authorised', pspReference: 'A' } });
      const { payer, ...charge } = cardCharge();
      await connect({}, fetch).card.charge({ ...charge, payer: { ...payer, country, state } });
      return JSON.parse(requests[0]?.init.body as string).billingAddress.stateOrProvince;
    };
    assert.deepEqual(
      [await sent('US', ''), await sent('US', 'ca'), await sent('US', 'California '), await sent('US', 'Cali')],
      ['N/A', 'CA', 'CA', 'N/A'],
    );
    assert.deepEqual(
      [await sent('CA', ''), await sent('CA', 'british columbia'), await sent('CA', 'Québec')],
      ['N/A', 'BC', 'QC'],
    );
    assert.deepEqual([await sent('AU', 'NSW'), await sent('AU', 'Tasmania')], ['NSW', undefined]);
  });

  test('rejected for card details are declined; other rejections count as not sent', async () => {
    const outcome = async (errorCode: string) =>
      await connect({}, network({ status: 422, body: serviceError(errorCode) }).fetch).card.charge(cardCharge());
    assert.deepEqual(await outcome('103'), {
      kind: 'declined',
      decline: { code: 'incorrect_cvc', network_code: null, retryable: true, advice: 'check_details' },
    });
    await assert.rejects(outcome('905_1'), NotProcessed);
  });
});
