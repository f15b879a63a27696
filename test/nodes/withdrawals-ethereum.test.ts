import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deriveAddress, GAS_WALLET } from '../../src/chains/ethereum/addresses.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { balanceData, deployNoReturnToken, transferData } from '../support/contracts.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { runUntilKilled } from '../support/killed-process.ts';
import {
  createDepositAddress,
  cancelNewest,
  followChains,
  createWithdrawingMerchant,
  withdrawalRows,
  withNodeService,
  writeSeedFile,
} from '../support/node-fixture.ts';
import { ethereumAddress } from '../support/simulated-chains.ts';

const ETHER = 10n ** 18n;
const TOKENS = 25_000_000n;
const seed = new Uint8Array(64).fill(22);
const [tokensTo, etherTo] = [ethereumAddress(77), ethereumAddress(78)];
/** Number of blocks mined while a process works: one for the gas funding, one for the tokens, one to confirm them. */
const BLOCKS = 3;

describe('withdrawals on an Ethereum node', () => {
  let node: Anvil;
  let store: TestDatabase;
  let settings: Record<string, string>;
  let file: ReturnType<typeof writeSeedFile>;
  let token: string;
  let gasWallet: string;
  before(async () => {
    node = await startAnvil();
    store = await createTestDatabase();
    file = writeSeedFile(seed);
    token = await deployNoReturnToken(node);
    const { publicKey } = await deriveAccount(seed, 'ethereum', { isTest: true });
    gasWallet = deriveAddress(publicKey, GAS_WALLET);
    await node.call('anvil_setBalance', [gasWallet, `0x${ETHER.toString(16)}`]);
    settings = {
      PUBLIC_URL: 'http://localhost:1',
      DATABASE_URL: store.url,
      CHAIN_ETH_URL: node.url,
      CHAIN_ETH_NETWORK: String(node.chainId),
      CHAIN_ETH_TOKENS: `usdt=${token}`,
      CHAIN_ETH_ACCOUNT_KEY: publicKey,
      CHAIN_SEED_FILE: file.path,
    };
  });
  after(async () => {
    file.remove();
    await node.stop();
    await store.drop();
  });

  const etherOf = async (address: string) => BigInt(await node.call('eth_getBalance', [address, 'latest']));
  const tokensOf = async (address: string) =>
    BigInt(await node.call('eth_call', [{ to: token, data: balanceData(address) }, 'latest']));
  const sentBy = async (address: string) => Number(await node.call('eth_getTransactionCount', [address, 'latest']));

  /** A merchant with tokens and ether in separate wallets, which are swept from the next block on. */
  async function fillWallets() {
    return await withNodeService(settings, async (service) => {
      await followChains(service);
      const merchantId = await createWithdrawingMerchant(service, { usdt: tokensTo, eth: etherTo });
      const invoice = { txId: 'kettle', amount: TOKENS } as const;
      const tokens = await createDepositAddress(service, merchantId, { ...invoice, code: 'usdt' });
      const ether = await createDepositAddress(service, merchantId, { ...invoice, code: 'eth', amount: ETHER });
      await node.send({ to: token, data: transferData(tokens, TOKENS) });
      await node.send({ to: ether, value: ETHER });
      await node.mine();
      await followChains(service);
      await node.mine();
      return { merchantId, tokens, ether };
    });
  }

  test('a manager cancels sent ether: the node replaces it, and the ether is swept again', async () => {
    await withNodeService(settings, async (service) => {
      await followChains(service);
      const merchantId = await createWithdrawingMerchant(service, { eth: etherTo });
      const ether = await createDepositAddress(service, merchantId, { txId: 'cup', code: 'eth', amount: ETHER });
      await node.send({ to: ether, value: ETHER });
      const mine = async () => {
        await node.mine();
        await followChains(service);
        return await withdrawalRows(service, merchantId);
      };
      await mine();
      const [sent] = await mine();
      assert.equal(sent?.status, 'sent');
      assert.equal((await cancelNewest(service, merchantId)).cancelling, true);
      const [replaced] = await withdrawalRows(service, merchantId);
      assert.notEqual(replaced?.tx_hash, sent?.tx_hash);
      assert.equal(await node.call('eth_getTransactionByHash', [sent?.tx_hash]), null);
      await mine();
      assert.equal(await etherOf(ether), ETHER - BigInt((await withdrawalRows(service, merchantId))[0]?.fee_paid ?? 0));
      const [failed] = await mine();
      assert.deepEqual([failed?.status, failed?.amount], ['failed', '0']);
      assert.equal((await withdrawalRows(service, merchantId))[1]?.status, 'sent');
      await mine();
      assert.equal((await mine())[1]?.status, 'confirmed');
      assert.equal(await sentBy(ether), 2);
    });
  });

  /** Finishes the work in another process. */
  async function finish(merchantId: number) {
    return await withNodeService(settings, async (service) => {
      await followChains(service);
      for (let left = BLOCKS + 1; left > 0; left -= 1) {
        await node.mine();
        await followChains(service);
      }
      return await withdrawalRows(service, merchantId);
    });
  }

  // `withdrawal-crash.test.ts` kills at every step, on a simulated chain.
  test('a process killed before or after a broadcast moves tokens, their gas and ether once each', async (context) => {
    let kills = 0;
    for (let broadcast = 1, hasDied = true; hasDied; broadcast += 1) {
      for (const when of ['before', 'after'] as const) {
        const words = `${when} broadcast ${broadcast}`;
        const { merchantId, tokens, ether } = await fillWallets();
        const [hadTokens, hadEther, hadGas] = [
          await tokensOf(tokensTo),
          await etherOf(etherTo),
          await etherOf(gasWallet),
        ];
        const fundings = await sentBy(gasWallet);
        hasDied = await runUntilKilled({ settings, broadcast, when, mine: { url: node.url, blocks: BLOCKS } });
        if (hasDied) kills += 1;

        const rows = await finish(merchantId);
        const [sweep, coins, gas] = ['usdt', 'eth', 'gas'].map((what) =>
          rows.find(({ code, purpose }) => what === (purpose === 'gas' ? 'gas' : code)),
        );
        assert.deepEqual(
          rows.map(({ status }) => status),
          ['confirmed', 'confirmed', 'confirmed'],
          words,
        );
        assert.deepEqual([sweep?.spent, coins?.spent], [String(TOKENS), String(ETHER)], words);
        assert.equal((await tokensOf(tokensTo)) - hadTokens, TOKENS, words);
        assert.equal((await etherOf(etherTo)) - hadEther, BigInt(coins?.amount ?? 0), words);
        assert.equal(BigInt(coins?.amount ?? 0) + BigInt(coins?.fee ?? 0), ETHER, words);
        assert.equal(hadGas - (await etherOf(gasWallet)), BigInt(gas?.spent ?? 0) + BigInt(gas?.fee_paid ?? 0), words);
        // The base fee is below the cap: the rest stays in the wallet.
        const left = BigInt(coins?.fee ?? 0) - BigInt(coins?.fee_paid ?? 0);
        assert.ok(left > 0n, words);
        assert.deepEqual([await tokensOf(tokens), await etherOf(ether)], [0n, left], words);
        assert.deepEqual(
          [await sentBy(tokens), await sentBy(ether), (await sentBy(gasWallet)) - fundings],
          [1, 1, 1],
          words,
        );
        if (!hasDied) break;
      }
    }
    context.diagnostic(`${kills} processes were killed`);
    assert.ok(kills >= 6, `only ${kills} processes were killed`);
  });
});
