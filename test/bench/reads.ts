/*
 * Measures reads of the account area: creates many transactions within thirty days with a card attempt each, and
 * requests statistics and searches over HTTP. Prints the duration of each, and the longest blocked event loop.
 * Statistics are requested before and after the roll-up, and again after many late payments.
 *
 *   npm run bench:reads [-- ROWS]       with TEST_POSTGRES_URL on PostgreSQL, else on SQLite
 */
import { db } from '../support/tables.ts';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'kysely';
import { DAY } from '../../src/shared/time.ts';
import type { Database } from '../../src/database/database.ts';
import { createStatisticsJob } from '../../src/payments/statistics/roll-up.ts';
import { testEngine } from '../support/databases.ts';
import { createLink, submitCard } from '../support/requests.ts';
import { openFixture } from '../support/fixture.ts';
import { median, print, report } from './support/figures.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const TIMES = 5;
/** Rows per statement: fewer than the service's time limit for a statement allows. */
const CHUNK = 50_000;

/** As in a service at work: it rolls up within seconds. */
let isRolledUp = false;

const fixture = await openFixture();
try {
  const { reference } = await createLink(fixture);
  await submitCard(fixture, reference);
  const { database } = fixture.service();
  await fill(database);
  // Updates PostgreSQL's statistics, as in a database in use; the service never runs ANALYZE on SQLite.
  if (database.engine === 'postgres') await sql`analyze`.execute(db(database));
  print(`${ROWS} transactions within 30 days, ${testEngine}, Node ${process.version}\n`);
  const list = '/fiat/v1/transactions';
  const statistics = ['', '?time_zone=Asia/Kathmandu', '?since=2026-11-20'].map((query) => `/v1/statistics${query}`);
  for (const path of statistics) await measure(path);
  await measureRollUp('roll-up of all transactions');
  isRolledUp = true;
  for (const path of statistics) await measure(path);
  // As many changes as a merchant of this size has per minute, to links of the last two days.
  await sql`update fiat_transactions set amount_refunded_minor = 1 where id % 3000 = 1
    and created_at > (select max(created_at) from fiat_transactions) - ${sql.lit(2 * DAY)}`.execute(db(database));
  for (const path of statistics) await measure(path);
  await measureRollUp('roll-up of these changes');
  for (const path of [
    list,
    `${list}?search=copy-00777777`,
    `${list}?search=copy-`,
    `${list}?search=copy-0000`,
    `${list}?search=copy-009`,
    `${list}?search=0777`,
    `${list}?search=77.77`,
    `${list}?search=12.50`,
    `${list}?currency=BRL`,
    `${list}?country=NZL`,
  ])
    await measure(path);
} finally {
  await fixture.close();
}

async function measure(path: string): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const took: number[] = [];
  delay.enable();
  for (let index = 0; index < TIMES; index += 1) {
    const startedMs = performance.now();
    const { status, text } = await fixture.request(path);
    if (status !== 200) throw new Error(text);
    took.push(performance.now() - startedMs);
  }
  delay.disable();
  if (path === '/v1/statistics' && isRolledUp)
    report({
      ...{ measure: `30-day statistics, ${ROWS} transactions`, engine: testEngine },
      ...{ value: median(took), unit: 'ms', target: { max: 100 } },
    });
  print(
    `${path.padEnd(46)} ${median(took).toFixed(0).padStart(6)} ms, nobody's turn ${(delay.max / 1e6).toFixed(0)} ms`,
  );
}

async function measureRollUp(name: string): Promise<void> {
  const job = createStatisticsJob({ database: fixture.service().database, clock: fixture.clock });
  const startedMs = performance.now();
  let rounds = 0;
  while (await job.runOnce()) rounds += 1;
  print(`${name}: ${rounds} rounds, ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}

/** Copies of the one transaction and its attempt, with varied values. */
async function fill(database: Database): Promise<void> {
  const isPostgres = database.engine === 'postgres';
  const numbers = (first: number, last: number) =>
    isPostgres
      ? sql`generate_series(${first}::bigint, ${last}::bigint) as series (n)`
      : sql`(with recursive counted (n) as (select ${first} union all select n + 1 from counted where n < ${last}) select n from counted) as series`;
  const padded = (length: number, value = sql`n`) =>
    isPostgres ? sql`lpad((${value})::text, ${sql.lit(length)}, '0')` : sql`printf(${`%0${length}d`}, ${value})`;
  const step = sql.lit(Math.floor((29 * DAY) / ROWS));
  const changed: Record<string, ReturnType<typeof sql>> = {
    transaction_id: sql`'copy-' || ${padded(8)}`,
    link_id: sql`'copy-' || ${padded(22)}`,
    created_at: sql`model.created_at - n * ${step}`,
    status: sql`case when n % 10 < 7 then 'confirmed' when n % 10 < 9 then 'failed' else 'pending' end`,
    reason: sql`case when n % 10 = 7 then 'declined' when n % 10 = 8 then 'expired' end`,
    currency: sql`case when n % 1000 = 0 then 'BRL' when n % 3 = 0 then 'EUR' else 'USD' end`,
    country: sql`case when n % 1000 = 0 then 'NZL' when n % 7 = 0 then 'FRA' else 'USA' end`,
    payment_method: sql`case when n % 5 = 0 then 'qr_code' else 'credit_card' end`,
    amount_minor: sql`case when n % 2 = 0 then 1250 else n % 20000 + 1 end`,
    rate: sql`case when n % 3 = 0 then '1.1534' else '1' end`,
  };
  await copy(database, 'fiat_transactions', changed, numbers);
  const attempts: Record<string, ReturnType<typeof sql>> = {
    fiat_transaction_id: sql`n + 1`,
    attempt_key: sql`'copy-' || n`,
    last4: padded(4, sql`n % 10000`),
    decline_code: sql`case when n % 10 = 7 then 'insufficient_funds' end`,
  };
  await copy(database, 'card_attempts', attempts, numbers);
}

async function copy(
  database: Database,
  table: string,
  changed: Record<string, ReturnType<typeof sql>>,
  numbers: (first: number, last: number) => ReturnType<typeof sql>,
): Promise<void> {
  const tables = await db(database).introspection.getTables();
  const columns = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];
  const copied = columns.filter((name) => name !== 'id');
  const values = copied.map((name) => changed[name] ?? sql.ref(`model.${name}`));
  for (let first = 1; first <= ROWS; first += CHUNK)
    await sql`insert into ${sql.table(table)} (${sql.join(copied.map((name) => sql.ref(name)))})
      select ${sql.join(values)} from ${sql.table(table)} as model, ${numbers(first, Math.min(ROWS, first + CHUNK - 1))}
      where model.id = 1`.execute(db(database));
}
