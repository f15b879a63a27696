import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND, toMillis } from '../../src/shared/time.ts';
import { canTransition } from '../../src/payments/states.ts';
import type { TransactionStatus } from '../../src/api/fiat-transaction.ts';
import { applyOutcome } from '../../src/payments/card/outcome.ts';
import { allOf } from '../support/all-of.ts';
import { runSequences, type StepCounts } from '../support/models.ts';
import { creation, submission } from '../support/requests.ts';
import {
  type ScriptedCharge,
  cardFor,
  type Plan,
  plans,
  type RefundPlan,
  refundPlans,
  ScriptedAcquirer,
} from '../support/scripted-acquirer.ts';
import { testEngine } from '../support/databases.ts';
import { type FixtureResponse, openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';

type Step =
  | { do: 'submit'; of: number; plan: Plan; times: number }
  | { do: 'complete_challenge'; of: number; approve: boolean; report: 'notify' | 'return' | 'none' }
  | { do: 'return'; of: number }
  | { do: 'notify'; of: number; which: number }
  | { do: 'abandon'; of: number }
  | { do: 'cancel'; of: number }
  | { do: 'create_again'; of: number }
  | { do: 'renew'; of: number }
  | { do: 'refund'; of: number; plan: RefundPlan; amount: number | null }
  | { do: 'approve_declined'; of: number }
  | { do: 'resolve_pending' }
  | { do: 'pass'; seconds: number }
  | { do: 'restart' }
  | { do: 'at_once'; steps: Step[] };

const of = fc.nat(1);
const single: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      of,
      plan: fc.constantFrom(...plans, 'decline', 'decline', 'challenge', 'silent_approve'),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('complete_challenge' as const),
      of,
      approve: fc.boolean(),
      report: fc.constantFrom('notify' as const, 'return' as const, 'none' as const),
    }),
  },
  fc.record({ do: fc.constant('return' as const), of }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('notify' as const), of, which: fc.nat(4) }) },
  fc.record({ do: fc.constant('abandon' as const), of }),
  fc.record({ do: fc.constant('cancel' as const), of }),
  fc.record({ do: fc.constant('create_again' as const), of }),
  fc.record({ do: fc.constant('renew' as const), of }),
  fc.record({
    do: fc.constant('refund' as const),
    of,
    plan: fc.constantFrom(...refundPlans),
    amount: fc.constantFrom(null, 0.01, 5, 12.5),
  }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('approve_declined' as const), of }) },
  fc.record({ do: fc.constant('resolve_pending' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      seconds: fc.constantFrom(1, 6, 31, 40, 301, 3600, 82_800, 90_000),
    }),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: single },
  fc.record({ do: fc.constant('restart' as const) }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('at_once' as const),
      steps: fc.array(
        single.filter((each) => each.do !== 'pass'),
        { minLength: 2, maxLength: 4 },
      ),
    }),
  },
);

const refundOf = (plan: RefundPlan, amount: number): Step => ({ do: 'refund', of: 0, plan, amount });
const submitOf = (plan: Plan): Step => ({ do: 'submit', of: 0, plan, times: 2 });
const examples: { steps: Step[]; fails: boolean }[] = [
  {
    steps: [
      submitOf('approve'),
      refundOf('succeed', 5),
      ...(['refuse', 'lost_answer', 'lost_request', 'wait'] as const).map((plan) => refundOf(plan, 0.01)),
      { do: 'at_once', steps: [refundOf('succeed', 12.5), refundOf('succeed', 12.5)] },
    ],
    fails: true,
  },
  {
    steps: [
      { do: 'pass', seconds: 90_000 },
      { do: 'renew', of: 0 },
      submitOf('crash_before'),
      submitOf('lost_request'),
      { do: 'pass', seconds: 301 },
      submitOf('lost_answer'),
    ],
    fails: false,
  },
];
/** Number of fixed sequences. On PostgreSQL only locking differs. */
const FIXED = { seed: 1, runs: testEngine === 'sqlite' ? 12 : 4, examples };

function kindOf(step: Step): string {
  return step.do === 'submit' || step.do === 'refund' ? `${step.do} ${step.plan}` : step.do;
}

/** Expected response statuses. Anything else is a defect. */
const expectedStatuses = new Set([200, 303, 401, 409, 410]);

interface LinkedTransaction {
  links: ReadonlySet<string>;
}

/** Path of the newest link. */
function pathOf({ links }: LinkedTransaction): string {
  return new URL([...links].at(-1) ?? assert.fail()).pathname;
}

/** Return URLs of all of a transaction's links. */
function returnUrlsOf({ links }: LinkedTransaction): string[] {
  return [...links].map((link) => `${link}/return`);
}

describe('payments, in random sequences', () => {
  let fixture: Fixture;
  const acquirer = new ScriptedAcquirer();
  const delivered: { id: string; reference: string; sequence: number; status: string }[] = [];
  let endpointFails = false;

  before(async () => {
    fixture = await openFixture({
      wrapCardAcquirer: () => acquirer,
      post: (_url, headers, body) => {
        if (endpointFails) return Promise.resolve({ status: 500, retryAfter: null, body: '' });
        const { data } = JSON.parse(body) as { data: { transaction_id: string; sequence: number; status: string } };
        delivered.push({
          id: headers['webhook-id'] ?? '',
          reference: data.transaction_id,
          sequence: data.sequence,
          status: data.status,
        });
        return Promise.resolve({ status: 204, retryAfter: null, body: '' });
      },
    });
    acquirer.notify = async (attemptKey, outcome) => {
      await applyOutcome(fixture.service().payments, attemptKey, outcome);
    };
  });
  after(async () => await fixture.close());

  test('are charged at most once, lose nothing, and report every change', async (context) => {
    const sequences = fc.record({ steps: fc.array(step, { minLength: 3, maxLength: 18 }), fails: fc.boolean() });
    const play = async ({ steps, fails }: { steps: Step[]; fails: boolean }, tally: StepCounts) => {
      endpointFails = fails;
      await new Sequence(fixture, acquirer, tally).play(steps);
      endpointFails = false;
    };
    await runSequences(context, { sequences, fixed: FIXED, steps: step, kindOf, play });
    context.diagnostic(`${acquirer.charges.size} charges, ${delivered.length} webhooks`);
  });

  class Sequence {
    readonly #fixture: Fixture;
    readonly #acquirer: ScriptedAcquirer;
    readonly #tally: StepCounts;
    #merchant!: TestMerchant;
    #transactions: { reference: string; body: unknown; links: Set<string> }[] = [];
    /** References that a response reported as paid: they must stay paid. */
    #reportedPaid = new Set<string>();
    /** Number of crashes, and of those still in effect. */
    #crashes = 0;
    #crashing = 0;
    /** References with a declined charge that was approved later: only these may be paid late. */
    #approvedLater = new Set<string>();
    #restarting: Promise<void> = Promise.resolve();

    constructor(testFixture: Fixture, scripted: ScriptedAcquirer, tally: StepCounts) {
      this.#fixture = testFixture;
      this.#acquirer = scripted;
      this.#tally = tally;
    }

    async play(sequence: readonly Step[]): Promise<void> {
      this.#merchant = await this.#fixture.makeMerchant('Model');
      await this.#request(
        '/v1/merchant/preferences',
        { key: 'callback-url', value: 'http://localhost:1/callbacks' },
        'PATCH',
      );
      for (let index = 0; index < 2; index += 1) {
        const body = creation();
        const { body: created } = await this.#request('/fiat/v1/transaction', body);
        this.#transactions.push({ reference: body.transaction_id, body, links: new Set([created.value.link]) });
      }
      for (const each of sequence) await this.#playStep(each);
      await this.#finish();
      for (const transaction of this.#transactions) await this.#check(transaction);
    }

    async #request(
      path: string,
      body?: unknown,
      method?: string,
      token = this.#merchant.token,
    ): Promise<FixtureResponse> {
      const wasInterrupted = this.#trackCrashes();
      const response = await this.#fixture.request(path, {
        token,
        ...(body !== undefined && { body }),
        ...(method && { method }),
      });
      assert.ok(
        wasInterrupted() || expectedStatuses.has(response.status),
        `${method ?? ''} ${path} returned ${response.status}: ${response.text}\n${this.#logOf(response)}`,
      );
      return response;
    }

    /** Log lines of requests that failed. */
    #logOf(response: FixtureResponse): string {
      const id = response.body?.request_id;
      const lines = this.#fixture.log().split('\n');
      return id ? lines.filter((line) => line.includes(id)).join('\n') : '';
    }

    /** A notification may reach a dying process. The acquirer repeats it. */
    async #notify(charge: ScriptedCharge): Promise<void> {
      const wasInterrupted = this.#trackCrashes();
      try {
        await this.#acquirer.notifyOutcome(charge);
      } catch (error) {
        if (!wasInterrupted()) throw error;
      }
    }

    /** Returns a function that returns true if a crash may have interrupted the work started now. */
    #trackCrashes(): () => boolean {
      const before = this.#crashes;
      const wasCrashing = this.#crashing > 0;
      return () => wasCrashing || this.#crashes !== before;
    }

    async #playStep(each: Step): Promise<void> {
      this.#tally.count(kindOf(each), await this.#runStep(each));
    }

    /** Returns whether the step did anything. */
    async #runStep(each: Step): Promise<boolean> {
      if (each.do === 'at_once') {
        await allOf(each.steps.map((inner) => this.#playStep(inner)));
        return true;
      }
      if (each.do === 'restart') {
        await this.#crash();
        return true;
      }
      if (each.do === 'resolve_pending') {
        this.#acquirer.resolvePending();
        return true;
      }
      if (each.do === 'pass') {
        await this.#fixture.advance(each.seconds * SECOND);
        for (const transaction of this.#transactions) await this.#request(`${pathOf(transaction)}/state`);
        return true;
      }
      const transaction = this.#transactions[each.of] ?? assert.fail();
      const { reference } = transaction;
      const path = pathOf(transaction);
      switch (each.do) {
        case 'submit':
          if (each.plan.startsWith('crash')) return await this.#submitAndCrash(reference, each.plan);
          await allOf(Array.from({ length: each.times }, () => this.#submit(reference, each.plan)));
          return true;
        case 'complete_challenge': {
          const charge = this.#acquirer.completeChallenge(returnUrlsOf(transaction), each.approve);
          if (charge && each.report === 'notify') await this.#notify(charge);
          if (each.report === 'return') await this.#request(`${path}/return`);
          return charge !== undefined;
        }
        case 'approve_declined': {
          const charge = this.#acquirer.approveDeclined(returnUrlsOf(transaction));
          if (!charge) return false;
          this.#approvedLater.add(reference);
          await this.#notify(charge);
          return true;
        }
        case 'return':
          await this.#request(`${path}/return`);
          return true;
        case 'notify': {
          const charge = this.#acquirer.findCharges(returnUrlsOf(transaction))[each.which];
          if (charge) await this.#notify(charge);
          return charge !== undefined;
        }
        case 'abandon': {
          const state = await this.#request(`${path}/state`);
          if (!state.body?.clientToken) return false;
          await this.#request(`${path}/abandon`, {}, 'POST', state.body.clientToken);
          return true;
        }
        case 'cancel':
          return (await this.#request('/fiat/v1/transaction/cancel', { transaction_id: reference })).status === 200;
        case 'create_again': {
          const repeated = await this.#request('/fiat/v1/transaction', transaction.body);
          // An interrupted renewal has created a link without a response.
          if (repeated.status === 200) transaction.links.add(repeated.body.value.link);
          return repeated.status === 200;
        }
        case 'renew': {
          const renewed = await this.#request('/fiat/v1/transaction/renew', { transaction_id: reference });
          if (renewed.status === 200) transaction.links.add(renewed.body.value.link);
          return renewed.status === 200;
        }
        case 'refund': {
          this.#acquirer.refundPlan = each.plan;
          const body = { transaction_id: reference, ...(each.amount !== null && { amount: each.amount }) };
          return (await this.#request('/fiat/v1/transaction/refund', body)).status === 200;
        }
      }
    }

    /** A card that is valid in simulated time, which is years ahead after many sequences. */
    #submission(reference: string, plan: Plan) {
      const year = new Date(toMillis(this.#fixture.clock.now())).getUTCFullYear() + 2;
      return submission(reference, cardFor(plan), { card_expiry_year: String(year) });
    }

    async #submit(reference: string, plan: Plan): Promise<void> {
      const { body } = await this.#request('/fiat/v1/transaction/submit', this.#submission(reference, plan));
      if (body?.response_type === 'confirmed') this.#reportedPaid.add(reference);
      if (body?.code === 'already_paid') this.#reportedPaid.add(reference);
    }

    /** The process dies during a charge; another one starts on the same database. */
    async #submitAndCrash(reference: string, plan: Plan): Promise<boolean> {
      let listener = () => {};
      const hangs = new Promise<'hangs'>((resolve) => {
        listener = () => resolve('hangs');
        this.#acquirer.onHang.add(listener);
      });
      const responded = this.#fixture
        .request('/fiat/v1/transaction/submit', {
          token: this.#merchant.token,
          body: this.#submission(reference, plan),
        })
        .then(() => 'responded' as const);
      const first = await Promise.race([hangs, responded]);
      this.#acquirer.onHang.delete(listener);
      if (first === 'responded') return false;
      await this.#crash();
      this.#acquirer.rejectHanging();
      await responded;
      return true;
    }

    async #crash(): Promise<void> {
      this.#crashes += 1;
      this.#crashing += 1;
      this.#restarting = this.#restarting.then(() => this.#fixture.restart());
      await this.#restarting;
      this.#crashing -= 1;
    }

    async #finish(): Promise<void> {
      this.#acquirer.resolvePending();
      endpointFails = false;
      // The acquirer repeats a notification that was not accepted.
      for (const transaction of this.#transactions) {
        const { body: detail } = await this.#request(`/fiat/v1/transaction?transaction_id=${transaction.reference}`);
        transaction.links.add(detail.link);
        for (const charge of this.#acquirer.findCharges(returnUrlsOf(transaction)))
          await this.#acquirer.notifyOutcome(charge);
      }
      for (const duration of [MINUTE, 10 * MINUTE, 2 * HOUR, DAY, 2 * DAY, 2 * DAY])
        await this.#fixture.advance(duration);
    }

    async #check(transaction: LinkedTransaction & { reference: string }): Promise<void> {
      const { reference } = transaction;
      const { body: detail } = await this.#request(`/fiat/v1/transaction?transaction_id=${reference}`);
      const status = detail.status.replace('transaction_status_', '') as TransactionStatus;
      assert.ok(status === 'confirmed' || status === 'failed', `${reference} is still ${status}`);
      if (this.#reportedPaid.has(reference)) assert.equal(status, 'confirmed', 'a response had reported it as paid');

      const charges = this.#acquirer.findCharges(returnUrlsOf(transaction));
      const kept = charges.filter((charge) => charge.state === 'approved');
      assert.equal(kept.length, status === 'confirmed' ? 1 : 0, 'kept charges of the acquirer');
      assert.equal(detail.amount_received, status === 'confirmed' ? detail.amount_charged : 0);
      const refunded = kept.reduce((sum, charge) => sum + this.#acquirer.refundedAmount(charge), 0n);
      assert.equal(BigInt(Math.round(detail.refunded_amount * 100)), refunded, 'refunds of the acquirer');
      assert.ok(detail.refunded_amount <= detail.amount_received, 'more was refunded than received');
      assert.ok(detail.refunds.every(({ state }: { state: string }) => state !== 'pending'));
      if (detail.late) assert.ok(this.#approvedLater.has(reference), 'it failed while its outcome was unknown');
      assert.ok(detail.attempts.length <= 5);
      assert.ok(charges.length <= detail.attempts.length);

      const statuses = detail.timeline.map((entry: { status: string }) =>
        entry.status.replace('transaction_status_', ''),
      );
      assert.deepEqual(
        detail.timeline.map((entry: { sequence: number }) => entry.sequence),
        statuses.map((_: string, index: number) => index),
      );
      for (const [index, to] of statuses.slice(1).entries())
        assert.ok(canTransition(statuses[index], to), `${statuses[index]} to ${to}`);
      assert.equal(statuses.at(-1), status);

      const webhooks = delivered.filter((webhook) => webhook.reference === reference);
      const distinct = webhooks.filter((webhook, index) => webhook.id !== webhooks[index - 1]?.id);
      assert.deepEqual(
        distinct.map((webhook) => `${webhook.sequence} ${webhook.status}`),
        statuses.slice(1).map((each: string, index: number) => `${index + 1} transaction_status_${each}`),
        'webhooks',
      );
    }
  }
});
