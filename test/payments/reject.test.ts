import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../src/shared/time.ts';
import { rejectTransaction } from '../../src/payments/review/reject.ts';
import { applyOutcome } from '../../src/payments/card/outcome.ts';
import { findByReference } from '../../src/payments/store.ts';
import { createBuyers, type Link } from '../support/buyer.ts';
import { onSqlite } from '../support/databases.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { signedIn } from '../support/users.ts';
import { cards, createLink, submitCard } from '../support/requests.ts';
import { cardFor, ScriptedAcquirer } from '../support/scripted-acquirer.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const vietnamese = { payment_method: 'qr_code', country: 'VNM', currency: 'VND', amount: 100_000 };

/** References of the transactions that await the merchant's review. */
async function readReviewQueue(fixture: Fixture, query: Record<string, string> = {}, token = fixture.merchant.token) {
  const search = new URLSearchParams({ awaiting_review: 'true', ...query }).toString();
  const { status, body, text } = await fixture.request(`/fiat/v1/transactions?${search}`, { token });
  assert.equal(status, 200, text);
  return body as {
    transactions: { transaction_id: string; reason?: string; amount_received: number; amount_kept: number }[];
    pagination: { next_cursor: string | null };
  };
}

describe('a rejection', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
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

  const reject = async (link: Link, reason?: string, headers: Record<string, string> = {}) =>
    await fixture.request('/fiat/v1/transaction/reject', {
      body: { transaction_id: link.reference, ...(reason !== undefined && { reason }) },
      headers,
    });
  /** Creates a transaction with an underpayment of 10%. */
  const underpay = async () => {
    const link = await createLink(fixture, vietnamese);
    const payment = await startPayment(link, 'qr_code');
    await simulate(payment, 'underpay');
    return { link, payment };
  };
  /** Returns the page's text without its script data. */
  const readPageText = async (link: Link) => {
    const { text } = await fixture.request(link.path, { token: null, headers: { accept: 'text/html' } });
    return text.slice(text.indexOf('<body')).replace(/<script.*?<\/script>/gs, '');
  };
  const queuedAmounts = async (link: Link) =>
    (await readReviewQueue(fixture, { search: link.reference })).transactions.map((each) => [
      each.reason,
      each.amount_received,
      each.amount_kept,
    ]);

  test('fails the payment, refunds the received amount, and records reviewer and reason', async () => {
    const { link } = await underpay();
    assert.deepEqual(await queuedAmounts(link), [['underpaid', 90_000, 90_000]]);
    const { status, body, text } = await reject(link, 'Sold out');
    assert.equal(status, 200, text);
    assert.deepEqual([body.status, body.reason], ['transaction_status_failed', 'rejected']);
    const { at, ...decision } = body.decision;
    assert.deepEqual(decision, { by: 'token 1', by_name: null, reason: 'Sold out', is_approved: false });
    assert.equal(at, body.updated_at);
    assert.equal(body.timeline.at(-1).detail, '90000 VND rejected: Sold out');
    assert.deepEqual(
      body.refunds.map((each: Record<string, unknown>) => [each['amount'], each['state']]),
      [[90_000, 'pending']],
    );
    assert.deepEqual([body.refunded_amount, body.available_actions], [0, []]);
    assert.deepEqual(await queuedAmounts(link), []);
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.refundProgress, state.received], ['failed', 'pending', null]);
    const page = await readPageText(link);
    assert.match(page, /Your refund is on its way/);
    assert.doesNotMatch(page, /You weren&#39;t charged|receive(?:d)? a payment|Sold out/);

    await fixture.advance(MINUTE);
    const later = await detailOf(link);
    assert.deepEqual([later.refunded_amount, later.reason], [90_000, 'rejected']);
    assert.equal((await stateOf(link)).refundProgress, 'done');
    const path = `/fiat/v1/transaction/events?transaction_id=${link.reference}`;
    const { events } = (await fixture.request(path)).body;
    const reported = events.find(({ data }: { data: { reason?: string } }) => data.reason === 'rejected').data;
    assert.deepEqual(
      [reported.previous_status, reported.decision.reason, reported.refunds.length, reported.available_actions],
      ['transaction_status_waiting', 'Sold out', 1, []],
    );
  });

  onSqlite('withdraws the buyer’s open instructions', async () => {
    const { link } = await underpay();
    await startPayment(link, 'qr_code');
    assert.equal((await reject(link)).status, 200);
    const { instructions, decision } = await detailOf(link);
    assert.deepEqual(
      instructions.map(({ state }) => state),
      ['withdrawn', 'withdrawn'],
    );
    assert.equal(decision?.reason, null);
    assert.equal((await tryStartPayment(link, 'qr_code')).body.code, 'link_failed');
  });

  onSqlite('of a failed payment refunds its received amount', async () => {
    const { link } = await underpay();
    await fixture.advance(25 * HOUR);
    assert.deepEqual((await detailOf(link)).available_actions, ['accept', 'reject', 'refund']);
    assert.deepEqual(await queuedAmounts(link), [['underpaid', 90_000, 90_000]]);
    assert.equal((await reject(link)).body.reason, 'rejected');
    await fixture.advance(MINUTE);
    assert.equal((await detailOf(link)).refunded_amount, 90_000);
  });

  onSqlite('of a paid, unpaid or already refunded transaction is refused', async () => {
    const untouched = await createLink(fixture);
    const paid = await createLink(fixture);
    await submitCard(fixture, paid.reference);
    const { link: accepted } = await underpay();
    await merchantAction(accepted, 'accept', 'A friend of the house');
    const { link: rejected } = await underpay();
    await reject(rejected, 'The first');
    for (const [link, code] of [
      [untouched, 'nothing_to_review'],
      [paid, 'already_paid'],
      [accepted, 'already_paid'],
      [rejected, 'nothing_to_review'],
    ] as const) {
      const { status, body } = await reject(link, 'The second');
      assert.deepEqual([status, body.code], [409, code]);
    }
    assert.equal((await detailOf(accepted)).decision?.reason, 'A friend of the house');
    assert.equal((await detailOf(rejected)).decision?.reason, 'The first');
  });

  onSqlite('is refused while a deposit awaits confirmations', async () => {
    const link = await createLink(fixture, { amount: 20 });
    const coins = await startPayment(link, 'crypto_payment', 'btc');
    await simulate(coins, 'underpay');
    await confirm(coins);
    assert.equal((await detailOf(link)).reason, 'underpaid');
    await simulate(await startPayment(link, 'crypto_payment', 'btc'), 'exact');
    assert.deepEqual((await detailOf(link)).available_actions, ['accept']);
    const { status, body } = await reject(link);
    assert.deepEqual([status, body.code], [409, 'submit_in_progress']);
    assert.equal((await detailOf(link)).status, 'transaction_status_waiting');
  });

  onSqlite('cancels an open challenge, and no card is charged', async () => {
    const link = await createLink(fixture, { amount: 10 });
    const ideal = await startPayment(link, 'on_ramp_ideal');
    await pay(link, cards.challenge);
    const { challengeUrl } = await stateOf(link);
    await simulate(ideal, 'underpay');
    const { status, body } = await reject(link);
    assert.deepEqual([status, body.reason, body.attempts[0].state], [200, 'rejected', 'declined']);
    await completeChallenge(challengeUrl, 'approve');
    assert.equal((await detailOf(link)).amount_received, 9);
  });

  test('with the same Idempotency-Key is one rejection; without it the second is refused', async () => {
    const { link } = await underpay();
    const key = { 'Idempotency-Key': `reject-${link.reference}` };
    const [first, again] = [await reject(link, 'Once', key), await reject(link, 'Once', key)];
    assert.deepEqual([first.status, again.status], [200, 200]);
    assert.equal((await detailOf(link)).refunds.length, 1);
    assert.equal((await reject(link, 'Once')).body.code, 'nothing_to_review');
  });

  test('works with the Idempotency-Key of a refund', async () => {
    const { link } = await underpay();
    await fixture.advance(25 * HOUR);
    const key = { 'Idempotency-Key': `both-${link.reference}` };
    const body = { transaction_id: link.reference, amount: 10_000 };
    assert.equal((await fixture.request('/fiat/v1/transaction/refund', { body, headers: key })).status, 200);
    const { status, body: rejected } = await reject(link, 'Sold out', key);
    assert.deepEqual([status, rejected.reason], [200, 'rejected']);
    await fixture.advance(MINUTE);
    assert.equal((await detailOf(link)).refunded_amount, 90_000);
  });

  test('that was interrupted before its response is resumed and refunds once', async () => {
    const { link } = await underpay();
    const { payments } = fixture.service();
    const rejectOnce = async () => {
      const transaction = await findByReference(payments.database, fixture.merchant.id, link.reference);
      assert.ok(transaction);
      return await rejectTransaction(
        payments,
        transaction,
        { by: 'token 1', reason: null },
        {
          ...{ isOutOfBand: false, requestName: `of ${link.reference}` },
        },
      );
    };
    for (let time = 0; time < 2; time += 1) assert.equal((await rejectOnce()).reason, 'rejected');
    await fixture.advance(HOUR);
    const { refunds, refunded_amount } = await detailOf(link);
    assert.deepEqual([refunds.length, refunded_amount], [1, 90_000]);
  });

  test('by concurrent requests refunds once', async () => {
    const { link } = await underpay();
    const responses = await Promise.all(
      Array.from({ length: 6 }, async (_, number) => await reject(link, `${number}`)),
    );
    assert.equal(responses.filter(({ status }) => status === 200).length, 1);
    assert.equal(responses.filter(({ body }) => body.code === 'nothing_to_review').length, 5);
    await fixture.advance(MINUTE);
    const { refunds, refunded_amount } = await detailOf(link);
    assert.deepEqual([refunds.length, refunded_amount], [1, 90_000]);
  });

  test('concurrent with an acceptance: one wins, and the other is refused', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { link } = await underpay();
      const both = [
        async () => await merchantAction(link, 'accept', 'Yes'),
        async () => await merchantAction(link, 'reject', 'No'),
      ];
      const [one, other] = await Promise.all(
        (round % 2 === 0 ? both : both.toReversed()).map(async (each) => await each()),
      );
      const refused = [one, other].filter((response) => response?.status === 409);
      assert.equal(refused.length, 1);
      await fixture.advance(MINUTE);
      const { status, decision, refunded_amount } = await detailOf(link);
      const isAccepted = status === 'transaction_status_confirmed';
      assert.deepEqual(
        [decision?.is_approved, decision?.reason, refunded_amount],
        isAccepted ? [true, 'Yes', 0] : [false, 'No', 90_000],
      );
      assert.equal(refused[0]?.body.code, isAccepted ? 'already_paid' : 'nothing_to_accept');
    }
  });

  onSqlite('stays in effect: later payments need another review, even of the full amount', async () => {
    const { link, payment } = await underpay();
    await reject(link, 'Sold out');
    await fixture.advance(MINUTE);
    await simulate(payment, 'exact');
    const late = await detailOf(link);
    assert.deepEqual([late.status, late.reason], ['transaction_status_failed', 'rejected']);
    assert.deepEqual(late.available_actions, ['accept', 'reject', 'refund']);
    assert.deepEqual(await queuedAmounts(link), [['rejected', 190_000, 100_000]]);
    const state = await stateOf(link);
    assert.deepEqual([state.phase, state.received], ['failed', { value: '100000', left: '0' }]);
    assert.match(await readPageText(link), /We received .{0,40}100,000.{0,40}\. .* will review it/s);

    await reject(link, 'Still sold out');
    await fixture.advance(MINUTE);
    assert.equal((await detailOf(link)).refunded_amount, 190_000);
    await simulate(payment, 'underpay');
    const { body } = await merchantAction(link, 'accept', 'Found one');
    assert.deepEqual([body.status, body.reason, body.late], ['transaction_status_confirmed', 'underpaid', true]);
    assert.deepEqual([body.decision.is_approved, body.decision.reason], [true, 'Found one']);
    assert.match(body.timeline.at(-1).detail, /^90000 VND accepted: Found one$/);
  });

  onSqlite('of a payment that cannot be refunded is refused, and leaves it in the review queue', async () => {
    const link = await createLink(fixture, { amount: 20 });
    const coins = await startPayment(link, 'crypto_payment', 'btc');
    await simulate(coins, 'underpay');
    await confirm(coins);
    const { amount_received: received, available_actions, refund_options } = await detailOf(link);
    assert.deepEqual(available_actions, ['accept', 'reject_out_of_band']);
    assert.deepEqual(refund_options, { maximum: 0, partial: false, refusal: 'refund_not_supported' });
    const { status, body } = await reject(link, 'Not ours');
    assert.deepEqual([status, body.code], [409, 'refund_not_supported']);
    assert.deepEqual(await queuedAmounts(link), [['underpaid', received, received]]);
    assert.equal((await merchantAction(link, 'accept')).status, 200);
  });

  test('with an out-of-band refund calls no acquirer', async () => {
    const link = await createLink(fixture, { amount: 20 });
    const coins = await startPayment(link, 'crypto_payment', 'btc');
    await simulate(coins, 'underpay');
    await confirm(coins);
    const { amount_received: received } = await detailOf(link);
    const body = { transaction_id: link.reference, reason: 'Sent by hand', out_of_band: true };
    const { status, body: detail, text } = await fixture.request('/fiat/v1/transaction/reject', { body });
    assert.equal(status, 200, text);
    assert.deepEqual(
      detail.refunds.map(({ amount, state, out_of_band: past }: any) => [amount, state, past]),
      [[received, 'succeeded', true]],
    );
    assert.deepEqual([detail.refunded_amount, detail.available_actions], [received, []]);
    assert.deepEqual(
      detail.timeline.slice(-2).map((entry: any) => entry.detail),
      [`${received.toFixed(2)} USD rejected: Sent by hand`, `${received.toFixed(2)} USD refunded out of band`],
    );
    assert.deepEqual(await queuedAmounts(link), []);
    await fixture.advance(HOUR);
    assert.equal((await detailOf(link)).refunds.length, 1);
    const again = await fixture.request('/fiat/v1/transaction/reject', { body });
    assert.deepEqual([again.status, again.body.code], [409, 'nothing_to_review']);
  });

  onSqlite(
    'out of band calls no acquirer, and a partial out-of-band refund is possible after the payment',
    async () => {
      const { link } = await underpay();
      const body = { transaction_id: link.reference, out_of_band: true };
      const { body: rejected } = await fixture.request('/fiat/v1/transaction/reject', { body });
      assert.deepEqual([rejected.reason, rejected.refunded_amount], ['rejected', 90_000]);

      const { link: other } = await underpay();
      await merchantAction(other, 'accept');
      const refund = async (fields: object) =>
        await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: other.reference, ...fields } });
      const part = await refund({ amount: 40_000, out_of_band: true });
      assert.deepEqual([part.status, part.body.refunded_amount], [200, 40_000], part.text);
      assert.equal(part.body.timeline.at(-1).detail, '40000 VND refunded out of band');
      const tooMuch = await refund({ amount: 60_000, out_of_band: true });
      assert.deepEqual([tooMuch.status, tooMuch.body.code], [409, 'not_refundable']);
      // The rest is refunded through its acquirer.
      assert.equal((await refund({})).status, 200);
      await fixture.advance(HOUR);
      const { refunds } = await detailOf(other);
      assert.deepEqual(
        refunds.map(({ amount, state, out_of_band: past = false }: any) => [amount, state, past]),
        [
          [40_000, 'succeeded', true],
          [50_000, 'succeeded', false],
        ],
      );
      const books = await db(fixture.service().database).selectFrom('sandbox_refunds').selectAll().execute();
      assert.ok(!books.some(({ amount_minor: minor }) => minor === 40_000));
    },
  );

  onSqlite('is in the audit log with its reason, like an acceptance', async () => {
    const owner = await signedIn(fixture, 'owner');
    const merchant = fixture.merchant.id;
    for (const action of ['accept', 'reject']) {
      const { link } = await underpay();
      const body = { transaction_id: link.reference, reason: `To ${action}` };
      const { status, text } = await owner.request(`/fiat/v1/transaction/${action}`, { body, merchant });
      assert.equal(status, 200, text);
      const { by, by_name: name } = (await detailOf(link)).decision ?? {};
      assert.deepEqual([by, name], [`person ${owner.id}`, 'Some owner']);
      // Webhooks do not name the merchant's staff.
      const { events } = (await fixture.request(`/fiat/v1/transaction/events?transaction_id=${link.reference}`)).body;
      const reported = events.filter((event: any) => event.data.decision);
      assert.notEqual(reported.length, 0);
      for (const { data } of reported) assert.deepEqual([data.decision.by, data.decision.by_name], [by, null]);
      const [entry] = (await owner.request('/v1/audit-log?per_page=1', { merchant })).body.entries;
      assert.deepEqual([entry.action, entry.subject], [`${action}Transaction`, link.reference]);
      assert.deepEqual([entry.before.decided_by, entry.before.decision_reason], [null, null]);
      const decided = [entry.after.decided_by, entry.after.decision_reason];
      assert.deepEqual(decided, [`person ${owner.id}`, `To ${action}`]);
    }
  });

  onSqlite('needs the scope and a valid reason', async () => {
    const { link } = await underpay();
    assert.equal((await reject(link, 'x'.repeat(256))).body.errors[0].pointer, '/reason');
    const viewer = await signedIn(fixture, 'viewer');
    const body = { transaction_id: link.reference };
    assert.equal((await viewer.request('/fiat/v1/transaction/reject', { body, merchant: 1 })).status, 403);
    assert.deepEqual(await queuedAmounts(link), [['underpaid', 90_000, 90_000]]);
  });
});

describe('the review queue', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  const { startPayment, simulate, merchantAction } = createBuyers(() => fixture);

  test('is listed newest first, page by page, and exported', async () => {
    const links: Link[] = [];
    for (const decision of ['underpay', 'overpay', 'underpay', 'exact', 'underpay', 'overpay'] as const) {
      const link = await createLink(fixture, vietnamese);
      await simulate(await startPayment(link, 'qr_code'), decision);
      await fixture.advance(MINUTE);
      links.push(link);
    }
    const [first, second, third, , fifth, sixth] = links.map(({ reference }) => reference);
    await createLink(fixture, vietnamese);
    if (links[4]) await merchantAction(links[4], 'accept');
    if (links[0]) await merchantAction(links[0], 'reject');
    assert.ok(first && fifth);
    await fixture.advance(DAY + HOUR);
    const expected = [sixth, third, second];
    const page = await readReviewQueue(fixture, { per_page: '2' });
    const rest = await readReviewQueue(fixture, { per_page: '2', cursor: page.pagination.next_cursor ?? '' });
    const names = [page, rest].flatMap(({ transactions }) => transactions.map((each) => each.transaction_id));
    assert.deepEqual([names, rest.pagination.next_cursor], [expected, null]);
    const other = await fixture.makeMerchant('Another');
    assert.deepEqual((await readReviewQueue(fixture, {}, other.token)).transactions, []);
    const { text } = await fixture.request('/fiat/v1/transactions/export?awaiting_review=true');
    const rows = text.trim().split('\r\n').slice(1);
    assert.deepEqual(
      rows.map((row) => row.split(',')[2]),
      expected.map((reference) => `"${reference}"`),
    );
    assert.equal((await fixture.request('/fiat/v1/transactions?awaiting_review=no')).status, 422);
    const { waiting } = (await fixture.request('/v1/statistics')).body;
    assert.equal(waiting.payment_reviews, 3);
  });
});

describe('a card approved after a rejection', () => {
  let fixture: Fixture;
  const acquirer = new ScriptedAcquirer();
  before(async () => {
    fixture = await openFixture({ wrapCardAcquirer: () => acquirer });
    acquirer.notify = async (attemptKey, outcome) => {
      await applyOutcome(fixture.service().payments, attemptKey, outcome);
    };
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  const { detailOf, startPayment, simulate, merchantAction } = createBuyers(() => fixture);

  test('needs another review; a second one is reversed', async () => {
    const link = await createLink(fixture, { amount: 10 });
    for (let attempt = 0; attempt < 2; attempt += 1) await submitCard(fixture, link.reference, cardFor('decline'));
    await simulate(await startPayment(link, 'on_ramp_ideal'), 'underpay');
    assert.equal((await merchantAction(link, 'reject')).status, 200);
    await fixture.advance(MINUTE);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const charge = acquirer.approveDeclined([`${link.link}/return`]) ?? assert.fail('no declined charge');
      await acquirer.notifyOutcome(charge);
    }
    await fixture.work();
    const detail = await detailOf(link);
    assert.deepEqual([detail.status, detail.reason], ['transaction_status_failed', 'rejected']);
    assert.deepEqual([detail.amount_received, detail.refunded_amount], [19, 9]);
    assert.deepEqual(detail.attempts.map(({ state }) => state).toSorted(), ['approved', 'reversed']);
    assert.deepEqual((await readReviewQueue(fixture)).transactions[0]?.amount_kept, 10);
    assert.equal((await merchantAction(link, 'reject')).status, 200);
    assert.equal((await detailOf(link)).refunded_amount, 19);
  });
});
