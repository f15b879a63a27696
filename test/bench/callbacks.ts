/*
 * Measures how much an endpoint that never responds delays other merchants' webhooks: a hundred merchants with a
 * hundred webhooks each, all due at once, delivered over real connections, first with responsive endpoints only, then
 * with one that hangs. Prints the rate, and the largest added delay of another endpoint's last webhook.
 *
 *   npm run bench:callbacks [-- CALLBACKS]       with TEST_POSTGRES_URL on PostgreSQL, else on SQLite
 */
import { setEndpointUrl } from '../../src/webhooks/endpoint.ts';
import { db } from '../support/tables.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { openDatabase } from '../../src/database/open.ts';
import { createTestDatabase, testEngine } from '../support/databases.ts';
import { freePort } from '../support/ports.ts';
import { runCommandInProcess } from '../support/command-line.ts';
import { startProgram } from '../support/program.ts';
import { creation } from '../support/requests.ts';
import { print, report } from './support/figures.ts';
import { inParallel } from './support/parallel.ts';

const CALLBACKS = Number(process.argv[2] ?? 10_000);
const MERCHANTS = 100;
const EACH = CALLBACKS / MERCHANTS;
const AT_ONCE = 32;

const database = await createTestDatabase();
const port = await freePort();
const settings = {
  PORT: String(port),
  DATABASE_URL: database.url,
  DEMO_SHOP: 'off',
  LOG_LEVEL: 'error',
  LIMIT_TOKEN_PER_SECOND: '0',
};

/** Arrival times of webhooks, by merchant. */
const taken = new Map<string, number[]>();
let dead: string | null = null;
const receiver = createServer((request, response) => {
  const name = request.url ?? '';
  request.resume().on('end', () => {
    if (name === dead) return;
    taken.set(name, [...(taken.get(name) ?? []), performance.now()]);
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const merchants: { id: number; token: string; path: string }[] = [];
for (let index = 0; index < MERCHANTS; index += 1) {
  const id = Number(
    (await runCommandInProcess(['merchant', 'create', '--name', `Merchant ${index}`], settings)).merchant_id,
  );
  const method = ['--method', 'credit_card', '--currency', 'USD'];
  await runCommandInProcess(['merchant', 'method', '--merchant', String(id), ...method], settings);
  const { access_token: token } = await runCommandInProcess(['token', 'create', '--merchant', String(id)], settings);
  merchants.push({ id, token: String(token), path: `/merchant-${id}` });
}

try {
  print(`${CALLBACKS} webhooks to ${MERCHANTS} endpoints, ${testEngine}, Node ${process.version}\n`);
  await makeEvents();
  const alone = await deliver(null);
  const beside = await deliver(merchants[0]?.path ?? null);
  const lastOf = (ends: Map<string, number>) => Math.max(...ends.values());
  const perSecond = ((MERCHANTS - 1) * EACH) / lastOf(beside);
  const delay = Math.max(...[...beside].map(([path, end]) => end - (alone.get(path) ?? 0)));
  print(`  all respond:  others finished after ${lastOf(alone).toFixed(2)} s`);
  print(`  one hangs:    others finished after ${lastOf(beside).toFixed(2)} s, ${perSecond.toFixed(0)} per second`);
  print(`  largest added delay: ${delay.toFixed(2)} s`);
  const engine = testEngine;
  report({
    measure: 'webhooks per second with one hanging endpoint',
    engine,
    value: perSecond,
    unit: '',
    target: { min: 1000 },
  });
  report({ measure: 'largest added delay for another endpoint', engine, value: delay, unit: 's', target: { max: 1 } });
} finally {
  receiver.closeAllConnections();
  receiver.close();
  await database.drop();
}

/** One event per webhook: a canceled link. Nothing is sent yet. */
async function makeEvents(): Promise<void> {
  const program = await startProgram(settings);
  try {
    await inParallel(CALLBACKS, AT_ONCE, async (index) => {
      const { token } = merchants[index % MERCHANTS] ?? {};
      const post = async (path: string, body: object) => {
        const response = await fetch(program.origin + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
        await response.arrayBuffer();
      };
      const body = creation();
      await post('/fiat/v1/transaction', body);
      await post('/fiat/v1/transaction/cancel', { transaction_id: body.transaction_id });
    });
  } finally {
    await program.kill();
  }
}

/** Delivers all webhooks; returns the seconds from the first delivery to the last delivery of each other endpoint. */
async function deliver(silent: string | null): Promise<Map<string, number>> {
  const own = openDatabase(database.url, (error) => print(error.message));
  try {
    await sql`delete from callback_attempts`.execute(db(own));
    await sql`delete from callbacks`.execute(db(own));
    for (const { id, path } of merchants) {
      await own.inTransaction(async (unit) => await setEndpointUrl(unit, id, receiverUrl + path));
    }
    await sql`
      insert into callbacks (
        merchant_id, subject_kind, subject_id, sequence, event_id, webhook_id, state, attempts_made, next_attempt_at,
        created_at
      )
      select merchant_id, subject_kind, subject_id, sequence, id, webhook_id, 'pending', 0, at, at
      from events where webhook_id is not null order by id`.execute(db(own));
    // A realistic state: on PostgreSQL deleted rows slow queries until they are vacuumed.
    if (testEngine === 'postgres') await sql`vacuum analyze callbacks`.execute(db(own));
  } finally {
    await own.close();
  }
  taken.clear();
  dead = silent;
  const program = await startProgram(settings);
  try {
    const others = merchants.slice(1);
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (others.every(({ path }) => (taken.get(path)?.length ?? 0) >= EACH)) break;
    }
    const first = Math.min(...[...taken.values()].flat());
    return new Map(others.map(({ path }) => [path, (Math.max(...(taken.get(path) ?? [])) - first) / 1000]));
  } finally {
    receiver.closeAllConnections();
    await program.kill();
  }
}
