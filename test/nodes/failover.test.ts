import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPostgres } from '../../scripts/postgres.mjs';
import { deriveAddress, GAS_WALLET } from '../../src/chains/ethereum/addresses.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { resumeIssuing } from '../../src/wallets/accounts.ts';
import { Problem } from '../../src/api/problem-error.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { balanceData, deployNoReturnToken } from '../support/contracts.ts';
import { type Litecoind, litecoindSettings, startLitecoind } from '../support/litecoind.ts';
import {
  createDepositAddress,
  followChains,
  createWithdrawingMerchant,
  rejectUnmatchedTokens,
  withdrawalRows,
  withNodeService,
  writeSeedFile,
} from '../support/node-fixture.ts';
import { ethereumAddress } from '../support/simulated-chains.ts';

const ETHER = 10n ** 18n;
const seed = new Uint8Array(64).fill(27);

let coins: Litecoind;
let ethereum: Anvil;
let primary: Awaited<ReturnType<typeof startPostgres>>;
let standby: Awaited<ReturnType<(typeof primary)['startStandby']>> | null = null;
const file = writeSeedFile(seed);

before(async () => {
  [coins, ethereum, primary] = await Promise.all([
    startLitecoind(),
    startAnvil(),
    startPostgres({ survivesPowerLoss: false }),
  ]);
});
after(async () => {
  file.remove();
  await standby?.stop();
  await primary.stop();
  await Promise.all([coins.stop(), ethereum.stop()]);
});

// The primary fails with its last writes, which its asynchronous standby lacks.
test('a promoted standby sends nothing twice, and issues no address to a second payer', async () => {
  const token = await deployNoReturnToken(ethereum);
  const tokensOf = async (address: string) =>
    BigInt(await ethereum.call('eth_call', [{ to: token, data: balanceData(address) }, 'latest']));
  const accountOf = async (chain: 'bitcoin' | 'ethereum') =>
    (await deriveAccount(seed, chain, { isTest: true })).publicKey;
  const ethereumKey = await accountOf('ethereum');
  const settings = {
    PUBLIC_URL: 'http://localhost:1',
    CHAIN_SEED_FILE: file.path,
    ...litecoindSettings(coins.url, await accountOf('bitcoin')),
    CHAIN_ETH_URL: ethereum.url,
    CHAIN_ETH_NETWORK: String(ethereum.chainId),
    CHAIN_ETH_TOKENS: `usdt=${token}`,
    CHAIN_ETH_ACCOUNT_KEY: ethereumKey,
  };
  const [destination, payer] = [await coins.newAddress(), ethereumAddress(93)];
  const mine = async (blocks: number) => {
    await coins.mine(blocks);
    await ethereum.mine(blocks);
  };

  const made = await withNodeService({ ...settings, DATABASE_URL: primary.url }, async (service) => {
    await followChains(service);
    const merchantId = await createWithdrawingMerchant(service, { btc: destination });
    const first = await createDepositAddress(service, merchantId, { txId: 'first', code: 'btc', amount: 450_000n });
    await coins.sendToAddress(first, 450_000n);
    const { walletAddress } = await rejectUnmatchedTokens(service, merchantId, { node: ethereum, token, payer });
    standby = await primary.startStandby();
    await standby.cutOff();

    // These are lost with the primary: a sweep, a refund, and an issued address.
    const lost = await createDepositAddress(service, merchantId, { txId: 'lost', code: 'btc', amount: 200_000n });
    await ethereum.call('anvil_setBalance', [deriveAddress(ethereumKey, GAS_WALLET), `0x${ETHER.toString(16)}`]);
    for (const blocks of [1, 1, 1, 14]) {
      await mine(blocks);
      await followChains(service);
    }
    const sent = (await withdrawalRows(service, merchantId)).filter(({ purpose }) => purpose !== 'gas');
    assert.deepEqual(sent.map(({ code, status }) => `${code} ${status}`).sort(), ['btc confirmed', 'usdt confirmed']);
    assert.equal(await tokensOf(payer), 15_000_000n);
    return { merchantId, walletAddress, lost };
  });
  await primary.crash();
  assert.ok(standby);
  await standby.promote();

  await withNodeService(
    { ...settings, DATABASE_URL: standby.url },
    async (service) => {
      const { merchantId } = made;
      for (const blocks of [1, 1, 14]) {
        await followChains(service);
        await mine(blocks);
      }
      await followChains(service);
      assert.equal(await tokensOf(payer), 15_000_000n, 'the payer received it once');
      assert.equal(await tokensOf(made.walletAddress), 40_000_000n);
      assert.equal(Number(await coins.call('getreceivedbyaddress', destination)) < 0.0045, true, 'swept once');
      const open = await withdrawalRows(service, merchantId);
      assert.deepEqual(
        open.map(({ status }) => status),
        open.map(() => 'failed'),
      );

      const second = { txId: 'second', code: 'btc', amount: 200_000n } as const;
      await assert.rejects(
        createDepositAddress(service, merchantId, second),
        (error) => error instanceof Problem && error.code === 'chain_unavailable',
      );
      const { context } = service.invoices;
      const account = context.chains.forCurrency('btc');
      assert.ok(account);
      // The operator names an index above all that may have been issued.
      await resumeIssuing(context, account.accountId, 50);
      assert.notEqual(await createDepositAddress(service, merchantId, second), made.lost);
    },
    [made.walletAddress],
  );
});
