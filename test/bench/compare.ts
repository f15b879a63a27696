/*
 * Compares this version with the one in another folder, installed and built, on both databases: both run at the same
 * time, each with the Node.js of its folder, and get the same requests in turns. Prints requests per second and the CPU
 * time of the service per request, as this version relative to the other. Linux only: it reads /proc.
 *
 *   npm run bench:compare -- FOLDER
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import pg from 'pg';
import { Pool } from 'undici';
import { startPostgres } from '../../scripts/postgres.mjs';
import { packageRoot } from '../../src/system/root.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/program.ts';
import { creation, submission } from '../support/requests.ts';
import { usedBy } from './support/cpu.ts';
import { at, median, print } from './support/figures.ts';
import { inParallel } from './support/parallel.ts';

const CONNECTIONS = 16;
const ROUNDS = 9;
const LINKS = 1500;
const CARDS = 400;

interface Version {
  pid: number;
  pool: Pool;
  token: string;
  stop(): Promise<void>;
}

interface Measured {
  perSecond: number;
  /** CPU milliseconds of the service per request. */
  cpu: number;
}

const [other] = process.argv.slice(2);
if (other === undefined) throw new Error('Name the folder of the other version: npm run bench:compare -- FOLDER');
const folders = [packageRoot(), resolve(other)];

print(`This version relative to ${other}: median of ${ROUNDS} rounds, lowest and highest in parentheses\n`);
const files = mkdtempSync(join(tmpdir(), 'paylatch-compare-'));
await compare(
  'SQLite',
  folders.map((_, index) => `sqlite:${join(files, `${index}.db`)}`),
);
rmSync(files, { recursive: true });
const postgres = await startPostgres();
await compare(
  'PostgreSQL',
  await Promise.all(folders.map(async (_, index) => await createDatabase(`version_${index}`))),
);
await postgres.stop();

async function createDatabase(name: string): Promise<string> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(postgres.url);
  url.pathname = name;
  return url.href;
}

async function compare(database: string, urls: readonly string[]): Promise<void> {
  print(database);
  const versions = await Promise.all(folders.map(async (folder, index) => await start(folder, at(urls, index))));
  const measures: Record<string, { perSecond: number[]; cpu: number[] }> = {};
  // The first round warms both up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [ours, theirs] = await inTurns(versions, round);
    for (const [name, each] of Object.entries(ours ?? {})) {
      const beside = theirs?.[name];
      if (beside === undefined || round === 0) continue;
      const ratios = (measures[name] ??= { perSecond: [], cpu: [] });
      ratios.perSecond.push(each.perSecond / beside.perSecond);
      ratios.cpu.push(each.cpu / beside.cpu);
    }
  }
  for (const [name, { perSecond, cpu }] of Object.entries(measures))
    print(`  ${name.padEnd(18)} requests per second ${range(perSecond)}   CPU time per request ${range(cpu)}`);
  for (const version of versions) await version.stop();
}

/** One after the other, in the opposite order in each second round. */
async function inTurns(versions: readonly Version[], round: number): Promise<Record<string, Measured>[]> {
  const results: Record<string, Measured>[] = [];
  const order = versions.map((_, index) => index);
  for (const index of round % 2 === 0 ? order : order.toReversed()) results[index] = await measure(at(versions, index));
  return results;
}

async function measure(version: Version): Promise<Record<string, Measured>> {
  const links = Array.from({ length: LINKS }, () => creation());
  const references = links.map(({ transaction_id }) => transaction_id);
  return {
    'links created': await load(version, 'POST', '/fiat/v1/transaction', links),
    'cards approved': await load(
      version,
      'POST',
      '/fiat/v1/transaction/submit',
      references.slice(0, CARDS).map((reference) => submission(reference)),
    ),
    'details read': await load(
      version,
      'GET',
      references.map((reference) => `/fiat/v1/transaction?transaction_id=${reference}`),
    ),
    'first list pages': await load(
      version,
      'GET',
      Array.from({ length: CARDS }, () => '/fiat/v1/transactions'),
    ),
  };
}

/** Sends one request for each path, or each body to the same path. */
async function load(version: Version, method: 'GET', paths: readonly string[]): Promise<Measured>;
async function load(version: Version, method: 'POST', path: string, bodies: readonly object[]): Promise<Measured>;
async function load(
  { pid, pool, token }: Version,
  method: 'GET' | 'POST',
  to: string | readonly string[],
  bodies: readonly object[] = [],
): Promise<Measured> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const count = typeof to === 'string' ? bodies.length : to.length;
  const usedBefore = usedBy(pid);
  const startedAt = performance.now();
  await inParallel(count, CONNECTIONS, async (index) => {
    const path = typeof to === 'string' ? to : at(to, index);
    const body = bodies[index];
    const response = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`${path} returned ${response.statusCode}: ${text}`);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: count / seconds, cpu: ((usedBy(pid) - usedBefore) * 1000) / count };
}

async function start(folder: string, databaseUrl: string): Promise<Version> {
  const port = String(await freePort());
  const program = join(folder, 'scripts', 'paylatch.mjs');
  const bin = (of: string) => join(of, 'node_modules', '.bin');
  const inherited = (process.env.PATH ?? '').split(delimiter).filter((each) => resolve(each) !== bin(packageRoot()));
  const env = {
    PATH: [bin(folder), ...inherited].join(delimiter),
    PORT: port,
    DATABASE_URL: databaseUrl,
    DEMO_SHOP: 'off',
    LOG_LEVEL: 'warn',
    LIMIT_TOKEN_PER_SECOND: '0',
    LIMIT_CARD_PER_HOUR: '0',
  };
  // Earlier versions cannot print JSON.
  const command = async (...args: string[]) =>
    (await promisify(execFile)('node', [program, ...args], { cwd: folder, env })).stdout;
  const value = (printed: string, name: string) => new RegExp(`^${name} +(\\S+)`, 'm').exec(printed)?.[1] ?? '';
  const merchant = value(await command('merchant', 'create', '--name', 'Kettle & Co'), 'merchant_id');
  const of = ['--merchant', merchant];
  await command('merchant', 'method', ...of, '--method', 'credit_card', '--currency', 'USD');
  const token = value(await command('token', 'create', ...of), 'access_token');
  const child = spawn('node', [program, 'start'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const origin = `http://127.0.0.1:${port}`;
  await until(`the program of ${folder} is ready`, async () => {
    if (child.exitCode !== null) throw new Error(`The program of ${folder} ended while it started`);
    const response = await fetch(`${origin}/readyz`).catch(() => null);
    await response?.body?.cancel();
    return response?.status === 200;
  });
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  return {
    ...{ pid: child.pid ?? 0, pool, token },
    async stop() {
      await pool.close();
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function range(values: readonly number[]): string {
  return `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`;
}
