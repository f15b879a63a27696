/*
 * Measures reading a Bitcoin node's mempool and blocks: the maximum CPU time between two event loop turns and the CPU
 * time of one read, with each response parsed as a whole (`JSON.parse` and a schema) and as the service parses it. The
 * node runs in its own process. Fails if the service blocks the loop for over 20 ms.
 *
 *   npm run bench:mempool [-- NAMES...]       50,000, 150,000 and 300,000 by default; blocks always
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BTCArray, RawOldTx, RawTx } from '@scure/btc-signer/script.js';
import { z } from 'zod';
import { createBitcoinChain } from '../../src/chains/bitcoin/chain.ts';
import { createScriptToAddress } from '../../src/chains/bitcoin/script-address.ts';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import type { Chain } from '../../src/chains/port.ts';
import { buildBlock, buildTransaction, openMempoolNode } from '../support/mempool-node.ts';
import { at, median, print } from './support/figures.ts';

const POLLS = 9;
/** Polls to warm up the compiler. */
const WARM_UP = 3;
const MAX_STEP_MS = 20;

type Shape = Parameters<typeof buildBlock>[0];
/** Full blocks: four million units of weight each. */
const shapes: readonly (readonly [string, Shape])[] = [
  ['5,300 transactions, two outputs', { transactions: 5300, witness: 300, outputs: 2 }],
  ['32,000 outputs', { transactions: 320, witness: 1, outputs: 100 }],
  ['one transaction, all witness', { transactions: 1, witness: 3_990_000, outputs: 1 }],
];

async function serve(): Promise<void> {
  const node = await openMempoolNode();
  process.on('message', (requested: number | Shape) => {
    if (typeof requested !== 'number') {
      const { hash, raw } = buildBlock(requested);
      node.block = { hash, raw: raw.toString('hex') };
      process.send?.(raw.length);
      return;
    }
    const names = requested;
    for (let seed = node.transactions.size; seed < names; seed += 1) {
      const { txid, raw } = buildTransaction(seed);
      node.transactions.set(txid, raw);
    }
    process.send?.('filled');
  });
  process.on('disconnect', () => process.exit());
  process.send?.(node.url);
}

async function measure(given: readonly number[]): Promise<void> {
  const sizes = given.length > 0 ? given : [50_000, 150_000, 300_000];
  const child = fork(fileURLToPath(import.meta.url));
  const [url] = (await once(child, 'message')) as [string];
  let time = 0;
  // Each poll reads the list, because the last one has expired.
  const now = () => (time += 60_000);
  const chain = createBitcoinChain({ url, network: bitcoinChain.networks.regtest, now });
  let isOver = false;
  print(`Node ${process.version}; ${POLLS} polls each; step: most CPU time between two turns of the event loop\n`);
  print('   names |  step before    after  ratio | CPU per poll before    after  ratio');
  for (const names of sizes) {
    child.send(names);
    await once(child, 'message');
    const before = await costOf(wholeReader(url));
    // Each transaction is parsed once, on the first poll.
    await chain.unconfirmedDeposits(nobody);
    const after = await costOf(async () => await chain.unconfirmedDeposits(nobody));
    print(
      `${String(names).padStart(8)} | ${ms(before.step)} ${ms(after.step)} ${ratio(before.step, after.step)} | ${ms(before.cpu).padStart(19)} ${ms(after.cpu)} ${ratio(before.cpu, after.cpu)}`,
    );
    isOver ||= after.step > MAX_STEP_MS;
  }
  isOver = (await measureBlocks(child, url, chain)) || isOver;
  await chain.close();
  child.disconnect();
  if (isOver) {
    print(`\nA step blocked the loop for over ${MAX_STEP_MS} ms.`);
    process.exitCode = 1;
  }
}

/** Returns true if a step took too long. */
async function measureBlocks(child: ChildProcess, url: string, chain: Chain): Promise<boolean> {
  let isOver = false;
  print(
    '\n                                     block |  step before    after  ratio | CPU per block before    after  ratio',
  );
  for (const [name, shape] of shapes) {
    child.send(shape);
    const [bytes] = (await once(child, 'message')) as [number];
    const before = await costOf(wholeBlockReader(url));
    const after = await costOf(async () => await chain.block(1, nobody));
    const words = `${(bytes / 1e6).toFixed(1)} MB, ${name}`;
    print(
      `${words.padStart(42)} | ${ms(before.step)} ${ms(after.step)} ${ratio(before.step, after.step)} | ${ms(before.cpu).padStart(20)} ${ms(after.cpu)} ${ratio(before.cpu, after.cpu)}`,
    );
    isOver ||= after.step > MAX_STEP_MS;
  }
  return isOver;
}

/** Parses the block as one document. */
function wholeBlockReader(url: string): () => Promise<void> {
  const form = z.object({ result: z.string() });
  const transactions = BTCArray(RawTx);
  const addressOf = createScriptToAddress(bitcoinChain.networks.regtest);
  const hash = (bytes: Uint8Array) => createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
  return async () => {
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'getblock', params: [] }),
    });
    const raw = Buffer.from(form.parse(JSON.parse(await response.text())).result, 'hex');
    const decoded = transactions.decode(raw.subarray(80));
    let level = decoded.map((transaction) => hash(RawOldTx.encode(transaction)));
    while (level.length > 1)
      level = Array.from({ length: Math.ceil(level.length / 2) }, (_, place) =>
        hash(Buffer.concat([at(level, 2 * place), level[2 * place + 1] ?? at(level, 2 * place)])),
      );
    for (const { outputs } of decoded) for (const { script } of outputs) addressOf(script);
  };
}

async function nobody(): Promise<ReadonlySet<string>> {
  return await Promise.resolve(new Set<string>());
}

/** Parses the list as one document. */
function wholeReader(url: string): () => Promise<void> {
  const form = z.object({ result: z.array(z.string().regex(/^[0-9a-f]{64}$/)) });
  let known = new Map<string, true>();
  return async () => {
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'getrawmempool', params: [] }),
    });
    const names = new Set(form.parse(JSON.parse(await response.text())).result);
    const next = new Map<string, true>();
    for (const name of names) next.set(name, known.get(name) ?? true);
    known = next;
  };
}

async function costOf(poll: () => Promise<unknown>): Promise<{ step: number; cpu: number }> {
  for (let round = 0; round < WARM_UP; round += 1) await poll();
  const cpus: number[] = [];
  const steps: number[] = [];
  for (let round = 0; round < POLLS; round += 1) {
    const start = process.cpuUsage();
    await poll();
    cpus.push(since(start));
    steps.push(await longestStepOf(poll));
  }
  return { step: median(steps), cpu: median(cpus) };
}

/** CPU time between two event loop turns, excluding other programs. */
async function longestStepOf(poll: () => Promise<unknown>): Promise<number> {
  let [longest, isOver, last] = [0, false, process.cpuUsage()];
  const turn = () => {
    longest = Math.max(longest, since(last));
    last = process.cpuUsage();
    if (!isOver) setImmediate(turn);
  };
  turn();
  await poll();
  isOver = true;
  await new Promise(setImmediate);
  return longest;
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function ms(value: number): string {
  return `${value.toFixed(0).padStart(9)} ms`.slice(-8);
}

function ratio(before: number, after: number): string {
  return `${(before / after).toFixed(1)}x`.padStart(6);
}

if (process.send) await serve();
else await measure(process.argv.slice(2).map(Number));
