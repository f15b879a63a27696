import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { TransactionStatus } from '../../src/api/fiat-transaction.ts';
import { canTransition } from '../../src/payments/states.ts';
import { DAY, HOUR, MINUTE, SECOND, toMillis } from '../../src/shared/time.ts';
import { allOf } from '../support/all-of.ts';
import { testEngine } from '../support/databases.ts';
import { runSequences, type StepCounts } from '../support/models.ts';
import { countFault } from '../support/proof.ts';
import { submission } from '../support/requests.ts';
import { db } from '../support/tables.ts';
import {
  type BenchSteps,
  cardCapabilityOf,
  knowsUnreceived,
  newCard,
  type Payment,
  useBench,
} from './conformance/bench.ts';
import { cardSubjects } from './conformance/subjects.ts';
import type { Fault } from './simulators/faults.ts';

const outcomes = ['approved', 'frictionless', 'challenge', 'declined'] as const;
const chargeFaults = [
  'none',
  'cut_before',
  'cut_after',
  'truncated_response',
  'malformed',
  'trickle',
  'http_500',
  'http_500_after',
  'bad_gateway',
  'http_503',
  'rate_limited',
] as const;
const adapterNames = cardSubjects.map(({ adapter }) => adapter.name);
const captureAdapters = cardSubjects
  .filter((subject) => cardCapabilityOf(subject)?.manualCapture)
  .map(({ adapter }) => adapter.name);

type Step =
  | { do: 'submit'; outcome: (typeof outcomes)[number]; fault: Fault; times: number }
  | { do: 'challenge'; result: 'authenticated' | 'failed'; returns: boolean }
  | { do: 'deliver'; how: 'once' | 'twice' | 'reversed' }
  | { do: 'abandon' }
  | { do: 'cancel' }
  | { do: 'refund'; amount: number | null; fault: 'none' | 'cut_before' | 'cut_after' }
  | { do: 'capture'; amount: number | null; fault: 'none' | 'cut_before' | 'cut_after'; outcome: 'approved' | 'failed' }
  | { do: 'void'; fault: 'none' | 'cut_before' | 'cut_after' }
  | { do: 'settle_refund'; outcome: 'succeeded' | 'failed_late' }
  | { do: 'pass'; seconds: number }
  | { do: 'restart' }
  | { do: 'at_once'; steps: Step[] };

const single: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      outcome: fc.constantFrom(...outcomes),
      // Most calls succeed.
      fault: fc.constantFrom(...chargeFaults, ...Array.from({ length: 7 }, () => 'none' as const)),
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('challenge' as const),
      result: fc.constantFrom('authenticated' as const, 'failed' as const),
      returns: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      how: fc.constantFrom('once' as const, 'twice' as const, 'reversed' as const),
    }),
  },
  fc.record({ do: fc.constant('abandon' as const) }),
  fc.record({ do: fc.constant('cancel' as const) }),
  fc.record({
    do: fc.constant('refund' as const),
    amount: fc.constantFrom(null, 5, 12.5),
    fault: fc.constantFrom('none' as const, 'cut_before' as const, 'cut_after' as const),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('capture' as const),
      amount: fc.constantFrom(null, 5),
      fault: fc.constantFrom('none' as const, 'cut_before' as const, 'cut_after' as const),
      outcome: fc.constantFrom('approved' as const, 'approved' as const, 'failed' as const),
    }),
  },
  fc.record({
    do: fc.constant('void' as const),
    fault: fc.constantFrom('none' as const, 'cut_before' as const, 'cut_after' as const),
  }),
  fc.record({
    do: fc.constant('settle_refund' as const),
    outcome: fc.constantFrom('succeeded' as const, 'failed_late' as const),
  }),
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(6, 40, 301, 90_000) }),
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

const submit = (outcome: (typeof outcomes)[number], fault: Fault = 'none'): Step => ({
  ...{ do: 'submit', outcome, fault, times: 2 },
});
const pass = (seconds: number): Step => ({ do: 'pass', seconds });
const deliver = (how: 'once' | 'twice' | 'reversed'): Step => ({ do: 'deliver', how });
/** Together they contain each kind of step. */
const rareCases: Step[][] = [
  [
    ...[submit('declined'), submit('challenge', 'truncated_response'), pass(6), submit('approved', 'rate_limited')],
    ...[submit('challenge'), { do: 'challenge', result: 'failed', returns: true } as const, deliver('reversed')],
    ...[submit('approved', 'http_500_after'), pass(6), deliver('twice'), submit('approved', 'malformed')],
    ...[submit('approved', 'trickle'), submit('approved', 'http_500'), submit('approved', 'bad_gateway')],
    ...[{ do: 'refund', amount: 5, fault: 'cut_after' } as const, pass(40), deliver('once')],
    ...[{ do: 'settle_refund', outcome: 'failed_late' } as const, deliver('reversed')],
    { do: 'refund', amount: null, fault: 'none' },
  ],
  [
    ...[submit('approved', 'http_503'), pass(6), deliver('once'), submit('challenge'), { do: 'abandon' } as const],
    ...[{ do: 'restart' } as const, deliver('once'), submit('frictionless', 'cut_after')],
    { do: 'at_once', steps: [deliver('twice'), submit('approved'), { do: 'cancel' }] },
  ],
  [
    ...[submit('declined', 'cut_before'), pass(6), deliver('once'), submit('declined'), { do: 'cancel' } as const],
    submit('frictionless'),
  ],
];
const capture = (fault: 'none' | 'cut_before' | 'cut_after', outcome: 'approved' | 'failed' = 'approved'): Step => ({
  ...{ do: 'capture', amount: 5, fault, outcome },
});
/** With manual capture. */
const authorizedCases: Step[][] = [
  [
    submit('approved'),
    capture('none', 'failed'),
    deliver('reversed'),
    capture('cut_after'),
    pass(40),
    deliver('twice'),
  ],
  [
    submit('frictionless'),
    { do: 'at_once', steps: [capture('none'), { do: 'void', fault: 'none' }] },
    { do: 'restart' },
  ],
  [submit('approved'), { do: 'void', fault: 'cut_before' }, { do: 'cancel' }, pass(40), deliver('once')],
];
const manualExamples = captureAdapters.flatMap((adapter) =>
  authorizedCases.map((steps) => ({ adapter, capture: 'manual' as const, steps })),
);
const automaticExamples = adapterNames.flatMap((adapter, index) =>
  rareCases
    .filter((_, number) => number === 0 || (index + number) % 3 === 0)
    .map((steps) => ({ adapter, capture: 'automatic' as const, steps })),
);
const examples = [...automaticExamples, ...manualExamples];
/** Number of fixed sequences. On PostgreSQL only locking differs. */
const FIXED = testEngine === 'sqlite' ? { seed: 1, runs: 1, examples } : { seed: 1, runs: 2 };

function kindOf(each: Step): string {
  return each.do === 'submit' ? `submit ${each.fault === 'none' ? each.outcome : each.fault}` : each.do;
}

/** The fault of a step, by the kind that `npm run prove` counts. */
function faultOf(each: Step): string | null {
  if (each.do === 'deliver') return { once: null, twice: 'webhook twice', reversed: 'webhooks out of order' }[each.how];
  return 'fault' in each && each.fault !== 'none' ? each.fault.replaceAll('_', ' ') : null;
}

/** Expected response statuses: the acquirer can be unavailable. Anything else is a defect. */
const expectedStatuses = new Set([200, 303, 401, 409, 410, 502, 503]);

describe('payments through each adapter, in random sequences', () => {
  const benches = new Map(cardSubjects.map((subject) => [subject.adapter.name, useBench(subject)]));

  test('are charged and captured at most once, and every refund is accounted for', async (context) => {
    const sequences = fc.record({
      adapter: fc.constantFrom(...adapterNames),
      capture: fc.constantFrom('automatic' as const, 'automatic' as const, 'manual' as const),
      steps: fc.array(step, { minLength: 3, maxLength: 10 }),
    });
    const play = async ({ adapter, capture: mode, steps }: (typeof examples)[number], tally: StepCounts) => {
      const bench = benches.get(adapter) ?? assert.fail();
      const isManual = mode === 'manual' && captureAdapters.includes(adapter);
      const payment = await bench.newPayment(isManual ? { capture: mode } : {});
      await new Sequence(bench, { ...payment, isManual }, tally).play(steps);
    };
    await runSequences(context, { sequences, fixed: FIXED, steps: step, kindOf, play });
  });
});

class Sequence {
  readonly #steps: BenchSteps;
  readonly #payment: Payment & { isManual: boolean };
  readonly #tally: StepCounts;
  readonly #failedRefunds = new Set<string>();
  #wasReportedPaid = false;

  constructor(steps: BenchSteps, payment: Payment & { isManual: boolean }, tally: StepCounts) {
    this.#steps = steps;
    this.#payment = payment;
    this.#tally = tally;
  }

  async play(sequence: readonly Step[]): Promise<void> {
    for (const each of sequence) await this.#playStep(each);
    await this.#finish();
    await this.#check();
  }

  async #playStep(each: Step): Promise<void> {
    const hasEffect = await this.#runStep(each);
    this.#tally.count(kindOf(each), hasEffect);
    const fault = faultOf(each);
    if (hasEffect && fault !== null) countFault(`acquirer: ${fault}`);
  }

  async #request(path: string, body?: object, token?: string) {
    const { fixture } = this.#steps.bench();
    const response = await fixture.request(path, { ...(body && { body }), ...(token !== undefined && { token }) });
    assert.ok(expectedStatuses.has(response.status), `${path} returned ${response.status}: ${response.text}`);
    return response;
  }

  /** Returns whether the step did anything. */
  async #runStep(each: Step): Promise<boolean> {
    const { fixture, acquirer } = this.#steps.bench();
    const { reference, path } = this.#payment.link;
    switch (each.do) {
      case 'at_once':
        await allOf(each.steps.map(async (one) => await this.#playStep(one)));
        return true;
      case 'submit':
        acquirer.next('charge', { outcome: each.outcome, fault: each.fault });
        await allOf(Array.from({ length: each.times }, async () => await this.#submit()));
        acquirer.reset();
        return true;
      case 'challenge': {
        const open = (await this.#steps.chargesOf(this.#payment)).find(({ state }) => state === 'open');
        const navigation = open && (await acquirer.completeChallenge(open.reference, each.result));
        if (!navigation) return false;
        const { pathname, search } = new URL(navigation.url);
        if (each.returns) await this.#request(pathname + search);
        return true;
      }
      case 'deliver':
        return await this.#deliver(each.how);
      case 'abandon': {
        const { clientToken } = (await this.#request(`${path}/state`)).body ?? {};
        return Boolean(clientToken) && (await this.#request(`${path}/abandon`, {}, clientToken)).status === 200;
      }
      case 'cancel':
        return (await this.#request('/fiat/v1/transaction/cancel', { transaction_id: reference })).status === 200;
      case 'refund': {
        acquirer.next('refund', { outcome: 'pending', fault: each.fault });
        const body = { transaction_id: reference, ...(each.amount !== null && { amount: each.amount }) };
        const { status } = await this.#request('/fiat/v1/transaction/refund', body);
        acquirer.reset();
        return status === 200;
      }
      case 'capture':
      case 'void': {
        const plan = each.do === 'capture' ? { outcome: each.outcome, fault: each.fault } : { fault: each.fault };
        acquirer.next(each.do === 'capture' ? 'capture' : this.#steps.voidCall, plan);
        const amount = each.do === 'capture' && each.amount !== null ? { amount: each.amount } : {};
        const { status } = await this.#request(`/fiat/v1/transaction/${each.do}`, {
          transaction_id: reference,
          ...amount,
        });
        acquirer.reset();
        return status === 200;
      }
      case 'settle_refund': {
        const [refund] = (await this.#refunds()).filter((key) => !this.#failedRefunds.has(key));
        if (refund === undefined) return false;
        if (each.outcome === 'failed_late') this.#failedRefunds.add(refund);
        await acquirer.settleRefund(refund, each.outcome);
        return true;
      }
      case 'pass':
        await fixture.advance(each.seconds * SECOND);
        return true;
      case 'restart':
        await fixture.restart();
        return true;
    }
  }

  async #submit(): Promise<void> {
    const { clock } = this.#steps.bench().fixture;
    // The simulated clock advances by years.
    const card_expiry_year = String(new Date(toMillis(clock.now())).getUTCFullYear() + 2);
    const body = submission(this.#payment.link.reference, newCard(), { card_expiry_year });
    const { body: result } = await this.#request('/fiat/v1/transaction/submit', body);
    if (this.#payment.isManual) return;
    if (result?.response_type === 'confirmed' || result?.code === 'already_paid') this.#wasReportedPaid = true;
  }

  async #deliver(how: 'once' | 'twice' | 'reversed'): Promise<boolean> {
    const { fixture, acquirer } = this.#steps.bench();
    if (how === 'reversed') acquirer.webhooks.reorder();
    const results = await (how === 'twice' ? acquirer.webhooks.deliverTwice() : acquirer.webhooks.deliver());
    for (const { status, webhook } of results) assert.equal(status, 200, webhook.body);
    await fixture.work();
    return results.length > 0;
  }

  /** References of the payment's refunds that the acquirer has carried out. */
  async #refunds(): Promise<string[]> {
    const rows = await db(this.#steps.bench().fixture.service().database)
      .selectFrom('refunds as refund')
      .innerJoin('fiat_transactions as transaction', 'transaction.id', 'refund.fiat_transaction_id')
      .select(['refund_key', 'acquirer_reference'])
      .where('transaction.transaction_id', '=', this.#payment.link.reference)
      .execute();
    const requested = await this.#steps.bench().acquirer.refunds();
    const isCarriedOut = (reference: string) =>
      rows.some((row) => reference.includes(row.refund_key) && (row.acquirer_reference !== null || this.#isSandbox()));
    return requested.filter(isCarriedOut);
  }

  #isSandbox(): boolean {
    return this.#steps.bench().accountKey === 'sandbox';
  }

  async #finish(): Promise<void> {
    const { fixture, acquirer } = this.#steps.bench();
    acquirer.reset();
    for (const duration of [
      MINUTE,
      10 * MINUTE,
      2 * HOUR,
      DAY,
      2 * DAY,
      2 * DAY,
      ...(this.#payment.isManual ? [3 * DAY, DAY] : []),
    ]) {
      await fixture.advance(duration);
      for (const refund of await this.#refunds())
        if (!this.#failedRefunds.has(refund)) await acquirer.settleRefund(refund, 'succeeded');
      while (await this.#deliver('once'));
      if (duration < 2 * DAY) continue;
      // Acquirers end abandoned challenges.
      for (const { reference, state } of await this.#steps.chargesOf(this.#payment))
        if (state === 'open') acquirer.expire?.(reference);
    }
  }

  async #check(): Promise<void> {
    const detail = await this.#steps.detailOf(this.#payment);
    const charges = await this.#steps.chargesOf(this.#payment);
    const status = detail.status.replace('transaction_status_', '') as TransactionStatus;
    const isConfirmed = status === 'confirmed';
    if (this.#wasReportedPaid) assert.ok(isConfirmed, 'a response had reported it as paid');
    // Without a report of whether the acquirer received a charge, its outcome is unknown.
    if (status === 'waiting') {
      assert.equal(await knowsUnreceived(this.#steps), false, 'an outcome is missing');
      assert.ok(charges.length < detail.attempts.length, 'an outcome is missing');
    } else assert.ok(isConfirmed || status === 'failed', `it is still ${status}`);

    const approved = detail.attempts.filter(({ state }) => state === 'approved');
    assert.equal(approved.length, isConfirmed ? 1 : 0, 'approved attempts');
    const refundedMinor = BigInt(Math.round(detail.refunded_amount * 100));
    const paid = charges.filter(({ state }) => state === 'paid');
    // All other paid charges are duplicates, which are reversed in full.
    const kept = paid.filter((charge) => charge.refundedMinor !== charge.paidMinor);
    const isRefunded = isConfirmed && refundedMinor === paid[0]?.paidMinor;
    assert.equal(kept.length, isConfirmed && !isRefunded ? 1 : 0, 'charges that were not refunded');
    if (kept[0]) assert.equal(kept[0].refundedMinor, refundedMinor, 'refunds of the acquirer');
    const { authorization } = detail;
    const ended = authorization && ['captured', 'voided', 'expired'].includes(authorization.status);
    assert.notEqual(ended, false, `the authorization is still ${authorization?.status}`);
    assert.equal(isConfirmed, this.#payment.isManual ? authorization?.status === 'captured' : isConfirmed);
    assert.ok(
      charges.every(({ state }) => state !== 'authorized'),
      'an amount is still reserved',
    );
    assert.equal(detail.amount_received, isConfirmed ? (authorization?.captured_amount ?? detail.amount_charged) : 0);
    if (authorization?.status === 'captured')
      assert.equal(paid[0]?.paidMinor, BigInt(Math.round(authorization.captured_amount * 100)), 'captured amount');
    assert.ok(detail.refunds.every(({ state }) => state !== 'pending'));

    const statuses = detail.timeline.map(
      (entry) => entry.status.replace('transaction_status_', '') as TransactionStatus,
    );
    for (const [index, to] of statuses.slice(1).entries()) {
      const from = statuses[index] ?? assert.fail();
      assert.ok(from === to || canTransition(from, to), `${from} to ${to}`);
    }
  }
}
