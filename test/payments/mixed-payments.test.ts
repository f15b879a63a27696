import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../src/shared/time.ts';
import { applyReceipts } from '../../src/payments/push/receipts.ts';
import { createBuyers, type Link } from '../support/buyer.ts';
import { onSqlite } from '../support/databases.ts';
import { readPageDocument } from '../support/frames.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { cards, createLink, creation, submission, submitCard } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { changePush } from '../support/acquirer-accounts.ts';

/*
 * Payments by one method while another is open, after it was withdrawn, or after the expiry. A push payment cannot be
 * stopped, so every order of events must end in a correct state.
 */
describe('payments by several methods', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  const {
    stateOf,
    detailOf,
    tryStartPayment,
    startPayment,
    simulate,
    confirm,
    pay,
    completeChallenge,
    merchantAction,
  } = createBuyers(() => fixture);

  const ten = { amount: 10 };
  const vietnamese = { payment_method: 'qr_code', country: 'VNM', currency: 'VND', amount: 100_000 };
  /** A partial payment by iDEAL, started before the card, during the card's 3-D Secure challenge. */
  const payPartDuringChallenge = async () => {
    const link = await createLink(fixture, ten);
    const ideal = await startPayment(link, 'on_ramp_ideal');
    assert.equal((await pay(link, cards.challenge)).body.response_type, '3ds_redirect');
    const { challengeUrl } = await stateOf(link);
    await simulate(ideal, 'underpay');
    return { link, challengeUrl };
  };
  const openInstructions = async (link: Link) =>
    (await detailOf(link)).instructions.filter(({ state }) => state === 'issued' || state === 'issuing');

  test('after a declined card, a partial payment is completed by its own method', async () => {
    const { link, challengeUrl } = await payPartDuringChallenge();
    await completeChallenge(challengeUrl, 'refuse');
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.reason, detail.amount_received, detail.payment_method, detail.available_actions],
      ['transaction_status_waiting', 'underpaid', 9, 'on_ramp_ideal', ['accept', 'reject']],
    );
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.received], ['ready', { value: '9.00', left: '1.00' }]);
    assert.deepEqual(
      state.methods.map(({ code }) => code),
      ['on_ramp_ideal'],
    );
    assert.equal((await pay(link, cards.visa)).body.code, 'partially_paid');
    assert.equal((await merchantAction(link, 'cancel')).body.code, 'not_cancellable');
    await simulate(await startPayment(link, 'on_ramp_ideal'), 'exact');
    const paid = await detailOf(link);
    assert.deepEqual([paid.status, paid.reason, paid.amount_received], ['transaction_status_confirmed', undefined, 10]);
  });

  onSqlite('after an abandoned card, a partial payment can be accepted', async () => {
    const { link } = await payPartDuringChallenge();
    const { clientToken } = await stateOf(link);
    await fixture.request(`${link.path}/abandon`, { body: {}, token: clientToken });
    assert.equal((await merchantAction(link, 'accept')).status, 200);
    assert.equal((await detailOf(link)).status, 'transaction_status_confirmed');
    // The receipt shows no card: none was charged.
    assert.equal((await stateOf(link)).card, null);
  });

  onSqlite('a partial payment plus an approved card is an overpayment', async () => {
    const { link, challengeUrl } = await payPartDuringChallenge();
    await completeChallenge(challengeUrl, 'approve');
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.reason, detail.amount_received, detail.amount_charged, detail.payment_method],
      ['transaction_status_confirmed', 'overpaid', 19, 10, 'credit_card'],
    );
    const state = await stateOf(link);
    assert.deepEqual(state.received, { value: '19.00', left: '0.00' });
    assert.equal(state.card?.last4, cards.challenge.slice(-4));
  });

  test('a full payment during an open card attempt confirms, and the card charge is reversed', async () => {
    const link = await createLink(fixture, ten);
    const ideal = await startPayment(link, 'on_ramp_ideal');
    await pay(link, cards.challenge);
    const { challengeUrl } = await stateOf(link);
    await simulate(ideal, 'exact');
    await completeChallenge(challengeUrl, 'approve');
    await fixture.advance(MINUTE);
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.reason, detail.amount_received, detail.payment_method],
      ['transaction_status_confirmed', undefined, 10, 'on_ramp_ideal'],
    );
    assert.equal(detail.attempts[0]?.state, 'reversed');
    assert.equal((await stateOf(link)).card, null);
  });

  test('a partial payment withdraws open instructions of another method: their amount is too high', async () => {
    const link = await createLink(fixture, vietnamese);
    const qr = await startPayment(link, 'qr_code');
    await startPayment(link, 'virtual_account');
    await simulate(qr, 'underpay');
    await fixture.advance(MINUTE);
    const state = await stateOf(link);
    assert.deepEqual([state.started, state.received], [null, { value: '90000', left: '10000' }]);
    assert.deepEqual(
      state.methods.map(({ code }) => code),
      ['qr_code'],
    );
    assert.deepEqual(await openInstructions(link), []);
    const rest = await startPayment(link, 'qr_code');
    assert.ok(rest.instructions.action === 'qr' && rest.instructions.payload.includes('540510000'));
    await simulate(rest, 'exact');
    const paid = await detailOf(link);
    assert.deepEqual([paid.status, paid.amount_received], ['transaction_status_confirmed', 100_000]);
  });

  onSqlite('a full payment of withdrawn instructions gets their method and fee, and nothing stays open', async () => {
    const link = await createLink(fixture, vietnamese);
    const qr = await startPayment(link, 'qr_code');
    await startPayment(link, 'virtual_account');
    await simulate(qr, 'exact');
    await fixture.advance(MINUTE);
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.reason, detail.payment_method],
      ['transaction_status_confirmed', undefined, 'qr_code'],
    );
    assert.deepEqual(
      detail.receipts.map(({ amount, instructions_number }) => [amount, instructions_number]),
      [[100_000, 1]],
    );
    assert.deepEqual(await openInstructions(link), []);
  });

  describe('the page before payment', () => {
    type Step = (link: Link) => Promise<unknown>;
    const start: Step = async (link) => await startPayment(link, 'on_ramp_ideal');
    const simulateStarted = (action: 'refuse' | 'underpay'): Step => {
      return async (link) => await simulate(await startPayment(link, 'on_ramp_ideal'), action);
    };
    const refuse = simulateStarted('refuse');
    const payPart = simulateStarted('underpay');
    const wait: Step = async () => await fixture.advance(31 * MINUTE);
    const expire: Step = async (link) => {
      await start(link);
      await wait(link);
    };
    const decline: Step = async (link) => {
      const { body } = await pay(link, cards.insufficientFunds);
      assert.equal(body.response_type, 'declined', JSON.stringify(body));
    };
    const abandon: Step = async (link) => {
      await pay(link, cards.challenge);
      const { clientToken } = await stateOf(link);
      await fixture.request(`${link.path}/abandon`, { body: {}, token: clientToken });
    };
    /** The outcomes that the page can show in its notice. */
    const shownOutcomes = async (link: Link) => {
      const { phase, started, ended, received, declined } = await stateOf(link);
      const shown = [started && 'started', ended?.reason, received && 'received', declined?.code];
      assert.equal(phase, 'ready');
      return shown.filter((each) => each !== null && each !== undefined).join(' ');
    };

    for (const [what, steps, expected] of [
      ['a declined card', [decline], 'insufficient_funds'],
      ['expired, then a declined card', [expire, decline], 'insufficient_funds'],
      ['refused, then a declined card', [refuse, decline], 'insufficient_funds'],
      ['refused, then an abandoned card', [refuse, abandon], 'authentication_abandoned'],
      ['a declined card, then expired', [decline, expire], 'expired'],
      ['a declined card, then refused', [decline, refuse], 'refused'],
      ['a declined card, then started', [decline, start], 'started'],
      ['refused, then started', [refuse, start], 'started'],
      ['a declined card between two refusals', [refuse, decline, refuse], 'refused'],
      ['paid in part', [payPart], 'received'],
      ['paid in part, then their deadline', [payPart, wait], 'received'],
      ['paid in part, then the remainder is refused', [payPart, refuse], 'refused received'],
      ['paid in part, then the remainder expires', [payPart, expire], 'expired received'],
      ['paid in part, then the remainder is started', [payPart, start], 'started received'],
    ] as const satisfies (readonly [string, readonly Step[], string])[])
      onSqlite(`shows the latest outcome: ${what}`, async () => {
        const link = await createLink(fixture, ten);
        for (const step of steps) await step(link);
        assert.equal(await shownOutcomes(link), expected);
      });

    onSqlite('shows no outcome from before a renewal', async () => {
      for (const step of [decline, refuse, expire]) {
        const link = await createLink(fixture, ten);
        await step(link);
        await fixture.advance(DAY);
        const { body } = await merchantAction(link, 'renew');
        const renewed = { ...link, path: new URL(body.value.link).pathname };
        assert.equal(await shownOutcomes(renewed), '');
        await decline(renewed);
        assert.equal(await shownOutcomes(renewed), 'insufficient_funds');
      }
    });
  });

  describe('with different fees per method', () => {
    const setFees = async (fees: Record<string, number>, fee_fix = 0) => {
      const settings = Object.entries(fees).map(([payment_method, fee_percent]) => ({
        payment_method,
        currency: 'USD',
        status: 'enable',
        fee_fix,
        fee_percent,
      }));
      const { status } = await fixture.request('/fiat/v1/merchant/payment-methods', {
        method: 'PATCH',
        body: { payment_methods: settings },
        token: fixture.merchant.managerToken,
      });
      assert.equal(status, 200);
    };
    before(async () => await setFees({ credit_card: 3, on_ramp_ideal: 1, crypto_payment: 5 }));
    const feeOnTop = { ...ten, type_of_calculation: 'forward_with_fee' };

    onSqlite('the exact amount confirms, whatever method was selected since', async () => {
      for (const [first, second] of [
        ['on_ramp_ideal', 'on_ramp_card'],
        ['on_ramp_card', 'on_ramp_ideal'],
      ] as const) {
        const link = await createLink(fixture, feeOnTop);
        const payment = await startPayment(link, first);
        const requested = Number((await stateOf(link)).amount.value);
        await startPayment(link, second);
        await simulate(payment, 'exact');
        const detail = await detailOf(link);
        assert.deepEqual(
          [detail.status, detail.reason, detail.amount_received, detail.amount_charged, detail.payment_method],
          ['transaction_status_confirmed', undefined, requested, requested, first],
        );
        assert.equal(detail.amount_delivered, 10);
      }
    });

    onSqlite('a payment after the last card attempt has its own method’s fee', async () => {
      const link = await createLink(fixture, ten);
      const ideal = await startPayment(link, 'on_ramp_ideal');
      for (let attempt = 0; attempt < 5; attempt += 1) await pay(link, cards.declined);
      assert.equal((await detailOf(link)).status, 'transaction_status_failed');
      await simulate(ideal, 'exact');
      const detail = await detailOf(link);
      assert.deepEqual(
        [detail.status, detail.late, detail.payment_method, detail.amount_delivered],
        ['transaction_status_confirmed', true, 'on_ramp_ideal', 9.9],
      );
      const state = await stateOf(link);
      assert.deepEqual([state.card, state.selectedMethod], [null, 'on_ramp_ideal']);
    });

    onSqlite('the page shows the charged amount even after the merchant’s fee has changed', async () => {
      const link = await createLink(fixture, feeOnTop);
      await setFees({ credit_card: 20 });
      const { amount, methods } = await stateOf(link);
      assert.equal(methods.find(({ code }) => code === 'credit_card')?.amount, amount.value);
      await pay(link, cards.visa);
      const detail = await detailOf(link);
      assert.deepEqual([detail.amount_charged, detail.amount_received], [10.3, 10.3]);
      await setFees({ credit_card: 3 });
    });

    onSqlite('a card is not charged at another total than the page showed', async () => {
      const link = await createLink(fixture, { ...feeOnTop, payment_method: 'on_ramp_ideal' });
      const shownTotal = async () =>
        (await stateOf(link)).methods.find(({ code }) => code === 'credit_card')?.amount ?? '';
      const submit = async (amount: string) => {
        const { text, body } = await fixture.request('/fiat/v1/transaction/submit', {
          body: submission(link.reference, cards.visa, { amount }),
          token: link.clientToken,
        });
        return body.code ?? body.response_type ?? text;
      };
      const outdated = await shownTotal();
      await setFees({ credit_card: 20 });
      assert.equal(await submit(outdated), 'amount_changed');
      assert.deepEqual([(await detailOf(link)).attempts, await shownTotal()], [[], '12.00']);
      assert.equal(await submit(await shownTotal()), 'confirmed');
      assert.equal((await detailOf(link)).amount_charged, 12);
      await setFees({ credit_card: 3 });
    });

    onSqlite('a card on a merchant’s own form is not charged at another total than `amount_charged`', async () => {
      const body = creation({ ...feeOnTop, payment_method: 'on_ramp_ideal', transaction_type: 'custom_form' });
      const created = await fixture.request('/fiat/v1/transaction', { body });
      assert.equal(created.body.amount_charged, 10.1);
      const reference = body.transaction_id;
      assert.equal((await submitCard(fixture, reference, cards.visa)).body.code, 'amount_changed');
      await setFees({ credit_card: 1 });
      assert.equal((await submitCard(fixture, reference, cards.visa)).body.response_type, 'confirmed');
      await setFees({ credit_card: 3 });
    });

    onSqlite('a card form shows the card’s total for a transaction of another method', async () => {
      const link = await createLink(fixture, { ...feeOnTop, payment_method: 'on_ramp_ideal' });
      const { text } = await fixture.request(link.path.replace('/p/', '/e/'), { token: null });
      const { state } = readPageDocument(text);
      assert.deepEqual(
        [state.selectedMethod, state.methods.map(({ code, amount }) => [code, amount])],
        ['credit_card', [['credit_card', '10.30']]],
      );
    });

    onSqlite('the rate after the fee uses the applied fee', async () => {
      const link = await createLink(fixture, ten);
      await startPayment(link, 'crypto_payment', 'btc');
      const detail = await detailOf(link);
      assert.deepEqual([detail.merchant_fee_percent, detail.rate, detail.rate_merchant_final], [5, 1, 0.95]);
    });

    onSqlite('a higher received amount never lowers the net amount', async () => {
      const link = await createLink(fixture, feeOnTop);
      const ideal = await startPayment(link, 'on_ramp_ideal');
      await simulate(ideal, 'overpay');
      await merchantAction(link, 'accept');
      // Charged 10.10, overpaid 1.01, less 1%.
      assert.equal((await detailOf(link)).amount_delivered, 11);
    });

    onSqlite('an amount that does not exceed its fee cannot be accepted, and accept is not available', async () => {
      await setFees({ on_ramp_ideal: 0 }, 9.5);
      const link = await createLink(fixture, ten);
      await simulate(await startPayment(link, 'on_ramp_ideal'), 'underpay');
      await setFees({ on_ramp_ideal: 1 });
      assert.deepEqual((await detailOf(link)).available_actions, ['reject']);
      const rest = await startPayment(link, 'on_ramp_ideal');
      assert.equal((await merchantAction(link, 'accept')).body.code, 'nothing_to_accept');
      assert.deepEqual((await stateOf(link)).started?.instructions, rest.instructions);
    });

    onSqlite('the rest of an accepted underpayment completes the payment', async () => {
      const link = await createLink(fixture, ten);
      const ideal = await startPayment(link, 'on_ramp_ideal');
      await simulate(ideal, 'underpay');
      const rest = await startPayment(link, 'on_ramp_ideal');
      await merchantAction(link, 'accept');
      assert.deepEqual([(await detailOf(link)).reason, (await detailOf(link)).amount_delivered], ['underpaid', 8.91]);
      await simulate(rest, 'exact');
      const detail = await detailOf(link);
      assert.deepEqual(
        [detail.status, detail.reason, detail.amount_received, detail.amount_delivered],
        ['transaction_status_confirmed', undefined, 10, 9.9],
      );
    });

    onSqlite('a refund before the rest does not change the amount delivered', async () => {
      const link = await createLink(fixture, ten);
      await simulate(await startPayment(link, 'on_ramp_ideal'), 'underpay');
      const rest = await startPayment(link, 'on_ramp_ideal');
      await merchantAction(link, 'accept');
      const body = { transaction_id: link.reference, amount: 5 };
      assert.equal((await fixture.request('/fiat/v1/transaction/refund', { body })).status, 200);
      await fixture.advance(MINUTE);
      await simulate(rest, 'exact');
      const detail = await detailOf(link);
      assert.deepEqual([detail.refunded_amount, detail.amount_received, detail.amount_delivered], [5, 10, 9.9]);
    });
  });

  describe('a deposit to a withdrawn address', () => {
    const sendDeposit = async (fields: Record<string, unknown> = ten) => {
      const link = await createLink(fixture, fields);
      const coin = await startPayment(link, 'crypto_payment', 'btc');
      await startPayment(link, 'on_ramp_ideal');
      await simulate(coin, 'exact');
      return { link, coin };
    };
    const assertUnconfirmed = async (link: Link) => {
      const state = await stateOf(link);
      assert.deepEqual([state.phase, state.waitsFor], ['checking', { kind: 'confirmations', seen: 0, needed: 2 }]);
    };

    test('awaits confirmations: no other attempt, charge or cancellation is possible', async () => {
      const { link, coin } = await sendDeposit();
      await assertUnconfirmed(link);
      const token = fixture.merchant.token;
      assert.equal((await submitCard(fixture, link.reference, cards.visa, token)).status, 409);
      assert.equal((await merchantAction(link, 'cancel')).body.code, 'submit_in_progress');
      assert.deepEqual((await detailOf(link)).available_actions, []);
      await confirm(coin);
      const detail = await detailOf(link);
      assert.deepEqual(
        [detail.status, detail.amount_received, detail.payment_method],
        ['transaction_status_confirmed', 10, 'crypto_payment'],
      );
    });

    onSqlite('keeps the payment from expiring until it is final', async () => {
      const { link, coin } = await sendDeposit();
      await fixture.advance(DAY + HOUR);
      await assertUnconfirmed(link);
      assert.equal((await detailOf(link)).status, 'transaction_status_waiting');
      await confirm(coin);
      assert.equal((await detailOf(link)).status, 'transaction_status_confirmed');
    });

    onSqlite('is awaited whatever the outcome of a concurrent card', async () => {
      const payDuringChallenge = async () => {
        const link = await createLink(fixture, ten);
        const coin = await startPayment(link, 'crypto_payment', 'btc');
        await pay(link, cards.challenge);
        const { challengeUrl } = await stateOf(link);
        await simulate(coin, 'exact');
        return { link, coin, challengeUrl };
      };
      const endings: ((payment: Awaited<ReturnType<typeof payDuringChallenge>>) => Promise<unknown>)[] = [
        async ({ link }) => assert.equal((await merchantAction(link, 'cancel')).status, 409),
        async () => await fixture.advance(DAY + HOUR),
        async ({ challengeUrl }) => await completeChallenge(challengeUrl, 'refuse'),
      ];
      for (const end of endings) {
        const payment = await payDuringChallenge();
        await end(payment);
        assert.equal((await detailOf(payment.link)).status, 'transaction_status_waiting');
        await confirm(payment.coin);
        const { status, late, amount_received } = await detailOf(payment.link);
        assert.deepEqual([status, late, amount_received], ['transaction_status_confirmed', undefined, 10]);
      }
    });

    onSqlite('that a poll has not seen yet still prevents a charge', async () => {
      const link = await createLink(fixture, ten);
      const coin = await startPayment(link, 'crypto_payment', 'btc');
      const restore = changePush(fixture.service(), (acquirer) => ({
        ...acquirer,
        async withdraw(key) {
          const payment = await acquirer.withdraw(key);
          await simulate(coin, 'exact');
          return payment;
        },
      }));
      try {
        assert.equal((await pay(link, cards.visa)).body.code, 'submit_in_progress');
      } finally {
        restore();
      }
      await assertUnconfirmed(link);
      assert.equal((await merchantAction(link, 'cancel')).status, 409);
      await confirm(coin);
      assert.deepEqual((await detailOf(link)).attempts, []);
      assert.equal((await detailOf(link)).status, 'transaction_status_confirmed');
    });

    onSqlite('is shown even after the payment has expired', async () => {
      const link = await createLink(fixture, ten);
      const coin = await startPayment(link, 'crypto_payment', 'btc');
      await fixture.advance(DAY + HOUR);
      assert.equal((await stateOf(link)).phase, 'expired');
      await simulate(coin, 'exact');
      await assertUnconfirmed(link);
      await confirm(coin);
      const detail = await detailOf(link);
      assert.deepEqual([detail.status, detail.late], ['transaction_status_confirmed', true]);
    });
  });

  for (const [first, choice, second] of [
    ['crypto_payment', 'btc', 'on_ramp_ideal'],
    ['on_ramp_ideal', null, 'on_ramp_card'],
  ] as const) {
    onSqlite(`of two concurrently started methods the later one stays, and ${first} gets a problem`, async () => {
      const link = await createLink(fixture, ten);
      let isFirst = true;
      const restore = changePush(fixture.service(), (acquirer) => ({
        ...acquirer,
        async issueInstructions(payment) {
          if (isFirst) {
            isFirst = false;
            assert.equal((await tryStartPayment(link, second)).status, 200);
          }
          return await acquirer.issueInstructions(payment);
        },
      }));
      try {
        const { status, body } = await tryStartPayment(link, first, choice);
        assert.deepEqual([status, body.code], [409, 'submit_in_progress']);
      } finally {
        restore();
      }
      const open = await openInstructions(link);
      assert.deepEqual(
        open.map(({ payment_method, state }) => [payment_method, state]),
        [[second, 'issued']],
      );
    });
  }

  onSqlite('a return from a bank does not close instructions that are being issued', async () => {
    const link = await createLink(fixture, ten);
    const restore = changePush(fixture.service(), (acquirer) => ({
      ...acquirer,
      async issueInstructions(payment) {
        await fixture.request(`${link.path}/return`, { token: null });
        return await acquirer.issueInstructions(payment);
      },
    }));
    try {
      await startPayment(link, 'on_ramp_ideal');
    } finally {
      restore();
    }
    assert.deepEqual(
      (await openInstructions(link)).map(({ state }) => state),
      ['issued'],
    );
  });

  onSqlite('a method that the buyer starts during a cancellation prevents it', async () => {
    const link = await createLink(fixture, ten);
    await startPayment(link, 'on_ramp_ideal');
    const restore = changePush(fixture.service(), (acquirer) => ({
      ...acquirer,
      async withdraw(key) {
        restore();
        const payment = await acquirer.withdraw(key);
        assert.equal((await tryStartPayment(link, 'on_ramp_card')).status, 200);
        return payment;
      },
    }));
    const { status, body } = await merchantAction(link, 'cancel');
    assert.deepEqual([status, body.code], [409, 'submit_in_progress']);
    assert.deepEqual(
      (await openInstructions(link)).map(({ payment_method }) => payment_method),
      ['on_ramp_card'],
    );
    assert.equal((await merchantAction(link, 'cancel')).status, 200);
    assert.deepEqual(await openInstructions(link), []);
  });

  onSqlite('a stale report reverses nothing', async () => {
    const link = await createLink(fixture, ten);
    const coin = await startPayment(link, 'crypto_payment', 'btc');
    await simulate(coin, 'underpay');
    const { payments } = fixture.service();
    const { instructions_key } = await db(payments.database)
      .selectFrom('payment_instructions')
      .select('instructions_key')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const before = await payments.acquirers.find('chains')?.push?.fetchPayment(keyOf(instructions_key));
    assert.ok(before && before.confirmations === 0);
    await simulate(coin, 'block');
    await simulate(coin, 'block');
    assert.equal((await stateOf(link)).phase, 'ready');
    await applyReceipts(payments, instructions_key, before);
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.waitsFor, state.received?.value], ['ready', null, '9.00']);
  });

  test('a late payment with a lost notification is found by polling, however often the buyer returns', async () => {
    for (const wait of [11 * MINUTE, 2 * DAY, 6 * DAY]) {
      const link = await createLink(fixture, vietnamese);
      const qr = await startPayment(link, 'qr_code');
      await merchantAction(link, 'cancel');
      for (let visit = 0; visit < 12; visit += 1) await fixture.request(`${link.path}/return`, { token: null });
      await fixture.advance(wait - 10 * MINUTE);
      const { payments } = fixture.service();
      // The acquirer received the payment, and its notification was lost.
      const query = db(payments.database);
      const { simulator_page_id } = await query
        .selectFrom('sandbox_push_payments')
        .select('simulator_page_id')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      assert.ok(qr.simulatorUrl?.endsWith(simulator_page_id));
      const row = await query
        .selectFrom('sandbox_push_payments')
        .select(['id', 'amount_minor'])
        .where('simulator_page_id', '=', simulator_page_id)
        .executeTakeFirstOrThrow();
      await query
        .insertInto('sandbox_receipts')
        .values({
          sandbox_push_payment_id: row.id,
          receipt_key: `lost-${wait}`,
          amount_minor: row.amount_minor,
          received_at: payments.clock.now(),
          confirmations_missing: 0,
        })
        .execute();
      await fixture.advance(DAY + HOUR);
      const detail = await detailOf(link);
      assert.deepEqual([detail.status, detail.late], ['transaction_status_confirmed', true], String(wait));
    }
  });

  onSqlite('instructions that the acquirer has closed are not shown', async () => {
    const link = await createLink(fixture, vietnamese);
    await startPayment(link, 'qr_code');
    const { payments } = fixture.service();
    const { instructions_key } = await db(payments.database)
      .selectFrom('payment_instructions')
      .select('instructions_key')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    // Simulates a crash before the acquirer's response was stored.
    await payments.acquirers.find('sandbox')?.push?.withdraw(keyOf(instructions_key));
    await fixture.advance(6 * MINUTE);
    assert.equal((await stateOf(link)).started, null);
    await simulate(await startPayment(link, 'qr_code'), 'exact');
    assert.equal((await detailOf(link)).status, 'transaction_status_confirmed');
  });

  onSqlite('a refused request of the merchant leaves the buyer’s payment unchanged', async () => {
    const link = await createLink(fixture, vietnamese);
    await simulate(await startPayment(link, 'qr_code'), 'underpay');
    const rest = await startPayment(link, 'qr_code');
    assert.equal((await merchantAction(link, 'cancel')).body.code, 'not_cancellable');
    assert.deepEqual((await stateOf(link)).started?.instructions, rest.instructions);
  });

  onSqlite('the number of payment instructions is limited', async () => {
    const link = await createLink(fixture, vietnamese);
    const statuses = [];
    for (let turn = 0; turn < 25; turn += 1)
      statuses.push((await tryStartPayment(link, turn % 2 ? 'qr_code' : 'virtual_account')).status);
    assert.deepEqual(new Set(statuses.slice(0, 20)), new Set([200]));
    assert.deepEqual(new Set(statuses.slice(20)), new Set([409]));
  });

  onSqlite('a disabled method stays available on transactions that use it only', async () => {
    const link = await createLink(fixture, vietnamese);
    const set = async (status: 'enable' | 'disable') =>
      await fixture.request('/fiat/v1/merchant/payment-methods', {
        method: 'PATCH',
        body: { payment_methods: [{ payment_method: 'qr_code', currency: 'VND', status }] },
        token: fixture.merchant.managerToken,
      });
    await set('disable');
    assert.ok((await stateOf(link)).methods.some(({ code }) => code === 'qr_code'));
    await startPayment(link, 'qr_code');
    const other = await createLink(fixture, { ...vietnamese, payment_method: 'virtual_account' });
    assert.equal((await tryStartPayment(other, 'qr_code')).status, 422);
    await set('enable');
  });

  onSqlite('an expired page shows the received amount and the next step', async () => {
    const link = await createLink(fixture, vietnamese);
    const qr = await startPayment(link, 'qr_code');
    await merchantAction(link, 'cancel');
    await simulate(qr, 'overpay');
    const state = await stateOf(link);
    assert.deepEqual(
      [state.phase, state.received, state.mayReceiveFunds],
      ['failed', { value: '110000', left: '0' }, true],
    );
    assert.ok(state.pollAfterMs);
    assert.equal((await merchantAction(link, 'accept')).status, 200);
  });
});

function keyOf(instructionsKey: string) {
  return { instructionsKey, acquirerReference: null, amountMinor: 0n, currency: 'USD' as const };
}
