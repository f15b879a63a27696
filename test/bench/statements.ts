/*
 * Counts the service's database statements: per second at rest, and for one approved card with a webhook URL. It
 * reads the log of its own PostgreSQL (`log_statement = all`), so BEGIN, COMMIT and NOTIFY count too. Also counts the
 * round trips to submit an approved card.
 *
 *   npm run bench:statements [-- SECONDS]       `--list` prints the statements, the most frequent first
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../scripts/postgres.mjs';
import { freePort } from '../support/ports.ts';
import { runCommand, startProgram } from '../support/program.ts';
import { creation, submission } from '../support/requests.ts';
import { roundTripsOfCard, StatementCounter } from '../support/statements.ts';
import { print, report } from './support/figures.ts';

const SECONDS = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 20);
const isListed = process.argv.includes('--list');
/** Waits for the work of the start, and for the work of a payment. */
const FINISH_TIMEOUT_MS = 4000;

let statements: string[] = [];
let delivered = 0;
const endpoint = createServer((request, response) => {
  request.resume().on('end', () => {
    delivered += 1;
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
const postgres = await startPostgres({ onStatement: (statement: string) => statements.push(statement) });
const settings = { PORT: String(await freePort()), DATABASE_URL: postgres.url, DEMO_SHOP: 'off', LOG_LEVEL: 'warn' };
const merchant = String((await runCommand(['merchant', 'create', '--name', 'Kettle & Co'], settings)).merchant_id);
const of = ['--merchant', merchant];
await runCommand(['merchant', 'method', ...of, '--method', 'credit_card', '--currency', 'USD'], settings);
const token = String((await runCommand(['token', 'create', ...of], settings)).access_token);
const program = await startProgram(settings);
try {
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
  await call('PATCH', '/v1/merchant/preferences', { key: 'callback-url', value: url });
  await pay();
  await pause(FINISH_TIMEOUT_MS);

  statements = [];
  await pause(SECONDS * 1000);
  const atRest = statements;
  const engine = 'postgres';
  report({
    measure: 'statements per second when idle',
    engine,
    value: atRest.length / SECONDS,
    unit: '',
    target: { max: 2 },
  });
  list(`idle, ${SECONDS} s`, atRest, `${(atRest.length / SECONDS).toFixed(1)} statements per second`);

  statements = [];
  const before = delivered;
  await pay();
  await pause(FINISH_TIMEOUT_MS);
  const rest = (atRest.length / SECONDS) * (FINISH_TIMEOUT_MS / 1000);
  report({
    measure: 'statements per approved card',
    engine,
    value: statements.length - rest,
    unit: '',
    target: { max: 60 },
  });
  const words = `${statements.length} statements, about ${rest.toFixed(0)} of them at rest, ${delivered - before} webhooks`;
  list('one approved card', statements, words);

  // In this process, where the counter sees which statements await a response.
  process.env.TEST_POSTGRES_URL = postgres.url;
  const { openFixture } = await import('../support/fixture.ts');
  const fixture = await openFixture();
  const counter = new StatementCounter();
  counter.start();
  // The first payment also opens connections.
  await roundTripsOfCard(fixture, counter);
  const trips = await roundTripsOfCard(fixture, counter);
  counter.stop();
  report({ measure: 'round trips per approved card', engine, value: trips.length, unit: '', target: { max: 14 } });
  list('submitting a card', trips, `${trips.length} round trips`);
  await fixture.close();
} finally {
  await program.kill();
  await postgres.stop();
  endpoint.closeAllConnections();
  endpoint.close();
}

function list(name: string, found: readonly string[], words: string): void {
  print(`${name.padEnd(20)} ${words}`);
  if (!isListed) return;
  const counts = new Map<string, number>();
  for (const statement of found) {
    const short = statement.replaceAll(/\s+/g, ' ').slice(0, 150);
    counts.set(short, (counts.get(short) ?? 0) + 1);
  }
  for (const [statement, count] of [...counts].toSorted(([, a], [, b]) => b - a))
    print(`  ${String(count).padStart(5)}  ${statement}`);
}

async function call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<string> {
  const response = await fetch(`${program.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
  return text;
}

/** A link is created and opened, a card submitted and approved. */
async function pay(): Promise<void> {
  const request = creation();
  const { value } = JSON.parse(await call('POST', '/fiat/v1/transaction', request)) as { value: { link: string } };
  await call('GET', new URL(value.link).pathname);
  await call('POST', '/fiat/v1/transaction/submit', submission(request.transaction_id));
}
