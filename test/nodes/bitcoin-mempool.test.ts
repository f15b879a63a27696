import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createBitcoinChain } from '../../src/chains/bitcoin/chain.ts';
import { createScriptToAddress } from '../../src/chains/bitcoin/script-address.ts';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import { createRpc, HASHES_PER_SLICE } from '../../src/chains/bitcoin/rpc.ts';
import { type Chain, ChainError } from '../../src/chains/port.ts';
import { respondEach, openNodeServer } from '../support/node-server.ts';
import { buildBlock, buildTransaction, type MempoolNode, openMempoolNode } from '../support/mempool-node.ts';

const network = bitcoinChain.networks.regtest;
const program = new Uint8Array(20).fill(7);
const ours = createScriptToAddress(network)(Uint8Array.from([0, 20, ...program])) ?? '';
const findOwnAddresses = async (addresses: readonly string[]) =>
  await Promise.resolve(new Set(addresses.filter((address) => address === ours)));
const nameOf = (index: number) => createHash('sha256').update(String(index)).digest('hex');

describe('the mempool of a Bitcoin node', () => {
  let node: MempoolNode;
  let chain: Chain;
  let time: number;

  beforeEach(async () => {
    node = await openMempoolNode();
    time = 0;
    chain = createBitcoinChain({ url: node.url, network, now: () => time });
  });
  afterEach(async () => {
    await chain.close();
    await node.close();
  });

  const add = (seed: number, paid?: Uint8Array) => {
    const { txid, raw } = buildTransaction(seed, paid);
    node.transactions.set(txid, raw);
    return txid;
  };
  const waiting = async () => (await chain.unconfirmedDeposits(findOwnAddresses)).map(({ txHash }) => txHash);
  const lists = () => node.countOf('getrawmempool');

  test('300,000 hashes are parsed in time slices, and other work runs in between', async () => {
    const names = Array.from({ length: 300_000 }, (_, index) => nameOf(index));
    node.listed = names;
    const rpc = createRpc({ url: node.url });
    const read: string[] = [];
    let turns = 0;
    let portions = 0;
    await rpc.requestHashes({ method: 'getrawmempool', params: [] }, (portion) => {
      assert.ok(portion.length <= HASHES_PER_SLICE);
      assert.equal(turns, portions, 'the event loop runs once per portion');
      setImmediate(() => (turns += 1));
      portions += 1;
      for (const name of portion) read.push(name);
    });
    await rpc.close();
    assert.equal(portions, Math.ceil(names.length / HASHES_PER_SLICE));
    assert.deepEqual(read, names);
  });

  test('transactions that join, leave and are listed twice are noticed across time slices', async () => {
    for (let seed = 0; seed < 2 * HASHES_PER_SLICE; seed += 1) add(seed);
    const [first, second] = [add(900_001, program), add(900_002, program)];
    const txids = [...node.transactions.keys()];
    node.listed = [second, ...txids, first];
    assert.deepEqual((await waiting()).sort(), [first, second].sort());
    assert.equal(node.countOf('getrawtransaction'), txids.length);
    node.listed = [first, ...txids.slice(0, HASHES_PER_SLICE)];
    assert.deepEqual(await waiting(), [first]);
    node.listed = [...txids];
    assert.deepEqual((await waiting()).sort(), [first, second].sort());
  });

  test('a list with anything but hashes is an error', async () => {
    const name = nameOf(1);
    const rpc = createRpc({ url: node.url });
    const read = async (listed: unknown) => {
      const found: string[] = [];
      node.listed = listed as string[];
      await rpc.requestHashes({ method: 'getrawmempool', params: [] }, (portion) => found.push(...portion));
      return found;
    };
    assert.deepEqual([await read([]), await read([name])], [[], [name]]);
    for (const listed of [
      [name, 7],
      [name.slice(1)],
      [name.toUpperCase()],
      [[name]],
      [name, null],
      [`${name}","${name}`],
      { txids: [name], mempool_sequence: 7 },
      name,
      7,
    ]) {
      await assert.rejects(read(listed), (error) => {
        assert.ok(error instanceof ChainError);
        assert.match(error.message, /returned an unexpected result for getrawmempool/);
        return true;
      });
    }
    await rpc.close();
  });

  test('a full block is parsed, and a response that is not a hexadecimal block is an error', async () => {
    const { hash, raw } = buildBlock({ transactions: 300, witness: 300, outputs: 2 });
    const text = raw.toString('hex');
    node.block = { hash, raw: text };
    assert.equal((await chain.block(1, findOwnAddresses))?.hash, hash);
    for (const [odd, words] of [
      [`${text.slice(0, -2)}zz`, /not hexadecimal$/],
      [`${text}0`, /not hexadecimal$/],
      [`${text.slice(0, 70_001)}g${text.slice(70_002)}`, /not hexadecimal$/],
      [`${text.slice(0, 100)}"${text.slice(101)}`, /no JSON$/],
      [`${text}00`, /malformed/],
      ['', /malformed/],
      [7, /unexpected result/],
      [null, /unexpected result/],
      [{ result: text }, /unexpected result/],
    ] as const) {
      node.block = { hash, raw: odd as string };
      await assert.rejects(chain.block(1, findOwnAddresses), (error) => {
        assert.ok(error instanceof ChainError);
        assert.match(error.message, words);
        return true;
      });
    }
  });

  test('an unchanged mempool is listed again only every five seconds', async () => {
    const first = add(1, program);
    node.info = { size: 1, bytes: 82, usage: 1000, total_fee: 0.0001 };
    for (let poll = 0; poll < 10; poll += 1) {
      assert.deepEqual(await waiting(), [first]);
      time += 499;
    }
    assert.equal(lists(), 1);
    time += 500;
    const second = add(2, program);
    assert.deepEqual(await waiting(), [first, second]);
    assert.equal(lists(), 2);
    node.info.total_fee = 0.0002;
    time += 500;
    add(3, program);
    assert.equal((await waiting()).length, 3);
  });

  test('a replacement of the same size is noticed by its fee, or by listing if nodes report no fees', async () => {
    const [first, second, third] = [1, 2, 3].map((seed) => buildTransaction(seed, program));
    assert.ok(first && second && third);
    node.info = { size: 1, bytes: 82, usage: 1000, total_fee: 0.0001 };
    for (const [{ txid, raw }, info] of [
      [first, {}],
      [second, { total_fee: 0.0002 }],
      [third, { total_fee: undefined }],
      [first, {}],
    ] as const) {
      node.transactions = new Map([[txid, raw]]);
      Object.assign(node.info, info);
      time += 500;
      assert.deepEqual(await waiting(), [txid]);
    }
  });

  test('a full mempool is listed at intervals that grow with its length, and immediately after a block', async () => {
    add(1, program);
    let fee = 0;
    const poll = async () => {
      node.info = { size: 200_000, bytes: 82, usage: 1000, total_fee: (fee += 1) };
      const before = lists();
      await waiting();
      return lists() > before;
    };
    const isListed = [];
    for (let round = 0; round < 21; round += 1) {
      isListed.push(await poll());
      time += 500;
    }
    assert.deepEqual(
      isListed.flatMap((was, round) => (was ? [round] : [])),
      [0, 10, 20],
    );
    node.bestBlock = nameOf(1);
    assert.equal(await poll(), true);
  });

  test('after an error the list is read again', async () => {
    const txid = add(1, program);
    node.info = { size: 1, bytes: 82, usage: 1000, total_fee: 0.0001 };
    assert.deepEqual(await waiting(), [txid]);
    node.info.loaded = false;
    await assert.rejects(waiting(), /still loading/);
    node.info.loaded = true;
    node.transactions.clear();
    assert.deepEqual(await waiting(), []);
  });
});

test('the state of an output is accepted only from a node that has the last scanned block', async () => {
  const at = { height: 7, hash: nameOf(7) };
  const key = `${nameOf(1)}:0`;
  const ahead = { blocks: new Map([[7, at.hash]]), unspent: true };
  const lagging = { blocks: new Map<number, string>(), unspent: false };
  const onAnotherBranch = { blocks: new Map([[7, nameOf(8)]]), unspent: false };
  /** The nodes that respond to the next requests; the last one continues. */
  let nodes = [ahead];
  const server = await openNodeServer((request, response) => {
    const [node = ahead] = nodes;
    const isAboutCoins = request.calls.some(({ method }) => method === 'gettxout');
    if (isAboutCoins && nodes.length > 1) nodes = nodes.slice(1);
    respondEach(({ method, params: [first] }) => {
      if (method === 'getmempoolinfo') return { result: { mempoolminfee: 0.00001, loaded: true } };
      if (method === 'gettxout') return { result: node.unspent ? { value: 1 } : null };
      const hash = first === 0 ? network.genesisHash : node.blocks.get(Number(first));
      return hash ? { result: hash } : { error: { code: -8, message: 'Block height out of range' } };
    })(request, response);
  });
  const chain = createBitcoinChain({ url: server.url, network });
  const readState = async () => (await chain.outputStates([key], at))?.get(key);
  const isBehind = (error: unknown) => error instanceof ChainError && error.kind === 'behind';
  assert.equal(await readState(), 'unspent');
  for (const responding of [[lagging], [onAnotherBranch], [ahead, lagging], [onAnotherBranch, ahead]]) {
    nodes = responding;
    await assert.rejects(readState(), isBehind);
  }
  nodes = [ahead];
  ahead.unspent = false;
  assert.equal(await readState(), 'spent');
  await chain.close();
  await server.close();
});

test('a transaction is unknown only if the searched node has the last block', async () => {
  const sent = nameOf(1);
  const blocks = [network.genesisHash, nameOf(7), nameOf(8)];
  /** Number of blocks that the responding node has; fewer if it lags. */
  let nodeHeight = blocks.length;
  const server = await openNodeServer(
    respondEach(({ method, params: [first] }) => {
      const last = nodeHeight - 1;
      switch (method) {
        case 'getmempoolinfo':
          return { result: { mempoolminfee: 0.00001, loaded: true } };
        case 'getmempoolentry':
          return { error: { code: -5, message: 'Transaction not in mempool' } };
        case 'getblockchaininfo':
          return { result: { blocks: last, headers: last, bestblockhash: blocks[last] } };
        case 'getbestblockhash':
          return { result: blocks[last] };
        case 'getblockhash': {
          const hash = blocks[Number(first)];
          return Number(first) < nodeHeight && hash
            ? { result: hash }
            : { error: { code: -8, message: 'Block height out of range' } };
        }
        default: {
          const height = blocks.indexOf(String(first));
          const previousblockhash = blocks[height - 1] ?? null;
          return { result: { hash: first, height, previousblockhash, tx: height === 2 ? [sent] : [] } };
        }
      }
    }),
  );
  const chain = createBitcoinChain({ url: server.url, network });
  assert.deepEqual(await chain.tip(), { height: 2, hash: blocks[2] });
  nodeHeight = 2;
  await assert.rejects(
    chain.findTransaction(sent, 0),
    (error) => error instanceof ChainError && error.kind === 'behind',
  );
  nodeHeight = 3;
  assert.deepEqual(await chain.findTransaction(sent, 0), { state: 'mined', block: { height: 2, hash: blocks[2] } });
  await chain.close();
  await server.close();
});
