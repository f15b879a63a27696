/*
 * What reading a node's mempool costs the process: the most CPU time between two turns of the event loop
 * and the CPU of one poll, with the list read as a whole (`JSON.parse`, a schema, a new map for each poll) and as the service
 * reads it. The node is a process of its own. Fails when a step of the service blocks the loop for over 20 ms.
 *
 *   npm run bench:mempool [-- NAMES...]       50,000, 150,000 and 300,000 unless given
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { createBitcoinChain } from '../../src/chains/bitcoin/chain.ts';
import { bitcoinNetworks } from '../../src/chains/bitcoin/parameters.ts';
import { madeTransaction, openMempoolNode } from '../support/mempool-node.ts';
import { median, tell } from './support/figures.ts';

const POLLS = 9;
/** Polls after which the compiler knows the code. */
const WARM_UP = 3;
const LONGEST_STEP_MS = 20;

async function serve(): Promise<void> {
  const node = await openMempoolNode();
  process.on('message', (names: number) => {
    for (let seed = node.transactions.size; seed < names; seed += 1) {
      const { txid, raw } = madeTransaction(seed);
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
  // Each poll reads the list: the time for which the last one holds is over.
  const now = () => (time += 60_000);
  const chain = createBitcoinChain({ url, network: bitcoinNetworks.regtest, now });
  let isOver = false;
  tell(`Node ${process.version}; ${POLLS} polls each; step: most CPU time between two turns of the event loop\n`);
  tell('   names |  step before    after  ratio | CPU per poll before    after  ratio');
  for (const names of sizes) {
    child.send(names);
    await once(child, 'message');
    const before = await costOf(wholeReader(url));
    // Each transaction is looked into once, at first.
    await chain.waiting(nobody);
    const after = await costOf(async () => await chain.waiting(nobody));
    tell(
      `${String(names).padStart(8)} | ${ms(before.step)} ${ms(after.step)} ${ratio(before.step, after.step)} | ${ms(before.cpu).padStart(19)} ${ms(after.cpu)} ${ratio(before.cpu, after.cpu)}`,
    );
    isOver ||= after.step > LONGEST_STEP_MS;
  }
  await chain.close();
  child.disconnect();
  if (isOver) {
    tell(`\nA step blocked the loop for over ${LONGEST_STEP_MS} ms.`);
    process.exitCode = 1;
  }
}

async function nobody(): Promise<ReadonlySet<string>> {
  return await Promise.resolve(new Set<string>());
}

/** Reads the list at once, as one document. */
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

/** CPU time between two turns of the loop: other programs on the machine do not count. */
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
