import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND, toMillis } from '../../src/contract/time.ts';
import { mayBecome } from '../../src/payments/states.ts';
import type { TransactionStatus } from '../../src/contract/fiat-transaction.ts';
import { settle } from '../../src/payments/settle.ts';
import { creation, submission } from '../support/requests.ts';
import { cardFor, type Plan, plans, ScriptedProvider } from '../support/scripted-provider.ts';
import { type Answer, openWorld, type TestMerchant, type World } from '../support/world.ts';

/** Sequences in one run of the test, on each database. */
const RUNS = Number(process.env.MODEL_RUNS ?? 250);

type Step =
  | { do: 'submit'; of: number; plan: Plan; times: number }
  | { do: 'decide'; of: number; approve: boolean; tell: 'notify' | 'return' | 'nobody' }
  | { do: 'return'; of: number }
  | { do: 'notify'; of: number; which: number }
  | { do: 'abandon'; of: number }
  | { do: 'cancel'; of: number }
  | { do: 'create_again'; of: number }
  | { do: 'change_mind'; of: number }
  | { do: 'reveal' }
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
      do: fc.constant('decide' as const),
      of,
      approve: fc.boolean(),
      tell: fc.constantFrom('notify' as const, 'return' as const, 'nobody' as const),
    }),
  },
  fc.record({ do: fc.constant('return' as const), of }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('notify' as const), of, which: fc.nat(4) }) },
  fc.record({ do: fc.constant('abandon' as const), of }),
  fc.record({ do: fc.constant('cancel' as const), of }),
  fc.record({ do: fc.constant('create_again' as const), of }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change_mind' as const), of }) },
  fc.record({ do: fc.constant('reveal' as const) }),
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

/** The seed and path that a failed run printed, to play it again. */
function replay() {
  const { MODEL_SEED: seed, MODEL_PATH: path } = process.env;
  return { ...(seed && { seed: Number(seed) }), ...(path && { path }) };
}

/** Answers that a request of the sequence may get; anything else is a defect. */
const acceptable = new Set([200, 303, 401, 409, 410]);

describe('the life of a payment, in random sequences', () => {
  let world: World;
  const provider = new ScriptedProvider();
  const delivered: { id: string; reference: string; sequence: number; status: string }[] = [];
  let receiverFails = false;
  let steps = 0;

  before(async () => {
    world = await openWorld({
      wrapProvider: () => provider,
      post: (_url, headers, body) => {
        if (receiverFails) return Promise.resolve({ status: 500, retryAfter: null });
        const { data } = JSON.parse(body) as { data: { transaction_id: string; sequence: number; status: string } };
        delivered.push({
          id: headers['webhook-id'] ?? '',
          reference: data.transaction_id,
          sequence: data.sequence,
          status: data.status,
        });
        return Promise.resolve({ status: 204, retryAfter: null });
      },
    });
    provider.notify = async (attemptKey, outcome) => {
      await settle(world.service().payments, attemptKey, outcome);
    };
  });
  after(async () => await world.close());

  test(`one charge at most, nothing lost, every change told (${RUNS} sequences)`, async (context) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 18 }), fc.boolean(), async (sequence, fails) => {
        receiverFails = fails;
        await new Sequence(world, provider).play(sequence);
        receiverFails = false;
      }),
      { numRuns: RUNS, includeErrorInReport: true, ...replay() },
    );
    context.diagnostic(
      `${RUNS} sequences, ${steps} steps, ${provider.books.size} charges, ${delivered.length} callbacks`,
    );
  });

  class Sequence {
    readonly #world: World;
    readonly #provider: ScriptedProvider;
    #merchant!: TestMerchant;
    #transactions: { reference: string; path: string; returnUrl: string; body: unknown; link: string }[] = [];
    /** References that somebody was told are paid: they must stay so. */
    #toldPaid = new Set<string>();
    /** How often our process has died; what it was answering then may have been cut off. */
    #deaths = 0;
    /** References of which a declined charge went through after all: only their money may come late. */
    #mindsChanged = new Set<string>();
    #restarting: Promise<void> = Promise.resolve();

    constructor(testWorld: World, scripted: ScriptedProvider) {
      this.#world = testWorld;
      this.#provider = scripted;
    }

    async play(sequence: readonly Step[]): Promise<void> {
      this.#merchant = await this.#world.makeMerchant('Model');
      await this.#request(
        '/v1/merchant/preferences',
        { key: 'callback-url', value: 'http://localhost:1/callbacks' },
        'PATCH',
      );
      for (let index = 0; index < 2; index += 1) {
        const body = creation();
        const { body: created } = await this.#request('/fiat/v1/transaction', body);
        const { pathname } = new URL(created.value.link);
        this.#transactions.push({
          reference: body.transaction_id,
          path: pathname,
          returnUrl: `${created.value.link}/return`,
          body,
          link: created.value.link,
        });
      }
      for (const each of sequence) await this.#take(each);
      await this.#letEverythingEnd();
      for (const transaction of this.#transactions) await this.#check(transaction);
    }

    async #request(path: string, body?: unknown, method?: string, token = this.#merchant.token): Promise<Answer> {
      const processBefore = this.#deaths;
      const answer = await this.#world.request(path, {
        token,
        ...(body !== undefined && { body }),
        ...(method && { method }),
      });
      const diedMeanwhile = this.#deaths !== processBefore;
      assert.ok(
        diedMeanwhile || acceptable.has(answer.status),
        `${method ?? ''} ${path} answered ${answer.status}: ${answer.text}`,
      );
      return answer;
    }

    async #take(each: Step): Promise<void> {
      steps += 1;
      if (each.do === 'at_once') {
        await Promise.all(each.steps.map((inner) => this.#take(inner)));
        return;
      }
      if (each.do === 'restart') return await this.#die();
      if (each.do === 'reveal') return this.#provider.reveal();
      if (each.do === 'pass') {
        await this.#world.advance(each.seconds * SECOND);
        for (const { path } of this.#transactions) await this.#request(`${path}/state`);
        return;
      }
      const transaction = this.#transactions[each.of] ?? assert.fail();
      const { reference, path, returnUrl } = transaction;
      switch (each.do) {
        case 'submit':
          if (each.plan.startsWith('crash')) return await this.#submitAndDie(reference, each.plan);
          await Promise.all(Array.from({ length: each.times }, () => this.#submit(reference, each.plan)));
          return;
        case 'decide': {
          const charge = this.#provider.decide(returnUrl, each.approve);
          if (charge && each.tell === 'notify') await this.#provider.notifyAbout(charge);
          if (each.tell === 'return') await this.#request(`${path}/return`);
          return;
        }
        case 'change_mind': {
          const charge = this.#provider.changeMind(returnUrl);
          if (!charge) return;
          this.#mindsChanged.add(reference);
          await this.#provider.notifyAbout(charge).catch(() => undefined);
          return;
        }
        case 'return':
          await this.#request(`${path}/return`);
          return;
        case 'notify': {
          const charge = this.#provider.chargesOf(returnUrl)[each.which];
          if (charge) await this.#provider.notifyAbout(charge);
          return;
        }
        case 'abandon': {
          const state = await this.#request(`${path}/state`);
          if (state.body?.clientToken) await this.#request(`${path}/abandon`, {}, 'POST', state.body.clientToken);
          return;
        }
        case 'cancel':
          await this.#request('/fiat/v1/transaction/cancel', { transaction_id: reference });
          return;
        case 'create_again': {
          const again = await this.#request('/fiat/v1/transaction', transaction.body);
          if (again.status === 200) assert.equal(again.body.value.link, transaction.link);
        }
      }
    }

    /** A card that is good in simulated time, which is years ahead after many sequences. */
    #submission(reference: string, plan: Plan) {
      const year = new Date(toMillis(this.#world.clock.now())).getUTCFullYear() + 2;
      return submission(reference, cardFor(plan), { card_expiry_year: String(year) });
    }

    async #submit(reference: string, plan: Plan): Promise<void> {
      const { body } = await this.#request('/fiat/v1/transaction/submit', this.#submission(reference, plan));
      if (body?.response_type === 'confirmed') this.#toldPaid.add(reference);
      if (body?.code === 'already_paid') this.#toldPaid.add(reference);
    }

    /** The process dies while the provider works; another one starts on the same database. */
    async #submitAndDie(reference: string, plan: Plan): Promise<void> {
      let listener = () => {};
      const hangs = new Promise<'hangs'>((resolve) => {
        listener = () => resolve('hangs');
        this.#provider.onHang.add(listener);
      });
      const answered = this.#world
        .request('/fiat/v1/transaction/submit', {
          token: this.#merchant.token,
          body: this.#submission(reference, plan),
        })
        .then(() => 'answered' as const);
      const first = await Promise.race([hangs, answered]);
      this.#provider.onHang.delete(listener);
      if (first === 'answered') return;
      await this.#die();
      this.#provider.releaseHanging();
      await answered;
    }

    async #die(): Promise<void> {
      this.#deaths += 1;
      this.#restarting = this.#restarting.then(() => this.#world.restart());
      await this.#restarting;
    }

    async #letEverythingEnd(): Promise<void> {
      this.#provider.reveal();
      receiverFails = false;
      // A provider repeats a notification that was not taken.
      for (const { returnUrl } of this.#transactions) {
        for (const charge of this.#provider.chargesOf(returnUrl)) await this.#provider.notifyAbout(charge);
      }
      for (const pause of [MINUTE, 10 * MINUTE, 2 * HOUR, DAY, 2 * DAY, 2 * DAY]) await this.#world.advance(pause);
    }

    async #check({ reference, returnUrl }: { reference: string; returnUrl: string }): Promise<void> {
      const { body: detail } = await this.#request(`/fiat/v1/transaction?transaction_id=${reference}`);
      const status = detail.status.replace('transaction_status_', '') as TransactionStatus;
      assert.ok(status === 'confirmed' || status === 'failed', `${reference} is still ${status}`);
      if (this.#toldPaid.has(reference)) assert.equal(status, 'confirmed', 'somebody was told that it is paid');

      const charges = this.#provider.chargesOf(returnUrl);
      const kept = charges.filter((charge) => charge.state === 'approved');
      assert.equal(kept.length, status === 'confirmed' ? 1 : 0, 'charges that the provider keeps');
      assert.equal(detail.amount_received, status === 'confirmed' ? detail.amount_charged : 0);
      if (detail.late) assert.ok(this.#mindsChanged.has(reference), 'it failed while its outcome was still open');
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
        assert.ok(mayBecome(statuses[index], to), `${statuses[index]} to ${to}`);
      assert.equal(statuses.at(-1), status);

      const told = delivered.filter((callback) => callback.reference === reference);
      const inOrder = told.filter((callback, index) => callback.id !== told[index - 1]?.id);
      assert.deepEqual(
        inOrder.map((callback) => `${callback.sequence} ${callback.status}`),
        statuses.slice(1).map((each: string, index: number) => `${index + 1} transaction_status_${each}`),
        'callbacks',
      );
    }
  }
});
