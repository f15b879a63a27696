import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE, toMillis } from '../../src/shared/time.ts';
import { simulatedActions } from '../../src/acquirers/sandbox/push-acquirer.ts';
import { allOf } from '../support/all-of.ts';
import { createBuyers, type Link } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { runSequences, type StepCounts } from '../support/models.ts';
import { cards, createLink, submission } from '../support/requests.ts';
import { simulatorForm, type SimulatorAction } from '../support/simulator-form.ts';
import { testEngine } from '../support/databases.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

type Step =
  | { do: 'start'; method: number }
  | { do: 'simulate'; which: number; decision: SimulatorAction }
  | { do: 'card'; challenge: boolean }
  | { do: 'issuer'; decision: 'approve' | 'refuse' }
  | { do: 'cancel' }
  | { do: 'accept' }
  | { do: 'reject' }
  | { do: 'refund'; amount: number | null }
  | { do: 'return' }
  | { do: 'pass'; time: number }
  | { do: 'restart' }
  | { do: 'at_once'; steps: Step[] };

/** Methods to pay 20 US dollars, with a coin for crypto payments. */
const methods = [
  ['crypto_payment', 'btc'],
  ['crypto_payment', 'usdt'],
  ['on_ramp_card', null],
  ['on_ramp_ideal', null],
] as const;

const single: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('start' as const), method: fc.nat(methods.length - 1) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('simulate' as const),
      which: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(2)),
      decision: fc.constantFrom<SimulatorAction[]>(...simulatedActions, 'block', 'block', 'exact', 'underpay'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('card' as const), challenge: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('issuer' as const), decision: fc.constantFrom('approve', 'refuse') }),
  },
  fc.record({ do: fc.constant('cancel' as const) }),
  fc.record({ do: fc.constant('accept' as const) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reject' as const) }) },
  fc.record({ do: fc.constant('refund' as const), amount: fc.constantFrom(null, 0.01, 5, 20) }),
  fc.record({ do: fc.constant('return' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      time: fc.constantFrom(MINUTE, 31 * MINUTE, 2 * HOUR, DAY, DAY + HOUR),
    }),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: single },
  fc.record({ do: fc.constant('restart' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('at_once' as const),
      steps: fc.array(
        single.filter((each) => each.do !== 'pass'),
        { minLength: 2, maxLength: 3 },
      ),
    }),
  },
);

/** Random steps rarely reach two concurrent methods or a payment after a rejection, so many sequences start there. */
const beginning: fc.Arbitrary<Step[]> = fc.oneof(
  fc.constant<Step[]>([]),
  fc
    .record({ first: fc.nat(methods.length - 1), second: fc.nat(methods.length - 1), isCard: fc.boolean() })
    .map(({ first, second, isCard }): Step[] => [
      { do: 'start', method: first },
      isCard ? { do: 'card', challenge: true } : { do: 'start', method: second },
    ]),
  fc
    .record({ method: fc.constantFrom(2, 3), later: fc.constantFrom<SimulatorAction[]>('exact', 'underpay') })
    .map(({ method, later }): Step[] => [
      { do: 'start', method },
      { do: 'simulate', which: 0, decision: 'underpay' },
      { do: 'reject' },
      { do: 'simulate', which: 0, decision: later },
    ]),
);
const sequence: fc.Arbitrary<Step[]> = fc
  .tuple(beginning, fc.array(step, { minLength: 1, maxLength: 8 }))
  .map(([first, rest]) => [...first, ...rest]);

const simulated = (decision: SimulatorAction): Step => ({ do: 'simulate', which: 0, decision });
const examples: Step[][] = [
  [{ do: 'start', method: 1 }, simulated('overpay'), simulated('block'), { do: 'pass', time: DAY }],
  [{ do: 'start', method: 2 }, simulated('underpay'), { do: 'start', method: 0 }, { do: 'accept' }],
  [{ do: 'start', method: 2 }, simulated('exact'), { do: 'refund', amount: 5 }, { do: 'refund', amount: null }],
  [{ do: 'start', method: 0 }, simulated('exact'), simulated('block'), simulated('block'), { do: 'pass', time: DAY }],
  [
    { do: 'start', method: 0 },
    simulated('duplicate'),
    { do: 'pass', time: DAY },
    simulated('block'),
    simulated('block'),
  ],
  [
    { do: 'start', method: 3 },
    { do: 'card', challenge: true },
    { do: 'issuer', decision: 'approve' },
    simulated('late'),
  ],
];
/** Number of fixed sequences. On PostgreSQL only locking differs. */
const FIXED = { seed: 1, runs: testEngine === 'sqlite' ? 10 : 4, examples };

function kindOf(step: Step): string {
  if (step.do === 'simulate') return `simulate ${step.decision}`;
  return step.do === 'start' ? `start ${(methods[step.method] ?? methods[0]).join(' ')}`.trim() : step.do;
}

describe('push payments, in random sequences', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    // No address is assigned before the first scan of a chain.
    await fixture.work();
    await enableEveryMethod(fixture, fixture.merchant);
    // Each method has its own fee.
    const fees = { credit_card: 3, on_ramp_card: 2, on_ramp_ideal: 1, crypto_payment: 5 };
    const settings = Object.entries(fees).map(([payment_method, fee_percent]) => ({
      payment_method,
      currency: 'USD',
      status: 'enable',
      fee_fix: 0,
      fee_percent,
    }));
    const { status, text } = await fixture.request('/fiat/v1/merchant/payment-methods', {
      method: 'PATCH',
      body: { payment_methods: settings },
      token: fixture.merchant.managerToken,
    });
    assert.equal(status, 200, text);
  });
  after(async () => await fixture.close());

  const { stateOf, tryStartPayment, simulate, completeChallenge, merchantAction } = createBuyers(() => fixture);
  /** URLs of past challenges: buyers may complete them late. */
  const pastChallenges = new WeakMap<Link, string>();

  const readRows = async (link: Link) => {
    const query = db(fixture.service().database);
    const transaction = await query
      .selectFrom('fiat_transactions')
      .selectAll()
      .where('transaction_id', '=', link.reference)
      .executeTakeFirstOrThrow();
    const instructions = await query
      .selectFrom('payment_instructions')
      .selectAll()
      .where('fiat_transaction_id', '=', transaction.id)
      .orderBy('number')
      .execute();
    const receipts = await query
      .selectFrom('payment_receipts')
      .selectAll()
      .where('fiat_transaction_id', '=', transaction.id)
      .orderBy('id')
      .execute();
    const keys = instructions.map(({ instructions_key }) => instructions_key);
    const bankReceipts =
      keys.length === 0
        ? []
        : await query
            .selectFrom('sandbox_receipts as receipt')
            .innerJoin('sandbox_push_payments as payment', 'payment.id', 'receipt.sandbox_push_payment_id')
            .select('receipt.amount_minor')
            .where('payment.instructions_key', 'in', keys)
            .execute();
    const deposits =
      keys.length === 0
        ? []
        : await query
            .selectFrom('coin_payments as coin')
            .innerJoin('crypto_transactions as tx', 'tx.id', 'coin.crypto_transaction_id')
            .innerJoin('deposits as seen', 'seen.crypto_transaction_id', 'tx.id')
            .leftJoin('late_deposit_values as worth', 'worth.deposit_id', 'seen.id')
            .innerJoin('chain_cursors as cursor', 'cursor.chain', 'tx.chain')
            .select(['worth.amount_minor as late_minor', 'seen.counts_at', 'seen.amount', 'cursor.height'])
            .select(['tx.id', 'tx.amount_required', 'tx.tolerance', 'coin.amount_minor as price_minor'])
            .where('coin.instructions_key', 'in', keys)
            .where('seen.state', '<>', 'gone')
            .execute();
    const isCounted = ({ counts_at, height }: { counts_at: number | null; height: number | null }) =>
      counts_at !== null && counts_at <= (height ?? 0);
    const coins = deposits.map((each) => {
      const counts = isCounted(each);
      if (each.late_minor !== null) return { amount_minor: each.late_minor, counts, isRounded: true };
      // At the locked rate: the full price for the requested amount, otherwise a proportional share.
      const inTime = deposits.filter((other) => other.id === each.id && other.late_minor === null && isCounted(other));
      const total = inTime.reduce((sum, { amount }) => sum + Number(amount), 0);
      const isPrice = Math.abs(total - Number(each.amount_required)) <= Number(each.tolerance);
      const base = isPrice ? total : Number(each.amount_required);
      return { amount_minor: (Number(each.amount) * each.price_minor) / base, counts, isRounded: false };
    });
    const sent = [
      ...bankReceipts.map(({ amount_minor }) => ({ amount_minor, counts: true, isRounded: true })),
      ...coins,
    ];
    const pages: string[] = [];
    for (const key of keys) {
      for (const account of ['sandbox', 'chains']) {
        const url = await fixture.service().payments.acquirers.find(account)?.push?.simulatorUrl?.(key);
        if (url) pages.push(url);
      }
    }
    const attempts = await query
      .selectFrom('card_attempts')
      .selectAll()
      .where('fiat_transaction_id', '=', transaction.id)
      .execute();
    const refunds = await query
      .selectFrom('refunds as refund')
      .leftJoin('sandbox_refunds as given', 'given.refund_key', 'refund.refund_key')
      .select(['refund.amount_minor', 'refund.state', 'refund.charge_key', 'given.state as sandbox_state'])
      .where('refund.fiat_transaction_id', '=', transaction.id)
      .execute();
    return { transaction, instructions, receipts, sent, pages, attempts, refunds };
  };

  const playStep = async (link: Link, each: Step, tally: StepCounts): Promise<void> => {
    tally.count(kindOf(each), await runStep(link, each, tally));
  };

  /** Returns whether the step did anything. */
  const runStep = async (link: Link, each: Step, tally: StepCounts): Promise<boolean> => {
    switch (each.do) {
      case 'start': {
        const [paymentMethod, choice] = methods[each.method] ?? methods[0];
        const { status, text } = await tryStartPayment(link, paymentMethod, choice);
        assert.ok([200, 401, 409, 410].includes(status), text);
        return status === 200;
      }
      case 'simulate': {
        const { pages } = await readRows(link);
        const page = pages[each.which];
        if (!page || simulatorForm(page, each.decision) === null) return false;
        await simulate({ simulatorUrl: page }, each.decision);
        return true;
      }
      case 'card': {
        // The simulated clock advances by years.
        const card_expiry_year = String(new Date(toMillis(fixture.clock.now())).getUTCFullYear() + 2);
        const body = submission(link.reference, each.challenge ? cards.challenge : cards.visa, { card_expiry_year });
        const { clientToken, challengeUrl } = await stateOf(link);
        const { status } = await fixture.request('/fiat/v1/transaction/submit', {
          body,
          ...(clientToken && { token: clientToken }),
        });
        if (challengeUrl) pastChallenges.set(link, challengeUrl);
        assert.ok([200, 409, 410, 422].includes(status), String(status));
        return status === 200;
      }
      case 'issuer': {
        const challengeUrl = (await stateOf(link)).challengeUrl ?? pastChallenges.get(link);
        if (!challengeUrl) return false;
        await completeChallenge(challengeUrl, each.decision);
        return true;
      }
      case 'cancel':
      case 'accept':
      case 'reject': {
        const { status } = await merchantAction(link, each.do);
        assert.ok([200, 409, 410].includes(status), `${each.do} ${status}`);
        return status === 200;
      }
      case 'refund': {
        const amount = each.amount === null ? {} : { amount: each.amount };
        const body = { transaction_id: link.reference, ...amount };
        const { status, text } = await fixture.request('/fiat/v1/transaction/refund', { body });
        assert.ok([200, 409].includes(status), text);
        return status === 200;
      }
      case 'return': {
        const { status } = await fixture.request(`${link.path}/return`, { token: null });
        assert.equal(status, 303);
        return true;
      }
      case 'pass':
        await fixture.advance(each.time);
        return true;
      case 'restart':
        await fixture.restart();
        return true;
      case 'at_once':
        await allOf(each.steps.map(async (one) => await playStep(link, one, tally)));
        return true;
    }
  };

  /** Checks the invariants. */
  const check = async (link: Link, before: string, { accepted = false, accepts = false }) => {
    const { transaction, instructions, receipts, sent, attempts, refunds } = await readRows(link);
    const sum = (amounts: readonly { amount_minor: number }[]) =>
      amounts.reduce((total, { amount_minor }) => total + amount_minor, 0);
    const counted = sent.filter(({ counts }) => counts);
    const difference = Math.abs(sum(receipts) - sum(counted));
    // The exact sum of shares is rounded once, by less than a cent plus one unit of each coin.
    const tolerance = counted.every(({ isRounded }) => isRounded) ? 0 : 1.5;
    assert.ok(difference <= tolerance, `${sum(receipts)} received, but ${sum(counted)} sent`);
    const approved = attempts.filter(({ state }) => state === 'approved');
    assert.ok(approved.length <= 1, 'two cards are charged');
    assert.equal(
      transaction.amount_received_minor,
      sum(receipts) + sum(approved),
      'the received amount differs from receipts and charges',
    );
    const open = instructions.filter(({ state }) => state === 'issuing' || state === 'issued');
    assert.ok(open.length <= 1, 'two instructions are open');
    if (before === 'confirmed') assert.equal(transaction.status, 'confirmed', 'a paid transaction is no longer paid');
    const isRejected = transaction.reason === 'rejected';
    if (isRejected) assert.equal(transaction.status, 'failed', 'a rejected transaction is open or paid');
    if (before === 'rejected' && !accepts) assert.ok(isRejected, 'a rejection is lost without an acceptance');
    if (isRejected) assert.ok(transaction.decided_by, 'the rejection has no reviewer');
    const standing = refunds.filter(({ state }) => state !== 'failed');
    assert.equal(transaction.amount_refunded_minor, sum(standing), 'the refunded amount differs from the refunds');
    assert.ok(sum(standing) <= transaction.amount_received_minor, 'more was refunded than received');
    for (const { state, sandbox_state } of refunds)
      if (state === 'succeeded') assert.equal(sandbox_state, 'given', 'the acquirer has refunded nothing');
    for (const { instructions_key: key, id } of instructions) {
      const receivedMinor = sum(receipts.filter(({ payment_instructions_id }) => payment_instructions_id === id));
      assert.ok(
        sum(standing.filter(({ charge_key }) => charge_key === key)) <= receivedMinor,
        'refunded through another acquirer',
      );
    }
    const { amount_charged_minor: charged } = transaction;
    const isConfirmed = transaction.status === 'confirmed';
    const received = transaction.amount_received_minor - (isConfirmed ? 0 : transaction.amount_refunded_minor);
    if (transaction.status === 'confirmed' && !accepted) assert.ok(received >= charged, 'confirmed by an underpayment');
    if (received > 0) assert.notEqual(transaction.status, 'pending', 'received money, but the transaction is pending');
    if (received === charged && standing.length === 0 && !isRejected)
      assert.equal(transaction.status, 'confirmed', 'the exact amount did not confirm');
    const mismatch = received < charged ? 'underpaid' : 'overpaid';
    if (isConfirmed && standing.length === 0) assert.equal(transaction.reason, received === charged ? null : mismatch);
    const [first] = receipts;
    if (first && transaction.status === 'confirmed' && approved.length === 0) {
      const paidInstructions = instructions.find(({ id }) => id === first.payment_instructions_id);
      assert.equal(transaction.payment_method, paidInstructions?.payment_method, 'wrong payment method');
    }
    const state = await stateOf(link);
    assert.equal(state.phase === 'paid', transaction.status === 'confirmed');
    const isUnclear = received > 0 && (received !== charged || isRejected);
    const shown = state.received && Math.round(Number(state.received.value) * 100);
    if (state.phase === 'checking') {
      // Deposits in the mempool are included, except late ones.
      const withPending = received + sum(sent.filter(({ counts }) => !counts));
      if (shown === null) assert.ok(!isUnclear || withPending >= charged - 2, 'the page hides a received amount');
      else assert.ok(shown >= received && shown <= withPending + 2, 'the page shows a wrong received amount');
    } else {
      assert.equal(shown, isUnclear ? received : null, 'the page shows a wrong received amount');
    }
    const isRefunded = transaction.status === 'failed' && received === 0 && transaction.amount_received_minor > 0;
    assert.equal(state.refundProgress !== null, isRefunded, 'the page shows a wrong refund state');
    if (state.started) {
      assert.equal(open.length, 1, 'the page shows closed instructions');
      assert.equal(
        open[0]?.amount_minor,
        charged - received,
        'the page requests another amount than the remaining one',
      );
    }
    const hasUnconfirmed = sent.some(({ counts }) => !counts);
    // A paid or overpaid transaction stays so, even with more deposits pending.
    const isChecking = hasUnconfirmed && received < charged && transaction.status !== 'confirmed';
    if (isChecking) assert.ok(['checking', 'challenge'].includes(state.phase), state.phase);
    const { body: detail } = await fixture.request(`/fiat/v1/transaction?transaction_id=${link.reference}`);
    assert.equal(
      Math.round(detail.amount_received * 100),
      transaction.amount_received_minor,
      'the detail has another received amount',
    );
    const { body: queue } = await fixture.request(
      `/fiat/v1/transactions?awaiting_review=true&search=${link.reference}`,
    );
    const needsReview = ['waiting', 'failed'].includes(transaction.status) && received > 0;
    assert.equal(queue.transactions.length, needsReview ? 1 : 0, 'the review queue is wrong');
    return isRejected ? 'rejected' : transaction.status;
  };

  test('lose no payment, count none twice, and show the correct state', async (context) => {
    const play = async (steps: Step[], tally: StepCounts) => {
      const link = await createLink(fixture, { amount: 20, type_of_calculation: 'forward_with_fee' });
      let status = 'pending';
      let accepted = false;
      const includesAction = (each: Step, action: string) =>
        each.do === action || (each.do === 'at_once' && each.steps.some((one) => one.do === action));
      for (const each of steps) {
        await playStep(link, each, tally);
        const accepts = includesAction(each, 'accept');
        accepted ||= accepts;
        status = await check(link, status, { accepted, accepts });
      }
      // At the end every payment has an outcome or a known pending party.
      await fixture.advance(3 * DAY);
      await check(link, status, { accepted });
      const { transaction, sent, instructions, refunds } = await readRows(link);
      assert.ok(
        refunds.every(({ state }) => state !== 'pending'),
        'a refund stays pending',
      );
      const isAwaited = sent.some(({ counts }) => !counts);
      assert.ok(['confirmed', 'failed'].includes(transaction.status) || isAwaited, transaction.status);
      const open = instructions.filter(({ state }) => state === 'issuing' || state === 'issued');
      assert.ok(open.length === 0 || isAwaited, 'instructions stay open');
    };
    await runSequences(context, { sequences: sequence, fixed: FIXED, steps: step, kindOf, play });
  });
});
