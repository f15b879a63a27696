import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { createEthereumChain, type EthereumChain } from '../../src/chains/ethereum/chain.ts';
import { createCustomNetwork, findEthereumNetwork } from '../../src/chains/ethereum/networks.ts';
import { parseNodeUrl } from '../../src/chains/ethereum/node-url.ts';
import type { RpcLimits } from '../../src/chains/ethereum/rpc.ts';
import { keccak256 } from '../../src/chains/ethereum/transaction.ts';
import { type ChainDeposit, ChainError } from '../../src/chains/port.ts';
import { TransferWouldFail } from '../../src/chains/spender.ts';
import { MINUTE } from '../../src/shared/time.ts';
import { systemClock } from '../../src/system/clock.ts';
import { respondEach, type NodeServer, openNodeServer, type RpcCall } from '../support/node-server.ts';
import { freePort } from '../support/ports.ts';

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;
const OURS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TOKEN = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** A call of `decimals()`. */
const DECIMALS = '0x313ce567';
const mainnet = findEthereumNetwork('ethereum', 'mainnet');
const network = createCustomNetwork('ethereum', { chainId: 1337, tokens: { usdc: { address: TOKEN, decimals: 6 } } });

/** A healthy node with one block: a payment in ether and one in tokens. */
const header = { number: '0x7', hash: hashOf(7), parentHash: hashOf(6), timestamp: '0x65000000' };
const log = {
  address: TOKEN.toLowerCase(),
  topics: [TRANSFER, hashOf(1), `0x${OURS.slice(2).toLowerCase().padStart(64, '0')}`],
  data: hashOf(5_000_000),
  blockHash: hashOf(7),
  transactionHash: hashOf(102),
};
const receiptOf = (transactionHash: unknown) => ({
  ...{ transactionHash, blockHash: hashOf(7), blockNumber: '0x7', status: '0x1' },
  logs: transactionHash === hashOf(102) ? [{ ...log, topics: [hashOf(9)] }, log] : [],
});
const transactions = [
  { hash: hashOf(101), to: OURS.toLowerCase(), value: '0xde0b6b3a7640000' },
  { hash: hashOf(102), to: TOKEN.toLowerCase(), value: '0x0' },
  { hash: hashOf(103), to: null, value: '0x0' },
];

function validResult({ method, params }: RpcCall): unknown {
  switch (method) {
    case 'eth_chainId':
      return '0x539';
    case 'eth_syncing':
      return false;
    case 'eth_getBlockByNumber':
      if (params[0] === '0x6') return { ...header, number: '0x6', hash: header.parentHash, parentHash: hashOf(5) };
      return params[1] ? { ...header, transactions } : header;
    case 'eth_getLogs':
      return [log];
    case 'eth_getTransactionReceipt':
      return receiptOf(params[0]);
    case 'eth_getTransactionByHash':
      return { hash: params[0], blockHash: hashOf(7) };
    case 'eth_call': {
      const [{ data }, { blockHash }] = params as [{ data: string }, { blockHash: string }];
      if (data === DECIMALS) return hashOf(6);
      return hashOf(blockHash === header.parentHash ? 0 : 5_000_000);
    }
    case 'eth_feeHistory':
      return { oldestBlock: '0x6', baseFeePerGas: ['0x9', '0xa'], gasUsedRatio: [0.5], reward: [['0x2']] };
    case 'eth_gasPrice':
      return '0xc';
    case 'eth_getTransactionCount':
      return '0x2';
    case 'eth_estimateGas':
    case 'eth_getBalance':
      return '0x5208';
    default:
      throw new Error(`The node received ${method}`);
  }
}
const respondValid = respondEach((call) => ({ result: validResult(call) }));

const findOwnAddresses = async () => new Set([OURS]);
const raw = '0x02';

/** Every call of a chain. */
const chainCalls: readonly [name: string, sendRequest: (chain: EthereumChain) => Promise<unknown>][] = [
  ['tip', (chain) => chain.tip()],
  ['block', (chain) => chain.block(7, findOwnAddresses)],
  ['blockHash', (chain) => chain.blockHash(7)],
  ['ether', (chain) => chain.balances('eth', [OURS, TOKEN], { height: 7, hash: hashOf(7) })],
  ['tokens', (chain) => chain.balances('usdc', [OURS, TOKEN], { height: 7, hash: hashOf(7) })],
  ['feeRate', (chain) => chain.feeRate()],
  ['findTransaction', (chain) => chain.findTransaction(hashOf(101))],
  ['nextNonce', (chain) => chain.nextNonce(OURS)],
  ['estimateGas', (chain) => chain.estimateGas(OURS, { to: OURS, value: 1n, data: '0x' })],
];

describe('a fee rate', () => {
  test("is the next block's base fee plus the median of recent priority fees", async () => {
    const server = await openNodeServer(respondValid);
    const chain = createEthereumChain({ url: server.url, network, clock: systemClock() });
    const baseFeePerGas = ['0x1', '0x64'];
    const rewards = (...amounts: number[]) => amounts.map((amount) => [`0x${amount.toString(16)}`]);
    for (const [history, priority] of [
      [{ reward: rewards(9, 1, 5), gasUsedRatio: [0.1, 0.2, 1] }, 5n],
      [{ reward: rewards(100, 20, 3), gasUsedRatio: [0.1, 0.2, 1] }, 20n],
      // Empty blocks do not count.
      [{ reward: rewards(0, 7, 0, 0), gasUsedRatio: [0, 0.2, 0, 0] }, 7n],
      [{ reward: rewards(7, 0, 0), gasUsedRatio: [0.5, 0.5, 0.5] }, 1n],
      [{ reward: [], gasUsedRatio: [] }, 1n],
      [{ reward: null, gasUsedRatio: null }, 1n],
      [{}, 1n],
    ] as const) {
      server.answer = respondEach((call) => ({
        result:
          call.method === 'eth_feeHistory' ? { oldestBlock: '0x1', baseFeePerGas, ...history } : validResult(call),
      }));
      assert.deepEqual(await chain.feeRate(), { unit: 'wei/gas', amount: 100n + priority, priority });
    }
    await chain.close();
    await server.close();
  });
});

describe('a broadcast response', () => {
  let server: NodeServer;
  let chain: EthereumChain;
  const txHash = keccak256(raw);
  before(async () => {
    server = await openNodeServer(respondValid);
    chain = createEthereumChain({ url: server.url, network, clock: systemClock() });
  });
  after(async () => {
    await chain.close();
    await server.close();
  });
  /** The node responds to the broadcast, and either has the transaction in later calls or not. */
  const says = (said: { result: unknown } | { error: { code: number; message: string } }, isKnown = false) => {
    server.requests.length = 0;
    server.answer = respondEach(({ method }) =>
      method === 'eth_sendRawTransaction' ? said : { result: isKnown ? { hash: txHash, blockHash: null } : null },
    );
  };
  const refusal = (code: number, message: string) => ({ error: { code, message } });

  test("is accepted if it contains the transaction's hash", async () => {
    says({ result: txHash });
    assert.deepEqual(await chain.broadcast(raw), { kind: 'sent' });
    says({ result: hashOf(1) });
    await assert.rejects(chain.broadcast(raw), /as the hash of transaction/);
  });

  test('may report a known transaction, with the message of each kind of node', async () => {
    for (const said of [
      refusal(-32_000, 'already known'),
      refusal(-32_010, 'AlreadyKnown'),
      refusal(-32_000, 'Known transaction'),
      refusal(-32_003, 'transaction already imported'),
    ]) {
      says(said);
      assert.deepEqual(await chain.broadcast(raw), { kind: 'sent' });
      assert.equal(server.requests.length, 1);
    }
  });

  test('is no rejection if the node has the transaction', async () => {
    for (const said of [refusal(-32_000, 'nonce too low'), refusal(-32_603, 'internal error')]) {
      says(said, true);
      assert.deepEqual(await chain.broadcast(raw), { kind: 'sent' });
    }
  });

  test("contains the node's reason for a rejection", async () => {
    for (const [code, reason, cause] of [
      [-32_000, 'nonce too low: next nonce 5, tx nonce 4', 'nonce'],
      [-32_000, 'replacement transaction underpriced'],
      [-32_000, 'transaction underpriced: tip needed 1, tip permitted 0', 'fee'],
      [-32_000, 'max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: 7', 'fee'],
      [-32_000, 'Transaction maxFeePerGas (1) is too low for the next block, which has a baseFeePerGas of 7', 'fee'],
      [-32_000, 'tx fee (2.10 ether) exceeds the configured cap (1.00 ether)', 'fee'],
      [-32_003, 'insufficient funds for gas * price + value', 'fee'],
      [-32_010, 'FeeTooLow', 'fee'],
      [-32_602, 'Failed to decode transaction'],
      [-32_001, 'Nonce too low', 'nonce'],
      [-32_004, 'Upfront cost exceeds account balance', 'fee'],
      [-32_009, 'Gas price below current base fee', 'fee'],
      [-32_000, 'unknown transaction type'],
    ] as const) {
      says(refusal(code, reason));
      assert.deepEqual(await chain.broadcast(raw), { kind: 'refused', reason, ...(cause && { cause }) });
    }
  });

  test('leaves the state open if it is not about the transaction', async () => {
    for (const said of [
      refusal(-32_005, 'daily request count exceeded'),
      refusal(-32_603, 'internal error'),
      refusal(-32_601, 'the method does not exist'),
      refusal(429, 'slow down'),
      refusal(-32_000, 'request timed out'),
      refusal(-32_000, 'context deadline exceeded'),
    ]) {
      says(said);
      await assert.rejects(
        chain.broadcast(raw),
        (error: unknown) => error instanceof ChainError && error.kind === 'down',
      );
    }
  });

  test('is preceded by a gas estimate; only some errors mean that the transfer would fail', async () => {
    const estimate = async (said: ReturnType<typeof refusal>) => {
      server.answer = respondEach(() => said);
      return await chain.estimateGas(OURS, { to: OURS, value: 1n, data: '0x' }).catch((error: unknown) => error);
    };
    for (const [code, reason] of [
      [3, 'execution reverted: blocked'],
      [-32_000, 'insufficient funds for transfer'],
      [-32_003, 'Insufficient funds for gas * price + value'],
      [-32_015, 'VM execution error.'],
      [-32_603, 'Error: VM Exception while processing transaction: reverted with reason string "paused"'],
    ] as const)
      assert.ok((await estimate(refusal(code, reason))) instanceof TransferWouldFail, reason);
    for (const [code, reason] of [
      [-32_005, 'daily request count exceeded'],
      [429, 'slow down'],
      [-32_603, 'internal error'],
      [-32_601, 'the method does not exist'],
      [-32_000, 'request timed out'],
      [-32_000, 'rate limit exceeded'],
    ] as const) {
      const error = await estimate(refusal(code, reason));
      assert.ok(error instanceof ChainError && !(error instanceof TransferWouldFail), reason);
    }
  });

  test("is followed by the transaction's state", async () => {
    const block = { height: 7, hash: hashOf(7) };
    for (const [transaction, receipt, state] of [
      [null, null, { state: 'unknown' }],
      [{ hash: txHash, blockHash: null }, null, { state: 'waiting' }],
      // Just entering or leaving a block.
      [{ hash: txHash, blockHash: hashOf(7) }, null, { state: 'waiting' }],
      [{ hash: txHash, blockHash: hashOf(7) }, receiptOf(txHash), { state: 'mined', block }],
      [null, receiptOf(txHash), { state: 'mined', block }],
      [null, { ...receiptOf(txHash), status: '0x0' }, { state: 'failed', block }],
    ] as const) {
      server.answer = respondEach(({ method }) => ({
        result: method === 'eth_getTransactionReceipt' ? receipt : transaction,
      }));
      assert.deepEqual(await chain.findTransaction(txHash), state);
    }
  });
});

describe('an unreliable Ethereum node', () => {
  let server: NodeServer;
  const opened: EthereumChain[] = [];
  const chainAt = (url: string, limits: Partial<RpcLimits> = {}) => {
    const chain = createEthereumChain({ url, network, clock: systemClock(), limits });
    opened.push(chain);
    return chain;
  };
  const isChainError = (kind: ChainError['kind'], pattern: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ChainError, inspect(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, pattern);
    return true;
  };
  /** Every call fails for the same reason. */
  async function assertAllFail(chain: EthereumChain, pattern: RegExp) {
    for (const [, sendRequest] of chainCalls) await assert.rejects(sendRequest(chain), isChainError('down', pattern));
    await assert.rejects(chain.broadcast(raw), isChainError('down', pattern));
  }

  before(async () => {
    server = await openNodeServer(respondValid);
  });
  after(async () => {
    await Promise.all(opened.map((chain) => chain.close()));
    await server.close();
  });

  test('is distinguished from a healthy one', async () => {
    server.answer = respondValid;
    server.requests.length = 0;
    const chain = chainAt(server.url);
    assert.deepEqual(await chain.tip(), { height: 7, hash: hashOf(7) });
    assert.deepEqual(await chain.block(7, findOwnAddresses), {
      ...{ height: 7, hash: hashOf(7), parentHash: hashOf(6), minedAt: 0x65000000 * 1_000_000 },
      deposits: [
        {
          paymentKey: `${hashOf(101)}:native`,
          txHash: hashOf(101),
          address: OURS,
          code: 'eth',
          amount: 10n ** 18n,
        },
        {
          paymentKey: `${hashOf(102)}:1:5000000`,
          txHash: hashOf(102),
          address: OURS,
          code: 'usdc',
          amount: 5_000_000n,
        },
      ],
    });
    assert.deepEqual(await chain.feeRate(), { unit: 'wei/gas', amount: 12n, priority: 2n });
    for (const [, sendRequest] of chainCalls) await sendRequest(chain);
    // By block hash only: by number, logs of another block could be returned.
    const questions = server.requests.flatMap(({ calls }) => calls);
    const [events] = questions.find(({ method }) => method === 'eth_getLogs')?.params ?? [];
    assert.deepEqual(events, { blockHash: hashOf(7), address: [TOKEN], topics: [TRANSFER] });
    const [, state] = questions.find(({ method }) => method === 'eth_getBalance')?.params ?? [];
    assert.deepEqual(state, { blockHash: hashOf(7), requireCanonical: true });
  });

  test('may use upper-case hexadecimal digits', async () => {
    server.answer = respondValid;
    const chain = chainAt(server.url);
    const [block, tip] = [await chain.block(7, findOwnAddresses), await chain.tip()];
    const large = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
        typeof part === 'string' ? `0x${part.slice(2).toUpperCase()}` : part,
      );
    server.answer = respondEach((call) => ({ result: large(validResult(call)) }));
    assert.deepEqual([await chain.block(7, findOwnAddresses), await chain.tip()], [block, tip]);
  });

  test('is down if a number exceeds its range', async () => {
    for (const number of ['0x20000000000000', `0x${'f'.repeat(64)}`, `0x1${'0'.repeat(64)}`]) {
      server.answer = respondEach((call) => ({
        result: call.method === 'eth_getBlockByNumber' ? { ...header, number } : validResult(call),
      }));
      await assert.rejects(chainAt(server.url).tip(), isChainError('down', /malformed result for \w+ \(at number\)/));
    }
  });

  test('may lose a block and return no logs for it; the next block at its height is returned', async () => {
    let isLost = false;
    const successor = { ...header, hash: hashOf(70) };
    server.answer = respondEach((call) => {
      if (call.method === 'eth_getLogs') {
        isLost = true;
        const [{ blockHash }] = call.params as [{ blockHash: string }];
        return { result: blockHash === successor.hash ? [{ ...log, blockHash }] : [] };
      }
      if (call.method === 'eth_getTransactionReceipt')
        return { result: { ...receiptOf(call.params[0]), blockHash: successor.hash } };
      if (call.method === 'eth_getBlockByNumber')
        return { result: { ...(isLost ? successor : header), transactions: [] } };
      return { result: validResult(call) };
    });
    const block = await chainAt(server.url).block(7, findOwnAddresses);
    assert.equal(block?.hash, successor.hash);
    assert.deepEqual(
      block?.deposits.map(({ paymentKey }) => paymentKey),
      [`${hashOf(102)}:1:5000000`],
    );
  });

  test('is down if nothing listens', async () => {
    await assertAllFail(chainAt(`http://127.0.0.1:${await freePort()}`), /cannot be reached \(ECONNREFUSED\)/);
  });

  test('is down if its status is not 200, and the message says what to check', async () => {
    for (const [status, pattern] of [
      [401, /denied access .*Check the key/],
      [403, /denied access/],
      [429, /too many requests/],
      [307, /redirected the request/],
      [502, /HTTP 502/],
    ] as const) {
      server.answer = (_request, response) => {
        response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('{"jsonrpc":"2.0","id":0,"result":"0x1"}');
      };
      await assertAllFail(chainAt(server.url), pattern);
    }
  });

  test('is down if it does not respond with JSON', async () => {
    for (const body of ['', '<html></html>', '{"jsonrpc":"2.0","id":0,"result":', '\u0000\u00ff']) {
      server.answer = (_request, response) => response.end(body);
      await assertAllFail(chainAt(server.url), /did not respond with JSON/);
    }
  });

  test('is down if its JSON is not JSON-RPC', async () => {
    for (const body of ['null', '3', '"0x1"', '{"error":"no"}', '[3]', '[[]]']) {
      server.answer = (_request, response) => response.end(body);
      await assertAllFail(chainAt(server.url), /did not respond with JSON-RPC/);
    }
    for (const body of ['{}', '{"id":0}', '{"id":0,"error":null}']) {
      server.answer = (_request, response) => response.end(body);
      await assertAllFail(chainAt(server.url), /did not respond to/);
    }
  });

  test('is down if it sends no response or an incomplete one', async () => {
    for (const begin of [
      () => undefined,
      (response: ServerResponse) => response.flushHeaders(),
      (response: ServerResponse) => response.write('{"jsonrpc":'),
    ]) {
      server.answer = (_request, response) => {
        begin(response);
      };
      const chain = chainAt(server.url, { timeoutMs: 50 });
      await assert.rejects(chain.tip(), isChainError('down', /did not respond within 0.05 s/));
    }
  });

  test('is down if its response exceeds the limit, and the rest is not read', async () => {
    const closed: Promise<unknown>[] = [];
    server.answer = (_request, response) => {
      closed.push(once(response, 'close'));
      const pour = () => {
        while (response.write(' '.repeat(64 * 1024)));
        response.once('drain', pour);
      };
      pour();
    };
    const chain = chainAt(server.url, { maxBytes: 1024 * 1024 });
    await assert.rejects(chain.block(7, findOwnAddresses), isChainError('down', /more than 1048576 bytes/));
    await Promise.all(closed);
    // The limit applies to each response.
    const padding = ' '.repeat(600_000);
    server.answer = respondEach((call) => ({ result: validResult(call), padding }) as { result: unknown });
    for (let times = 0; times < 4; times += 1) assert.equal(await chain.blockHash(7), hashOf(7));
  });

  test('is down if the connection breaks', async () => {
    server.answer = (_request, response) => response.destroy();
    await assertAllFail(chainAt(server.url), /cannot be reached \(UND_ERR_SOCKET|ECONNRESET\)/);
  });

  test("is down if it returns an error, with the node's message", async () => {
    const message = `rate limited\r\n\u001b[31m${'!'.repeat(1000)}`;
    server.answer = respondEach(() => ({ error: { code: -32_005, message } }));
    await assertAllFail(chainAt(server.url), / rejected eth_\w+: rate limited \[31m!{200,283}$/);
    // A batch may fail as a whole.
    server.answer = (_request, response) =>
      response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not for you"}}');
    await assertAllFail(chainAt(server.url), /batches are not for you/);
  });

  test('is on the wrong network if its chain or tokens differ', async () => {
    server.answer = respondEach((call) => ({ result: call.method === 'eth_chainId' ? '0x1' : validResult(call) }));
    await assert.rejects(
      chainAt(server.url).tip(),
      isChainError('wrong_network', /follows chain 1; local is chain 1337/),
    );
    for (const decimals of ['0x', hashOf(18), '0x06']) {
      server.answer = respondEach((call) => ({ result: call.method === 'eth_call' ? decimals : validResult(call) }));
      await assert.rejects(
        chainAt(server.url).tip(),
        isChainError('wrong_network', new RegExp(`no usdc .* at ${TOKEN}`)),
      );
    }
  });

  test('is checked for the tokens until they are found', async () => {
    server.answer = respondValid;
    const chain = chainAt(server.url);
    server.requests.length = 0;
    for (let times = 0; times < 3; times += 1) await chain.tip();
    const calls = server.requests.flatMap(({ calls }) => calls.map(({ method }) => method));
    assert.equal(calls.filter((method) => method === 'eth_call').length, 1);
    assert.equal(calls.filter((method) => method === 'eth_chainId').length, 3);
  });

  test('is behind while it syncs, or if its last block is old', async () => {
    const progress = { startingBlock: '0x0', currentBlock: '0x64', highestBlock: '0xc8' };
    for (const [syncing, pattern] of [
      [progress, /at block 100 of 200/],
      [{ stages: [] }, /at block an unknown one/],
    ] as const) {
      server.answer = respondEach((call) => ({ result: call.method === 'eth_syncing' ? syncing : validResult(call) }));
      await assert.rejects(chainAt(server.url).tip(), isChainError('behind', pattern));
    }
    server.answer = respondEach((call) => ({ result: call.method === 'eth_chainId' ? '0x1' : validResult(call) }));
    const minedAt = 0x65000000 * 1_000_000;
    const limit = mainnet.staleAfter ?? 0;
    for (const [now, isBehind] of [
      [minedAt - MINUTE, false],
      [minedAt + limit, false],
      [minedAt + limit + 1, true],
    ] as const) {
      const chain = createEthereumChain({ url: server.url, network: mainnet, clock: { now: () => now } });
      opened.push(chain);
      if (isBehind) await assert.rejects(chain.tip(), isChainError('behind', /600 s old/));
      else assert.equal((await chain.tip()).height, 7);
    }
  });

  test('may respond to a batch in any order', async () => {
    server.answer = ({ calls }, response) => {
      const replies = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, result: `0x${(call.id + 1).toString(16)}` }));
      response.end(JSON.stringify(replies.reverse()));
    };
    const addresses = Array.from({ length: 60 }, (_none, index) => `0x${String(index).padStart(40, '0')}`);
    const chain = chainAt(server.url);
    server.requests.length = 0;
    const balances = chain.balances('eth', addresses, { height: 7, hash: hashOf(7) });
    assert.deepEqual(
      [...(await balances).values()],
      addresses.map((_address, index) => BigInt((index % 50) + 1)),
    );
    assert.deepEqual(
      server.requests.map(({ calls }) => calls.length),
      [50, 10],
    );
  });

  test('is down if it leaves out a response of a batch', async () => {
    server.answer = ({ calls }, response) =>
      response.end(JSON.stringify(calls.slice(1).map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }))));
    const balances = chainAt(server.url).balances('eth', [OURS, TOKEN], { height: 7, hash: hashOf(7) });
    await assert.rejects(balances, isChainError('down', /did not respond to eth_getBalance/));
  });

  test('may lack EIP-1898: then it is called by number, and the block is checked before and after', async () => {
    // The message of Ganache 7.9.2.
    const error = { code: -32_700, message: 'Cannot wrap a "object" as a json-rpc type' };
    let hash = hashOf(7);
    server.requests.length = 0;
    server.answer = respondEach((call) => {
      const block = call.params[1];
      if (call.method === 'eth_getBlockByNumber') return { result: { ...header, hash, transactions } };
      if (call.method === 'eth_getBalance' || call.method === 'eth_call')
        return typeof block === 'object' ? { error } : { result: hashOf(Number(block)) };
      return { result: validResult(call) };
    });
    const chain = createEthereumChain({
      ...{ url: server.url, clock: systemClock() },
      network: createCustomNetwork('ethereum', { chainId: 1337 }),
    });
    opened.push(chain);
    const at = { height: 7, hash };
    for (let times = 0; times < 2; times += 1)
      assert.deepEqual([...(await chain.balances('eth', [OURS, TOKEN], at)).values()], [7n, 7n]);
    const methods = server.requests.map(({ calls }) => calls.map(({ method }) => method.slice('eth_get'.length)));
    const byNumber = [['BlockByNumber'], ['Balance', 'Balance'], ['BlockByNumber']];
    // Only the first read tries by hash, twice.
    assert.deepEqual(methods, [['Balance', 'Balance'], ...byNumber, ['Balance', 'Balance'], ...byNumber]);
    // Another block arrives between the calls.
    const { answer } = server;
    server.answer = async (request, response) => {
      await answer(request, response);
      if (request.calls.some(({ method }) => method === 'eth_getBalance')) hash = hashOf(70);
    };
    await assert.rejects(chain.balances('eth', [OURS], at), isChainError('behind', /does not have block 7 /));
    await assert.rejects(chain.balances('eth', [OURS], at), isChainError('behind', /does not have block 7 /));
  });

  test('may reject a block hash once because one of several nodes lags; hashes are used again', async () => {
    const error = { code: -32_000, message: 'header not found' };
    let refusals = 1;
    const blocks: unknown[] = [];
    server.answer = respondEach((call) => {
      if (call.method !== 'eth_getBalance') return { result: validResult(call) };
      blocks.push(call.params[1]);
      refusals -= 1;
      return refusals >= 0 ? { error } : { result: validResult(call) };
    });
    const chain = chainAt(server.url);
    const at = { height: 7, hash: hashOf(7) };
    for (let times = 0; times < 2; times += 1) await chain.balances('eth', [OURS], at);
    const byHash = { blockHash: hashOf(7), requireCanonical: true };
    assert.deepEqual(blocks, [byHash, '0x7', byHash, byHash]);
  });

  test('may no longer have a state, which differs from a failed call', async () => {
    const read = async () => await chainAt(server.url).balances('eth', [OURS], { height: 7, hash: hashOf(7) });
    for (const [message, isStateMissing] of [
      ['missing trie node 56e8 (path ) state 0x56e8 is not available, not found', true],
      ['historical state 56e8 is not available', true],
      ['No state available for block 0x7', true],
      ['World state unavailable', true],
      ['state at block #7 is pruned', true],
      ['header not found', false],
      ['Internal error', false],
      ['Your app has exceeded its compute units per second capacity', false],
      ['rate limit of archive requests', false],
    ] as const) {
      server.answer = respondEach((call) =>
        call.method === 'eth_getBalance' ? { error: { code: -32_000, message } } : { result: validResult(call) },
      );
      await assert.rejects(read(), { isStateMissing }, message);
    }
    server.answer = (_request, response) => response.writeHead(429).end();
    await assert.rejects(read(), { isStateMissing: false });
  });

  describe('whose logs report more tokens than were received', () => {
    const amountsOn = async (of = network) => {
      const chain = createEthereumChain({ url: server.url, network: of, clock: systemClock() });
      opened.push(chain);
      return (await chain.block(7, findOwnAddresses))?.deposits.flatMap(({ code, amount }) =>
        code === 'usdc' ? [amount] : [],
      );
    };
    /** Balances before and after the block, with these logs in it. */
    const between = (before: number, after: number, logs: readonly (typeof log)[] = [log]) => {
      server.answer = respondEach((call) => {
        const [first, state] = call.params as [{ data?: string }, { blockHash?: string }];
        if (call.method === 'eth_getLogs') return { result: logs };
        if (call.method === 'eth_getTransactionReceipt' && call.params[0] === log.transactionHash)
          return { result: { ...receiptOf(log.transactionHash), logs } };
        if (call.method === 'eth_call' && first.data !== DECIMALS)
          return { result: hashOf(state.blockHash === header.hash ? after : before) };
        return { result: validResult(call) };
      });
    };
    const ownTopic = log.topics[2] ?? '';
    const logOf = (amount: number) => ({ ...log, data: hashOf(amount) });
    const sent = (amount: number) => ({ ...logOf(amount), topics: [TRANSFER, ownTopic, hashOf(5)] });

    test('the received amount is credited', async () => {
      between(100, 4_950_100);
      assert.deepEqual(await amountsOn(), [4_950_000n]);
    });

    test('several deposits share it, and the shares add up', async () => {
      between(0, 100, [logOf(50), logOf(51), logOf(1)]);
      assert.deepEqual(await amountsOn(), [49n, 50n, 1n]);
    });

    test('nothing is credited if nothing was received, or the balance fell', async () => {
      for (const after of [100, 99]) {
        between(100, after);
        assert.deepEqual(await amountsOn(), []);
      }
    });

    test('tokens received without a log are not credited', async () => {
      between(0, 9_000_000);
      assert.deepEqual(await amountsOn(), [5_000_000n]);
    });

    test('tokens sent from the wallet in the same block are added', async () => {
      between(700, 10, [logOf(300), sent(990)]);
      assert.deepEqual(await amountsOn(), [300n]);
      between(700, 9, [logOf(300), sent(990)]);
      assert.deepEqual(await amountsOn(), [299n]);
    });

    test('a transfer to itself is not a deposit', async () => {
      between(700, 700, [{ ...log, topics: [TRANSFER, ownTopic, ownTopic] }]);
      assert.deepEqual(await amountsOn(), []);
    });

    test("without the block's state, only known tokens are credited by their logs", async () => {
      server.answer = respondEach((call) =>
        call.method === 'eth_call'
          ? { error: { code: -32_000, message: 'missing trie node' } }
          : { result: validResult(call) },
      );
      await assert.rejects(
        amountsOn(),
        isChainError('down', /tokens received in block 7 .*missing trie node.*archive node/),
      );
      assert.deepEqual(await amountsOn({ ...network, areTransferLogsNet: true }), [5_000_000n]);
    });
  });

  test('may return another block than requested, or parts of another', async () => {
    server.answer = respondValid;
    await assert.rejects(
      chainAt(server.url).block(8, findOwnAddresses),
      isChainError('down', /block 7 instead of block 8/),
    );
    server.answer = respondEach((call) => ({
      result: call.method === 'eth_getLogs' ? [{ ...log, blockHash: hashOf(8) }] : validResult(call),
    }));
    await assert.rejects(chainAt(server.url).block(7, findOwnAddresses), isChainError('down', /a different block/));
    server.answer = respondEach((call) => ({
      result: call.method === 'eth_getLogs' ? [{ ...log, data: hashOf(6_000_000) }] : validResult(call),
    }));
    await assert.rejects(
      chainAt(server.url).block(7, findOwnAddresses),
      isChainError('down', /missing in its transaction’s receipt/),
    );
    // Several nodes behind one URL, one of which does not have the block.
    server.answer = respondEach((call) => ({
      result: call.method === 'eth_getTransactionReceipt' ? null : validResult(call),
    }));
    await assert.rejects(chainAt(server.url).block(7, findOwnAddresses), isChainError('behind', /3 times/));
  });

  test('may return logs that are not payments; none becomes a deposit', async () => {
    const [topic, from, to = ''] = log.topics;
    for (const odd of [
      { address: OURS },
      { topics: [topic, from] },
      { topics: [topic, from, to, hashOf(5)] },
      { topics: [hashOf(1), from, to] },
      { topics: [topic, from, to.replace('0x00', '0x01')] },
      { topics: [] },
      { data: '0x' },
      { data: `${log.data}00` },
      { data: hashOf(0) },
      { removed: true },
    ]) {
      server.answer = respondEach((call) => ({
        result: call.method === 'eth_getLogs' ? [{ ...log, ...odd }] : validResult(call),
      }));
      const payments = (await chainAt(server.url).block(7, findOwnAddresses))?.deposits ?? [];
      assert.deepEqual(
        payments.map(({ code }) => code),
        ['eth'],
        JSON.stringify(odd),
      );
    }
  });

  test('throws only ChainError, whatever it returns', async () => {
    const chain = chainAt(server.url);
    /** Replaces one value somewhere in a valid response. */
    const corrupt = (value: unknown, path: number, other: unknown): unknown => {
      if (path % 3 === 0 || value === null || typeof value !== 'object') return other;
      const names = Object.keys(value);
      const name = names[path % names.length];
      if (name === undefined) return other;
      const inner = (value as Record<string, unknown>)[name];
      if (Array.isArray(value))
        return value.map((item, place) => (String(place) === name ? corrupt(item, path >> 2, other) : item));
      return { ...value, [name]: corrupt(inner, path >> 2, other) };
    };
    const arbitraryValue = fc.oneof(
      fc.jsonValue(),
      fc.bigInt(0n, 2n ** 300n).map((number) => `0x${number.toString(16)}`),
      fc.constantFrom('0x', '0x-1', '0xg', '1', -1, 2 ** 53, 'latest'),
    );
    let answered = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(chainCalls.length - 1), fc.nat(), arbitraryValue, async (which, path, other) => {
        server.answer = respondEach((call) => ({ result: corrupt(validResult(call), path, other) }));
        try {
          const result = await chainCalls[which]?.[1](chain);
          answered += 1;
          assertMakesSense(result);
        } catch (error) {
          if (!(error instanceof ChainError)) throw error;
          refused += 1;
        }
      }),
      { numRuns: 400 },
    );
    assert.ok(answered > 0 && refused > 0, `${answered} answered, ${refused} refused`);
  });
});

/** Checks a result: numbers have their type, and deposits are ours and more than 0. */
function assertMakesSense(result: unknown): void {
  if (typeof result === 'number') assert.ok(Number.isSafeInteger(result) && result >= 0, String(result));
  if (typeof result === 'bigint') assert.ok(result >= 0n && result < 2n ** 257n, String(result));
  assert.notEqual(result, undefined);
  if (result === null || typeof result !== 'object') return;
  if ('paymentKey' in result) {
    const { paymentKey, address, amount } = result as ChainDeposit;
    assert.match(paymentKey, /^0x[0-9a-f]{64}:(native|\d+:\d+)$/);
    assert.equal(address, OURS);
    assert.ok(amount > 0n);
  }
  for (const part of result instanceof Map ? result.values() : Object.values(result)) assertMakesSense(part);
}

describe('the URL of a node', () => {
  const secrets = ['aKeyInThePath0123', 'us%C3%A9r-name', 'usér-name', 'p@ssw0rd', 'p%40ssw0rd', 'queryKey99'];
  const [path, user, , , password, query] = secrets;

  test("is not part of any error, nor its secrets of the node's messages", async () => {
    const server = await openNodeServer(respondValid);
    const { host } = new URL(server.url);
    const url = `http://${user}:${password}@${host}/v3/${path}?key=${query}`;
    const chain = createEthereumChain({
      url,
      network,
      clock: systemClock(),
      limits: { timeoutMs: 2000, maxBytes: 4096 },
    });
    const echo = `no such key: ${url}, ${secrets.join(' ')}`;
    const failures: NodeServer['answer'][] = [
      (_request, response) => response.writeHead(403).end(echo),
      (_request, response) => response.writeHead(302, { location: url }).end(),
      (_request, response) => response.end(echo),
      (_request, response) => response.end(JSON.stringify({ [echo]: echo })),
      (_request, response) => response.destroy(),
      (_request, response) => response.end('x'.repeat(5000)),
      respondEach(() => ({ error: { code: -32_000, message: echo } })),
      respondEach(() => ({ result: echo })),
    ];
    const errors: unknown[] = [];
    for (const result of failures) {
      server.answer = result;
      for (const [, sendRequest] of chainCalls) await sendRequest(chain).catch((error: unknown) => errors.push(error));
      const sent = await chain.broadcast(raw).catch((error: unknown) => error);
      errors.push(sent);
    }
    await server.close();
    await chain.tip().catch((error: unknown) => errors.push(error));
    await chain.close();
    await chain.tip().catch((error: unknown) => errors.push(error));
    assert.equal(errors.length, failures.length * (chainCalls.length + 1) + 2);
    for (const error of errors) {
      const shown = inspect(error, { depth: 9, showHidden: true });
      for (const secret of secrets) assert.ok(!shown.includes(secret), shown);
    }
  });

  test('may contain a user name and a password, which are sent separately', async () => {
    const server = await openNodeServer(respondValid);
    const { host } = new URL(server.url);
    const url = `http://${user}:${password}@${host}/v3/${path}?key=${query}`;
    const chain = createEthereumChain({ url, network, clock: systemClock() });
    await chain.tip();
    await chain.close();
    await server.close();
    const [request] = server.requests;
    assert.equal(request?.path, `/v3/${path}?key=${query}`);
    assert.equal(
      request?.headers.authorization,
      `Basic ${Buffer.from('usér-name:p@ssw0rd', 'utf8').toString('base64')}`,
    );
    assert.equal(request?.headers['content-type'], 'application/json');
  });

  test('is rejected without being repeated if it is not HTTP', () => {
    for (const text of ['', 'localhost:8545', `ws://127.0.0.1/${path}`, `http://[${path}`, `//${path}`])
      assert.throws(
        () => createEthereumChain({ url: text, network, clock: systemClock() }),
        (error: Error) => !inspect(error, { showHidden: true }).includes(path ?? '') && /node/.test(error.message),
      );
  });

  test('is displayed as scheme, host and port', () => {
    assert.equal(parseNodeUrl('https://user:word@mainnet.example/rpc').href, 'https://mainnet.example/rpc');
    assert.equal(
      parseNodeUrl('https://mainnet.example:8545/v3/0123456789abcdef').displayUrl,
      'https://mainnet.example:8545',
    );
    assert.equal(parseNodeUrl('http://%:%25%@127.0.0.1/').authorization, `Basic ${btoa('%:%25%')}`);
  });
});
