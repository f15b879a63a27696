// Databases: sqlite
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { createClient } from '../../client/index.ts';
import { fromMinorUnits, toMinorUnits } from '../../shops/amounts.ts';
import { parseOptions, shopOptionFields, type ShopOptions } from '../../shops/options.ts';
import { capturedMinorUnits, paymentStateOf, refundStateOf, ShopPayments } from '../../shops/transactions.ts';
import { type RawRequest, readRawBody } from '../../shops/vendure/raw-body.ts';
import * as z from 'zod/mini';
import { HOUR } from '../../src/shared/time.ts';
import { createBuyers } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { cards, createLink, submitCard } from '../support/requests.ts';

const schema: z.ZodMiniType<ShopOptions> = z.strictObject(shopOptionFields);
const options = {
  baseUrl: 'https://pay.example',
  token: 'pl_test_1',
  merchantId: 1,
  webhookKey: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  returnUrl: 'https://shop.example/checkout',
  currencies: { USD: { country: 'USA' }, JPY: { country: 'JPN' } },
} satisfies ShopOptions;

describe('shop amounts', () => {
  test('use the decimals of the currency, and are rounded half up', () => {
    const cases: [string | number, string, bigint][] = [
      ['25.5', 'USD', 2550n],
      [25.5, 'USD', 2550n],
      ['1500', 'JPY', 1500n],
      ['1500.00', 'VND', 1500n],
      ['1.234', 'KWD', 1234n],
      ['1.2345', 'KWD', 1235n],
      // `Intl` shows no decimals for these.
      ['19.99', 'HUF', 1999n],
      ['1.234', 'IQD', 1234n],
      ['33.333333333', 'USD', 3333n],
      ['0.005', 'USD', 1n],
      ['1499.5', 'JPY', 1500n],
      ['9999999999999.99', 'USD', 999999999999999n],
      ['-2.5', 'USD', -250n],
    ];
    for (const [amount, currency, minor] of cases) assert.equal(toMinorUnits(amount, currency), minor, `${amount}`);
    assert.deepEqual(
      [
        fromMinorUnits(2550n, 'USD'),
        fromMinorUnits(1500n, 'JPY'),
        fromMinorUnits(1234n, 'KWD'),
        fromMinorUnits(1999n, 'HUF'),
      ],
      [25.5, 1500, 1.234, 19.99],
    );
    for (const wrong of ['', '1e21', 'NaN', '1,5']) assert.throws(() => toMinorUnits(wrong, 'USD'), RangeError);
  });
});

describe('shop options', () => {
  test('are parsed, and the error lists every invalid option without its value', () => {
    assert.deepEqual(parseOptions(schema, options), options);
    const wrong = {
      ...{ baseUrl: 'pay.example', token: '', webhookKey: 'secret-value', returnUrl: 'javascript:alert(1)' },
      ...{ currencies: { usd: { country: 'US' } }, capture: 'later', webhook: true },
    };
    assert.throws(
      () => parseOptions(schema, wrong),
      ({ message }: Error) => {
        for (const name of ['baseUrl', 'token', 'webhookKey', 'returnUrl', 'currencies', 'capture', 'merchantId'])
          assert.match(message, new RegExp(`\\b${name}`));
        assert.match(message, /merchantId: is required/);
        assert.doesNotMatch(message, /secret-value/);
        return true;
      },
    );
    assert.throws(() => parseOptions(schema, { ...options, currencies: {} }), /currencies: must not be empty/);
  });
});

describe('webhook bodies', () => {
  test('are rejected once if they are too large, even while an earlier response is pending', async (context) => {
    let pending: ServerResponse | undefined;
    const received: (string | undefined)[] = [];
    const server = createServer((request: RawRequest, response) => {
      if (request.url === '/pending') pending = response;
      else {
        readRawBody(request, response, () => {
          received.push(request.rawBody?.toString());
          response.end();
        });
        request.on('end', () => pending?.end());
      }
    }).listen(0);
    context.after(() => server.close());
    await once(server, 'listening');
    const send = async (...requests: string[]) => {
      const socket = connect((server.address() as AddressInfo).port);
      socket.write(requests.join(''));
      return await text(socket);
    };
    const post = (body: string, connection = 'keep-alive') =>
      `POST / HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    assert.match(await send(post('{}', 'close')), /^HTTP\/1.1 200/);
    const refused = await send('GET /pending HTTP/1.1\r\nHost: a\r\n\r\n', post('a'.repeat(3 * 1024 * 1024)));
    assert.match(refused, /^HTTP\/1.1 200[\s\S]+HTTP\/1.1 413/);
    assert.deepEqual(received, ['{}']);
  });
});

describe('shop payments', () => {
  let fixture: Fixture;
  const paymentsOf = (fields: Partial<ShopOptions> = {}) =>
    new ShopPayments({ ...options, baseUrl: fixture.url, token: fixture.merchant.token, ...fields });
  let count = 0;
  const link = async (payments: ShopPayments, minor = 2550n, currency = 'USD') => {
    count += 1;
    const reference = `cart-${count}`;
    await payments.createLink({
      ...{ reference, minor, currency, description: 'Your order', returnUrl: options.returnUrl },
      metadata: { cart: reference },
    });
    return reference;
  };
  const pay = async (reference: string) => {
    assert.equal((await submitCard(fixture, reference, cards.visa)).status, 200);
  };
  const usd = (minor: bigint) => ({ minor, currency: 'USD' });

  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  test('a sale is paid for the expected amount and currency only, and refunded once per key', async () => {
    const payments = paymentsOf();
    const reference = await link(payments);
    assert.equal(paymentStateOf(await payments.retrieve(reference)), 'open');
    await assert.rejects(payments.capture(reference, usd(2550n), 'a'), /is not authorized/);
    await pay(reference);
    const paid = await payments.retrieveExpected(reference, usd(2550n));
    assert.equal(paymentStateOf(paid), 'paid');
    assert.equal(capturedMinorUnits(paid), 2550n);
    await assert.rejects(payments.retrieveExpected(reference, usd(2551n)), /is for 25.5 USD, not 25.51 USD/);
    await assert.rejects(
      payments.retrieveExpected(reference, { minor: 2550n, currency: 'EUR' }),
      /is for 25.5 USD, not 25.5 EUR/,
    );
    await assert.rejects(payments.cancelOrVoid(reference), /has been paid/);
    for (const _ of [1, 2])
      assert.deepEqual(await payments.refund(reference, usd(1000n), 'refund-1'), {
        ...{ numbers: [1], state: 'succeeded', problem: undefined },
      });
    assert.equal((await payments.retrieve(reference)).refunded_amount, 10);
    assert.equal(paymentStateOf(await payments.retrieve(reference)), 'paid');
    await payments.refund(reference, usd(1550n), 'refund-2');
    // Its webhook must not place or settle an order.
    const refunded = await payments.cancelOrVoid(reference);
    assert.equal(paymentStateOf(refunded), 'canceled');
    assert.equal(capturedMinorUnits(refunded), 0n);
    await assert.rejects(payments.capture(reference, usd(2550n), 'b'), /is not authorized/);
    await assert.rejects(payments.refund(reference, usd(1n), 'refund-3'), /\[not_refundable\]|refund/);
  });

  test('an authorized payment is captured once, even if requested repeatedly', async () => {
    const payments = paymentsOf({ capture: 'manual' });
    const reference = await link(payments);
    await pay(reference);
    assert.equal(paymentStateOf(await payments.retrieve(reference)), 'authorized');
    const attempts = await Promise.allSettled(
      ['a', 'b', 'c'].map(async (key) => await payments.capture(reference, usd(2000n), key)),
    );
    assert.ok(attempts.some(({ status }) => status === 'fulfilled'));
    const captured = await payments.capture(reference, usd(2000n), 'd');
    assert.equal(capturedMinorUnits(captured), 2000n);
    assert.equal(captured.amount_received, 20);
    await assert.rejects(payments.capture(reference, usd(2550n), 'e'), /captured 20 USD .* and released the rest/);
    await assert.rejects(payments.capture(reference, { minor: 1n, currency: 'EUR' }, 'f'), /is in USD, not EUR/);
  });

  test('an open link is canceled, an authorization is voided, and repeated calls change nothing', async () => {
    const open = await link(paymentsOf());
    const manual = paymentsOf({ capture: 'manual' });
    const authorized = await link(manual);
    await pay(authorized);
    for (const reference of [open, authorized])
      for (const _ of [1, 2]) assert.equal(paymentStateOf(await manual.cancelOrVoid(reference)), 'canceled');
  });

  test('a refund of several payments has all their refunds, and only its own', async () => {
    await enableEveryMethod(fixture, fixture.merchant);
    const { startPayment, simulate } = createBuyers(() => fixture);
    const payments = paymentsOf();
    const vnd = (minor: bigint) => ({ minor, currency: 'VND' });
    const fields = { payment_method: 'qr_code', country: 'VNM', currency: 'VND', amount: 100_000 };
    const opened = await createLink(fixture, fields);
    await simulate(await startPayment(opened, 'qr_code'), 'underpay');
    await simulate(await startPayment(opened, 'qr_code'), 'exact');
    const first = payments.refund(opened.reference, vnd(1000n), 'first');
    const results = [await first, await payments.refund(opened.reference, vnd(95_000n), 'second')];
    const pending = { state: 'pending', problem: undefined };
    assert.deepEqual(results, [
      { ...pending, numbers: [1] },
      { ...pending, numbers: [2, 3] },
    ]);
    // A later refund does not replace the result of an earlier one.
    assert.deepEqual(await payments.refund(opened.reference, vnd(1000n), 'first'), { ...pending, numbers: [1] });
  });

  test('a refund has failed, or is pending, if any part has', () => {
    const [failed, pending, succeeded] = [
      { state: 'failed' as const },
      { state: 'pending' as const },
      { state: 'succeeded' as const },
    ];
    assert.equal(refundStateOf([succeeded, pending, failed]), 'failed');
    assert.equal(refundStateOf([succeeded, pending]), 'pending');
    assert.equal(refundStateOf([succeeded, succeeded]), 'succeeded');
  });

  test('funds that can still be accepted are not declined', async () => {
    await enableEveryMethod(fixture, fixture.merchant);
    const { startPayment, simulate, merchantAction } = createBuyers(() => fixture);
    const payments = paymentsOf();
    const fields = { payment_method: 'qr_code', country: 'VNM', currency: 'VND', amount: 100_000 };
    const stateOf = async (reference: string) => paymentStateOf(await payments.retrieve(reference));
    const states: Record<string, string[]> = {};
    for (const action of ['accept', 'reject'] as const) {
      const opened = await createLink(fixture, fields);
      await simulate(await startPayment(opened, 'qr_code'), 'underpay');
      await fixture.advance(25 * HOUR);
      const { reason } = await payments.retrieve(opened.reference);
      assert.equal(reason, 'underpaid');
      const expired = await stateOf(opened.reference);
      await merchantAction(opened, action);
      states[action] = [expired, await stateOf(opened.reference)];
    }
    assert.deepEqual(states, { accept: ['canceled', 'paid'], reject: ['canceled', 'declined'] });
  });

  test('unsupported currencies are rejected with a reason', async () => {
    const payments = paymentsOf();
    await assert.rejects(link(payments, 100n, 'KWD'), /KWD is not in the currencies option/);
    await assert.rejects(link(payments, 100n, 'JPY'), /possible for JPN and JPY: none.*\[validation_failed\]/s);
    await assert.rejects(link(payments, 0n), /must be greater than 0/);
  });

  test('an unreachable service is reported', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', token: 'a', maxRetries: 0 });
    await assert.rejects(new ShopPayments(options, client).retrieve('cart-1'), /unreachable.*\[unreachable\]/);
  });
});
