import { db } from '../schema.ts';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { COUNTED_WAITING } from '../../api/statistics.ts';
import { DAY, type Instant } from '../../shared/time.ts';
import type { Database } from '../../database/database.ts';
import type { Runner } from '../../database/engine.ts';

/**
 * Sums of a group of transactions. Amounts are split into millions and remainder, so that no sum exceeds the precision
 * of a double.
 */
interface Sums {
  currency: string;
  additional_currency: string;
  rate: string;
  count: number;
  paid: number;
  failed: number;
  paid_millions: number;
  paid_rest: number;
  refunded_millions: number;
  refunded_rest: number;
}

/** Sums of a time slot, which starts at `slot` times its length. */
export type SlotSums = Sums & { slot: number };
/** Sums by method and country: the buyer's (alpha-2), or else the transaction's (alpha-3). */
export type MethodSums = Sums & { payment_method: string; place: string };
export interface FailureCount {
  reason: string;
  decline_code: string | null;
  count: number;
}

export interface StatisticsRange {
  merchantId: number;
  since: Instant;
  till: Instant;
}

const isPaid = sql`status = 'confirmed'`;
const received = sql`amount_received_minor`;
const refunded = sql`amount_refunded_minor`;

const sumOf = (value: RawBuilder<unknown>, condition = sql`1 = 1`) =>
  sql`cast(coalesce(sum(${value}) filter (where ${condition}), 0) as bigint)`;

const sums = sql`currency, additional_currency, rate, count(*) as count,
  count(*) filter (where ${isPaid}) as paid, count(*) filter (where status = 'failed') as failed,
  ${sumOf(sql`${received} / 1000000`, isPaid)} as paid_millions,
  ${sumOf(sql`${received} % 1000000`, isPaid)} as paid_rest,
  ${sumOf(sql`${refunded} / 1000000`)} as refunded_millions, ${sumOf(sql`${refunded} % 1000000`)} as refunded_rest`;

const within = ({ merchantId, since, till }: StatisticsRange) =>
  sql`merchant_id = ${merchantId} and created_at >= ${since} and created_at < ${till}`;

/** Reads sums of a range. On SQLite a query blocks the process, so it reads day by day and yields in between. */
async function readRange<Row>(
  database: Database,
  range: StatisticsRange,
  build: (part: StatisticsRange) => RawBuilder<Row>,
): Promise<Row[]> {
  if (database.engine !== 'sqlite') return (await build(range).execute(db(database))).rows;
  const rows: Row[] = [];
  for (let since = range.since; since < range.till; since += DAY) {
    const part = { ...range, since, till: Math.min(since + DAY, range.till) };
    for (const row of (await build(part).execute(db(database))).rows) rows.push(row);
    await yieldToEventLoop();
  }
  return rows;
}

/** Reads sums by time slots of length `slot`. */
export async function readSumsBySlot(database: Database, range: StatisticsRange, slot: Instant): Promise<SlotSums[]> {
  return await readRange(
    database,
    range,
    (part) => sql<SlotSums>`
      select created_at / ${sql.lit(slot)} as slot, ${sums} from fiat_transactions
      where ${within(part)} group by 1, currency, additional_currency, rate`,
  );
}

/** Reads sums by payment method and country. */
export async function readSumsByMethod(database: Database, range: StatisticsRange): Promise<MethodSums[]> {
  return await readRange(
    database,
    range,
    (part) => sql<MethodSums>`
      select payment_method, coalesce(buyer_country, country) as place, ${sums} from fiat_transactions
      where ${within(part)} group by payment_method, 2, currency, additional_currency, rate`,
  );
}

/** Reads failure counts by reason, and for declines by the last attempt's decline code. */
export async function readFailureCounts(database: Database, range: StatisticsRange): Promise<FailureCount[]> {
  return await readRange(
    database,
    range,
    (part) => sql<FailureCount>`
      select coalesce(reason, '') as reason, case when reason = 'declined' then (
        select attempt.decline_code from card_attempts as attempt
        where attempt.merchant_id = ${part.merchantId} and attempt.fiat_transaction_id = fiat_transactions.id
        order by attempt.number desc limit 1) end as decline_code, count(*) as count
      from fiat_transactions where status = 'failed' and ${within(part)} group by 1, 2`,
  );
}

/** A query for a merchant's rows up to a limit, from the module that owns them. */
type RowsQuery = (on: Runner, merchantId: number, limit: number) => Expression<unknown>;

/** Queries of other modules for work pending with the merchant's team. */
export interface PendingWorkQueries {
  pendingReviews: RowsQuery;
  failedWebhooks: RowsQuery;
}

/** Counts pending work of the merchant's team, each kind up to a limit. */
export async function countPendingWork(on: Database, merchantId: number, rows: PendingWorkQueries) {
  const pendingPayments = db(on)
    .selectFrom('fiat_transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('status', '<>', sql.lit('confirmed'))
    .whereRef('amount_received_minor', '>', 'amount_refunded_minor')
    .limit(COUNTED_WAITING);
  const counted = (matching: Expression<unknown>) => sql`(select count(*) from ${matching} as matching)`;
  const { rows: counts } = await sql<{ crypto_reviews: number; payment_reviews: number; failed_callbacks: number }>`
    select ${counted(rows.pendingReviews(on, merchantId, COUNTED_WAITING))} as crypto_reviews, ${counted(pendingPayments)} as payment_reviews,
      ${counted(rows.failedWebhooks(on, merchantId, COUNTED_WAITING))} as failed_callbacks`.execute(db(on));
  const [row] = counts;
  if (!row) throw new Error('The count query returned no row');
  return row;
}
