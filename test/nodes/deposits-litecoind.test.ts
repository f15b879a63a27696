import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { clockOfBlock, freshAccountKey, nodeInvoicesOf } from '../support/node-invoices.ts';
import { type Litecoind, litecoindSettings, startLitecoind } from '../support/litecoind.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const AMOUNT = 150_000n;

/** What payers, miners and the network do to deposits, on a node of the Bitcoin Core family. */
describe('deposits on litecoind', () => {
  let node: Litecoind;
  let fixture: Fixture;
  const { create, get, list, review, prefer, statusOf, reportedStatuses, trouble } = nodeInvoicesOf(
    () => fixture,
    'bitcoin',
  );
  const mine = async (blocks = 1) => {
    await node.mine(blocks);
    await fixture.work();
  };
  const pay = async ({ walletAddress }: CryptoTransaction, amount = AMOUNT) => {
    const txid = await node.sendToAddress(walletAddress, amount);
    await fixture.work();
    return txid;
  };
  const reviewed = async () => (await list({ status: 'approved_required' })).map(({ id }) => id).sort();
  const countedOf = async (invoice: CryptoTransaction) => {
    const { status, amount, payments } = await get(invoice);
    const counted = payments.filter(({ confirmations }) => confirmations !== null);
    return [status, amount, counted.map(({ txHash }) => txHash)];
  };

  before(async () => {
    node = await startLitecoind();
    const { time } = await node.call('getblockheader', await node.call('getbestblockhash'));
    fixture = await openFixture({
      clock: clockOfBlock(time),
      env: litecoindSettings(node.url, await freshAccountKey('bitcoin')),
    });
    await fixture.work();
  });
  after(async () => {
    await fixture?.close();
    await node.stop();
  });

  test('seen at 0 confirmations, complete at 3', async () => {
    await prefer({ 'min-confirmation-btc': 3 });
    const invoice = await create();
    assert.match(invoice.walletAddress, /^rltc1q/);
    const txHash = await pay(invoice);
    const states = [];
    for (let confirmations = 0; confirmations <= 3; confirmations += 1) {
      const { status, confirmations: seen, payments } = await get(invoice);
      states.push([status, seen, payments[0]?.txHash === txHash]);
      await mine();
    }
    assert.deepEqual(states, [
      ['waiting', 0, true],
      ['waiting', 1, true],
      ['waiting', 2, true],
      ['complete', 3, true],
    ]);
    assert.deepEqual(await reportedStatuses(invoice), ['pending', 'waiting', 'confirmed', 'complete']);
    await prefer({ 'min-confirmation-btc': 2 });
  });

  test('one satoshi less and one satoshi more need a review', async () => {
    const [less, more] = [await create(), await create()];
    await pay(less, AMOUNT - 1n);
    await pay(more, AMOUNT + 1n);
    await mine(2);
    for (const [invoice, label] of [
      [less, 'underpaid'],
      [more, 'overpaid'],
    ] as const) {
      const { status, labels } = await get(invoice);
      assert.deepEqual([status, labels], ['approved_required', [label]]);
      await review('reject', invoice);
    }
  });

  test('two and three outputs of one transaction to one address', async () => {
    const [twice, thrice] = [await create(), await create()];
    const txid = await node.sendOutputs([
      [twice.walletAddress, AMOUNT],
      [twice.walletAddress, AMOUNT],
      [thrice.walletAddress, 40_000n],
      [thrice.walletAddress, AMOUNT],
      [thrice.walletAddress, 40_000n],
    ]);
    await fixture.work();
    await mine(2);
    const needReview = await list({ status: 'approved_required' });
    const all = [await get(twice), await get(thrice), ...needReview];
    const payments = new Map(all.map((each) => [each.id, each.payments])).values();
    assert.deepEqual(
      [...payments]
        .flat()
        .map(({ txHash, amount }) => `${txHash} ${amount}`)
        .sort(),
      ['150000', '150000', '150000', '40000', '40000'].map((amount) => `${txid} ${amount}`),
    );
    assert.deepEqual(await countedOf(twice), ['complete', '150000', [txid]]);
    for (const each of needReview) await review('reject', each);
  });

  test('fifty addresses in one sendmany', async () => {
    const invoices = [];
    for (let index = 0; index < 50; index += 1) invoices.push(await create());
    const txid = await node.sendMany(Object.fromEntries(invoices.map(({ walletAddress }) => [walletAddress, AMOUNT])));
    await fixture.work();
    await mine(2);
    for (const invoice of invoices) assert.deepEqual(await countedOf(invoice), ['complete', '150000', [txid]]);
  });

  for (const depth of [1, 3, 6]) {
    test(`a reorg of ${depth} that mines the deposit again`, async () => {
      const invoice = await create();
      const txid = await pay(invoice);
      await mine(depth);
      await node.reorg(depth, { blocks: 'remined' });
      await fixture.work();
      await mine(2);
      assert.deepEqual(await countedOf(invoice), ['complete', '150000', [txid]]);
      assert.deepEqual((await get(invoice)).labels, []);
    });

    test(`a reorg of ${depth} that leaves the deposit out`, async () => {
      const invoice = await create();
      const txid = await pay(invoice);
      await mine(depth);
      const before = await statusOf(invoice);
      assert.equal(before, depth === 1 ? 'waiting' : 'complete');
      await node.reorg(depth);
      await fixture.work();
      const back = await get(invoice);
      assert.deepEqual([back.status, back.confirmations], ['waiting', 0]);
      await mine(2);
      assert.deepEqual(await countedOf(invoice), ['complete', '150000', [txid]]);
    });
  }

  test('a reorg of three with a double spend, and paid again', async () => {
    const invoice = await create();
    const txid = await pay(invoice);
    await mine(3);
    assert.equal(await statusOf(invoice), 'complete');
    const stolen = await node.conflicting(txid, [[await node.newAddress(), AMOUNT]]);
    await node.reorg(3, { blocks: [stolen] });
    await fixture.work();
    const gone = await get(invoice);
    assert.deepEqual([gone.status, gone.labels, gone.amount], ['pending', ['replaced'], '0']);
    const again = await pay(invoice);
    await mine(2);
    assert.deepEqual(await countedOf(invoice), ['complete', '150000', [again]]);
  });

  test('replaced with a higher fee in the mempool, and replaced and mined at once', async () => {
    const [seen, unseen] = [await create(), await create()];
    const [first, second] = [await pay(seen), await pay(unseen)];
    const bumped = await node.bumpFee(first);
    await fixture.work();
    assert.deepEqual(await countedOf(seen), ['waiting', '150000', [bumped]]);
    const unseenBump = await node.bumpFee(second);
    await mine(2);
    assert.deepEqual(await countedOf(seen), ['complete', '150000', [bumped]]);
    assert.deepEqual(await countedOf(unseen), ['complete', '150000', [unseenBump]]);
    assert.deepEqual(await reviewed(), []);
  });

  test('replaced by a smaller payment, and by a double spend', async () => {
    const [less, away] = [await create(), await create()];
    const [first, second] = [await pay(less), await pay(away)];
    const replace = async (txid: string, address: string, amount: bigint) =>
      await node.call<string>('sendrawtransaction', await node.conflicting(txid, [[address, amount]]));
    const lesser = await replace(first, less.walletAddress, 100_000n);
    await replace(second, await node.newAddress(), AMOUNT);
    await fixture.work();
    assert.deepEqual([await statusOf(away), (await get(away)).labels], ['pending', ['replaced']]);
    await mine(2);
    assert.deepEqual(await countedOf(less), ['approved_required', '100000', [lesser]]);
    assert.deepEqual((await get(less)).labels, ['replaced', 'underpaid']);
    assert.equal(await statusOf(away), 'pending');
    await review('reject', less);
  });

  test('an approval does not carry over to a replacement', async () => {
    const invoice = await create();
    const txid = await pay(invoice, 140_000n);
    assert.equal((await review('approve', invoice)).body.status, 'waiting');
    const raw = await node.conflicting(txid, [[invoice.walletAddress, 100_000n]]);
    await node.call('sendrawtransaction', raw);
    await mine(2);
    const { status, labels } = await get(invoice);
    assert.deepEqual([status, labels], ['approved_required', ['replaced', 'underpaid']]);
    await review('reject', invoice);
  });

  test('dropped from the mempool, then sent again', async () => {
    const [dropped, kept] = [await create(), await create()];
    const [txid, other] = [await pay(dropped), await pay(kept)];
    const raw = await node.rawOf(txid);
    await node.evict(txid);
    await fixture.work();
    await fixture.work();
    assert.deepEqual(await trouble(), null);
    assert.deepEqual([await statusOf(dropped), (await get(dropped)).labels], ['pending', ['replaced']]);
    assert.equal(await statusOf(kept), 'waiting');
    await node.call('sendrawtransaction', raw);
    await mine(2);
    assert.deepEqual(await countedOf(dropped), ['complete', '150000', [txid]]);
    assert.deepEqual(await countedOf(kept), ['complete', '150000', [other]]);
  });

  test('the minimum relay fee rises: cheaper transactions are dropped and no longer count', async () => {
    const invoice = await create();
    const txid = await pay(invoice);
    await node.restart({ options: ['-minrelaytxfee=0.0003'] });
    await fixture.work();
    await fixture.work();
    assert.deepEqual([await statusOf(invoice), (await get(invoice)).labels], ['pending', ['replaced']]);
    await node.restart();
    await node.call('sendrawtransaction', await node.rawOf(txid));
    await mine(2);
    assert.deepEqual(await countedOf(invoice), ['complete', '150000', [txid]]);
  });

  test('the node is killed with deposits in its mempool and its last block', async () => {
    const [mined, waiting] = [await create(), await create()];
    const first = await pay(mined);
    await mine();
    const second = await pay(waiting);
    await node.flush();
    await node.kill();
    await fixture.work();
    assert.equal((await trouble())?.kind, 'down');
    assert.deepEqual([await statusOf(mined), await statusOf(waiting)], ['waiting', 'waiting']);
    await node.restart();
    await mine(2);
    await fixture.work();
    assert.deepEqual(await countedOf(mined), ['complete', '150000', [first]]);
    assert.deepEqual(await countedOf(waiting), ['complete', '150000', [second]]);
    assert.equal(await trouble(), null);
  });

  test('the node restarts with an empty data directory: nothing is reversed', async () => {
    const invoice = await create();
    const txid = await pay(invoice);
    await mine(2);
    const waiting = await create();
    await pay(waiting);
    await node.restart({ emptied: true });
    for (let round = 0; round < 3; round += 1) await fixture.work();
    assert.equal((await trouble())?.kind, 'behind');
    assert.deepEqual(await countedOf(invoice), ['complete', '150000', [txid]]);
    assert.equal(await statusOf(waiting), 'waiting');
  });
});
