import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { HOUR, MINUTE } from '../../src/shared/time.ts';
import { type StartedPayment, createBuyers, type Link } from '../support/buyer.ts';
import { testEngine } from '../support/databases.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { invoicesOf } from '../support/invoices.ts';
import { runSequences, type StepCounts } from '../support/models.ts';
import { createLink } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

/** Number of fixed sequences; fewer on PostgreSQL, where only locking differs. */
const FIXED = { seed: 1, runs: testEngine === 'sqlite' ? 8 : 4 };
/** USD 20 at USD 98,000 per bitcoin. */
const PRICE_CENTS = 2000;
const SATOSHI = 20_409n;
/** Value of the smallest unit of a coin. */
const CENTS_PER_SATOSHI = 98_000 * 1e-6;

type Step =
  | { do: 'begin' | 'look' | 'accept' | 'dust' }
  | { do: 'pay'; percent: number }
  | { do: 'replace'; which: number; by: 'same' | 'more' | 'nothing' }
  | { do: 'evict'; which: number }
  | { do: 'mine'; blocks: number }
  | { do: 'reorg'; depth: number; drop: boolean }
  | { do: 'pass'; time: number };

const which = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('begin' as const, 'accept' as const) }) },
  fc.record({ do: fc.constant('dust' as const) }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), percent: fc.constantFrom(20, 50, 100, 120) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('replace' as const),
      which,
      by: fc.constantFrom('same' as const, 'same' as const, 'more' as const, 'nothing' as const),
    }),
  },
  fc.record({ do: fc.constant('evict' as const), which }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: 3 }),
      drop: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('pass' as const), time: fc.constantFrom(MINUTE, 16 * MINUTE, HOUR) }),
);

function kindOf(step: Step): string {
  if (step.do === 'replace') return `replace by ${step.by}`;
  return step.do === 'reorg' && step.drop ? 'reorg and drop' : step.do;
}

describe('random sequences of crypto payments of a link', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  const { stateOf, detailOf, tryStartPayment, merchantAction } = createBuyers(() => fixture);
  const { chain, prefer } = invoicesOf(() => fixture);

  /** Credited deposits of an address, from the simulated chain. */
  const heldBy = async (address: string, confirmations: number): Promise<bigint[]> => {
    const { height } = await chain().tip();
    const rows = await db(fixture.service().database)
      .selectFrom('simulated_outputs as output')
      .innerJoin('simulated_transactions as tx', 'tx.id', 'output.transaction_id')
      .select(['output.amount', 'tx.state', 'tx.height'])
      .where('output.address', '=', address)
      .execute();
    return rows.flatMap(({ amount, state, height: at }) => {
      const depth = state === 'mined' && at !== null ? height - at + 1 : 0;
      return depth >= confirmations ? [BigInt(amount)] : [];
    });
  };

  /** At a constant rate, deposits have the value of their sum, less rounding of late ones and of small remainders. */
  const check = async (link: Link, addresses: readonly string[], confirmations: number) => {
    const { amount_received, receipts, status, timeline } = await detailOf(link);
    let worth = 0;
    let deposits = 0;
    for (const address of addresses) {
      const expectedValue = await heldBy(address, confirmations);
      deposits += expectedValue.length;
      worth += Number(expectedValue.reduce((sum, each) => sum + each, 0n)) * CENTS_PER_SATOSHI;
    }
    const received = Math.round(amount_received * 100);
    // Late deposits are rounded down separately: a sum that is short by no more than that pays the price.
    const mostShort = deposits + addresses.length * CENTS_PER_SATOSHI;
    const isPrice = received === PRICE_CENTS && worth > PRICE_CENTS - mostShort;
    assert.ok(
      (received <= worth + 0.001 || isPrice) && received > worth * 0.996 - deposits - addresses.length,
      `received ${received} cents, and the chain counts ${worth}`,
    );
    assert.equal(
      receipts.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0),
      received,
    );
    if (received === 0) assert.notEqual(status, 'transaction_status_confirmed');
    assert.deepEqual(
      timeline.map(({ sequence }) => sequence),
      timeline.map((_, index) => index),
    );
    assert.equal((await stateOf(link)).phase === 'paid', status === 'transaction_status_confirmed');
  };

  test('the received amount equals the credited deposits of the chain', async (context) => {
    const sequences = fc.record({
      confirmations: fc.constantFrom(0, 1, 3),
      rest: fc.array(step, { minLength: 6, maxLength: 25 }),
    });
    const runSequence = async ({ confirmations, rest }: { confirmations: number; rest: Step[] }, tally: StepCounts) => {
      await prefer({ 'min-confirmation-btc': String(confirmations) });
      const link = await createLink(fixture, { amount: 20 });
      const addresses: string[] = [];
      const sent: { hash: string; address: string; amount: bigint }[] = [];
      const waitingOne = async (index: number) => {
        const outcomes = [];
        for (const each of sent)
          if ((await chain().findTransaction(each.hash, 0)).state === 'waiting') outcomes.push(each);
        return outcomes[index % Math.max(1, outcomes.length)];
      };
      /** Returns false if the step was not applicable. */
      const take = async (each: Step): Promise<boolean> => {
        switch (each.do) {
          case 'begin': {
            const { status, body } = await tryStartPayment(link, 'crypto_payment', 'btc');
            const payment = status === 200 ? (body.started as StartedPayment | null) : null;
            if (payment?.instructions.action !== 'crypto') return false;
            if (!addresses.includes(payment.instructions.address)) addresses.push(payment.instructions.address);
            return true;
          }
          case 'accept':
            return (await merchantAction(link, 'accept')).status === 200;
          case 'pay':
            return await pay((SATOSHI * BigInt(each.percent)) / 100n);
          case 'dust':
            return await pay(547n);
          case 'replace': {
            const one = await waitingOne(each.which);
            if (!one) return false;
            const amount = each.by === 'more' ? one.amount + 7n : one.amount;
            const by = each.by === 'nothing' ? undefined : { address: one.address, code: 'btc' as const, amount };
            const other = await chain().replace(one.hash, by);
            if (other) sent.push({ hash: other.txHash, address: one.address, amount });
            return true;
          }
          case 'evict': {
            const one = await waitingOne(each.which);
            if (one) await chain().evict(one.hash);
            return one !== undefined;
          }
          case 'mine':
            await chain().mine(each.blocks);
            return true;
          case 'reorg': {
            const { height } = await chain().tip();
            const depth = Math.min(each.depth, height);
            const lost = [];
            for (const { hash } of sent) {
              const outcomes = await chain().findTransaction(hash, 0);
              if (outcomes.state === 'mined' && outcomes.block.height > height - depth) lost.push(hash);
            }
            if (depth > 0) await chain().reorg(depth, { drop: each.drop ? lost.slice(0, 1) : [] });
            return depth > 0;
          }
          case 'pass':
            await fixture.advance(each.time);
            return true;
          case 'look':
            await fixture.work();
            return true;
        }
      };
      const pay = async (amount: bigint): Promise<boolean> => {
        const address = addresses[sent.length % Math.max(1, addresses.length)];
        if (!address) return false;
        sent.push({ hash: (await chain().pay({ address, code: 'btc', amount })).txHash, address, amount });
        return true;
      };
      await fixture.work();
      await take({ do: 'begin' });
      for (const each of rest) {
        tally.count(kindOf(each), await take(each));
        if (each.do === 'look' || each.do === 'pass') await check(link, addresses, confirmations);
      }
      await fixture.work();
      await check(link, addresses, confirmations);
    };
    await runSequences(context, { sequences, fixed: FIXED, steps: step, kindOf, play: runSequence });
  });
});
