/*
 * Measures the merchant API on SQLite and PostgreSQL, each result compared with its lower bound: requests to an empty
 * handler on the same HTTP stack, and plain durable inserts. Prints ratios without assertions; docs/performance.md
 * lists the results.
 *
 *   npm run bench:api [-- ROWS]      rows of the long list, a million by default
 */
import { db } from '../support/tables.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, mkdtempSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import pg from 'pg';
import { Pool } from 'undici';
import { startPostgres } from '../../scripts/postgres.mjs';
import { openDatabase } from '../../src/database/open.ts';
import { packageRoot } from '../../src/system/root.ts';
import { createTestDatabase, testEngine } from '../support/databases.ts';
import { freePort } from '../support/ports.ts';
import { type Program, runCommand, startProgram } from '../support/program.ts';
import { creation, submission } from '../support/requests.ts';
import { median, percentile, print, report } from './support/figures.ts';
import { inParallel } from './support/parallel.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const FEW_ROWS = 1000;
const CONNECTIONS = 32;
const REQUESTS = 20_000;
const SUBMISSIONS = 2000;
const READS = 4000;
const LIST_READS = 300;
const STARTS = 5;
const STREAMS = 500;
const DEEP_PAGE = 10_000;

if (process.env.BENCH_ENGINE === undefined) {
  print(`Node ${process.version}, ${CONNECTIONS} connections\n`);
  await again('sqlite', {});
  const postgres = await startPostgres();
  try {
    await again('postgres', { TEST_POSTGRES_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
} else await measure();

/** The same program for one engine. */
async function again(engine: string, env: Record<string, string>): Promise<void> {
  const { TEST_POSTGRES_URL: _other, ...rest } = process.env;
  const args = [...process.execArgv, import.meta.filename, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { env: { ...rest, ...env, BENCH_ENGINE: engine }, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${engine} ended with ${code}`);
}

async function measure(): Promise<void> {
  print(testEngine === 'sqlite' ? 'SQLite' : 'PostgreSQL');
  const requestFloor = await baselineOfRequests();
  const insertFloor = await baselineOfInserts();
  row('bare requests', `${rate(requestFloor.perSecond)}, ${latency(requestFloor.ms)}`);
  row('bare durable inserts', `${rate(insertFloor.perSecond)}, ${latency(insertFloor.ms)}`);
  const baseline = Math.min(requestFloor.perSecond, insertFloor.perSecond);

  const database = await createTestDatabase();
  const settings = {
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    DEMO_SHOP: 'off',
    LOG_LEVEL: 'warn',
    LIMIT_TOKEN_PER_SECOND: '0',
    LIMIT_CARD_PER_HOUR: '0',
    MAX_STREAMS_PER_ADDRESS: '0',
    MAX_STREAMS_PER_LINK: '0',
  };
  const merchant = String((await runCommand(['merchant', 'create', '--name', 'Kettle & Co'], settings)).merchant_id);
  const of = ['--merchant', merchant];
  await runCommand(['merchant', 'method', ...of, '--method', 'credit_card', '--currency', 'USD'], settings);
  const token = String((await runCommand(['token', 'create', ...of], settings)).access_token);

  const starts: number[] = [];
  for (let index = 0; index < STARTS; index += 1) {
    const startedAt = performance.now();
    const started = await startProgram(settings);
    starts.push(performance.now() - startedAt);
    await started.kill();
  }
  row('start to ready', `${median(starts).toFixed(0)} ms (median of ${STARTS})`);

  let program = await startProgram(settings);
  try {
    const links = Array.from({ length: REQUESTS }, () => creation());
    await load(program, token, links.slice(0, 2000).map(create));
    const created = await load(program, token, links.slice(2000).map(create));
    row(
      'links created',
      `${rate(created.perSecond)}, ${latency(created.ms)}; ${(created.perSecond / baseline).toFixed(2)} of the slower baseline`,
    );
    const engine = testEngine;
    report({
      ...{
        measure: 'links created, relative to the slower baseline',
        engine,
        value: created.perSecond / baseline,
        unit: '',
      },
      target: { min: engine === 'sqlite' ? 0.6 : 0.5 },
    });
    const references = links.map(({ transaction_id }) => transaction_id);
    const submissions = references.slice(0, SUBMISSIONS).map((reference) => ({
      method: 'POST' as const,
      path: '/fiat/v1/transaction/submit',
      body: submission(reference),
    }));
    const submitted = await load(program, token, submissions);
    report({ measure: 'approved cards per second', engine, value: submitted.perSecond, unit: '' });
    report({
      ...{
        measure: 'approved cards, relative to bare requests',
        engine,
        value: submitted.perSecond / requestFloor.perSecond,
        unit: '',
      },
      target: { min: engine === 'sqlite' ? 0.08 : 0.03 },
    });
    row('cards submitted', `${rate(submitted.perSecond)}, ${latency(submitted.ms)}; ${share(submitted, requestFloor)}`);
    const details = references.slice(0, READS).map((reference) => ({
      method: 'GET' as const,
      path: `/fiat/v1/transaction?transaction_id=${reference}`,
    }));
    const read = await load(program, token, details);
    row('details read', `${rate(read.perSecond)}, ${latency(read.ms)}; ${share(read, requestFloor)}`);
    row('live update of a payment', await fanOut(program, token));
  } finally {
    await program.kill();
  }

  await keepRows(database.url, FEW_ROWS);
  program = await startProgram(settings);
  const few = await readLists(program, token);
  await program.kill();
  await copyRows(database.url, ROWS - FEW_ROWS);
  program = await startProgram(settings);
  const many = await readLists(program, token);
  await program.kill();
  row(`list, first page, ${FEW_ROWS} rows`, `${few.first.toFixed(2)} ms`);
  row(`list, first page, ${ROWS} rows`, `${many.first.toFixed(2)} ms; ${(many.first / few.first).toFixed(2)} of few`);
  row(`list, last page by cursor, ${FEW_ROWS} rows`, `${few.deep.toFixed(2)} ms`);
  row(
    `list, page ${DEEP_PAGE} by cursor, ${ROWS} rows`,
    `${many.deep.toFixed(2)} ms; ${(many.deep / few.deep).toFixed(2)} of few`,
  );
  print('');
  await database.drop();
}

interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

interface Measured {
  perSecond: number;
  /** Of each request. */
  ms: number[];
}

function create(body: object): Request {
  return { method: 'POST', path: '/fiat/v1/transaction', body };
}

async function load(program: { origin: string }, token: string, requests: readonly Request[]): Promise<Measured> {
  const pool = new Pool(program.origin, { connections: CONNECTIONS, pipelining: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const startedAt = performance.now();
  const ms = await inParallel(requests.length, CONNECTIONS, async (index) => {
    const { method, path, body } = requests[index] ?? { method: 'GET', path: '/' };
    const sentAt = performance.now();
    const response = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`${path} returned ${response.statusCode}: ${text}`);
    return performance.now() - sentAt;
  });
  const perSecond = requests.length / ((performance.now() - startedAt) / 1000);
  await pool.close();
  return { perSecond, ms };
}

async function baselineOfRequests(): Promise<Measured> {
  const args = [join(packageRoot(), 'test', 'bench', 'baseline-server.ts')];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const origin = `http://127.0.0.1:${line.toString().trim()}`;
    const request = { method: 'POST' as const, path: '/', body: creation() };
    await load(
      { origin },
      'none',
      Array.from({ length: 2000 }, () => request),
    );
    return await load(
      { origin },
      'none',
      Array.from({ length: REQUESTS }, () => request),
    );
  } finally {
    child.kill();
  }
}

/** Inserts small rows concurrently on all connections; each is on disk before the next of its connection. */
async function baselineOfInserts(): Promise<Measured> {
  return testEngine === 'sqlite' ? insertsIntoSqlite() : await insertsIntoPostgres();
}

function insertsIntoSqlite(): Measured {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-bench-'));
  const file = new DatabaseSync(join(folder, 'baseline.db'));
  file.exec('pragma journal_mode = WAL; pragma synchronous = FULL');
  file.exec('create table bare (id integer primary key, word text not null)');
  const insert = file.prepare('insert into bare (word) values (?)');
  const ms: number[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < REQUESTS; index += 1) {
    const sentAt = performance.now();
    insert.run('word');
    ms.push(performance.now() - sentAt);
  }
  const perSecond = REQUESTS / ((performance.now() - startedAt) / 1000);
  file.close();
  rmSync(folder, { recursive: true });
  return { perSecond, ms };
}

async function insertsIntoPostgres(): Promise<Measured> {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: CONNECTIONS });
  await pool.query('create table bare (id bigint generated by default as identity primary key, word text not null)');
  const startedAt = performance.now();
  const ms = await inParallel(REQUESTS, CONNECTIONS, async () => {
    const sentAt = performance.now();
    await pool.query('insert into bare (word) values ($1)', ['word']);
    return performance.now() - sentAt;
  });
  const perSecond = REQUESTS / ((performance.now() - startedAt) / 1000);
  await pool.end();
  await database.drop();
  return { perSecond, ms };
}

/** The delay from a submission to the live updates of its pages, with many other pages open. */
async function fanOut(program: Program, token: string): Promise<string> {
  const reference = creation();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const response = await fetch(program.origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
    return (await response.json()) as { value: { link: string } };
  };
  const { value } = await post('/fiat/v1/transaction', reference);
  const path = new URL(value.link).pathname;
  const pages = await inParallel(STREAMS, CONNECTIONS, async () => await follow(`${program.origin}${path}/events`));
  const submittedAt = performance.now();
  await post('/fiat/v1/transaction/submit', submission(reference.transaction_id));
  const updateMs = await Promise.all(pages.map(async ({ paid }) => (await paid) - submittedAt));
  for (const { close } of pages) close();
  return `${STREAMS} of one payment: median ${median(updateMs).toFixed(1)} ms, last ${Math.max(...updateMs).toFixed(1)} ms`;
}

/** A page's stream; `paid` resolves with the time of the update. */
async function follow(url: string): Promise<{ paid: Promise<number>; close: () => void }> {
  const request = http.get(url, { agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url} returned ${response.statusCode}`);
  response.setEncoding('utf8');
  await once(response, 'data');
  const paid = new Promise<number>((resolve) => {
    response.on('data', (piece: string) => {
      if (piece.includes('"phase":"paid"')) resolve(performance.now());
    });
  });
  request.on('error', () => {});
  response.on('error', () => {});
  return { paid, close: () => request.destroy() };
}

/** Keeps the given number of transactions, and deletes records of the others. */
async function keepRows(url: string, count: number): Promise<void> {
  const database = openDatabase(url, (error) => print(error.message));
  for (const table of ['callback_attempts', 'callbacks', 'events', 'card_attempts', 'refunds'])
    await sql`delete from ${sql.table(table)}`.execute(db(database));
  await sql`delete from fiat_transactions where id not in (select id from fiat_transactions order by id limit ${count})`.execute(
    db(database),
  );
  await database.close();
}

/** Copies of one transaction, a microsecond apart. */
async function copyRows(url: string, count: number): Promise<void> {
  const database = openDatabase(url, (error) => print(error.message));
  const { rows } = await sql<Record<string, unknown>>`select * from fiat_transactions order by id limit 1`.execute(
    db(database),
  );
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id');
  const own: Record<string, ReturnType<typeof sql>> = {
    transaction_id: sql`'copy-' || n`,
    link_id: sql`'copy-' || n`,
    created_at: sql`created_at + n`,
    updated_at: sql`updated_at + n`,
  };
  const values = columns.map((column) => own[column] ?? sql.ref(column));
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
    insert into fiat_transactions (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(values)}
    from (select * from fiat_transactions order by id limit 1) as first cross join numbers`.execute(db(database));
  await sql`analyze`.execute(db(database));
  await database.close();
}

/** Milliseconds for a page of twenty: the first, and the deepest, up to the ten thousandth. */
async function readLists(program: Program, token: string): Promise<{ first: number; deep: number }> {
  const headers = { authorization: `Bearer ${token}` };
  const read = async (query: string) => {
    const response = await fetch(`${program.origin}/fiat/v1/transactions?${query}`, { headers });
    const body = (await response.json()) as { pagination: { next_cursor: string | null } };
    if (response.status !== 200) throw new Error(JSON.stringify(body));
    return body.pagination.next_cursor;
  };
  let cursor: string | null = null;
  let deepest: string | null = null;
  for (let page = 1; page < DEEP_PAGE; page += 5) {
    cursor = await read(`per_page=100${cursor ? `&cursor=${cursor}` : ''}`);
    if (cursor === null) break;
    deepest = cursor;
  }
  const timed = async (query: string) => {
    const ms: number[] = [];
    for (let index = 0; index < LIST_READS; index += 1) {
      const startedAt = performance.now();
      await read(query);
      ms.push(performance.now() - startedAt);
    }
    return median(ms);
  };
  return { first: await timed('per_page=20'), deep: await timed(`per_page=20&cursor=${deepest}`) };
}

function share(measured: Measured, baseline: Measured): string {
  return `${(measured.perSecond / baseline.perSecond).toFixed(2)} of bare requests`;
}

function rate(perSecond: number): string {
  return `${perSecond.toFixed(0)} a second`;
}

function latency(ms: readonly number[]): string {
  const middle = median(ms);
  const late = percentile(ms, 0.99);
  return `median ${middle.toFixed(2)} ms, p99 ${late.toFixed(2)} ms (${(late / middle).toFixed(1)} times)`;
}

function row(name: string, value: string): void {
  print(`  ${name.padEnd(44)}${value}`);
}
