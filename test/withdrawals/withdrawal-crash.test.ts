// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type KillPoint, killAt, followChains, minesWith } from '../support/kill-points.ts';
import { assertWithdrawals } from '../support/withdrawal-checks.ts';
import { external, withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';

const ETHER = 10n ** 18n;

describe('a crash between any two steps of a withdrawal', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture({
      // A single token is withdrawn, whatever the fee.
      env: { WITHDRAWAL_DESTINATION_DELAY_HOURS: '0', WITHDRAWAL_MAX_FEE_PERCENT: '100' },
    });
    await fixture.work();
    await withdrawalsOf(() => fixture).fillGasWallet(1000n * ETHER);
  });
  after(async () => await fixture.close());
  const { chain, create, pay, mine, list, enableWithdrawals, fillWallets, listWithdrawals, received, prefer } =
    withdrawalsOf(() => fixture);

  let merchants = 0;
  async function nextMerchant(): Promise<TestMerchant> {
    merchants += 1;
    return await fixture.makeMerchant(`Kettle ${merchants}`);
  }

  /** Crashes after each step. A crash before the next one leaves the same database and chain. */
  async function atEveryKillPoint(
    play: (killPoint: KillPoint, merchant: TestMerchant) => Promise<boolean>,
  ): Promise<void> {
    for (let step = 1; step < 200; step += 1) {
      const merchant = await nextMerchant();
      const hasDied = await play({ step, when: 'after' }, merchant);
      await assertWithdrawals(fixture.service().database, merchant.id);
      if (hasDied) continue;
      await assertWithdrawals(fixture.service().database);
      assert.ok(step > 6, `${step - 1} steps`);
      return;
    }
    throw new Error('It did not end');
  }

  test('creates exactly one sweep of many wallets', async () => {
    await atEveryKillPoint(async (killPoint, merchant) => {
      await enableWithdrawals('btc', external.bitcoin, merchant);
      await fillWallets('btc', ['150000', '250000'], merchant);
      await mine(1);
      const before = await received('bitcoin', external.bitcoin, 'btc');
      const hasDied = await minesWith(fixture, killPoint, 'bitcoin', [1, 1, 1]);
      await mine(1);
      await mine(2);
      const withdrawals = await listWithdrawals({}, merchant);
      const crashPoint = `${killPoint.when} step ${killPoint.step}`;
      assert.deepEqual(
        withdrawals.map(({ status, spent }) => [status, spent]),
        [['confirmed', '400000']],
        crashPoint,
      );
      const arrived = (await received('bitcoin', external.bitcoin, 'btc')) - before;
      assert.equal(arrived, BigInt(withdrawals[0]?.amount ?? 0), crashPoint);
      return hasDied;
    });
  });

  test('sends a refund once', async () => {
    await atEveryKillPoint(async (killPoint, merchant) => {
      const invoice = await create({}, merchant);
      await pay(invoice, 70_000n);
      await fixture.work();
      const response = await fixture.request('/v1/transaction/reject', {
        body: { id: invoice.id, refundAddress: external.bitcoin },
        token: merchant.managerToken,
      });
      assert.equal(response.status, 200, response.text);
      const before = await received('bitcoin', external.bitcoin, 'btc');
      const hasDied = await minesWith(fixture, killPoint, 'bitcoin', [2, 1, 1]);
      await mine(1);
      await mine(2);
      const [refund, ...others] = await listWithdrawals({}, merchant);
      assert.deepEqual([refund?.status, others.length], ['confirmed', 0], `${killPoint.when} step ${killPoint.step}`);
      assert.equal((await received('bitcoin', external.bitcoin, 'btc')) - before, BigInt(refund?.amount ?? 0));
      const [transaction] = await list({}, merchant);
      assert.equal(transaction?.status, 'refunded');
      return hasDied;
    });
  });

  test('sends tokens once, and their gas once', async () => {
    await atEveryKillPoint(async (killPoint, merchant) => {
      await enableWithdrawals('usdt', external.ethereum, merchant);
      await fillWallets('usdt', ['25000000'], merchant);
      await mine(11, 'ethereum');
      const before = await received('ethereum', external.ethereum, 'usdt');
      const hasDied = await minesWith(fixture, killPoint, 'ethereum', [1, 1, 1, 11]);
      for (const blocks of [1, 1, 12]) await mine(blocks, 'ethereum');
      const withdrawals = await listWithdrawals({}, merchant);
      assert.deepEqual(
        withdrawals.map(({ status, purpose }) => [status, purpose]),
        [
          ['confirmed', 'sweep'],
          ['confirmed', 'gas'],
        ],
        `${killPoint.when} step ${killPoint.step}`,
      );
      assert.equal((await received('ethereum', external.ethereum, 'usdt')) - before, 25_000_000n);
      return hasDied;
    });
  });

  for (const [name, code, amounts] of [
    ['bitcoin', 'btc', ['150000', '250000']],
    ['ethereum', 'eth', [String(ETHER)]],
  ] as const)
    test(`cancels a sent withdrawal on ${name}: its funds are returned once, or arrive once`, async () => {
      const spent = amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
      const ends = new Set<string>();
      await atEveryKillPoint(async (killPoint, merchant) => {
        const crashPoint = `${killPoint.when} step ${killPoint.step}`;
        await enableWithdrawals(code, external[name], merchant);
        await fillWallets(code, amounts, merchant);
        await mine(name === 'bitcoin' ? 2 : 12, name);
        const [sent] = await listWithdrawals({}, merchant);
        assert.equal(sent?.status, 'sent', crashPoint);
        await prefer({ 'auto-withdrawal': false }, merchant);
        const before = await received(name, external[name], code);
        const hasDied = await killAt(fixture, killPoint, async (runOutside) => {
          const body = { id: sent.id };
          await fixture.request('/v1/withdrawal/cancel', { body, token: merchant.managerToken });
          await followChains(fixture);
          await runOutside(async () => await chain(name).mine(1));
          await followChains(fixture);
        });
        for (const blocks of [1, 1, 12]) await mine(blocks, name);
        const [over, ...others] = await listWithdrawals({}, merchant);
        assert.ok(over && others.length === 0, crashPoint);
        ends.add(over.status);
        const arrived = (await received(name, external[name], code)) - before;
        const { body } = await fixture.request('/v1/wallets?per_page=100', { token: merchant.token });
        const balance = body.wallets.reduce((sum: bigint, { balance }: any) => sum + BigInt(balance), 0n);
        const amount = BigInt(over.amount ?? 0);
        // On Bitcoin the returned coin pays the fee, on Ethereum the operator's gas does.
        const expected = over.status === 'confirmed' ? [amount, 0n] : [0n, name === 'bitcoin' ? amount : spent];
        assert.deepEqual([arrived, balance], expected, crashPoint);
        return hasDied;
      });
      assert.deepEqual([...ends].sort(), ['confirmed', 'failed']);
    });
});
