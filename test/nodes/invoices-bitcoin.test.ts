import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { MINUTE, SECOND } from '../../src/shared/time.ts';
import { type NodeProxy, openNodeProxy } from '../support/node-proxy.ts';
import {
  closeAllConnections,
  clockOfBlock,
  freshAccountKey,
  nodeInvoicesOf,
  forwardCalls,
} from '../support/node-invoices.ts';
import { type PayOptions, type Regtest, type RegtestPayment, startRegtest } from '../support/regtest.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const AMOUNT = 150_000n;
const theirs = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6';

/** A node that lacks the blocks. */
const notGiving =
  (refused: string): NodeProxy['edit'] =>
  ({ method }, result) =>
    method === refused ? { id: result.id, error: { code: -1, message: 'Block not available (pruned data)' } } : result;

describe('invoices by a Bitcoin node', () => {
  let node: Regtest;
  let between: NodeProxy;
  let fixture: Fixture;

  const blockTime = async () =>
    (await node.call<{ time: number }>('getblock', await node.call('getbestblockhash'), 1)).time;
  const openHere = async (network = 'regtest') =>
    await openFixture({
      clock: clockOfBlock(await blockTime()),
      env: {
        CHAIN_BTC_URL: between.url,
        CHAIN_BTC_NETWORK: network,
        CHAIN_BTC_ACCOUNT_KEY: await freshAccountKey('bitcoin'),
      },
    });
  const pay = async (
    { walletAddress }: CryptoTransaction,
    amount = AMOUNT,
    options?: PayOptions,
  ): Promise<RegtestPayment> => await node.pay(walletAddress, amount, options);
  const mine = async (blocks = 1) => {
    await node.mine(blocks);
    await fixture.work();
  };
  const { create, get, list, review, prefer, statusOf, reportedStatuses, cursor, trouble } = nodeInvoicesOf(
    () => fixture,
    'bitcoin',
  );

  before(async () => {
    node = await startRegtest();
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

  test('an exact payment is seen while it waits, then confirmed and complete', async () => {
    await prefer({ 'processing-fee-btc': 1.5 });
    const invoice = await create();
    assert.match(invoice.walletAddress, /^bcrt1q/);
    const { txid } = await pay(invoice);
    await fixture.work();
    const seen = await get(invoice);
    assert.deepEqual([seen.status, seen.confirmations, seen.amount, seen.amountDue], ['waiting', 0, '150000', '0']);
    await mine();
    const once = await get(invoice);
    assert.deepEqual([once.status, once.confirmations], ['waiting', 1]);
    await mine();
    const paid = await get(invoice);
    assert.deepEqual([paid.status, paid.confirmations, paid.processingFee], ['complete', 2, '2250']);
    assert.deepEqual(
      paid.payments.map((payment) => [payment.txHash, payment.confirmations, payment.decision]),
      [[txid, 2, 'accepted']],
    );
    assert.deepEqual(await reportedStatuses(invoice), ['pending', 'waiting', 'confirmed', 'complete']);
  });

  test('one transaction pays several invoices, and one of them with two outputs', async () => {
    const [first, second] = [await create(), await create()];
    await node.payAll([
      { address: first.walletAddress, amount: AMOUNT },
      { address: theirs, amount: AMOUNT },
      { address: second.walletAddress, amount: AMOUNT },
      { address: second.walletAddress, amount: AMOUNT },
    ]);
    await mine(2);
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['complete', 'complete']);
    const [again, ...others] = await list({ status: 'approved_required' });
    assert.deepEqual([again?.probableTxId, again?.labels, others], [second.txId, ['duplicate'], []]);
  });

  test('underpayment, overpayment and late payment need review', async () => {
    const [less, more, late] = [await create(), await create(), await create()];
    await pay(less, AMOUNT - 1n);
    await pay(more, AMOUNT + 1n);
    await fixture.work();
    await fixture.advance(31 * MINUTE);
    assert.equal(await statusOf(late), 'failed');
    await pay(late);
    await fixture.work();
    for (const [invoice, label] of [
      [less, 'underpaid'],
      [more, 'overpaid'],
      [late, 'late'],
    ] as const) {
      const { status, labels } = await get(invoice);
      assert.deepEqual([status, labels], ['approved_required', [label]]);
    }
    assert.equal((await review('approve', less)).body.status, 'waiting');
    assert.equal((await review('reject', more)).body.status, 'failed');
    await mine(2);
    assert.deepEqual(
      [await statusOf(less), await statusOf(more), await statusOf(late)],
      ['complete', 'failed', 'approved_required'],
    );
  });

  test('a second payment does not belong to the first', async () => {
    const invoice = await create();
    await pay(invoice);
    await pay(invoice);
    await mine(2);
    assert.equal(await statusOf(invoice), 'complete');
    const [again, ...others] = await list({ status: 'approved_required' });
    assert.deepEqual(
      [again?.txId, again?.probableTxId, again?.labels, others],
      [null, invoice.txId, ['duplicate'], []],
    );
  });

  test('a replaced payment no longer counts, and its replacement counts once', async () => {
    const [stolen, bumped] = [await create(), await create()];
    const [first, second] = [await pay(stolen), await pay(bumped)];
    await fixture.work();
    assert.deepEqual([await statusOf(stolen), await statusOf(bumped)], ['waiting', 'waiting']);
    await node.pay(theirs, AMOUNT, { replaces: first, feeRate: 20n });
    const bump = await pay(bumped, AMOUNT, { replaces: second, feeRate: 20n });
    await fixture.work();
    const { status, labels, payments } = await get(stolen);
    assert.deepEqual([status, labels, payments[0]?.confirmations], ['pending', ['replaced'], null]);
    await mine(2);
    assert.equal(await statusOf(stolen), 'pending');
    const paid = await get(bumped);
    assert.deepEqual([paid.status, paid.amount], ['complete', '150000']);
    assert.deepEqual(
      paid.payments.map((payment) => [payment.txHash, payment.confirmations]),
      [
        [second.txid, null],
        [bump.txid, 2],
      ],
    );
    assert.deepEqual(await list({ status: 'approved_required' }), []);
  });

  test('a replacement first seen in a block counts instead of the unconfirmed payment', async () => {
    const invoice = await create();
    const first = await pay(invoice);
    await fixture.work();
    await pay(invoice, AMOUNT, { replaces: first, feeRate: 20n });
    await mine(2);
    assert.deepEqual([await statusOf(invoice), (await get(invoice)).amount], ['complete', '150000']);
    assert.deepEqual(await list({ status: 'approved_required' }), []);
  });

  test('a dropped payment does not count until it is sent again', async () => {
    const invoice = await create();
    const { txid, raw } = await pay(invoice);
    await fixture.work();
    await node.evict(txid);
    await fixture.work();
    assert.deepEqual([await statusOf(invoice), (await get(invoice)).labels], ['pending', ['replaced']]);
    await node.call('sendrawtransaction', raw);
    await mine(2);
    const paid = await get(invoice);
    assert.deepEqual([paid.status, paid.labels, paid.payments.length], ['complete', [], 1]);
  });

  test('orphaned blocks reverse the credit; it returns once, or never', async () => {
    const invoice = await create();
    await pay(invoice);
    await mine(2);
    assert.equal(await statusOf(invoice), 'complete');
    await node.invalidate(2);
    await fixture.work();
    const back = await get(invoice);
    assert.deepEqual([back.status, back.confirmations, back.payments.length], ['waiting', 0, 1]);
    await mine(2);
    assert.equal(await statusOf(invoice), 'complete');
    await node.invalidate(3, { isLost: true });
    await fixture.work();
    assert.deepEqual([await statusOf(invoice), (await get(invoice)).labels], ['pending', ['replaced']]);
    await mine(2);
    assert.equal(await statusOf(invoice), 'pending');
    assert.deepEqual(await reportedStatuses(invoice), [
      ...['pending', 'waiting', 'confirmed', 'complete'],
      ...['waiting', 'confirmed', 'complete'],
      ...['waiting', 'pending'],
    ]);
    assert.deepEqual(await list({ status: 'approved_required' }), []);
  });

  test('the first scanned block may be orphaned, twice before the next is scanned', async () => {
    const invoice = await create();
    await node.invalidate(1);
    between.edit = notGiving('getblock');
    await fixture.work();
    assert.equal((await trouble())?.kind, 'behind');
    await node.invalidate(4);
    between.edit = forwardCalls;
    await pay(invoice);
    await mine(2);
    assert.deepEqual([await trouble(), await statusOf(invoice)], [null, 'complete']);
  });

  test('nothing changes while the node is down; afterward nothing is missed or counted twice', async () => {
    const [mined, waiting, unpaid] = [await create(), await create(), await create()];
    await pay(waiting);
    await fixture.work();
    closeAllConnections(between);
    await pay(mined);
    await node.mine(3);
    await pay(unpaid, AMOUNT - 1n);
    await fixture.advance(SECOND);
    await fixture.work();
    assert.equal((await trouble())?.kind, 'down');
    assert.match((await trouble())?.message ?? '', /^The node at 127\.0\.0\.1:\d+ cannot be reached/);
    assert.match((await fixture.request('/metrics')).text, /paylatch_chain_unavailable\{chain="bitcoin"\} 1/);
    // All three have expired in the meantime.
    await fixture.advance(31 * MINUTE);
    assert.deepEqual([await statusOf(mined), await statusOf(unpaid)], ['pending', 'pending']);
    between.edit = forwardCalls;
    await fixture.work();
    await fixture.work();
    assert.equal(await trouble(), null);
    assert.deepEqual([await statusOf(mined), await statusOf(waiting)], ['complete', 'complete']);
    assert.deepEqual(await reportedStatuses(mined), ['pending', 'waiting', 'confirmed', 'complete']);
    assert.deepEqual((await get(mined)).labels, []);
    // It was already in the mempool when the node responded again, so it does not count as late.
    assert.deepEqual((await get(unpaid)).labels, ['underpaid']);
    const reported = fixture.log().match(/"msg":"chain can(?:not| be) [^"]*"/g);
    assert.deepEqual(reported, ['"msg":"chain cannot be read"', '"msg":"chain can be read again"']);
  });

  test('a node that responds without the blocks is unavailable until it has them', async () => {
    const invoice = await create();
    await pay(invoice);
    await node.mine(3);
    between.edit = notGiving('getblock');
    for (let round = 0; round < 3; round += 1) await fixture.advance(11 * MINUTE);
    assert.deepEqual([(await trouble())?.kind, await statusOf(invoice)], ['behind', 'pending']);
    const since = (await cursor()).errorSince;
    await fixture.advance(SECOND);
    assert.equal((await cursor()).errorSince, since);
    assert.equal(fixture.log().match(/"msg":"chain can(?:not| be) /g)?.length, 1);
    between.edit = forwardCalls;
    await fixture.work();
    assert.deepEqual([await trouble(), await statusOf(invoice)], [null, 'complete']);
  });

  test('a node on another network is rejected, at the start and later', async () => {
    const elsewhere = await openHere('signet');
    await elsewhere.work();
    const { status, body } = await elsewhere.request('/v1/transaction/invoice', {
      body: { txId: 'cup-1', code: 'btc', amount: '150000', type: 'revolver' },
    });
    assert.deepEqual([status, body.code], [503, 'chain_unavailable']);
    const { error: reported } = await nodeInvoicesOf(() => elsewhere, 'bitcoin').cursor();
    assert.equal(reported?.kind, 'wrong_network');
    await elsewhere.close();

    const invoice = await create();
    await pay(invoice);
    await node.mine(2);
    between.disconnect();
    between.edit = ({ method, params }, result) =>
      method === 'getblockhash' && params[0] === 0 ? { ...result, result: '1'.repeat(64) } : result;
    await fixture.work();
    await fixture.work();
    assert.deepEqual([(await trouble())?.kind, await statusOf(invoice)], ['wrong_network', 'pending']);
    between.edit = forwardCalls;
    between.disconnect();
    await fixture.work();
    await fixture.work();
    assert.deepEqual([await trouble(), await statusOf(invoice)], [null, 'complete']);
  });

  test('a service restarted between blocks continues from its position', async () => {
    const [first, second] = [await create(), await create()];
    await pay(first);
    await mine();
    await fixture.restart();
    assert.deepEqual([await statusOf(first), (await get(first)).confirmations], ['waiting', 1]);
    await pay(second);
    await node.mine(1);
    await fixture.work();
    assert.equal(await statusOf(first), 'complete');
    // Blocks of the previous run are orphaned in this one.
    await fixture.restart();
    await node.invalidate(2);
    await fixture.restart();
    await fixture.work();
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['waiting', 'waiting']);
    await mine(2);
    for (const invoice of [first, second]) {
      const { status, payments, amount } = await get(invoice);
      assert.deepEqual([status, payments.length, amount], ['complete', 1, '150000']);
    }
  });

  test('of two processes one scans; the other takes over when it exits or stops responding', async () => {
    const other = await fixture.another();
    const invoice = await create();
    await pay(invoice);
    await node.mine(1);
    // This process has scanned from the start.
    await other.jobs.drain();
    assert.equal(await statusOf(invoice), 'pending');
    await fixture.work();
    assert.equal(await statusOf(invoice), 'waiting');

    // It no longer runs.
    await node.mine(1);
    await other.jobs.drain();
    assert.equal(await statusOf(invoice), 'waiting');
    fixture.clock.advance(16 * SECOND);
    await other.jobs.drain();
    assert.equal(await statusOf(invoice), 'complete');

    const later = await create();
    await pay(later);
    await fixture.work();
    assert.equal(await statusOf(later), 'pending');
    await other.close();
    await mine(2);
    assert.equal(await statusOf(later), 'complete');
    assert.deepEqual(await reportedStatuses(later), ['pending', 'waiting', 'confirmed', 'complete']);
    assert.deepEqual(await list({ status: 'approved_required' }), []);
  });

  test('a process keeps the chain during a long scan', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const other = await fixture.another();
    const invoice = await create();
    await pay(invoice);
    await node.mine(20);
    between.methods.length = 0;
    between.edit = async ({ method }, result) => {
      if (method !== 'getblock') return result;
      fixture.clock.advance(SECOND);
      mock.timers.tick(1000);
      // The next process takes over the released chain.
      await other.jobs.drain();
      return result;
    };
    await fixture.work();
    assert.equal(await statusOf(invoice), 'complete');
    assert.equal(between.methods.filter((method) => method === 'getblock').length, 20);
    await other.close();
  });
});
