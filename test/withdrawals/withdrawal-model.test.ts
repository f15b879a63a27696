import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { MINUTE } from '../../src/shared/time.ts';
import { testEngine } from '../support/databases.ts';
import { runSequences, type StepCounts } from '../support/models.ts';
import { type KillPoint, minesWith } from '../support/kill-points.ts';
import { assertWithdrawals } from '../support/withdrawal-checks.ts';
import { external, withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const ETHER = 10n ** 18n;
const units = { btc: 100_000n, eth: ETHER, usdt: 1_000_000n };

type Step =
  | { do: 'fill'; code: keyof typeof units; amount: number }
  | { do: 'refund'; amount: number }
  | { do: 'mine'; name: 'bitcoin' | 'ethereum'; blocks: number; killPoint: KillPoint | null }
  | { do: 'reorg'; name: 'bitcoin' | 'ethereum'; depth: number }
  | { do: 'fee'; name: 'bitcoin' | 'ethereum'; rate: number };

const names = fc.constantFrom('bitcoin' as const, 'ethereum' as const);
const killPoint = fc.option(
  fc.record({ step: fc.integer({ min: 1, max: 12 }), when: fc.constantFrom('before' as const, 'after' as const) }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      code: fc.constantFrom('btc' as const, 'eth' as const, 'usdt' as const),
      amount: fc.integer({ min: 1, max: 9 }),
    }),
  },
  fc.record({ do: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 9 }) }),
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('mine' as const),
      name: names,
      blocks: fc.constantFrom(1, 1, 2, 7, 12),
      killPoint,
    }),
  },
  fc.record({ do: fc.constant('reorg' as const), name: names, depth: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('fee' as const), name: names, rate: fc.constantFrom(2, 9, 30) }),
);

const mines = (name: 'bitcoin' | 'ethereum', blocks: number, killPoint: KillPoint | null = null): Step => ({
  do: 'mine',
  name,
  blocks,
  killPoint,
});
const examples: Step[][] = [
  [
    { do: 'fill', code: 'btc', amount: 3 },
    { do: 'refund', amount: 4 },
    mines('bitcoin', 2, { step: 2, when: 'after' }),
    { do: 'fill', code: 'usdt', amount: 5 },
    mines('bitcoin', 1, { step: 1, when: 'before' }),
    mines('ethereum', 12, { step: 3, when: 'after' }),
    { do: 'reorg', name: 'bitcoin', depth: 2 },
    mines('ethereum', 1, { step: 1, when: 'before' }),
  ],
];
/** A single token is withdrawn, whatever the fee. */
const MOST_FEE_PERCENT = 100n;
/** Number of fixed sequences; fewer on PostgreSQL, where only locking differs. */
const FIXED = { seed: 1, runs: testEngine === 'sqlite' ? 3 : 1, examples };

function kindOf(step: Step): string {
  switch (step.do) {
    case 'fill':
      return `fill ${step.code}`;
    case 'mine':
      return step.killPoint ? `die ${step.killPoint.when} a step on ${step.name}` : `mine ${step.name}`;
    case 'reorg':
      return `reorg ${step.name}`;
    default:
      return step.do;
  }
}

describe('random sequences of withdrawals, chains and crashes', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture({
      env: { WITHDRAWAL_DESTINATION_DELAY_HOURS: '0', WITHDRAWAL_MAX_FEE_PERCENT: String(MOST_FEE_PERCENT) },
    });
    await fixture.work();
    await withdrawalsOf(() => fixture).fillGasWallet(1000n * ETHER);
    // As many blocks as a reorg can replace.
    for (const name of ['bitcoin', 'ethereum'] as const) await withdrawalsOf(() => fixture).mine(3, name);
  });
  after(async () => await fixture.close());
  const { chain, create, pay, mine, list, enableWithdrawals, fillWallets, listWithdrawals, setFee } = withdrawalsOf(
    () => fixture,
  );

  test('each withdrawal is sent once, and every deposit is accounted for', async (context) => {
    const runSequence = async (sequence: Step[], tally: StepCounts) => {
      const merchant = await fixture.makeMerchant('Kettle & Co');
      for (const code of ['btc', 'eth', 'usdt'] as const)
        await enableWithdrawals(code, code === 'btc' ? external.bitcoin : external.ethereum, merchant);
      /** Returns false if the step was not applicable, as a crash after the last step. */
      const take = async (each: Step): Promise<boolean> => {
        switch (each.do) {
          case 'fill':
            await fillWallets(each.code, [String(units[each.code] * BigInt(each.amount))], merchant);
            return true;
          case 'refund': {
            const invoice = await create({ amount: '1000000' }, merchant);
            await pay(invoice, 10_000n * BigInt(each.amount));
            await fixture.work();
            const body = { id: invoice.id, refundAddress: external.bitcoin };
            const { status } = await fixture.request('/v1/transaction/reject', { body, token: merchant.managerToken });
            return status === 200;
          }
          case 'mine': {
            const hasDied = await minesWith(fixture, each.killPoint, each.name, [each.blocks]);
            return each.killPoint === null || hasDied;
          }
          case 'reorg':
            await chain(each.name).reorg(each.depth);
            await fixture.work();
            return true;
          case 'fee':
            await setFee(each.name, BigInt(each.rate));
            return true;
        }
      };
      for (const each of sequence) {
        tally.count(kindOf(each), await take(each));
        await assertWithdrawals(fixture.service().database, merchant.id, MOST_FEE_PERCENT);
      }
      for (const name of ['bitcoin', 'ethereum'] as const) {
        await setFee(name, 2n);
        for (const blocks of [16, 1, 16, 1, 16, 1, 13]) {
          await fixture.advance(MINUTE);
          await mine(blocks, name);
        }
      }
      await assertWithdrawals(fixture.service().database, null, MOST_FEE_PERCENT);
      const withdrawals = (await listWithdrawals({}, merchant)).filter(({ purpose }) => purpose !== 'gas');
      // A reorg may drop a deposit before its withdrawal is sent: the withdrawal then fails without sending.
      const broadcast = withdrawals.filter(({ status, txHashes }) => status !== 'failed' || txHashes.length > 0);
      for (const { status, waitsFor } of broadcast) assert.equal(status, 'confirmed', waitsFor?.detail ?? status);
      const paid = (await list({}, merchant)).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
      const spent = broadcast.reduce((sum, each) => sum + BigInt(each.spent), 0n);
      assert.equal(spent, paid, 'every deposit was withdrawn once');
    };
    const sequences = fc.array(step, { minLength: 5, maxLength: 25 });
    await runSequences(context, { sequences, fixed: FIXED, steps: step, kindOf, play: runSequence });
  });
});
