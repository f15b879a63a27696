/*
 * Measures the cost of a whole payment: create a link, open its page, submit a card that is approved, retrieve the
 * transaction, deliver the webhooks. PostgreSQL runs in its own server, so that the CPU time of service and database is measured
 * separately. Prints both, storage, webhooks, and the monthly cost; docs/scaling.md lists the results. Linux only: it
 * reads /proc.
 *
 *   npm run bench:cost [-- PAYMENTS]
 */
import { db } from '../support/tables.ts';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { sql } from 'kysely';
import { startPostgres } from '../../scripts/postgres.mjs';
import { openDatabase } from '../../src/database/open.ts';
import { freePort } from '../support/ports.ts';
import { runCommand, startProgram, until } from '../support/program.ts';
import { creation, submission } from '../support/requests.ts';
import { statOf, usedBy } from './support/cpu.ts';
import { print, report } from './support/figures.ts';
import { inParallel } from './support/parallel.ts';

const PAYMENTS = Number(process.argv[2] ?? 3000);
const WARM_UP = 500;
const CONNECTIONS = 16;
const DAY_S = 86_400;
/** Ratio of the busiest hour to the average hour, and the utilization of a core then. */
const PEAK = 4;
const LOAD = 0.5;
const DAYS = 30;
/** Prices in any currency: a core per month, a gigabyte per month. */
const CORE_PRICE = 30;
const ROOM_PRICE = 0.12;

let delivered = 0;
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    delivered += 1;
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const postgres = await startPostgres();
const settings = {
  PORT: String(await freePort()),
  DATABASE_URL: postgres.url,
  DEMO_SHOP: 'off',
  LIMIT_TOKEN_PER_SECOND: '0',
  LIMIT_CARD_PER_HOUR: '0',
  LIMIT_PAGE_PER_MINUTE: '0',
  // As in production: one log line per request.
  LOG_LEVEL: 'info',
};
const merchant = String((await runCommand(['merchant', 'create', '--name', 'Kettle & Co'], settings)).merchant_id);
const of = ['--merchant', merchant];
await runCommand(['merchant', 'method', ...of, '--method', 'credit_card', '--currency', 'USD'], settings);
const token = String((await runCommand(['token', 'create', ...of], settings)).access_token);
const database = openDatabase(postgres.url, (error) => print(error.message));
const program = await startProgram(settings);
const pool = new Pool(program.origin, { connections: CONNECTIONS, pipelining: 1 });
try {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await call('PATCH', '/v1/merchant/preferences', { key: 'callback-url', value: url });
  await pay(WARM_UP);
  const before = await figures();
  await pay(PAYMENTS);
  const after = await figures();
  const each = (name: keyof typeof before) => (after[name] - before[name]) / PAYMENTS;
  print(`${PAYMENTS} payments on PostgreSQL, Node ${process.version}\n`);
  print(`  CPU time, service       ${(each('service') * 1000).toFixed(1)} ms`);
  print(`  CPU time, PostgreSQL    ${(each('postgres') * 1000).toFixed(1)} ms`);
  const measure = 'CPU time per payment';
  const engine = 'postgres';
  report({ measure: `${measure}, service`, engine, value: each('service') * 1000, unit: 'ms', target: { max: 9 } });
  report({ measure: `${measure}, PostgreSQL`, engine, value: each('postgres') * 1000, unit: 'ms', target: { max: 6 } });
  print(`  database storage        ${(each('bytes') / 1000).toFixed(1)} kB`);
  print(`  write-ahead log         ${(each('wal') / 1000).toFixed(1)} kB`);
  print(`  webhooks                ${each('callbacks').toFixed(1)}`);
  print(`  storage by table        ${await tables()}\n`);
  print(`Assuming a peak hour of ${PEAK} times the average, and cores at ${LOAD * 100}% load:\n`);
  print('  payments per day     per second at peak   cores, service   cores, PostgreSQL GB per month per month');
  for (const daily of [10_000, 100_000, 1_000_000, 10_000_000]) {
    const peak = (daily / DAY_S) * PEAK;
    const cores = (name: keyof typeof before) => (peak * each(name)) / LOAD;
    const gigabytes = (daily * DAYS * each('bytes')) / 1e9;
    const price =
      (Math.max(1, cores('service')) + Math.max(1, cores('postgres'))) * CORE_PRICE + gigabytes * ROOM_PRICE;
    const cells = [
      daily.toLocaleString('en').padStart(16),
      peak.toFixed(1).padStart(22),
      cores('service').toFixed(2).padStart(16),
      cores('postgres').toFixed(2).padStart(19),
      gigabytes.toFixed(1).padStart(12),
      price.toFixed(0).padStart(9),
    ];
    print(`  ${cells.join(' ')}`);
  }
} finally {
  await pool.close();
  await program.kill();
  await database.close();
  await postgres.stop();
  receiver.closeAllConnections();
  receiver.close();
}

async function call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${path} returned ${response.statusCode}: ${text}`);
  return text;
}

async function pay(count: number): Promise<void> {
  await inParallel(count, CONNECTIONS, async () => {
    const request = creation();
    const { value } = JSON.parse(await call('POST', '/fiat/v1/transaction', request)) as { value: { link: string } };
    await call('GET', new URL(value.link).pathname);
    await call('POST', '/fiat/v1/transaction/submit', submission(request.transaction_id));
    await call('GET', `/fiat/v1/transaction?transaction_id=${request.transaction_id}`);
  });
  await until('every callback is delivered', async () => {
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from callbacks where state = 'pending'`.execute(db(database));
    return rows[0]?.open === 0;
  });
}

/** Cumulative CPU seconds and bytes. */
async function figures() {
  await sql`vacuum analyze`.execute(db(database));
  const { rows } = await sql<{ bytes: number; wal: number }>`
    select pg_database_size(current_database()) as bytes, (pg_current_wal_lsn() - '0/0')::bigint as wal`.execute(
    db(database),
  );
  const { bytes = 0, wal = 0 } = rows[0] ?? {};
  return {
    service: usedBy(program.pid),
    postgres: usedByFamily(postgres.pid),
    bytes,
    wal,
    callbacks: delivered,
  };
}

/** The largest tables with their indexes, as shares of a merchant's storage. */
async function tables(): Promise<string> {
  const { rows } = await sql<{ name: string; share: string }>`
    select relname as name, pg_total_relation_size(oid) / sum(pg_total_relation_size(oid)) over () as share
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by share desc limit 5`.execute(
    db(database),
  );
  return rows.map(({ name, share }) => `${name} ${(Number(share) * 100).toFixed(0)}%`).join(', ');
}

/** CPU seconds of a process and of its running and ended children. */
function usedByFamily(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid);
  return children.reduce((sum, child) => sum + usedBy(Number(child)), usedBy(pid));
}

function parentOf(pid: number): number | null {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    // It has ended in the meantime.
    return null;
  }
}
