import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../src/shared/time.ts';
import { applyReceipts } from '../../src/payments/push/receipts.ts';
import { buyersOf, type Link } from '../support/buyer.ts';
import { onSqlite } from '../support/databases.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { cards, createLink, submitCard } from '../support/requests.ts';
import { openWorld, type World } from '../support/world.ts';

/*
 * Money that comes by one way while another is open, after it was taken back, or after the end: what a
 * buyer sends cannot be called back, so every order of things has to end in the truth.
 */
describe('money by more than one way', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
    await enableEveryMethod(world, world.merchant);
  });
  after(async () => await world.close());

  const { stateOf, detailOf, tryToBegin, begin, simulate, confirm, pay, visitIssuer, act } = buyersOf(() => world);

  const ten = { amount: 10 };
  const vietnamese = { payment_method: 'qr_code', country: 'VNM', currency: 'VND', amount: 100_000 };
  /** Part of the money by iDEAL, which had been begun before the card, while its bank asks for a confirmation. */
  const partBesideChallenge = async () => {
    const link = await createLink(world, ten);
    const ideal = await begin(link, 'on_ramp_ideal');
    assert.equal((await pay(link, cards.challenge)).body.response_type, '3ds_redirect');
    const { challengeUrl } = await stateOf(link);
    await simulate(ideal, 'less');
    return { link, challengeUrl };
  };
  const openInstructions = async (link: Link) =>
    (await detailOf(link)).instructions.filter(({ state }) => state === 'issued' || state === 'issuing');

  test('a part beside a card that is then refused is waited for in the way in which it came', async () => {
    const { link, challengeUrl } = await partBesideChallenge();
    await visitIssuer(challengeUrl, 'refuse');
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
    assert.equal((await pay(link, cards.visa)).body.code, 'partly_paid');
    assert.equal((await act(link, 'cancel')).body.code, 'not_cancellable');
    await simulate(await begin(link, 'on_ramp_ideal'), 'exact');
    const paid = await detailOf(link);
    assert.deepEqual([paid.status, paid.reason, paid.amount_received], ['transaction_status_confirmed', undefined, 10]);
  });

  onSqlite('a part beside a card that is given up can be accepted', async () => {
    const { link } = await partBesideChallenge();
    const { clientToken } = await stateOf(link);
    await world.request(`${link.path}/abandon`, { body: {}, token: clientToken });
    assert.equal((await act(link, 'accept')).status, 200);
    assert.equal((await detailOf(link)).status, 'transaction_status_confirmed');
    // The card had no part in it, and the receipt names none.
    assert.equal((await stateOf(link)).card, null);
  });

  onSqlite('a part beside a card that is approved is more than was asked for, and said so', async () => {
    const { link, challengeUrl } = await partBesideChallenge();
    await visitIssuer(challengeUrl, 'approve');
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.reason, detail.amount_received, detail.amount_charged, detail.payment_method],
      ['transaction_status_confirmed', 'overpaid', 19, 10, 'credit_card'],
    );
    const state = await stateOf(link);
    assert.deepEqual(state.received, { value: '19.00', left: '0.00' });
    assert.equal(state.card?.last4, cards.challenge.slice(-4));
  });

  test('the whole beside an open card pays, and the card is not kept', async () => {
    const link = await createLink(world, ten);
    const ideal = await begin(link, 'on_ramp_ideal');
    await pay(link, cards.challenge);
    const { challengeUrl } = await stateOf(link);
    await simulate(ideal, 'exact');
    await visitIssuer(challengeUrl, 'approve');
    await world.advance(MINUTE);
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.reason, detail.amount_received, detail.payment_method],
      ['transaction_status_confirmed', undefined, 10, 'on_ramp_ideal'],
    );
    assert.equal(detail.attempts[0]?.state, 'reversed');
    assert.equal((await stateOf(link)).card, null);
  });

  test('what is open beside a part that came another way is taken back: it asks for too much', async () => {
    const link = await createLink(world, vietnamese);
    const qr = await begin(link, 'qr_code');
    await begin(link, 'virtual_account');
    await simulate(qr, 'less');
    await world.advance(MINUTE);
    const state = await stateOf(link);
    assert.deepEqual([state.begun, state.received], [null, { value: '90000', left: '10000' }]);
    assert.deepEqual(
      state.methods.map(({ code }) => code),
      ['qr_code'],
    );
    assert.deepEqual(await openInstructions(link), []);
    const rest = await begin(link, 'qr_code');
    assert.ok(rest.instructions.action === 'qr' && rest.instructions.payload.includes('540510000'));
    await simulate(rest, 'exact');
    const paid = await detailOf(link);
    assert.deepEqual([paid.status, paid.amount_received], ['transaction_status_confirmed', 100_000]);
  });

  onSqlite('the whole by what was taken back is named by its own method and fee, and nothing stays open', async () => {
    const link = await createLink(world, vietnamese);
    const qr = await begin(link, 'qr_code');
    await begin(link, 'virtual_account');
    await simulate(qr, 'exact');
    await world.advance(MINUTE);
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

  describe('where methods cost differently', () => {
    const feesOf = async (fees: Record<string, number>, fee_fix = 0) => {
      const settings = Object.entries(fees).map(([payment_method, fee_percent]) => ({
        payment_method,
        currency: 'USD',
        status: 'enable',
        fee_fix,
        fee_percent,
      }));
      const { status } = await world.request('/fiat/v1/merchant/payment-methods', {
        method: 'PATCH',
        body: { payment_methods: settings },
        token: world.merchant.managerToken,
      });
      assert.equal(status, 200);
    };
    before(async () => await feesOf({ credit_card: 3, on_ramp_ideal: 1, crypto_payment: 5 }));
    const onTop = { ...ten, type_of_calculation: 'forward_with_fee' };

    onSqlite('exactly what was asked for is exactly that, whatever was chosen since', async () => {
      for (const [first, second] of [
        ['on_ramp_ideal', 'on_ramp_card'],
        ['on_ramp_card', 'on_ramp_ideal'],
      ] as const) {
        const link = await createLink(world, onTop);
        const begun = await begin(link, first);
        const asked = Number((await stateOf(link)).amount.value);
        await begin(link, second);
        await simulate(begun, 'exact');
        const detail = await detailOf(link);
        assert.deepEqual(
          [detail.status, detail.reason, detail.amount_received, detail.amount_charged, detail.payment_method],
          ['transaction_status_confirmed', undefined, asked, asked, first],
        );
        assert.equal(detail.amount_delivered, 10);
      }
    });

    onSqlite('money that comes when no card would do is reckoned by its own fee', async () => {
      const link = await createLink(world, ten);
      const ideal = await begin(link, 'on_ramp_ideal');
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

    onSqlite('the page asks for what is charged, also when the merchant’s fee has changed since', async () => {
      const link = await createLink(world, onTop);
      await feesOf({ credit_card: 20 });
      const { amount, methods } = await stateOf(link);
      assert.equal(methods.find(({ code }) => code === 'credit_card')?.amount, amount.value);
      await pay(link, cards.visa);
      const detail = await detailOf(link);
      assert.deepEqual([detail.amount_charged, detail.amount_received], [10.3, 10.3]);
      await feesOf({ credit_card: 3 });
    });

    onSqlite('the rate after the fee is that of the fee that is taken', async () => {
      const link = await createLink(world, ten);
      await begin(link, 'crypto_payment', 'btc');
      const detail = await detailOf(link);
      assert.deepEqual([detail.merchant_fee_percent, detail.rate, detail.rate_merchant_final], [5, 1, 0.95]);
    });

    onSqlite('a cent more never leaves the merchant with less', async () => {
      const link = await createLink(world, onTop);
      const ideal = await begin(link, 'on_ramp_ideal');
      await simulate(ideal, 'more');
      await act(link, 'accept');
      // 10.10 were asked for; 1.01 came beyond it, less 1 %.
      assert.equal((await detailOf(link)).amount_delivered, 11);
    });

    onSqlite('what is not more than its fee cannot be accepted, and is not offered to be', async () => {
      await feesOf({ on_ramp_ideal: 0 }, 9.5);
      const link = await createLink(world, ten);
      await simulate(await begin(link, 'on_ramp_ideal'), 'less');
      await feesOf({ on_ramp_ideal: 1 });
      assert.deepEqual((await detailOf(link)).available_actions, ['reject']);
      const rest = await begin(link, 'on_ramp_ideal');
      assert.equal((await act(link, 'accept')).body.code, 'nothing_to_accept');
      assert.deepEqual((await stateOf(link)).begun?.instructions, rest.instructions);
    });

    onSqlite('the rest of what was accepted completes it', async () => {
      const link = await createLink(world, ten);
      const ideal = await begin(link, 'on_ramp_ideal');
      await simulate(ideal, 'less');
      const rest = await begin(link, 'on_ramp_ideal');
      await act(link, 'accept');
      assert.deepEqual([(await detailOf(link)).reason, (await detailOf(link)).amount_delivered], ['underpaid', 8.91]);
      await simulate(rest, 'exact');
      const detail = await detailOf(link);
      assert.deepEqual(
        [detail.status, detail.reason, detail.amount_received, detail.amount_delivered],
        ['transaction_status_confirmed', undefined, 10, 9.9],
      );
    });
  });

  describe('a coin that was seen on an address that was taken back', () => {
    const seen = async (fields: Record<string, unknown> = ten) => {
      const link = await createLink(world, fields);
      const coin = await begin(link, 'crypto_payment', 'btc');
      await begin(link, 'on_ramp_ideal');
      await simulate(coin, 'exact');
      return { link, coin };
    };
    const isSeen = async (link: Link) => {
      const state = await stateOf(link);
      assert.deepEqual([state.phase, state.waitsFor], ['checking', { what: 'confirmations', seen: 0, needed: 2 }]);
    };

    test('is money that moves: nothing else is begun, charged or cancelled beside it', async () => {
      const { link, coin } = await seen();
      await isSeen(link);
      const token = world.merchant.token;
      assert.equal((await submitCard(world, link.reference, cards.visa, token)).status, 409);
      assert.equal((await act(link, 'cancel')).body.code, 'submit_in_progress');
      assert.deepEqual((await detailOf(link)).available_actions, []);
      await confirm(coin);
      const detail = await detailOf(link);
      assert.deepEqual(
        [detail.status, detail.amount_received, detail.payment_method],
        ['transaction_status_confirmed', 10, 'crypto_payment'],
      );
    });

    onSqlite('keeps the payment from its end until it counts', async () => {
      const { link, coin } = await seen();
      await world.advance(DAY + HOUR);
      await isSeen(link);
      assert.equal((await detailOf(link)).status, 'transaction_status_waiting');
      await confirm(coin);
      assert.equal((await detailOf(link)).status, 'transaction_status_confirmed');
    });

    onSqlite('is waited for whatever becomes of a card beside it', async () => {
      const beside = async () => {
        const link = await createLink(world, ten);
        const coin = await begin(link, 'crypto_payment', 'btc');
        await pay(link, cards.challenge);
        const { challengeUrl } = await stateOf(link);
        await simulate(coin, 'exact');
        return { link, coin, challengeUrl };
      };
      const ends: ((payment: Awaited<ReturnType<typeof beside>>) => Promise<unknown>)[] = [
        async ({ link }) => assert.equal((await act(link, 'cancel')).status, 409),
        async () => await world.advance(DAY + HOUR),
        async ({ challengeUrl }) => await visitIssuer(challengeUrl, 'refuse'),
      ];
      for (const end of ends) {
        const payment = await beside();
        await end(payment);
        assert.equal((await detailOf(payment.link)).status, 'transaction_status_waiting');
        await confirm(payment.coin);
        const { status, late, amount_received } = await detailOf(payment.link);
        assert.deepEqual([status, late, amount_received], ['transaction_status_confirmed', undefined, 10]);
      }
    });

    onSqlite('and that the answer to a question has not seen yet, is not charged beside either', async () => {
      const link = await createLink(world, ten);
      const coin = await begin(link, 'crypto_payment', 'btc');
      const { payments } = world.service();
      const providers = payments.acquirers.push;
      payments.acquirers.push = providers.map((provider) => ({
        ...provider,
        async withdraw(key) {
          const answer = await provider.withdraw(key);
          await simulate(coin, 'exact');
          return answer;
        },
      }));
      try {
        assert.equal((await pay(link, cards.visa)).body.code, 'submit_in_progress');
      } finally {
        payments.acquirers.push = providers;
      }
      await isSeen(link);
      assert.equal((await act(link, 'cancel')).status, 409);
      await confirm(coin);
      assert.deepEqual((await detailOf(link)).attempts, []);
      assert.equal((await detailOf(link)).status, 'transaction_status_confirmed');
    });

    onSqlite('is said so also when the payment had ended before', async () => {
      const link = await createLink(world, ten);
      const coin = await begin(link, 'crypto_payment', 'btc');
      await world.advance(DAY + HOUR);
      assert.equal((await stateOf(link)).phase, 'expired');
      await simulate(coin, 'exact');
      await isSeen(link);
      await confirm(coin);
      const detail = await detailOf(link);
      assert.deepEqual([detail.status, detail.late], ['transaction_status_confirmed', true]);
    });
  });

  for (const [first, choice, second] of [
    ['crypto_payment', 'btc', 'on_ramp_ideal'],
    ['on_ramp_ideal', null, 'on_ramp_card'],
  ] as const) {
    onSqlite(`of two ways begun at once the later one stands, and ${first} is told so`, async () => {
      const link = await createLink(world, ten);
      const { payments } = world.service();
      const providers = payments.acquirers.push;
      let isFirst = true;
      payments.acquirers.push = providers.map((provider) => ({
        ...provider,
        async issueInstructions(payment) {
          if (isFirst) {
            isFirst = false;
            assert.equal((await tryToBegin(link, second)).status, 200);
          }
          return await provider.issueInstructions(payment);
        },
      }));
      try {
        const { status, body } = await tryToBegin(link, first, choice);
        assert.deepEqual([status, body.code], [409, 'submit_in_progress']);
      } finally {
        payments.acquirers.push = providers;
      }
      const open = await openInstructions(link);
      assert.deepEqual(
        open.map(({ payment_method, state }) => [payment_method, state]),
        [[second, 'issued']],
      );
    });
  }

  onSqlite('news that was overtaken on its way takes nothing back', async () => {
    const link = await createLink(world, ten);
    const coin = await begin(link, 'crypto_payment', 'btc');
    await simulate(coin, 'less');
    const { payments } = world.service();
    const { instructions_key } = await db(payments.database)
      .selectFrom('payment_instructions')
      .select('instructions_key')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const before = await payments.acquirers.push.find(({ name }) => name === 'chains')?.fetchPayment(instructions_key);
    assert.ok(before && before.confirmations === 0);
    await simulate(coin, 'block');
    await simulate(coin, 'block');
    assert.equal((await stateOf(link)).phase, 'ready');
    await applyReceipts(payments, instructions_key, before);
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.waitsFor, state.received?.value], ['ready', null, '9.00']);
  });

  test('late money whose news is lost is found all the same, however often the buyer comes back', async () => {
    for (const wait of [11 * MINUTE, 2 * DAY, 6 * DAY]) {
      const link = await createLink(world, vietnamese);
      const qr = await begin(link, 'qr_code');
      await act(link, 'cancel');
      for (let visit = 0; visit < 12; visit += 1) await world.request(`${link.path}/return`, { token: null });
      await world.advance(wait - 10 * MINUTE);
      const { payments } = world.service();
      // The provider has the money, and what it told of it never came.
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
      await world.advance(DAY + HOUR);
      const detail = await detailOf(link);
      assert.deepEqual([detail.status, detail.late], ['transaction_status_confirmed', true], String(wait));
    }
  });

  onSqlite('what the provider has closed is not shown as if it could be paid', async () => {
    const link = await createLink(world, vietnamese);
    await begin(link, 'qr_code');
    const { payments } = world.service();
    const { instructions_key } = await db(payments.database)
      .selectFrom('payment_instructions')
      .select('instructions_key')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    // As if the process had died before it could write down what the provider answered.
    await payments.acquirers.push.find(({ name }) => name === 'sandbox')?.withdraw(instructions_key);
    await world.advance(6 * MINUTE);
    assert.equal((await stateOf(link)).begun, null);
    await simulate(await begin(link, 'qr_code'), 'exact');
    assert.equal((await detailOf(link)).status, 'transaction_status_confirmed');
  });

  onSqlite('what is refused to the merchant takes nothing from the buyer', async () => {
    const link = await createLink(world, vietnamese);
    await simulate(await begin(link, 'qr_code'), 'less');
    const rest = await begin(link, 'qr_code');
    assert.equal((await act(link, 'cancel')).body.code, 'not_cancellable');
    assert.deepEqual((await stateOf(link)).begun?.instructions, rest.instructions);
  });

  onSqlite('a payment is not begun in ever more ways', async () => {
    const link = await createLink(world, vietnamese);
    const statuses = [];
    for (let turn = 0; turn < 25; turn += 1)
      statuses.push((await tryToBegin(link, turn % 2 ? 'qr_code' : 'virtual_account')).status);
    assert.deepEqual(new Set(statuses.slice(0, 20)), new Set([200]));
    assert.deepEqual(new Set(statuses.slice(20)), new Set([409]));
  });

  onSqlite('a method that is taken away stays on the payment that has it, and no other', async () => {
    const link = await createLink(world, vietnamese);
    const set = async (status: 'enable' | 'disable') =>
      await world.request('/fiat/v1/merchant/payment-methods', {
        method: 'PATCH',
        body: { payment_methods: [{ payment_method: 'qr_code', currency: 'VND', status }] },
        token: world.merchant.managerToken,
      });
    await set('disable');
    assert.ok((await stateOf(link)).methods.some(({ code }) => code === 'qr_code'));
    await begin(link, 'qr_code');
    const other = await createLink(world, { ...vietnamese, payment_method: 'virtual_account' });
    assert.equal((await tryToBegin(other, 'qr_code')).status, 422);
    await set('enable');
  });

  onSqlite('a page whose time is over says that something has come, and from where it goes on', async () => {
    const link = await createLink(world, vietnamese);
    const qr = await begin(link, 'qr_code');
    await act(link, 'cancel');
    await simulate(qr, 'more');
    const state = await stateOf(link);
    assert.deepEqual(
      [state.phase, state.received, state.moneyMayCome],
      ['failed', { value: '110000', left: '0' }, true],
    );
    assert.ok(state.pollAfterMs);
    assert.equal((await act(link, 'accept')).status, 200);
  });
});
