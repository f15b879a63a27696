/*
 * Measures chain synchronization: the program scans blocks of a node that responds immediately, first with few wallets
 * and then with very many, of which some are paid. Prints blocks per second, their ratio, and peak memory. Fails if
 * memory exceeds its limit or a payment is missed. Linux only: it reads /proc.
 *
 *   npm run bench:chains [-- BLOCKS WALLETS]       with TEST_POSTGRES_URL on PostgreSQL, else on SQLite
 */
import { db } from '../support/tables.ts';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { bech32 } from '@scure/base';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createTestDatabase, testEngine } from '../support/databases.ts';
import { freePort } from '../support/ports.ts';
import { runCommand, startProgram, type Program } from '../support/program.ts';
import { FastNode, type WitnessProgram } from './support/fast-node.ts';
import { print, report } from './support/figures.ts';

const BLOCKS = Number(process.argv[2] ?? 10_000);
const WALLETS = Number(process.argv[3] ?? 100_000);
/** Paid wallets, and the initial number of wallets. */
const PAID = 100;
const TRANSACTIONS = 100;
const WARM_UP = 500;
const FEW_BLOCKS = Math.min(BLOCKS, 3000);
/** Above the memory of the warmed-up process. */
const MOST_GROWTH_MB = 200;
const ROWS_AT_ONCE = 500;
const POLL_MS = 50;

const node = new FastNode();
const { publicKey } = await deriveAccount(new Uint8Array(64).fill(7), 'bitcoin', { isTest: true });
const database = await createTestDatabase();
const settings = {
  PORT: String(await freePort()),
  DATABASE_URL: database.url,
  DEMO_SHOP: 'off',
  LOG_LEVEL: 'warn',
  LIMIT_TOKEN_PER_SECOND: '0',
  CHAIN_BTC_URL: await node.listen(),
  CHAIN_BTC_NETWORK: 'regtest',
  CHAIN_BTC_ACCOUNT_KEY: publicKey,
};
const merchant = String((await runCommand(['merchant', 'create', '--name', 'Kettle & Co'], settings)).merchant_id);
const token = String((await runCommand(['token', 'create', '--merchant', merchant], settings)).access_token);
const tables = openDatabase(database.url, (error) => print(error.message));
const program = await startProgram(settings);
try {
  await reached(program, 0);
  const paid: WitnessProgram[] = [];
  for (let index = 0; index < PAID; index += 1) paid.push(await makeInvoice(program, `user-${index}`));
  print(
    `${testEngine}, blocks of ${TRANSACTIONS} transactions with ${2 * TRANSACTIONS} outputs, Node ${process.version}\n`,
  );
  await catchUp(WARM_UP, paid);
  const idle = residentOf(program.pid);
  const few = await catchUp(FEW_BLOCKS, paid);
  print(row(`${PAID} wallets, ${FEW_BLOCKS} blocks`, few));
  await issueMany(WALLETS - PAID);
  const many = await catchUp(BLOCKS, paid);
  print(row(`${WALLETS} wallets, ${BLOCKS} blocks`, many));
  print(`\nwith ${WALLETS} wallets ${(many.rate / few.rate).toFixed(2)} of what it is with ${PAID}`);
  report({ measure: `blocks per second with ${WALLETS} wallets`, engine: testEngine, value: many.rate, unit: '' });
  report({
    ...{ measure: `the same, relative to ${PAID} wallets`, engine: testEngine },
    ...{ value: many.rate / few.rate, unit: '', target: { min: 0.9 } },
  });
  const blocks = WARM_UP + FEW_BLOCKS + BLOCKS;
  const seen = await db(tables)
    .selectFrom('deposits')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  print(`${seen.count} payments seen of ${Math.floor(blocks / 10)}`);
  if (seen.count !== Math.floor(blocks / 10)) process.exitCode = 1;
  const growth = Math.max(few.most, many.most) - idle;
  print(`at most ${mb(growth)} more than after the warm-up (${mb(idle)})`);
  if (growth > MOST_GROWTH_MB * 1024 * 1024) process.exitCode = 1;
} finally {
  await program.kill();
  node.close();
  await tables.close();
  await database.drop();
}

interface CaughtUp {
  /** Blocks a second. */
  rate: number;
  /** Peak resident memory in bytes. */
  most: number;
}

/** Creates blocks and lets the program scan them. */
async function catchUp(blocks: number, paid: readonly WitnessProgram[]): Promise<CaughtUp> {
  node.create(blocks, TRANSACTIONS, paid);
  let most = 0;
  const height = node.publish();
  const startedMs = performance.now();
  await reached(program, height, () => (most = Math.max(most, residentOf(program.pid))));
  return { rate: blocks / ((performance.now() - startedMs) / 1000), most };
}

/** Waits until the program has scanned a height. */
async function reached({ origin }: Program, height: number, look = () => {}): Promise<void> {
  for (;;) {
    look();
    // A new connection: a keep-alive one may be closing.
    const response = await fetch(`${origin}/readyz`, { headers: { connection: 'close' } });
    const { chains } = (await response.json()) as { chains?: { bitcoin?: { height?: number } } };
    if (chains?.bitcoin?.height === height) return;
    await pause(POLL_MS);
  }
}

/** A static invoice that accepts any number of payments; returns its address. */
async function makeInvoice({ origin }: Program, txId: string): Promise<WitnessProgram> {
  const response = await fetch(`${origin}/v1/transaction/invoice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ txId, code: 'btc', amount: '10000', type: 'user' }),
  });
  const { walletAddress } = (await response.json()) as { walletAddress: `bcrt1${string}` };
  return bech32.fromWords(bech32.decode(walletAddress).words.slice(1));
}

/** Additional wallets, as many as years of invoices create. */
async function issueMany(count: number): Promise<void> {
  const [first] = await db(tables).selectFrom('wallets').selectAll().limit(1).execute();
  if (!first) throw new Error('There is no wallet');
  const { id: _id, ...like } = first;
  for (let made = 0; made < count; made += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, count - made) }, (_, index) => {
      const program = crypto.getRandomValues(new Uint8Array(20));
      const address = bech32.encode('bcrt', [0, ...bech32.toWords(program)]);
      return { ...like, address, derivation_index: 1_000_000 + made + index, balance: '0' };
    });
    await tables.inTransaction(async (unit) => await db(unit).insertInto('wallets').values(rows).execute());
  }
}

function residentOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

function row(what: string, { rate, most }: CaughtUp): string {
  return `  ${what.padEnd(32)} ${rate.toFixed(0).padStart(6)} blocks a second   ${mb(most).padStart(8)} resident at most`;
}

function mb(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}
