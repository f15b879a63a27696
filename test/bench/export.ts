/*
 * Measures exports: copies a transaction many times, exports by the API (plain and compressed) and the command line,
 * and samples memory. Fails if a limit is exceeded or a row is missing.
 *
 *   npm run bench:export [-- ROWS]       with TEST_POSTGRES_URL on PostgreSQL, else on SQLite
 */
import { db } from '../support/tables.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { sql } from 'kysely';
import { openDatabase } from '../../src/database/open.ts';
import { packageRoot } from '../../src/system/root.ts';
import { createTestDatabase, testEngine } from '../support/databases.ts';
import { copyTransaction } from '../support/many-transactions.ts';
import { freePort } from '../support/ports.ts';
import { runCommand, startProgram } from '../support/program.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
/** Above the memory of the process at its start. */
const MOST_GROWTH_MB = 200;
/** Memory of a command at its start. */
const USUAL_MB = 130;

const database = await createTestDatabase();
const port = await freePort();
const settings = { PORT: String(port), DATABASE_URL: database.url, DEMO_SHOP: 'off', LOG_LEVEL: 'warn' };
const merchant = String((await runCommand(['merchant', 'create', '--name', 'Kettle & Co'], settings)).merchant_id);
const of = ['--merchant', merchant];
await runCommand(['merchant', 'method', ...of, '--method', 'credit_card', '--currency', 'USD'], settings);
const token = String((await runCommand(['token', 'create', ...of], settings)).access_token);
await runCommand(
  ['link', 'create', ...of, '--amount', '12.50', '--description', 'Two cups, a saucer and "more"'],
  settings,
);

const filling = openDatabase(database.url, (error) => print(error.message));
await copyTransaction(filling, 1, ROWS - 1);
// Updates PostgreSQL's statistics, as in a database in use.
await sql`analyze`.execute(db(filling));
await filling.close();
print(`${ROWS} transactions, ${testEngine}, Node ${process.version}\n`);

const program = await startProgram(settings);
try {
  const server = await serverFigures();
  const idle = server.rss;
  row('service, just started', mb(idle));
  for (const encoding of ['identity', 'gzip'])
    row(`by the API, ${encoding}`, await watched(server.pid, idle, async () => await download(encoding)));
  row('by the command line', await byCommandLine());
} finally {
  await program.kill();
  await database.drop();
}

interface Taken {
  rows: number;
  bytes: number;
}

async function download(encoding: string): Promise<Taken> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding };
  const [response] = (await once(
    http.get(`${program.origin}/fiat/v1/transactions/export`, { headers }),
    'response',
  )) as [http.IncomingMessage];
  const counted = { bytes: 0 };
  const wire = response.pipe(byteCounter(counted));
  const rows = await countLines(encoding === 'gzip' ? wire.pipe(createGunzip()) : wire);
  return { rows, bytes: counted.bytes };
}

async function byCommandLine(): Promise<string> {
  const args = [join(packageRoot(), 'scripts', 'paylatch.mjs'), 'export', ...of];
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout || child.pid === undefined) throw new Error('The command did not start');
  const { stdout, pid } = child;
  const counted = { bytes: 0 };
  const rows = async () => await countLines(stdout.pipe(byteCounter(counted)));
  return await watched(pid, USUAL_MB * 1024 * 1024, async () => ({ rows: await rows(), ...counted }));
}

/** Runs an action while sampling a process's memory ten times a second. */
async function watched(pid: number, idle: number, run: () => Promise<Taken>): Promise<string> {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, residentOf(pid))), 100);
  const startedMs = performance.now();
  const { rows, bytes } = await run();
  const seconds = (performance.now() - startedMs) / 1000;
  clearInterval(timer);
  if (rows !== ROWS) throw new Error(`${rows} of ${ROWS} rows were received`);
  if (most - idle > MOST_GROWTH_MB * 1024 * 1024) process.exitCode = 1;
  return `${seconds.toFixed(1)} s, ${mb(bytes)}, at most ${mb(most)} resident`;
}

function byteCounter(counted: { bytes: number }): Transform {
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      counted.bytes += piece.length;
      done(null, piece);
    },
  });
}

async function countLines(source: AsyncIterable<unknown>): Promise<number> {
  let lines = -1;
  for await (const piece of source) {
    const text = piece as Buffer;
    for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) lines += 1;
  }
  return lines;
}

async function serverFigures(): Promise<{ pid: number; rss: number }> {
  const text = await (await fetch(`${program.origin}/metrics`)).text();
  const rss = Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]);
  return { pid: program.pid, rss };
}

/** Linux only. */
function residentOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function mb(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}

function row(name: string, value: string): void {
  print(`${name.padEnd(26)} ${value}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
