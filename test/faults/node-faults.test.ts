import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { seededRandom } from '../../src/cli/webhook-chaos.ts';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { type Litecoind, litecoindSettings, startLitecoind } from '../support/litecoind.ts';
import { clockOfBlock, forwardCalls, freshAccountKey, nodeInvoicesOf } from '../support/node-invoices.ts';
import { type NodeProxy, openNodeProxy, type WireResponse } from '../support/node-proxy.ts';
import { countFault, countRowsForProof, faultBudget } from '../support/proof.ts';

const FAULTS = 11;
const AMOUNT = 150_000n;
/** Less than the adapter's own time limit. */
const SILENCE_MS = 100;

type Respond = (response: ServerResponse) => void;

const respondWith =
  (status: number, body: string): Respond =>
  (response) => {
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

/** Payers and miners continue while a real node, or a proxy in front of it, fails. */
describe('a service whose node fails at random', () => {
  const { seed, hasNext } = faultBudget(FAULTS);
  const random = seededRandom(seed);
  const upTo = (max: number) => 1 + Math.floor(random() * max);
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
    await work();
  });
  after(async () => {
    await fixture?.close();
    await between?.close();
    await node.stop();
  });

  const instead = (respond: Respond) => () => void (between.instead = respond);
  const edit = (change: NodeProxy['edit']) => () => void (between.edit = change);
  const faults: Record<string, () => void> = {
    unresponsive: instead((response) => setTimeout(() => response.destroy(), SILENCE_MS)),
    'connection cut': instead((response) => response.destroy()),
    'HTTP 502': instead(respondWith(502, '<html>Bad Gateway</html>')),
    'HTTP 429': instead(respondWith(429, '')),
    malformed: instead(respondWith(200, '[[[{"')),
    'empty response': instead(respondWith(200, '')),
    starting: instead(respondWith(500, '{"result":null,"error":{"code":-28,"message":"Loading block index…"},"id":0}')),
    'internal error': edit(errorOf('getblock', -32603, 'Internal error')),
    pruned: edit(errorOf('getblock', -1, 'Block not available (pruned data)')),
    behind: edit(resultOf('getblockchaininfo', (info) => ({ ...info, headers: info.blocks + 20 }))),
    'other network': edit(resultOf('getblockhash', () => '1'.repeat(64))),
  };
  const isCredited = async (invoice: CryptoTransaction) => {
    const { status, amount, payments } = await get(invoice);
    assert.deepEqual([status, amount, payments.length], ['complete', String(AMOUNT), 1]);
    // A reorg may repeat `waiting` and `confirmed`; each status before the last is one of these.
    const statuses = await reportedStatuses(invoice);
    assert.equal(statuses.filter((each) => each === 'complete').length, 1, statuses.join());
    assert.equal(statuses.at(-1), 'complete');
  };

  /** Injects a fault while one deposit is mined and another is unconfirmed, maybe with a reorg, and then removes it. */
  async function injectFault(kind: string, cause: () => void): Promise<void> {
    const [mined, waiting] = [await create(), await create()];
    await node.sendToAddress(mined.walletAddress, AMOUNT);
    if (random() < 0.5) await work();
    cause();
    between.disconnect();
    countFault(`node: ${kind}`);
    await node.mine(upTo(5));
    await node.sendToAddress(waiting.walletAddress, AMOUNT);
    await work();
    assert.notEqual(await trouble(), null, `${kind} is reported`);
    for (const invoice of [mined, waiting]) assert.notEqual((await get(invoice)).status, 'complete', kind);
    if (random() < 0.5) {
      await node.reorg(1, { blocks: random() < 0.5 ? 'remined' : 'empty' });
      countFault('node: reorg');
    }
    Object.assign(between, { edit: forwardCalls, instead: null });
    between.disconnect();
    await work();
    await node.mine(3);
    await work();
    assert.equal(await trouble(), null, `${kind} has ended`);
    for (const invoice of [mined, waiting]) await isCredited(invoice);
  }

  test('credits each deposit once, reports each fault, and recovers', async (context) => {
    context.diagnostic(`SEED=${seed} repeats these faults`);
    const injected: string[] = [];
    try {
      let remaining: string[] = [];
      while (hasNext()) {
        if (remaining.length === 0) remaining = Object.keys(faults);
        const [kind = ''] = remaining.splice(Math.floor(random() * remaining.length), 1);
        injected.push(kind);
        await injectFault(kind, faults[kind] ?? assert.fail());
      }
      await countRowsForProof(fixture.service().database);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`With SEED=${seed}, after ${injected.join(', ')}: ${message}`, { cause: error });
    }
    context.diagnostic(`${injected.length} faults`);
  });
});
