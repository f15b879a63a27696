// Databases: sqlite
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { RefundOutcome } from '../../src/acquirers/refund.ts';
import { applyRefundOutcome } from '../../src/payments/refunds/outcome.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { changeCard, changePush } from '../support/acquirer-accounts.ts';
import { createBuyers, type Link } from '../support/buyer.ts';
import { db } from '../support/tables.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { createLink, submitCard } from '../support/requests.ts';
import { type RefundPlan, ScriptedAcquirer } from '../support/scripted-acquirer.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('a refund', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  const { detailOf, startPayment, simulate, merchantAction } = createBuyers(() => fixture);

  const refund = async (link: Link, amount?: number, headers: Record<string, string> = {}) =>
    await fixture.request('/fiat/v1/transaction/refund', {
      body: { transaction_id: link.reference, ...(amount !== undefined && { amount }) },
      headers,
    });
  /** Requests a refund that stays pending. Returns a function that lets it fail. */
  const refundLater = async (link: Link, amount?: number) => {
    let outcome: RefundOutcome = { kind: 'pending' };
    const restore = changePush(fixture.service(), (push) => ({ ...push, refund: () => Promise.resolve(outcome) }));
    assert.equal((await refund(link, amount)).status, 200);
    await fixture.advance(MINUTE);
    return async () => {
      outcome = { kind: 'refused', code: 'account_closed', detail: 'The account is closed.' };
      await fixture.advance(HOUR);
      restore();
      return await detailOf(link);
    };
  };
  const paidByCard = async (amount = 12.5) => {
    const link = await createLink(fixture, { amount });
    assert.equal((await submitCard(fixture, link.reference)).body.response_type, 'confirmed');
    return link;
  };
  const vietnamese = { payment_method: 'qr_code', country: 'VNM', currency: 'VND', amount: 100_000 };

  test('in full refunds the charged amount and reports it', async () => {
    const link = await paidByCard();
    assert.deepEqual((await detailOf(link)).available_actions, ['refund']);
    const { status, body, text } = await refund(link);
    assert.equal(status, 200, text);
    assert.deepEqual(
      [body.refunded_amount, body.amount_received, body.status],
      [12.5, 12.5, 'transaction_status_confirmed'],
    );
    assert.deepEqual(
      body.refunds.map(({ number, amount, state }: Record<string, unknown>) => [number, amount, state]),
      [[1, 12.5, 'succeeded']],
    );
    assert.deepEqual(body.available_actions, []);
    assert.equal(body.timeline.at(-1).detail, '12.50 USD refunded');
    const again = await refund(link);
    assert.deepEqual([again.status, again.body.code], [409, 'not_refundable']);
  });

  test('in parts never exceeds the received amount', async () => {
    const link = await paidByCard();
    assert.equal((await refund(link, 5)).body.refunded_amount, 5);
    const tooMuch = await refund(link, 7.51);
    assert.deepEqual([tooMuch.status, tooMuch.body.code], [409, 'not_refundable']);
    assert.match(tooMuch.body.detail, /7\.50 USD/);
    assert.equal((await refund(link, 7.5)).body.refunded_amount, 12.5);
  });

  test('requested many times at once never exceeds the received amount', async () => {
    const link = await paidByCard();
    const responses = await Promise.all(Array.from({ length: 8 }, async () => await refund(link, 5)));
    assert.equal(responses.filter(({ status }) => status === 200).length, 2);
    assert.equal(responses.filter(({ body }) => body.code === 'not_refundable').length, 6);
    assert.equal((await detailOf(link)).refunded_amount, 10);
  });

  test('with the same Idempotency-Key is one refund', async () => {
    const link = await paidByCard();
    const key = { 'Idempotency-Key': `refund-${link.reference}` };
    assert.equal((await refund(link, 5, key)).body.refunded_amount, 5);
    const again = await refund(link, 5, key);
    assert.deepEqual([again.status, again.body.refunded_amount], [200, 5]);
    assert.equal((await detailOf(link)).refunds.length, 1);
    await refund(link, 1);
    await fixture.advance(25 * HOUR);
    assert.deepEqual((await refund(link, 5, key)).body.requested_refunds, [1]);
  });

  test('of another amount with a key from days ago is refused', async () => {
    const link = await paidByCard();
    const headers = { 'idempotency-key': `old ${link.reference}` };
    assert.equal((await refund(link, 5, headers)).status, 200);
    await fixture.advance(25 * HOUR);
    const other = await refund(link, 7, headers);
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    assert.equal((await refund(link, 7)).body.refunded_amount, 12);
  });

  test('of an invalid amount is refused with the field', async () => {
    const link = await paidByCard();
    for (const [amount, code] of [
      [0, 'not_positive'],
      [-1, 'not_positive'],
      [1.005, 'too_many_decimals'],
    ] as const) {
      const { status, body } = await refund(link, amount);
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/amount', code]);
    }
    assert.deepEqual((await detailOf(link)).refunds, []);
  });

  test('of an unpaid transaction is refused', async () => {
    const open = await createLink(fixture);
    const cancelled = await createLink(fixture);
    await merchantAction(cancelled, 'cancel');
    for (const link of [open, cancelled]) {
      const { status, body } = await refund(link);
      assert.deepEqual([status, body.code], [409, 'not_refundable']);
      assert.equal(body.detail, 'No payment has been received.');
    }
  });

  test('of a bank payment is pending at first', async () => {
    const link = await createLink(fixture, vietnamese);
    await simulate(await startPayment(link, 'qr_code'), 'exact');
    const { updated_at: paidAt } = await detailOf(link);
    await fixture.advance(SECOND);
    const { body } = await refund(link, 40_000);
    assert.ok(body.updated_at > paidAt);
    assert.deepEqual([body.refunded_amount, body.refunds[0].state], [0, 'pending']);
    assert.equal((await refund(link, 60_001)).status, 409);
    await fixture.advance(MINUTE);
    const detail = await detailOf(link);
    assert.deepEqual([detail.refunded_amount, detail.refunds[0]?.state], [40_000, 'succeeded']);
    assert.deepEqual(detail.available_actions, ['refund']);
  });

  test('of payments by two methods goes through both acquirers', async () => {
    const link = await createLink(fixture, vietnamese);
    const qr = await startPayment(link, 'qr_code');
    await startPayment(link, 'virtual_account');
    await simulate(qr, 'underpay');
    await fixture.advance(MINUTE);
    await simulate(await startPayment(link, 'qr_code'), 'exact');
    assert.deepEqual((await refund(link, 1_000)).body.requested_refunds, [1]);
    const { body } = await refund(link, 95_000);
    assert.deepEqual(
      body.refunds.map(({ amount }: { amount: number }) => amount),
      [1_000, 89_000, 6_000],
    );
    assert.deepEqual(body.requested_refunds, [2, 3]);
    await fixture.advance(MINUTE);
    const detail = await detailOf(link);
    assert.equal(detail.refunded_amount, 96_000);
    assert.ok(!('requested_refunds' in detail));
  });

  test('of an underpayment does not reduce a late payment', async () => {
    const link = await createLink(fixture, vietnamese);
    const qr = await startPayment(link, 'qr_code');
    await simulate(qr, 'underpay');
    await fixture.advance(25 * HOUR);
    assert.deepEqual((await detailOf(link)).available_actions, ['accept', 'reject', 'refund']);
    assert.equal((await refund(link)).status, 200);
    await fixture.advance(MINUTE);
    assert.equal((await merchantAction(link, 'accept')).body.code, 'nothing_to_accept');
    // A late payment of the full amount is enough to pay the transaction.
    await simulate(qr, 'exact');
    const detail = await detailOf(link);
    assert.deepEqual(
      [detail.status, detail.late, detail.reason, detail.amount_received, detail.refunded_amount],
      ['transaction_status_confirmed', true, undefined, 190_000, 90_000],
    );
  });

  test('of an underpayment that fails after a late payment leaves an overpayment', async () => {
    const link = await createLink(fixture, vietnamese);
    const qr = await startPayment(link, 'qr_code');
    await simulate(qr, 'underpay');
    await fixture.advance(25 * HOUR);
    const fail = await refundLater(link);
    await simulate(qr, 'exact');
    assert.deepEqual((await detailOf(link)).reason, undefined);
    const detail = await fail();
    assert.deepEqual(
      [detail.status, detail.reason, detail.amount_received, detail.refunded_amount],
      ['transaction_status_confirmed', 'overpaid', 190_000, 0],
    );
  });

  test('that fails after the rest was accepted no longer lowers the net amount', async () => {
    const link = await createLink(fixture, vietnamese);
    await simulate(await startPayment(link, 'qr_code'), 'underpay');
    await fixture.advance(25 * HOUR);
    const fail = await refundLater(link, 40_000);
    assert.equal((await merchantAction(link, 'accept')).body.amount_delivered, 50_000);
    // A refund of the accepted payment changes nothing.
    await fixture.advance(MINUTE);
    assert.equal((await refund(link, 10_000)).status, 200);
    const detail = await fail();
    assert.deepEqual([detail.reason, detail.amount_delivered], ['underpaid', 90_000]);

    // The acquirer sends it again.
    const { database, payments } = fixture.service();
    const { refund_key: key } = await db(database)
      .selectFrom('refunds')
      .select('refund_key')
      .where('amount_minor', '=', 40_000)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    await applyRefundOutcome(payments, key, {
      kind: 'succeeded',
      reference: 'again',
      occurredAt: fixture.clock.now() + 1,
    });
    assert.equal((await detailOf(link)).amount_delivered, 50_000);
  });

  test('emits an event and its webhook', async () => {
    const link = await paidByCard();
    await refund(link, 2.5);
    const path = `/fiat/v1/transaction/events?transaction_id=${link.reference}`;
    const { events } = (await fixture.request(path)).body;
    const { data } = events.at(-1);
    assert.deepEqual(
      [data.previous_status, data.status, data.refunded_amount],
      ['transaction_status_confirmed', 'transaction_status_confirmed', 2.5],
    );
  });
});

describe('a refund with a failing acquirer', () => {
  let fixture: Fixture;
  const acquirer = new ScriptedAcquirer();
  before(async () => {
    fixture = await openFixture({ wrapCardAcquirer: () => acquirer });
  });
  after(async () => await fixture.close());
  afterEach(() => acquirer.resolvePending());

  const { detailOf } = createBuyers(() => fixture);
  const refundBy = async (plan: RefundPlan) => {
    const link = await createLink(fixture);
    await submitCard(fixture, link.reference);
    acquirer.refundPlan = plan;
    const { status, body, text } = await fixture.request('/fiat/v1/transaction/refund', {
      body: { transaction_id: link.reference },
    });
    assert.equal(status, 200, text);
    return { link, body };
  };

  test('that is refused keeps the funds and returns the reason', async () => {
    const { body } = await refundBy('refuse');
    assert.deepEqual([body.refunded_amount, body.refunds[0].state], [0, 'failed']);
    assert.deepEqual(body.refunds[0].failure, { code: 'account_closed', detail: 'The account is closed.' });
    assert.deepEqual(body.available_actions, ['refund']);
    assert.match(body.timeline.at(-1).detail, /refused: account_closed/);
  });

  for (const plan of ['lost_request', 'lost_answer', 'wait'] as const) {
    test(`is polled (${plan}) and refunded once`, async () => {
      const { link, body } = await refundBy(plan);
      assert.equal(body.refunds[0].state, 'pending');
      acquirer.resolvePending();
      await fixture.advance(40 * SECOND);
      const detail = await detailOf(link);
      assert.deepEqual([detail.refunded_amount, detail.refunds[0]?.state], [12.5, 'succeeded']);
      assert.equal([...acquirer.refunds.values()].length, acquirer.refunds.size);
      const [charge] = acquirer.findCharges([`${link.link}/return`]);
      assert.equal(charge && acquirer.refundedAmount(charge), 1250n);
    });
  }

  test('is tried again at increasing intervals after a failure', async (t) => {
    const request = t.mock.method(acquirer, 'refund');
    await refundBy('lost_request');
    for (let minute = 0; minute < 60; minute += 1) await fixture.advance(MINUTE);
    assert.equal(request.mock.callCount(), 4);
  });

  test('that is pending for over a month is reported to the operator, and still polled', async () => {
    const { link } = await refundBy('wait');
    const isReported = () => fixture.log().includes('refund pending for over a month');
    for (let day = 0; day < 30; day += 1) await fixture.advance(DAY);
    assert.equal(isReported(), false);
    for (let day = 0; day < 10; day += 1) await fixture.advance(DAY);
    assert.equal(isReported(), true);
    acquirer.resolvePending();
    await fixture.advance(DAY);
    assert.equal((await detailOf(link)).refunds[0]?.state, 'succeeded');
  });

  test('waits while its acquirer account is not set up', async () => {
    const { link } = await refundBy('lost_request');
    acquirer.refundPlan = 'succeed';
    const restore = changeCard(fixture.service(), () => null);
    await fixture.advance(HOUR);
    restore();
    assert.ok(fixture.log().includes('refund needs an acquirer account that is not set up'));
    assert.equal((await detailOf(link)).refunds[0]?.state, 'pending');
    await fixture.advance(DAY);
    assert.equal((await detailOf(link)).refunds[0]?.state, 'succeeded');
  });

  test('is resumed after a restart', async () => {
    const { link } = await refundBy('lost_request');
    await fixture.restart();
    acquirer.resolvePending();
    await fixture.advance(DAY);
    assert.equal((await detailOf(link)).refunds[0]?.state, 'succeeded');
  });
});
