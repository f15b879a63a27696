import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { type NodeProxy, openNodeProxy, type WireResponse } from '../support/node-proxy.ts';
import { clockOfBlock, freshAccountKey, nodeInvoicesOf, forwardCalls } from '../support/node-invoices.ts';
import { type Litecoind, litecoindSettings, startLitecoind } from '../support/litecoind.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const AMOUNT = 150_000n;

const respondWith = (status: number, body: string) => (response: ServerResponse) => {
  response.statusCode = status;
  response.end(body);
};
const errorOf = (method: string, code: number, message: string): NodeProxy['edit'] => {
  return (call, result) => (call.method === method ? { id: result.id, error: { code, message } } : result);
};
const resultOf = (method: string, change: (result: any) => unknown): NodeProxy['edit'] => {
  return (call, { id, result, error }) =>
    call.method === method && !error ? { id, result: change(result) } : ({ id, result, error } as WireResponse);
};

/** One deposit is mined and another is unconfirmed while the node, or a proxy before it, fails. */
describe('faults of a node on litecoind', () => {
  let node: Litecoind;
  let between: NodeProxy;
  let fixture: Fixture;
  const { create, get, reportedStatuses, trouble } = nodeInvoicesOf(() => fixture, 'bitcoin');
  const work = async () => {
    for (let round = 0; round < 2; round += 1) await fixture.work();
  };

  before(async () => {
    node = await startLitecoind();
    between = await openNodeProxy(node.url);
    const { time } = await node.call('getblockheader', await node.call('getbestblockhash'));
    fixture = await openFixture({
      clock: clockOfBlock(time),
      env: litecoindSettings(between.url, await freshAccountKey('bitcoin')),
    });
  });
  beforeEach(async () => {
    between.edit = forwardCalls;
    between.instead = null;
    between.nodeUrl = node.url;
    between.disconnect();
    await work();
    assert.equal(await trouble(), null);
  });
  after(async () => {
    await fixture?.close();
    await between?.close();
    await node.stop();
  });

  const readState = async (invoice: CryptoTransaction) => {
    const { status, amount, payments, labels } = await get(invoice);
    return [status, amount, payments.length, labels];
  };
  const unpaid = ['pending', '0', 0, []];
  const credited = ['complete', '150000', 1, []];
  const pay = async ({ walletAddress }: CryptoTransaction) => await node.sendToAddress(walletAddress, AMOUNT);

  /** Nothing is credited during a fault, and each deposit once after it. */
  async function assertNothingCredited(fault: () => void, kind: string, pattern: RegExp): Promise<void> {
    const [mined, waiting] = [await create(), await create()];
    await pay(mined);
    fault();
    await node.mine(5);
    await pay(waiting);
    await work();
    const reported = await trouble();
    assert.deepEqual([reported?.kind, pattern.test(reported?.message ?? '') || reported?.message], [kind, true]);
    assert.deepEqual([await readState(mined), await readState(waiting)], [unpaid, unpaid]);
    between.edit = forwardCalls;
    between.instead = null;
    between.disconnect();
    await work();
    await node.mine(2);
    await work();
    assert.equal(await trouble(), null);
    for (const invoice of [mined, waiting]) {
      assert.deepEqual(await readState(invoice), credited);
      assert.deepEqual(await reportedStatuses(invoice), ['pending', 'waiting', 'confirmed', 'complete']);
    }
  }

  const faultResponses: [string, (response: ServerResponse) => void, RegExp][] = [
    ['returns 502', respondWith(502, '<html>Bad Gateway</html>'), /status 502 and no JSON$/],
    ['returns garbage', respondWith(200, '\u0000[[[{"'), /no JSON$/],
    ['returns null', respondWith(200, 'null'), /did not respond to \w+ with JSON-RPC$/],
    ['returns an empty body', respondWith(200, ''), /no JSON$/],
    ['resets connections', (response) => response.destroy(), /cannot be reached/],
    ['refuses the password', respondWith(401, ''), /rejected the user and password/],
    [
      'starts',
      respondWith(500, '{"result":null,"error":{"code":-28,"message":"Loading block index…"},"id":0}'),
      /starting/,
    ],
  ];
  for (const [name, result, pattern] of faultResponses) {
    test(`a node that ${name}`, async () => {
      await assertNothingCredited(
        () => {
          between.instead = result;
        },
        'down',
        pattern,
      );
    });
  }

  const editedResponses: [string, () => NodeProxy['edit'], string, RegExp][] = [
    [
      'has deleted the blocks (pruned)',
      () => errorOf('getblock', -1, 'Block not available (pruned data)'),
      'behind',
      /has pruned block/,
    ],
    ['gives another block', () => resultOf('getblockhash', () => '1'.repeat(64)), 'wrong_network', /is not on/],
    [
      'knows of headers only',
      () => resultOf('getblockchaininfo', (info) => ({ ...info, headers: info.blocks + 20 })),
      'behind',
      /of \d+ known blocks/,
    ],
    [
      'has another first block',
      () => (call, result) =>
        call.method === 'getblockhash' && call.params[0] === 0 ? { id: result.id, result: '2'.repeat(64) } : result,
      'wrong_network',
      /is not on/,
    ],
  ];
  for (const [name, edit, kind, pattern] of editedResponses) {
    test(`a node that ${name}`, async () => {
      await assertNothingCredited(
        () => {
          between.edit = edit();
          between.disconnect();
        },
        kind,
        pattern,
      );
    });
  }

  test('a node that sends the block before the requested one', async () => {
    const last = await node.call<string>('getblock', await node.call('getbestblockhash'), 0);
    await assertNothingCredited(
      () => {
        between.edit = resultOf('getblock', () => last);
      },
      'down',
      /sent a different block than/,
    );
  });

  test('a mempool that fails, and one that is still loading', async () => {
    const invoice = await create();
    await pay(invoice);
    await fixture.work();
    for (const [edit, kind] of [
      [errorOf('getrawmempool', -32603, 'Internal error'), 'down'],
      [resultOf('getmempoolinfo', (info) => ({ ...info, loaded: false })), 'behind'],
      [resultOf('getrawmempool', () => ['x']), 'down'],
    ] as const) {
      between.edit = edit;
      await work();
      assert.deepEqual([(await trouble())?.kind, (await get(invoice)).status], [kind, 'waiting']);
    }
    between.edit = forwardCalls;
    await node.mine(2);
    await work();
    assert.deepEqual(await readState(invoice), credited);
  });

  test('two nodes behind one URL, one of them twenty blocks behind', async () => {
    const late = await startLitecoind([], { isEmpty: true });
    try {
      const invoice = await create();
      await pay(invoice);
      await node.mine(2);
      await work();
      const height = await node.call<number>('getblockcount');
      for (let at = 1; at <= height; at += 1)
        await late.call('submitblock', await node.call('getblock', await node.call('getblockhash', at), 0));
      const other = await create();
      await pay(other);
      await node.mine(20);
      let requests = 0;
      between.edit = (_call, result) => {
        requests += 1;
        between.nodeUrl = requests % 2 === 0 ? node.url : late.url;
        return result;
      };
      for (let round = 0; round < 6; round += 1) await work();
      assert.deepEqual(await readState(invoice), credited);
      between.edit = forwardCalls;
      between.nodeUrl = node.url;
      await work();
      assert.deepEqual([await trouble(), await readState(invoice), await readState(other)], [null, credited, credited]);
    } finally {
      await late.stop();
    }
  });
});
