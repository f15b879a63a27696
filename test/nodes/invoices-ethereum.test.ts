import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { CryptoCurrencyCode } from '../../src/shared/crypto-currency.ts';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { MINUTE, SECOND } from '../../src/shared/time.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { deployHeightSender, deployOneTimeSender, deployNoReturnToken, transferData } from '../support/contracts.ts';
import { type NodeProxy, openNodeProxy } from '../support/node-proxy.ts';
import {
  closeAllConnections,
  clockOfBlock,
  freshAccountKey,
  nodeInvoicesOf,
  forwardCalls,
} from '../support/node-invoices.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const ETHER = 10n ** 18n;
/** Confirmations after which a deposit is credited. */
const DEEP = 12;

describe('invoices by an Ethereum node', () => {
  let node: Anvil;
  let between: NodeProxy;
  let fixture: Fixture;
  let tokens: { usdt: string; usdc: string };

  const openHere = async (chainId = node.chainId) => {
    const { timestamp } = await node.call<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
    return await openFixture({
      clock: clockOfBlock(Number(timestamp)),
      env: {
        CHAIN_ETH_URL: between.url,
        CHAIN_ETH_NETWORK: String(chainId),
        CHAIN_ETH_TOKENS: `usdt=${tokens.usdt},usdc=${tokens.usdc}`,
        CHAIN_ETH_ACCOUNT_KEY: await freshAccountKey('ethereum'),
      },
    });
  };
  const { create, get, list, review, statusOf, reportedStatuses, trouble } = nodeInvoicesOf(() => fixture, 'ethereum');
  const ether = async (body: Record<string, unknown> = {}) =>
    await create({ code: 'eth', amount: String(ETHER), ...body });
  const usdt = async (body: Record<string, unknown> = {}) =>
    await create({ code: 'usdt', amount: '25000000', ...body });

  /** Pays an invoice, by default the requested amount; returns the transaction hash. */
  const pay = async (
    { walletAddress: to, code: wanted, amountRequired }: CryptoTransaction,
    { from, amount, code = wanted }: { from?: string; amount?: bigint; code?: CryptoCurrencyCode } = {},
  ): Promise<string> => {
    const value = amount ?? BigInt(amountRequired ?? 0);
    const sender = from === undefined ? {} : { from };
    if (code === 'eth') return await node.send({ ...sender, to, value });
    assert.ok(code === 'usdt' || code === 'usdc');
    return await node.send({ ...sender, to: tokens[code], data: transferData(to, value) });
  };
  const rawOf = async (txHash: string) => await node.call('eth_getRawTransactionByHash', [txHash]);
  const mine = async (blocks = 1) => {
    await node.mine(blocks);
    await fixture.work();
  };

  before(async () => {
    node = await startAnvil();
    tokens = { usdt: await deployNoReturnToken(node), usdc: await deployNoReturnToken(node) };
    between = await openNodeProxy(node.url);
  });
  beforeEach(async () => {
    between.edit = forwardCalls;
    fixture = await openHere();
    await fixture.work();
  });
  afterEach(async () => await fixture.close());
  after(async () => {
    await between.close();
    await node.stop();
  });

  test('ether is detected in its block, and complete with enough confirmations', async () => {
    const invoice = await ether();
    assert.match(invoice.uri, new RegExp(`^ethereum:${invoice.walletAddress}@31337\\?value=${ETHER}$`));
    const txHash = await pay(invoice);
    await fixture.work();
    assert.equal(await statusOf(invoice), 'pending');
    await mine();
    const seen = await get(invoice);
    assert.deepEqual([seen.status, seen.confirmations, seen.amount], ['waiting', 1, String(ETHER)]);
    await mine(DEEP - 2);
    assert.equal(await statusOf(invoice), 'waiting');
    await mine();
    const paid = await get(invoice);
    assert.deepEqual([paid.status, paid.confirmations], ['complete', DEEP]);
    assert.deepEqual(
      paid.payments.map((payment) => [payment.txHash, payment.decision]),
      [[txHash, 'accepted']],
    );
    assert.deepEqual(await reportedStatuses(invoice), ['pending', 'waiting', 'confirmed', 'complete']);
  });

  test('tokens are identified by their contract, and others do not count', async () => {
    const [invoice, other, coins] = [await usdt(), await usdt(), await ether({ amount: '25000000' })];
    assert.match(invoice.uri, new RegExp(`^ethereum:${tokens.usdt}@31337/transfer\\?`, 'i'));
    await pay(invoice);
    await pay(other, { code: 'usdc' });
    await pay(coins, { code: 'usdt' });
    // Exceeds the balance of its sender: it is mined, but transfers nothing.
    await pay(other, { from: node.accounts[5] ?? '' });
    await mine(DEEP);
    assert.deepEqual(
      [await statusOf(invoice), await statusOf(other), await statusOf(coins)],
      ['complete', 'pending', 'pending'],
    );
    assert.deepEqual(
      (await list({ status: 'approved_required' })).map(({ code, amount, labels }) => [code, amount, labels]),
      [
        ['usdt', '25000000', ['wrong_wallet']],
        ['usdc', '25000000', ['wrong_wallet']],
      ],
    );
  });

  test('underpayments, overpayments, late and second payments need review', async () => {
    const [less, more, late, twice] = [await usdt(), await ether(), await ether(), await usdt()];
    await pay(less, { amount: 24_999_999n });
    await pay(more, { amount: ETHER + 1n });
    await pay(twice);
    await pay(twice);
    await mine();
    await fixture.advance(31 * MINUTE);
    await node.call('evm_increaseTime', [31 * 60]);
    await pay(late);
    await mine(DEEP);
    for (const [invoice, label] of [
      [less, 'underpaid'],
      [more, 'overpaid'],
      [late, 'late'],
    ] as const) {
      const { status, labels } = await get(invoice);
      assert.deepEqual([status, labels], ['approved_required', [label]]);
    }
    assert.equal(await statusOf(twice), 'complete');
    const [again] = (await list({ status: 'approved_required' })).filter(({ txId }) => txId === null);
    assert.deepEqual([again?.probableTxId, again?.labels], [twice.txId, ['duplicate']]);
    assert.equal((await review('approve', less)).body.status, 'complete');
  });

  test('a reorg reverses the credit; it returns once, in any block', async () => {
    const [coins, token] = [await ether(), await usdt()];
    const raws = [await pay(coins), await pay(token)].map(rawOf);
    const [first = '', second = ''] = await Promise.all(raws);
    await mine(DEEP);
    assert.deepEqual([await statusOf(coins), await statusOf(token)], ['complete', 'complete']);
    await node.reorg(DEEP, [
      [first, 3],
      [second, 3],
    ]);
    await fixture.work();
    for (const invoice of [coins, token]) {
      const { status, confirmations, payments } = await get(invoice);
      assert.deepEqual([status, confirmations, payments.length], ['waiting', DEEP - 3, 1]);
    }
    await mine(3);
    assert.deepEqual([await statusOf(coins), await statusOf(token)], ['complete', 'complete']);
    assert.deepEqual(await list({ status: 'approved_required' }), []);
    assert.deepEqual(await reportedStatuses(coins), [
      ...['pending', 'waiting', 'confirmed', 'complete'],
      ...['waiting', 'confirmed', 'complete'],
    ]);
  });

  test('a deposit double-spent in another block never returns', async () => {
    const [payer = '', thief = ''] = node.accounts.slice(6);
    const nonce = await node.call('eth_getTransactionCount', [payer, 'pending']);
    const invoice = await ether();
    await pay(invoice, { from: payer });
    await mine(DEEP);
    assert.equal(await statusOf(invoice), 'complete');
    await node.reorg(DEEP);
    assert.equal(await node.call('eth_getTransactionCount', [payer, 'pending']), nonce);
    await node.send({ from: payer, to: thief, value: 1n });
    await mine(DEEP);
    const { status, labels, payments } = await get(invoice);
    assert.deepEqual([status, labels, payments[0]?.confirmations], ['pending', ['replaced'], null]);
    assert.deepEqual(await reportedStatuses(invoice), [
      'pending',
      'waiting',
      'confirmed',
      'complete',
      'waiting',
      'pending',
    ]);
  });

  describe('a transaction mined again with a different effect', () => {
    const AMOUNT = 25_000_000n;
    const payByContract = async ({ walletAddress: to }: CryptoTransaction) => {
      const contract = await deployOneTimeSender(node, { token: tokens.usdt, to, amount: AMOUNT });
      await node.send({ to: tokens.usdt, data: transferData(contract, AMOUNT) });
      await node.mine();
      return { call: async (from: string) => await rawOf(await node.send({ from, to: contract })) };
    };
    const account = (index: number) => node.accounts[index] ?? '';

    test('reverses its payment if it pays nothing', async () => {
      const invoice = await usdt();
      const { call } = await payByContract(invoice);
      const raw = await call(account(7));
      await mine();
      assert.equal(await statusOf(invoice), 'waiting');
      // In the new blocks the contract has no balance to send.
      await node.reorg(2, [[raw, 1]]);
      await fixture.work();
      await mine(DEEP);
      const { status, labels, payments } = await get(invoice);
      assert.deepEqual([status, labels, payments[0]?.confirmations], ['pending', ['replaced'], null]);
    });

    test('counts with the new amount', async () => {
      const user = await usdt({ type: 'user' });
      const contract = await deployHeightSender(node, { token: tokens.usdt, to: user.walletAddress });
      await node.send({ to: tokens.usdt, data: transferData(contract, AMOUNT) });
      await node.mine(2);
      const raw = await rawOf(await node.send({ from: account(7), to: contract }));
      await mine();
      const height = await node.height();
      assert.equal((await get(user)).amount, String(height));
      await node.reorg(2, [[raw, 0]]);
      await mine(DEEP);
      const { status, amount, payments } = await get(user);
      assert.deepEqual([status, amount], ['complete', String(height - 1)]);
      assert.deepEqual(
        payments.map((payment) => [payment.amount, payment.confirmations]),
        [
          [String(height), null],
          [String(height - 1), DEEP + 2],
        ],
      );
    });

    test('gives way to a transaction mined before it', async () => {
      const invoice = await usdt();
      const { call } = await payByContract(invoice);
      const raw = await call(account(7));
      await mine();
      const [payment] = (await get(invoice)).payments;
      const faster = await call(account(8));
      await node.call('anvil_dropAllTransactions');
      await node.reorg(1, [
        [faster, 0],
        [raw, 0],
      ]);
      await mine(DEEP);
      const paid = await get(invoice);
      assert.deepEqual([paid.status, paid.amount, paid.labels], ['complete', String(AMOUNT), ['replaced']]);
      assert.deepEqual(
        paid.payments.map(({ txHash, confirmations }) => [txHash === payment?.txHash, confirmations]),
        [
          [true, null],
          [false, DEEP + 1],
        ],
      );
    });
  });

  test('nothing changes while the node is down; afterward nothing is missed or counted twice', async () => {
    const [before, meanwhile, unpaid] = [await ether(), await usdt(), await ether()];
    await pay(before);
    await mine(2);
    closeAllConnections(between);
    await pay(meanwhile);
    await node.mine(DEEP);
    await fixture.work();
    assert.equal((await trouble())?.kind, 'down');
    assert.match((await trouble())?.message ?? '', /^The Ethereum node at http:\/\/127\.0\.0\.1:\d+ cannot be reached/);
    await fixture.advance(31 * MINUTE);
    assert.deepEqual([await statusOf(meanwhile), await statusOf(unpaid)], ['pending', 'pending']);
    between.edit = forwardCalls;
    await fixture.work();
    assert.equal(await trouble(), null);
    assert.deepEqual(
      [await statusOf(before), await statusOf(meanwhile), await statusOf(unpaid)],
      ['complete', 'complete', 'failed'],
    );
    assert.deepEqual((await get(meanwhile)).labels, []);
    assert.deepEqual(await reportedStatuses(before), ['pending', 'waiting', 'confirmed', 'complete']);
  });

  test('a node behind the scan position, on another network or without the tokens is rejected', async () => {
    const elsewhere = await openHere(5);
    await elsewhere.work();
    const { status, body } = await elsewhere.request('/v1/transaction/invoice', {
      body: { txId: 'cup-1', code: 'usdt', amount: '150000', type: 'revolver' },
    });
    assert.deepEqual([status, body.code], [503, 'chain_unavailable']);
    assert.equal((await nodeInvoicesOf(() => elsewhere, 'ethereum').trouble())?.kind, 'wrong_network');
    await elsewhere.close();

    const invoice = await ether();
    await pay(invoice);
    await mine(2);
    // Another node behind the same URL, which lacks the last block.
    const earlier = await node.call<Record<string, unknown>>('eth_getBlockByNumber', [
      `0x${((await node.height()) - 1).toString(16)}`,
      false,
    ]);
    between.edit = ({ method, params }, result) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest' ? { ...result, result: earlier } : result;
    await node.mine(DEEP);
    await fixture.work();
    assert.deepEqual([(await trouble())?.kind, (await get(invoice)).confirmations], ['behind', 2]);
    between.edit = ({ method }, result) => (method === 'eth_chainId' ? { ...result, result: '0x1' } : result);
    await fixture.work();
    assert.deepEqual([(await trouble())?.kind, (await get(invoice)).confirmations], ['wrong_network', 2]);
    between.edit = forwardCalls;
    await fixture.work();
    assert.deepEqual([await trouble(), await statusOf(invoice)], [null, 'complete']);
  });

  test('a node without a block below the tip of another node behind the same URL reverses nothing', async () => {
    const invoice = await ether();
    await pay(invoice);
    await mine(DEEP);
    assert.equal(await statusOf(invoice), 'complete');
    const lastHeight = `0x${(await node.height()).toString(16)}`;
    between.edit = ({ method, params }, result) =>
      method === 'eth_getBlockByNumber' && params[0] === lastHeight ? { ...result, result: null } : result;
    await fixture.work();
    assert.deepEqual([(await trouble())?.kind, await statusOf(invoice)], ['behind', 'complete']);
    between.edit = forwardCalls;
    await mine();
    assert.deepEqual([await trouble(), (await get(invoice)).confirmations], [null, DEEP + 1]);
    assert.deepEqual(await reportedStatuses(invoice), ['pending', 'waiting', 'confirmed', 'complete']);
  });

  test('a restarted service, or another process, continues from its position', async () => {
    const invoice = await usdt();
    await pay(invoice);
    await mine();
    await fixture.restart();
    await mine(2);
    assert.equal((await get(invoice)).confirmations, 3);
    // This process stops responding.
    const other = await fixture.another();
    await node.mine(DEEP);
    await other.jobs.drain();
    assert.equal((await get(invoice)).confirmations, 3);
    fixture.clock.advance(16 * SECOND);
    await other.jobs.drain();
    assert.equal(await statusOf(invoice), 'complete');
    await other.close();
    await node.reorg(DEEP + 3);
    await fixture.work();
    await fixture.work();
    assert.deepEqual([await statusOf(invoice), (await get(invoice)).labels], ['pending', ['replaced']]);
  });
});
