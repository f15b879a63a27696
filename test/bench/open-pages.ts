/*
 * Measures open pages: starts the program, creates a payment and a live-update stream for each page, and pays some
 * of them. Fails if the process exceeds its memory limit.
 *
 *   npm run bench:pages [-- PAGES]       with TEST_POSTGRES_URL on PostgreSQL, else on SQLite
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { packageRoot } from '../../src/system/root.ts';
import { createTestDatabase, testEngine } from '../support/databases.ts';
import { freePort } from '../support/ports.ts';
import { runCommand, startProgram } from '../support/program.ts';
import { creation, submission } from '../support/requests.ts';
import { report } from './support/figures.ts';
import { inParallel } from './support/parallel.ts';

const PAGES = Number(process.argv[2] ?? 5000);
const MOST_MEMORY_MB = 512;
/** Descriptors other than streams: listening sockets, the database, requests. */
const OTHER_FILES = 200;
const PAYMENTS = 20;
const AT_ONCE = 16;

/** Node.js raises its open files to the hard limit; every stream uses one in each process. */
const files = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();
if (files !== 'unlimited' && Number(files) < PAGES + OTHER_FILES) {
  print(`Too few open files are allowed: ${files} for ${PAGES} streams. Raise it: ulimit -n ${PAGES + OTHER_FILES}`);
  process.exit(1);
}

/** The process's memory settings in production. */
const unit = readFileSync(join(packageRoot(), 'deploy', 'paylatch.service'), 'utf8');
const nodeOptions = unit.match(/(?<=^ExecStart=.* )--\S+/gm) ?? [];
const environment = Object.fromEntries(
  [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
);

const database = await createTestDatabase();
const port = await freePort();
const settings = {
  ...environment,
  PORT: String(port),
  DATABASE_URL: database.url,
  DEMO_SHOP: 'off',
  LOG_LEVEL: 'warn',
  MAX_OPEN_STREAMS: String(PAGES),
  MAX_STREAMS_PER_ADDRESS: '0',
  LIMIT_PAGE_PER_MINUTE: '0',
};
const merchant = String((await runCommand(['merchant', 'create', '--name', 'Kettle & Co'], settings)).merchant_id);
const method = ['--method', 'credit_card', '--currency', 'USD'];
await runCommand(['merchant', 'method', '--merchant', merchant, ...method], settings);
const token = String((await runCommand(['token', 'create', '--merchant', merchant], settings)).access_token);
const program = await startProgram(settings, undefined, nodeOptions);

try {
  print(`${PAGES} open pages, ${testEngine}, Node ${process.version}\n`);
  const idle = await figures();
  const payments = await inParallel(PAGES, AT_ONCE, makePayment);
  const before = await figures();

  const openedAt = performance.now();
  const pages = await inParallel(PAGES, AT_ONCE, async (index) => await openPage(at(payments, index).path));
  const openingMs = performance.now() - openedAt;
  const after = await figures();

  await Promise.all(pages.map((page) => page.seen('beat')));
  const held = await figures();

  const afterSubmitMs: number[] = [];
  const afterResponseMs: number[] = [];
  for (let index = 0; index < PAYMENTS; index += 1) {
    const chosen = Math.floor((index * PAGES) / PAYMENTS);
    const update = at(pages, chosen).seen('"phase":"paid"');
    const submittedAt = performance.now();
    const submitted = await post('/fiat/v1/transaction/submit', submission(at(payments, chosen).reference));
    if ((submitted as { response_type: string }).response_type !== 'confirmed')
      throw new Error('A card was not approved');
    const respondedAt = performance.now();
    afterSubmitMs.push((await update) - submittedAt);
    afterResponseMs.push((await update) - respondedAt);
  }
  const end = await figures();

  row('resident, just started', mb(idle.memory));
  row('resident, payments created', mb(before.memory));
  row('resident, streams open', mb(after.memory));
  row('resident, after a heartbeat each', mb(held.memory));
  row('resident, at the end', mb(end.memory));
  row('for each stream (to the most)', `${((most(after, held) - before.memory) / PAGES / 1024).toFixed(1)} KiB`);
  row('for each stream, from the start', `${((most(after, held) - idle.memory) / PAGES / 1024).toFixed(1)} KiB`);
  row('streams opened a second', (PAGES / (openingMs / 1000)).toFixed(0));
  row('CPU when idle', `${((100 * (held.cpu - after.cpu)) / (held.at - after.at)).toFixed(1)}%`);
  row('update after the submission, median', `${median(afterSubmitMs).toFixed(1)} ms`);
  row('update after the submission, latest', `${Math.max(...afterSubmitMs).toFixed(1)} ms`);
  row('update after the response, median', `${median(afterResponseMs).toFixed(1)} ms`);

  const peak = most(idle, before, after, held, end);
  report({
    ...{ measure: `memory with ${PAGES} open payment pages`, engine: testEngine },
    ...{ value: after.memory / 1024 / 1024, unit: 'MB', target: { max: 220 } },
  });
  const isWithin = peak <= MOST_MEMORY_MB * 1024 * 1024;
  print(`\n${mb(peak)} of ${MOST_MEMORY_MB} MB allowed: ${isWithin ? 'within' : 'OVER'} the limit`);
  if (!isWithin) process.exitCode = 1;
  for (const page of pages) page.close();
} finally {
  await program.kill();
  await database.drop();
}

interface Figures {
  memory: number;
  cpu: number;
  /** In seconds. */
  at: number;
}

async function figures(): Promise<Figures> {
  const text = await (await fetch(`${program.origin}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  const memory = read('process_resident_memory_bytes');
  if (Number.isNaN(memory)) throw new Error('Cannot read the memory of the process: this needs Linux');
  return { memory, cpu: read('process_cpu_seconds_total'), at: performance.now() / 1000 };
}

async function post(path: string, body: object): Promise<unknown> {
  const response = await fetch(program.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${path} submitted ${response.status}: ${await response.text()}`);
  return await response.json();
}

async function makePayment() {
  const body = creation();
  const { value } = (await post('/fiat/v1/transaction', body)) as { value: { link: string } };
  return { reference: body.transaction_id, path: new URL(value.link).pathname };
}

interface OpenPage {
  /** Resolves with the time when the text arrives. */
  seen(text: string): Promise<number>;
  close(): void;
}

/** Resolves when the page has received its first state. */
async function openPage(path: string): Promise<OpenPage> {
  const waiting = new Map<string, (at: number) => void>();
  const seen = async (text: string) => await new Promise<number>((resolve) => waiting.set(text, resolve));
  const first = seen('event: state');
  const request = http.get(`${program.origin}${path}/events`, { agent: false }, (response) => {
    if (response.statusCode !== 200) throw new Error(`A stream was refused: ${response.statusCode}`);
    response.setEncoding('utf8').on('data', (piece: string) => {
      for (const [text, resolve] of waiting) {
        if (!piece.includes(text)) continue;
        waiting.delete(text);
        resolve(performance.now());
      }
    });
    response.on('error', () => {});
  });
  request.on('error', () => {});
  await first;
  return { seen, close: () => request.destroy() };
}

function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new RangeError(`No row at ${index}`);
  return item;
}

function median(values: readonly number[]): number {
  return at(
    values.toSorted((a, b) => a - b),
    values.length >> 1,
  );
}

function most(...measured: Figures[]): number {
  return Math.max(...measured.map(({ memory }) => memory));
}

function mb(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}

function row(name: string, value: string) {
  print(`  ${name.padEnd(36)}${value.padStart(12)}`);
}

function print(line: string) {
  process.stdout.write(`${line}\n`);
}
