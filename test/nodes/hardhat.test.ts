import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { balanceData, deployFeeToken, deployNoReturnToken, transferData } from '../support/contracts.ts';
import { type EvmNode, startEvmNode } from '../support/hardhat.ts';
import { clockOfBlock, nodeInvoicesOf } from '../support/node-invoices.ts';
import { type NodeServer, openNodeServer } from '../support/node-server.ts';
import { writeSeedFile } from '../support/node-fixture.ts';
import { ethereumAddress } from '../support/simulated-chains.ts';
import { withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const ETHER = 10n ** 18n;
const TOKENS = 5_000_000n;
/** Amount minus a hidden fee of 1%. */
const NET_TOKENS = 4_950_000n;
/** Confirmations after which a deposit is credited. */
const DEEP = 12;
/** Number of blocks whose hashes the service stores, to find the fork of a reorg. */
const KEPT = 200;
const destination = ethereumAddress(77);

describe('funds on a Hardhat node', () => {
  let node: EvmNode;
  let relay: NodeServer;
  /** The node behind the service's URL; null if nothing listens there. */
  let target: EvmNode | null;
  let fixture: Fixture;
  let tokens: { usdt: string; usdc: string };
  let file: ReturnType<typeof writeSeedFile>;
  let settings: Record<string, string>;

  const openHardhatFixture = async (more: Record<string, string> = {}) => {
    const { timestamp } = await node.call<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
    return await openFixture({ clock: clockOfBlock(Number(timestamp)), env: { ...settings, ...more } });
  };

  before(async () => {
    node = await startEvmNode('hardhat');
    relay = await openNodeServer(async ({ text }, response) => {
      if (!target) return response.destroy();
      const headers = { 'content-type': 'application/json' };
      const result = await fetch(target.url, { method: 'POST', headers, body: text });
      return response.end(await result.text());
    });
    tokens = { usdt: await deployNoReturnToken(node), usdc: await deployFeeToken(node, 'hidden') };
    const seed = randomBytes(64);
    file = writeSeedFile(seed);
    settings = {
      CHAIN_ETH_URL: relay.url,
      CHAIN_ETH_NETWORK: String(node.chainId),
      CHAIN_ETH_TOKENS: `usdt=${tokens.usdt},usdc=${tokens.usdc}`,
      CHAIN_ETH_ACCOUNT_KEY: (await deriveAccount(seed, 'ethereum', { isTest: true })).publicKey,
      CHAIN_SEED_FILE: file.path,
      WITHDRAWAL_DESTINATION_DELAY_HOURS: '0',
    };
    target = node;
    fixture = await openHardhatFixture();
    await fixture.work();
    await prefer({ 'min-confirmation-eth': 2, 'min-confirmation-usdc': 2 });
    const [ethereum] = fixture.service().invoices.context.chains.all.filter(({ name }) => name === 'ethereum');
    const spender = await ethereum?.spender();
    assert.ok(spender?.kind === 'account');
    await node.setBalance(spender.gasWallet.address, 10n * ETHER);
  });
  beforeEach(() => {
    target = node;
  });
  after(async () => {
    await fixture.close();
    await relay.close();
    await node.stop();
    file.remove();
  });

  const { create, get, statusOf, trouble } = nodeInvoicesOf(() => fixture, 'ethereum');
  const { requestWithdrawal, listWithdrawals, prefer } = withdrawalsOf(() => fixture);
  const ether = async (body: Record<string, unknown> = {}) =>
    await create({ code: 'eth', amount: String(ETHER), ...body });
  const payToken = async (contract: string, { walletAddress: to }: CryptoTransaction, amount = TOKENS) =>
    await node.send({ to: contract, data: transferData(to, amount) });
  const mine = async (blocks = 1) => {
    await node.mine(blocks);
    await fixture.work();
  };
  /** Mines blocks one by one: a withdrawal advances with each. */
  const mineEach = async (blocks: number) => {
    for (let left = blocks; left > 0; left -= 1) await mine();
  };
  const etherBalance = async (address: string) => BigInt(await node.call('eth_getBalance', [address, 'latest']));
  const tokensOf = async (contract: string, address: string) =>
    BigInt(await node.call('eth_call', [{ to: contract, data: balanceData(address) }, 'latest']));
  const lastWithdrawal = async () => {
    const [last] = (await listWithdrawals()).filter(({ purpose }) => purpose !== 'gas').slice(-1);
    assert.ok(last);
    return last;
  };

  test('a token with a hidden fee is credited with the received amount, and its sweep works', async () => {
    const user = await create({ code: 'usdc', amount: String(TOKENS), type: 'user' });
    const invoice = await create({ code: 'usdc', amount: String(TOKENS) });
    await payToken(tokens.usdc, user);
    await payToken(tokens.usdc, invoice);
    await mine();
    await payToken(tokens.usdc, user);
    await payToken(tokens.usdc, user, 2n * TOKENS);
    await mine(2);
    const { status, labels, amount } = await get(invoice);
    assert.deepEqual([status, labels, amount], ['approved_required', ['underpaid'], String(NET_TOKENS)]);
    assert.deepEqual(
      (await get(user)).payments.map((payment) => payment.amount),
      [NET_TOKENS, NET_TOKENS, 2n * NET_TOKENS].map(String),
    );
    const { walletAddress } = user;
    const requested = await requestWithdrawal({ code: 'usdc', walletAddress, source: 'credited', destination });
    assert.equal(requested.status, 200, requested.text);
    await fixture.work();
    await mineEach(5);
    const { code, status: state, amount: swept } = await lastWithdrawal();
    assert.deepEqual([code, state, swept], ['usdc', 'confirmed', String(4n * NET_TOKENS)]);
    assert.equal(await tokensOf(tokens.usdc, walletAddress), 0n);
    assert.equal(await tokensOf(tokens.usdc, destination), (4n * NET_TOKENS * 99n) / 100n);
  });

  test('a dropped transaction is sent again, and the ether leaves once', async () => {
    const user = await ether({ type: 'user' });
    const { walletAddress } = user;
    await node.send({ to: walletAddress, value: ETHER });
    await mine(2);
    const requested = await requestWithdrawal({ code: 'eth', walletAddress, source: 'credited', destination });
    assert.equal(requested.status, 200, requested.text);
    await fixture.work();
    const { txHash } = await lastWithdrawal();
    assert.ok(txHash);
    assert.equal(await node.call<boolean>('hardhat_dropTransaction', [txHash]), true);
    assert.equal(await node.call('eth_getTransactionByHash', [txHash]), null);
    const balanceBefore = await etherBalance(destination);
    await mineEach(4);
    const { status, amount, txHash: mined } = await lastWithdrawal();
    assert.deepEqual([status, mined], ['confirmed', txHash]);
    assert.equal((await etherBalance(destination)) - balanceBefore, BigInt(amount ?? 0));
    assert.equal(Number(await node.call('eth_getTransactionCount', [walletAddress, 'latest'])), 1);
    // The remainder of the fee is not a deposit.
    assert.equal((await get(user)).amount, String(ETHER));
  });

  test('a reorg reverses a deposit and its withdrawal; paid again, the ether leaves once', async () => {
    const user = await ether({ type: 'user' });
    const { walletAddress } = user;
    await mine();
    const takeBack = await node.snapshot();
    const payAndWithdraw = async () => {
      await node.send({ to: walletAddress, value: ETHER });
      await mine(2);
      const requested = await requestWithdrawal({ code: 'eth', walletAddress, source: 'credited', destination });
      assert.equal(requested.status, 200, requested.text);
      await fixture.work();
      await mineEach(3);
      const { status, amount } = await lastWithdrawal();
      assert.equal(status, 'confirmed');
      return BigInt(amount ?? 0);
    };
    const balanceBefore = await etherBalance(destination);
    const first = await payAndWithdraw();
    assert.equal((await etherBalance(destination)) - balanceBefore, first);
    await takeBack();
    await mineEach(8);
    assert.deepEqual([await etherBalance(destination), (await get(user)).amount], [balanceBefore, '0']);
    const second = await payAndWithdraw();
    await mineEach(3);
    assert.equal((await etherBalance(destination)) - balanceBefore, second);
    assert.equal((await get(user)).amount, String(ETHER));
    assert.equal(Number(await node.call('eth_getTransactionCount', [walletAddress, 'latest'])), 1);
  });

  test('another chain ID, or a token without a contract: wrong_network, and no invoices', async () => {
    for (const [more, words] of [
      [{ CHAIN_ETH_NETWORK: '1337' }, /follows chain 31337; local is chain 1337/],
      [{ CHAIN_ETH_TOKENS: `usdt=${destination}` }, /has no usdt contract with 6 decimals at /],
    ] as const) {
      const elsewhere = await openHardhatFixture(more);
      await elsewhere.work();
      const { status, body } = await elsewhere.request('/v1/transaction/invoice', {
        body: { txId: 'cup-1', code: 'eth', amount: '150000', type: 'revolver' },
      });
      assert.deepEqual([status, body.code], [503, 'chain_unavailable']);
      const found = await nodeInvoicesOf(() => elsewhere, 'ethereum').trouble();
      assert.equal(found?.kind, 'wrong_network');
      assert.match(found.message, words);
      await elsewhere.close();
    }
  });

  test('blocks that are not linked are reported instead of retried', async () => {
    await mine();
    const takeBack = await node.snapshot();
    // Hardhat mines all but the first of these without a parent.
    await node.call('hardhat_mine', ['0x20']);
    await fixture.work();
    await fixture.work();
    const found = await trouble();
    assert.equal(found?.kind, 'down');
    assert.match(found.message, /block \d+ does not have its block \d+ as parent/);
    await takeBack();
    await mine(5);
    assert.equal(await trouble(), null);
  });

  test('a node that restarts with an empty chain: down, behind, reorg_too_deep; nothing is reversed', async () => {
    const invoice = await ether();
    await node.send({ to: invoice.walletAddress, value: ETHER });
    await mine(DEEP);
    assert.equal(await statusOf(invoice), 'complete');
    await mine(KEPT);
    const height = await node.height();
    const kindNow = async () => {
      await fixture.work();
      return (await trouble())?.kind;
    };
    target = null;
    assert.equal(await kindNow(), 'down');
    const empty = await startEvmNode('hardhat');
    try {
      await empty.mine(3);
      target = empty;
      assert.equal(await kindNow(), 'behind');
      await empty.mine(height);
      assert.equal(await kindNow(), 'reorg_too_deep');
      assert.equal(await statusOf(invoice), 'complete');
    } finally {
      target = node;
      await empty.stop();
    }
    assert.equal(await kindNow(), undefined);
    assert.equal((await get(invoice)).amount, String(ETHER));
  });
});
