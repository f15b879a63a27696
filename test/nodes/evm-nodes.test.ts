import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import {
  balanceData,
  deployBatchSender,
  deployFeeToken,
  deployForwarder,
  deployNoReturnToken,
  deployRevertingForwarder,
  forwardData,
  selfdestructData,
  transferData,
} from '../support/contracts.ts';
import { type EvmNode, startEvmNode } from '../support/hardhat.ts';
import { nodeInvoicesOf } from '../support/node-invoices.ts';
import { openEthereumFixture } from '../support/node-fixture.ts';
import { ethereumAddress } from '../support/simulated-chains.ts';
import { withdrawalsOf } from '../support/withdrawals.ts';
import type { Fixture } from '../support/fixture.ts';

const ETHER = 10n ** 18n;
const TOKENS = 25_000_000n;
/** Confirmations after which a deposit is credited. */
const DEEP = 12;
const destination = ethereumAddress(77);

// Hardhat implements EIP-1898 (state by block hash), Ganache does not.
for (const kind of ['hardhat', 'ganache'] as const)
  describe(`invoices by ${kind}`, () => {
    let node: EvmNode;
    let fixture: Fixture;
    let usdt: string;
    let usdc: string;
    let forwarder: string;
    let gasWallet: string;
    let file: { remove(): void };

    before(async () => {
      node = await startEvmNode(kind);
      usdt = await deployNoReturnToken(node);
      usdc = await deployFeeToken(node, 'told');
      forwarder = await deployForwarder(node);
      ({ fixture, gasWallet, seedFile: file } = await openEthereumFixture(node, `usdt=${usdt},usdc=${usdc}`));
    });
    after(async () => {
      await fixture.close();
      await node.stop();
      file.remove();
    });

    const { create, get, list, statusOf, trouble } = nodeInvoicesOf(() => fixture, 'ethereum');
    const { requestWithdrawal, listWithdrawals } = withdrawalsOf(() => fixture);
    const ether = async (body: Record<string, unknown> = {}) =>
      await create({ code: 'eth', amount: String(ETHER), ...body });
    const token = async (body: Record<string, unknown> = {}) =>
      await create({ code: 'usdt', amount: String(TOKENS), ...body });
    const pay = async ({ walletAddress: to }: CryptoTransaction, value = ETHER) => await node.send({ to, value });
    const payToken = async (contract: string, { walletAddress: to }: CryptoTransaction, amount = TOKENS) =>
      await node.send({ to: contract, data: transferData(to, amount) });
    /** Sends through a contract, so that no block shows it. */
    const forward = async ({ walletAddress: to }: CryptoTransaction, value = ETHER) =>
      await node.send({ to: forwarder, value, data: forwardData(to) });
    const mine = async (blocks = 1) => {
      await node.mine(blocks);
      await fixture.work();
    };
    const amountsOf = async (transaction: { id: string }) =>
      (await get(transaction)).payments.map(({ amount }) => BigInt(amount));
    const amountOf = async (transaction: { id: string }) => BigInt((await get(transaction)).amount);

    test('ether exact: seen in its block, complete when deep', async () => {
      const invoice = await ether();
      const txHash = await pay(invoice);
      await mine();
      assert.deepEqual([await statusOf(invoice), await amountsOf(invoice)], ['waiting', [ETHER]]);
      await mine(DEEP - 1);
      const { status, payments, labels } = await get(invoice);
      assert.deepEqual([status, payments.map((payment) => payment.txHash), labels], ['complete', [txHash], []]);
    });

    test('a token whose transfer returns nothing, like USDT', async () => {
      const invoice = await token();
      await payToken(usdt, invoice);
      await mine(DEEP);
      assert.deepEqual([await statusOf(invoice), await amountsOf(invoice)], ['complete', [TOKENS]]);
    });

    test('five transfers in one transaction', async () => {
      const user = await token({ type: 'user' });
      const invoices = [await token(), await token()];
      const payments = [
        ...[1n, 2n, 3n].map((amount) => ({ to: user.walletAddress, amount })),
        ...invoices.map(({ walletAddress: to }) => ({ to, amount: TOKENS })),
      ];
      const contract = await deployBatchSender(node, usdt, payments);
      await node.send({ to: usdt, data: transferData(contract, 10n * TOKENS) });
      await node.send({ to: contract });
      await mine(DEEP);
      assert.deepEqual(await amountsOf(user), [1n, 2n, 3n]);
      for (const invoice of invoices)
        assert.deepEqual([await statusOf(invoice), await amountsOf(invoice)], ['complete', [TOKENS]]);
    });

    test('a token with a fee in its logs: the net amount is credited', async () => {
      const invoice = await token({ code: 'usdc' });
      await payToken(usdc, invoice);
      await mine(DEEP);
      const { status, labels, amount } = await get(invoice);
      assert.deepEqual([status, labels, amount], ['approved_required', ['underpaid'], String((TOKENS * 99n) / 100n)]);
    });

    test('ether from contracts: one, three at once, by selfdestruct, and with an ordinary transfer', async () => {
      const [one, three, destroyed] = [await ether(), await ether({ type: 'user' }), await ether()];
      const mixed = await ether({ type: 'user' });
      await mine();
      await forward(one);
      for (const amount of [1n, 2n, 3n]) await forward(three, amount);
      await node.send({ data: selfdestructData(destroyed.walletAddress), value: ETHER });
      await pay(mixed, 5n);
      await forward(mixed, 7n);
      await mine();
      await mine(DEEP);
      assert.deepEqual([await statusOf(one), await amountsOf(one)], ['complete', [ETHER]]);
      assert.equal(await amountOf(three), 6n);
      assert.deepEqual([await statusOf(destroyed), await amountsOf(destroyed)], ['complete', [ETHER]]);
      assert.deepEqual(await amountsOf(mixed), [5n, 7n]);
    });

    test('nothing of a reverted transaction', async () => {
      const [coins, tokens] = [await ether(), await token()];
      const reverting = await deployRevertingForwarder(node);
      await mine();
      const failed = [
        await node.send({ to: reverting, value: ETHER, data: forwardData(coins.walletAddress) }),
        // More than its sender has.
        await node.send({
          from: node.accounts[5] ?? '',
          to: usdt,
          data: transferData(tokens.walletAddress, TOKENS),
        }),
      ];
      await mine(2);
      for (const txHash of failed)
        assert.equal((await node.call<{ status: string }>('eth_getTransactionReceipt', [txHash])).status, '0x0');
      assert.deepEqual([await amountsOf(coins), await amountsOf(tokens)], [[], []]);
    });

    test('tokens at an ether wallet need a review', async () => {
      const invoice = await ether();
      await payToken(usdt, invoice, 3n);
      await mine(DEEP);
      assert.equal(await statusOf(invoice), 'pending');
      const stray = (await list({ status: 'approved_required' })).filter(({ amount }) => amount === '3');
      assert.deepEqual(
        stray.map(({ code, labels }) => [code, labels]),
        [['usdt', ['wrong_wallet']]],
      );
    });

    test('a reorg of 14 blocks with ether, contract ether and tokens: all reversed, then paid again once', async () => {
      const invoices = [await ether(), await ether(), await token()] as const;
      const payAll = async () => {
        await pay(invoices[0]);
        await forward(invoices[1]);
        await payToken(usdt, invoices[2]);
      };
      const statuses = async () => await Promise.all(invoices.map(statusOf));
      await mine();
      const takeBack = await node.snapshot();
      await payAll();
      await mine();
      await mine(13);
      assert.deepEqual(await statuses(), ['complete', 'complete', 'complete']);
      await takeBack();
      await mine(15);
      // Ganache keeps listing orphaned transactions as pending, although they are never mined.
      const undone = kind === 'hardhat' ? 'pending' : 'waiting';
      assert.deepEqual(await statuses(), [undone, 'pending', undone]);
      for (const invoice of invoices)
        assert.ok((await get(invoice)).payments.every(({ confirmations }) => !confirmations));
      if (kind === 'ganache') return;
      await payAll();
      await mine();
      await mine(DEEP);
      assert.deepEqual(await statuses(), ['complete', 'complete', 'complete']);
      for (const invoice of invoices) {
        const { payments, amount, amountRequired } = await get(invoice);
        const there = payments.filter(({ confirmations }) => confirmations !== null);
        assert.deepEqual([there.length, amount], [1, amountRequired]);
      }
    });

    test('contract ether while the service was down for 300 blocks', async () => {
      const user = await ether({ type: 'user' });
      await mine();
      await node.mine(150);
      await forward(user, 11n);
      await node.mine(150);
      await fixture.restart();
      await mine();
      assert.deepEqual([await amountsOf(user), await trouble()], [[11n], null]);
    });

    test('ether and tokens are withdrawn, with gas from the gas wallet', async () => {
      await node.setBalance(gasWallet, ETHER);
      const [coins, tokens] = [await ether({ type: 'user' }), await token({ type: 'user' })];
      await pay(coins);
      await payToken(usdt, tokens);
      await mine(DEEP);
      const balanceBefore = BigInt(await node.call('eth_getBalance', [destination, 'latest']));
      for (const { code, walletAddress } of [coins, tokens]) {
        const { status, text } = await requestWithdrawal({ code, walletAddress, source: 'credited', destination });
        assert.equal(status, 200, text);
      }
      for (let left = DEEP + 4; left > 0; left -= 1) await mine();
      const made = await listWithdrawals();
      assert.deepEqual(
        made.map(({ purpose, code, status }) => `${purpose} ${code} ${status}`),
        ['manual eth confirmed', 'manual usdt confirmed', 'gas eth confirmed'],
      );
      const [sweep] = made;
      assert.equal(
        BigInt(await node.call('eth_getBalance', [destination, 'latest'])) - balanceBefore,
        BigInt(sweep?.amount ?? 0),
      );
      const tokenBalance = await node.call('eth_call', [{ to: usdt, data: balanceData(destination) }, 'latest']);
      assert.equal(BigInt(tokenBalance), TOKENS);
    });
  });
