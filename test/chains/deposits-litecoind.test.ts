import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { clockOfBlock, freshAccountKey, nodeInvoicesOf } from '../support/node-invoices.ts';
import { type Litecoind, litecoindSettings, startLitecoind } from '../support/litecoind.ts';
import { openWorld, type World } from '../support/world.ts';

const AMOUNT = 150_000n;

describe('deposits on litecoind', () => {
  let node: Litecoind;
  let world: World;
  const { create, get, prefer, toldOf } = nodeInvoicesOf(() => world, 'bitcoin');
  const mine = async (blocks = 1) => {
    await node.mine(blocks);
    await world.work();
  };

  before(async () => {
    node = await startLitecoind();
    const { time } = await node.call('getblockheader', await node.call('getbestblockhash'));
    world = await openWorld({
      clock: clockOfBlock(time),
      env: litecoindSettings(node.url, await freshAccountKey('bitcoin')),
    });
    await world.work();
  });
  beforeEach(async () => {
    await world.work();
  });
  after(async () => {
    await world?.close();
    await node.stop();
  });

  test('seen at 0 confirmations, complete at 3', async () => {
    await prefer({ 'min-confirmation-btc': 3 });
    const invoice = await create();
    const txHash = await node.sendToAddress(invoice.walletAddress, AMOUNT);
    await world.work();
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
    assert.deepEqual(await toldOf(invoice), ['pending', 'waiting', 'confirmed', 'complete']);
  });
});
