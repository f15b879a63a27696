import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { runUntilKilled } from '../support/killed-process.ts';
import {
  createDepositAddress,
  followChains,
  createWithdrawingMerchant,
  withdrawalRows,
  withNodeService,
  writeSeedFile,
} from '../support/node-fixture.ts';
import { type Regtest, startRegtest } from '../support/regtest.ts';
import { bitcoinAddress } from '../support/simulated-chains.ts';

const seed = new Uint8Array(64).fill(21);
const destination = bitcoinAddress(77);

describe('withdrawals on a Bitcoin node', () => {
  let node: Regtest;
  let store: TestDatabase;
  let settings: Record<string, string>;
  let file: ReturnType<typeof writeSeedFile>;
  before(async () => {
    node = await startRegtest();
    store = await createTestDatabase();
    file = writeSeedFile(seed);
    settings = {
      PUBLIC_URL: 'http://localhost:1',
      DATABASE_URL: store.url,
      CHAIN_BTC_URL: node.url,
      CHAIN_BTC_NETWORK: 'regtest',
      CHAIN_BTC_ACCOUNT_KEY: (await deriveAccount(seed, 'bitcoin', { isTest: true })).publicKey,
      CHAIN_SEED_FILE: file.path,
    };
  });
  after(async () => {
    file.remove();
    await node.stop();
    await store.drop();
  });

  const received = async (txid: string) => {
    const out = await node.call<{ value: number } | null>('gettxout', txid, 0);
    return out === null ? null : BigInt(Math.round(out.value * 1e8));
  };

  // `withdrawal-crash.test.ts` kills at every step, on a simulated chain.
  test('a process killed before or after a broadcast sends exactly one transaction', async (context) => {
    let kills = 0;
    for (let broadcast = 1, hasDied = true; hasDied; broadcast += 1) {
      for (const when of ['before', 'after'] as const) {
        const merchantId = await withNodeService(settings, async (service) => {
          await followChains(service);
          const merchant = await createWithdrawingMerchant(service, { btc: destination });
          for (const [index, amount] of [150_000n, 250_000n].entries()) {
            const address = await createDepositAddress(service, merchant, {
              txId: `invoice-${index}`,
              code: 'btc',
              amount,
            });
            await node.pay(address, amount);
          }
          await followChains(service);
          return merchant;
        });
        await node.mine(2);
        hasDied = await runUntilKilled({ settings, broadcast, when });
        if (hasDied) kills += 1;
        const rows = await withNodeService(settings, async (service) => {
          await followChains(service);
          await node.mine(2);
          await followChains(service);
          return await withdrawalRows(service, merchantId);
        });
        const words = `${when} broadcast ${broadcast}`;
        assert.deepEqual(
          rows.map(({ status, spent }) => [status, spent]),
          [['confirmed', '400000']],
          words,
        );
        assert.equal(await received(rows[0]?.tx_hash ?? ''), BigInt(rows[0]?.amount ?? 0), words);
        if (!hasDied) break;
      }
    }
    context.diagnostic(`${kills} processes were killed`);
    assert.ok(kills >= 2, `only ${kills} processes were killed`);
  });

  test('a dropped or orphaned transaction is sent again unchanged', async () => {
    await withNodeService(settings, async (service) => {
      await followChains(service);
      const merchant = await createWithdrawingMerchant(service, { btc: destination });
      const amount = 500_000n;
      await node.pay(await createDepositAddress(service, merchant, { txId: 'again', code: 'btc', amount }), amount);
      const mines = async (blocks: number) => {
        await node.mine(blocks);
        await followChains(service);
        return (await withdrawalRows(service, merchant))[0];
      };
      const sent = await mines(2);
      assert.equal(sent?.status, 'sent');
      await node.evict(sent?.tx_hash ?? '');
      await mines(1);
      const done = await mines(2);
      assert.deepEqual([done?.status, done?.tx_hash], ['confirmed', sent?.tx_hash]);
      await node.invalidate(2);
      await followChains(service);
      assert.equal((await withdrawalRows(service, merchant))[0]?.status, 'sent');
      const again = await mines(2);
      assert.deepEqual([again?.status, again?.tx_hash], ['confirmed', sent?.tx_hash]);
    });
  });
});
