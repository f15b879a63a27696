// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'promptparse';
import { HOUR, MINUTE } from '../../src/shared/time.ts';
import { paymentMethods } from '../../src/methods/catalog.ts';
import { changePush } from '../support/acquirer-accounts.ts';
import { createBuyers } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { cards, createLink, submission, submitCard } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const thai = { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 1250.5 };

describe('a push payment', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  const { stateOf, detailOf, tryStartPayment, startPayment, simulate, confirm, merchantAction } = createBuyers(
    () => fixture,
  );
  const beginQr = async () => {
    const link = await createLink(fixture, thai);
    return { link, started: await startPayment(link, 'qr_code') };
  };

  test('starts with instructions that the acquirer issues once', async () => {
    const { link, started } = await beginQr();
    assert.equal(started.code, 'qr_code');
    assert.ok(started.instructions.action === 'qr' && started.instructions.scheme === 'promptpay');
    const qr = parse(started.instructions.payload, true);
    assert.equal(qr?.getTagValue('54'), '1250.50');
    assert.equal(qr?.getTagValue('30', '02'), started.reference);
    assert.deepEqual((await tryStartPayment(link, 'qr_code')).body.started, started);
    assert.deepEqual((await stateOf(link)).started, started);
    const detail = await detailOf(link);
    assert.equal(detail.status, 'transaction_status_waiting');
    assert.deepEqual(
      detail.instructions.map(({ state, payment_method }) => [state, payment_method]),
      [['issued', 'qr_code']],
    );
  });

  test('is confirmed by the exact amount', async () => {
    const { link, started } = await beginQr();
    await simulate(started, 'exact');
    const detail = await detailOf(link);
    assert.equal(detail.status, 'transaction_status_confirmed');
    assert.equal(detail.amount_received, 1250.5);
    assert.deepEqual(
      detail.receipts.map(({ amount }) => amount),
      [1250.5],
    );
    assert.equal((await stateOf(link)).phase, 'paid');
    assert.equal(detail.reason, undefined);
  });

  for (const [decision, reason, received, left] of [
    ['underpay', 'underpaid', 1125.45, '125.05'],
    ['overpay', 'overpaid', 1375.55, '0.00'],
  ] as const) {
    test(`with ${decision} than its amount needs a review and can be accepted`, async () => {
      const { link, started } = await beginQr();
      await simulate(started, decision);
      const waiting = await detailOf(link);
      assert.deepEqual(
        [waiting.status, waiting.reason, waiting.amount_received, waiting.available_actions],
        ['transaction_status_waiting', reason, received, ['accept', 'reject']],
      );
      const state = await stateOf(link);
      assert.deepEqual(state.received, { value: received.toFixed(2), left });
      assert.equal(state.started, null);
      assert.deepEqual(
        [state.phase, state.waitsFor],
        left === '0.00' ? ['checking', { kind: 'merchant' }] : ['ready', null],
      );
      const refused = await merchantAction(link, 'cancel');
      assert.equal(refused.body.code, 'not_cancellable');
      const accepted = await merchantAction(link, 'accept');
      assert.equal(accepted.status, 200, accepted.text);
      assert.deepEqual(
        [accepted.body.status, accepted.body.reason, accepted.body.amount_delivered],
        ['transaction_status_confirmed', reason, received],
      );
      const again = await merchantAction(link, 'accept');
      assert.equal(again.status, 200);
    });
  }

  test('paid in part requests the rest, which confirms it', async () => {
    const { link, started } = await beginQr();
    await simulate(started, 'underpay');
    const switched = await tryStartPayment(link, 'truemoney_ewallet');
    assert.deepEqual([switched.status, switched.body.code], [409, 'partially_paid']);
    // The issued instructions exceed the remaining amount.
    const state = await stateOf(link);
    assert.deepEqual([state.started, state.methods.map(({ code }) => code)], [null, ['qr_code']]);
    const { body } = await tryStartPayment(link, 'qr_code');
    assert.equal(parse(body.started.instructions.payload)?.getTagValue('54'), '125.05');
    await simulate(body.started, 'exact');
    const detail = await detailOf(link);
    assert.deepEqual([detail.status, detail.amount_received], ['transaction_status_confirmed', 1250.5]);
    assert.deepEqual(
      detail.instructions.map(({ state: end }) => end),
      ['withdrawn', 'paid'],
    );
    assert.equal(started.code, 'qr_code');
  });

  test('that is overpaid accepts no further payment by any method', async () => {
    const { link, started } = await beginQr();
    await simulate(started, 'overpay');
    const again = await tryStartPayment(link, 'qr_code');
    assert.deepEqual([again.status, again.body.code], [409, 'overpaid']);
  });

  test('sent twice at once is confirmed by the first receipt and reports the overpayment', async () => {
    const { link, started } = await beginQr();
    await simulate(started, 'duplicate');
    const detail = await detailOf(link);
    assert.deepEqual([detail.status, detail.reason], ['transaction_status_confirmed', 'overpaid']);
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.received], ['paid', { value: '2501.00', left: '0.00' }]);
  });

  test('paid twice is confirmed and reports the overpayment', async () => {
    const { link, started } = await beginQr();
    await simulate(started, 'exact');
    await simulate(started, 'exact');
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.reason, detail.amount_received, detail.receipts.length],
      ['transaction_status_confirmed', 'overpaid', 2501, 2],
    );
  });

  test('that was refused can be started again, also by another method', async () => {
    const { link, started } = await beginQr();
    await simulate(started, 'refuse');
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.started], ['ready', null]);
    assert.deepEqual(state.ended, { code: 'qr_code', reason: 'refused' });
    const { status, body } = await tryStartPayment(link, 'online_banking', 'scb');
    const markNow = async () => (await stateOf(link)).methods.find(({ code }) => code === 'online_banking')?.mark;
    assert.equal(await markNow(), 'initials/SCB');
    assert.equal(body.ended, null);
    assert.equal(status, 200);
    assert.equal(body.started.instructions.action, 'redirect');
    await simulate(body.started, 'exact');
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.payment_method, detail.instructions.map(({ state }) => state)],
      ['transaction_status_confirmed', 'online_banking', ['refused', 'paid']],
    );
  });

  test('is offered again once its acquirer lists the choices; until then other methods are', async () => {
    const link = await createLink(fixture, thai);
    const offered = async () => (await stateOf(link)).methods.map(({ code }) => code);
    const all = await offered();
    assert.ok(all.includes('online_banking'));
    const restore = changePush(fixture.service(), (acquirer) => ({
      ...acquirer,
      listChoices: async () => await Promise.reject(new Error('timed out')),
    }));
    const without = await offered();
    restore();
    assert.deepEqual(
      without,
      all.filter((code) => code !== 'online_banking'),
    );
    assert.deepEqual(await offered(), all);
  });

  test('keeps its instructions if the fee of another method exceeds the amount', async () => {
    const link = await createLink(fixture, thai);
    const setFee = async (payment_method: string, fee_fix: number) => {
      const body = { payment_methods: [{ payment_method, currency: 'THB', status: 'enable', fee_fix }] };
      const token = fixture.merchant.managerToken;
      const path = '/fiat/v1/merchant/payment-methods';
      assert.equal((await fixture.request(path, { method: 'PATCH', body, token })).status, 200);
    };
    const started = await startPayment(link, 'qr_code');
    await setFee('truemoney_ewallet', 2000);
    await setFee('credit_card', 2000);
    const state = await stateOf(link);
    const wallet = await tryStartPayment(link, 'truemoney_ewallet');
    const card = await submitCard(fixture, link.reference, cards.visa, link.clientToken);
    const detail = await detailOf(link);
    await setFee('truemoney_ewallet', 0);
    await setFee('credit_card', 0);
    const offered = state.methods.map(({ code }) => code);
    assert.ok(!offered.includes('truemoney_ewallet') && !offered.includes('credit_card'), offered.join());
    const problemOf = ({ status, body }: typeof wallet) => [status, body.errors?.[0].pointer, body.errors?.[0].code];
    assert.deepEqual(problemOf(wallet), [422, '/payment_method', 'payment_method_not_offered']);
    assert.deepEqual(problemOf(card), [422, '/payment_method', 'amount_below_fee']);
    assert.deepEqual(
      [detail.payment_method, detail.instructions.map(({ state: end }) => end)],
      ['qr_code', ['issued']],
    );
    assert.deepEqual((await stateOf(link)).started, started);
  });

  test('that switches methods withdraws the instructions; a payment of these still counts', async () => {
    const { link, started } = await beginQr();
    const { body } = await tryStartPayment(link, 'truemoney_ewallet');
    assert.equal(body.started.code, 'truemoney_ewallet');
    await simulate(started, 'exact');
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.instructions.map(({ state }) => state)],
      ['transaction_status_confirmed', ['withdrawn', 'issued']],
    );
  });

  test('with expired instructions offers new ones while the link is valid', async () => {
    const { link, started } = await beginQr();
    await fixture.advance(15 * MINUTE);
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.started], ['ready', null]);
    assert.deepEqual(state.ended, { code: 'qr_code', reason: 'expired' });
    assert.equal(state.selectedMethod, '');
    assert.equal((await detailOf(link)).status, 'transaction_status_pending');
    const { body } = await tryStartPayment(link, 'qr_code');
    assert.notEqual(body.started.reference, started.reference);
  });

  test('with instructions that were never issued is offered again, and nothing has expired', async () => {
    const link = await createLink(fixture, thai);
    const fail = async () => await Promise.reject(new Error('timed out'));
    const restore = changePush(fixture.service(), (push) => ({ ...push, issueInstructions: fail, withdraw: fail }));
    assert.equal((await tryStartPayment(link, 'qr_code')).status, 502);
    restore();
    await fixture.advance(10 * MINUTE);
    const { phase, ended, selectedMethod } = await stateOf(link);
    assert.deepEqual([phase, ended, selectedMethod], ['ready', null, 'qr_code']);
    assert.equal((await detailOf(link)).instructions[0]?.state, 'withdrawn');
  });

  test('after the expiry is confirmed and marked late', async () => {
    const { link, started } = await beginQr();
    await simulate(started, 'late');
    await fixture.advance(24 * HOUR);
    const detail = await detailOf(link);
    assert.deepEqual([detail.status, detail.reason], ['transaction_status_confirmed', undefined]);
    const never = await beginQr();
    await fixture.advance(25 * HOUR);
    assert.deepEqual(
      [(await detailOf(never.link)).status, (await detailOf(never.link)).reason],
      ['transaction_status_failed', 'expired'],
    );
    await simulate(never.started, 'exact');
    const late = await detailOf(never.link);
    assert.deepEqual([late.status, late.late], ['transaction_status_confirmed', true]);
  });

  test('can be replaced by a card until the first receipt', async () => {
    const link = await createLink(fixture, { amount: 20, type_of_calculation: 'forward_with_fee' });
    const { body: state } = await tryStartPayment(link, 'crypto_payment', 'btc');
    // Each method has its own fee. The page shows each total before the selection.
    assert.equal(state.amount.value, '20.00');
    assert.equal(state.methods.find(({ code }: { code: string }) => code === 'credit_card').amount, '20.88');
    const paid = await fixture.request('/fiat/v1/transaction/submit', {
      body: submission(link.reference),
      token: link.clientToken,
    });
    // The buyer selects the method on the page.
    assert.equal(paid.status, 200, paid.text);
    assert.equal(paid.body.response_type, 'confirmed');
    const detail = await detailOf(link);
    assert.deepEqual(
      detail.instructions.map(({ state: end }) => end),
      ['withdrawn'],
    );
    assert.deepEqual(
      [detail.payment_method, detail.amount_charged, detail.amount_received],
      ['credit_card', 20.88, 20.88],
    );
    const underpaid = await createLink(fixture, { amount: 20 });
    const { body: started } = await tryStartPayment(underpaid, 'crypto_payment', 'usdt');
    await simulate(started.started, 'underpay');
    await confirm(started.started);
    const refused = await fixture.request('/fiat/v1/transaction/submit', {
      body: submission(underpaid.reference),
      token: underpaid.clientToken,
    });
    assert.deepEqual([refused.status, refused.body.code], [409, 'partially_paid']);
    assert.equal((await detailOf(underpaid)).instructions.at(-1)?.state, 'issued');
  });

  test('starts with its method’s action, for every method of the catalog', async () => {
    for (const { code, action, countries, currencies, choice } of paymentMethods) {
      if (action === 'card') continue;
      const places =
        countries === 'world' ? [['FRA', 'EUR'] as const] : countries.map((country) => [country, null] as const);
      for (const [country, only] of places) {
        const currency = only ?? currencies[countries === 'world' ? 0 : countries.indexOf(country)];
        const link = await createLink(fixture, { payment_method: code, country, currency, amount: 50_000 });
        const offered = (await stateOf(link)).methods.find((method) => method.code === code);
        if (choice) assert.ok((offered?.choices?.length ?? 0) >= 4, `${code} ${country}`);
        const { status, body, text } = await tryStartPayment(link, code, offered?.choices?.[0]?.code ?? null);
        assert.equal(status, 200, `${code} ${country} ${text}`);
        assert.equal(body.started.instructions.action, action);
        await simulate(body.started, 'exact');
        if (action === 'crypto') await confirm(body.started);
        assert.equal((await detailOf(link)).status, 'transaction_status_confirmed', `${code} ${country}`);
      }
    }
  });

  test('on a chain awaits confirmations; until then nothing is switched, withdrawn or expired', async () => {
    const link = await createLink(fixture, { amount: 20 });
    const { started } = (await tryStartPayment(link, 'crypto_payment', 'btc')).body;
    await simulate(started, 'exact');
    const awaited = async () => {
      const { phase, waitsFor } = await stateOf(link);
      return [phase, waitsFor];
    };
    assert.deepEqual(await awaited(), ['checking', { kind: 'confirmations', seen: 0, needed: 2 }]);
    for (const sendRequest of [
      () => tryStartPayment(link, 'on_ramp_card'),
      () =>
        fixture.request('/fiat/v1/transaction/submit', { body: submission(link.reference), token: link.clientToken }),
      () => merchantAction(link, 'cancel'),
    ]) {
      const { status, body } = await sendRequest();
      assert.deepEqual([status, body.code], [409, 'submit_in_progress']);
    }
    await simulate(started, 'block');
    assert.deepEqual(await awaited(), ['checking', { kind: 'confirmations', seen: 1, needed: 2 }]);
    assert.equal((await detailOf(link)).instructions[0]?.confirmations, 1);
    await fixture.advance(25 * HOUR);
    assert.deepEqual(await awaited(), ['checking', { kind: 'confirmations', seen: 1, needed: 2 }]);
    assert.equal((await detailOf(link)).instructions[0]?.state, 'issued');
    await simulate(started, 'block');
    const detail = await detailOf(link);
    assert.deepEqual([detail.status, detail.instructions[0]?.confirmations], ['transaction_status_confirmed', null]);
  });

  test('can be simulated on the simulator’s page', async () => {
    const { started } = await beginQr();
    const path = new URL(started.simulatorUrl ?? '').pathname;
    const page = await fixture.request(path, { token: null });
    assert.equal(page.status, 200);
    for (const decision of ['exact', 'underpay', 'overpay', 'duplicate', 'late', 'refuse'])
      assert.ok(page.text.includes(`value="${decision}"`), decision);
    assert.ok(!page.text.includes('value="block"'));
    await simulate(started, 'underpay');
    assert.match((await fixture.request(path, { token: null })).text, /Received<\/dt><dd><bdi>฿1,125\.45/);
    const unknown = await fixture.request(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`, { token: null });
    assert.equal(unknown.status, 404);
  });

  test('can be started only by the page, with an offered method', async () => {
    const link = await createLink(fixture, thai);
    const other = await createLink(fixture, thai);
    const sendRequest = async (body: object, token: string | null = link.clientToken) =>
      await fixture.request(`${link.path}/method`, { body, token });
    assert.equal((await sendRequest({ payment_method: 'qr_code' }, null)).status, 401);
    assert.equal((await sendRequest({ payment_method: 'qr_code' }, other.clientToken)).status, 401);
    for (const [body, pointer] of [
      [{ payment_method: 'credit_card' }, '/payment_method'],
      [{ payment_method: 'upi' }, '/payment_method'],
      [{ payment_method: 'qr_code', choice: 'scb' }, '/choice'],
      [{ payment_method: 'online_banking' }, '/choice'],
      [{ payment_method: 'online_banking', choice: 'maybank' }, '/choice'],
      [{ payment_method: 'qr_code', more: 1 }, '/more'],
    ] as const) {
      const response = await sendRequest(body);
      assert.deepEqual([response.status, response.body.errors?.[0]?.pointer], [422, pointer], JSON.stringify(body));
    }
    assert.deepEqual((await detailOf(link)).instructions, []);
  });
});
