import { db, statement } from '../schema.ts';
import { type Expression, sql } from 'kysely';
import type { CurrencyCode } from '../../api/currency.ts';
import { MAX_COUNTED_PENDING } from '../../api/statistics.ts';
import { type Instant, MINUTE } from '../../shared/time.ts';
import type { Database } from '../../database/database.ts';
import type { Runner } from '../../database/engine.ts';

/** Time zones differ from UTC by multiples of 15 minutes. */
export const QUARTER_HOUR: Instant = 15 * MINUTE;

/**
 * Sums of a group of transactions. Amounts are split into millions and remainder, so that no sum exceeds the precision
 * of a double.
 */
export interface GroupSums {
  /** Number of the quarter-hour since 1970. */
  quarter: number;
  currency: CurrencyCode;
  additional_currency: string;
  rate: string;
  payment_method: string;
  /** The buyer's country (alpha-2), or the transaction's (alpha-3) if unknown. */
  place: string;
  count: number;
  paid: number;
  failed: number;
  paid_minor_millions: number;
  paid_minor_remainder: number;
  refunded_minor_millions: number;
  refunded_minor_remainder: number;
}

export interface FailureCount {
  quarter: number;
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
const sumOf = (value: string, condition = sql`1 = 1`) =>
  sql`cast(coalesce(sum(${sql.raw(value)}) filter (where ${condition}), 0) as bigint)`;
const quarter = sql`created_at / ${sql.lit(QUARTER_HOUR)}`;
const within = ({ merchantId, since, till }: StatisticsRange) =>
  sql`merchant_id = ${merchantId} and created_at >= ${since} and created_at < ${till}`;

/** Sums of the transactions in a range, by every column that statistics group by. */
export const readGroupSums = statement(
  (_query, range: StatisticsRange) => sql<GroupSums>`
    select ${quarter} as quarter, currency, additional_currency, rate, payment_method,
      coalesce(buyer_country, country) as place, count(*) as count,
      count(*) filter (where ${isPaid}) as paid, count(*) filter (where status = 'failed') as failed,
      ${sumOf('amount_received_minor / 1000000', isPaid)} as paid_minor_millions,
      ${sumOf('amount_received_minor % 1000000', isPaid)} as paid_minor_remainder,
      ${sumOf('amount_refunded_minor / 1000000')} as refunded_minor_millions,
      ${sumOf('amount_refunded_minor % 1000000')} as refunded_minor_remainder
    from fiat_transactions where ${within(range)}
    group by 1, currency, additional_currency, rate, payment_method, 6`,
);

/** Failure counts in a range by reason; declined and expired transactions also by the last attempt's decline code. */
export const readFailureCounts = statement(
  (_query, range: StatisticsRange) => sql<FailureCount>`
    select ${quarter} as quarter, coalesce(reason, '') as reason, case when reason in ('declined', 'expired') then (
      select attempt.decline_code from card_attempts as attempt
      where attempt.merchant_id = ${range.merchantId} and attempt.fiat_transaction_id = fiat_transactions.id
      order by attempt.number desc limit 1) end as decline_code, count(*) as count
    from fiat_transactions where status = 'failed' and ${within(range)} group by 1, 2, 3`,
);

const selectCreations = statement(
  (_query, range: StatisticsRange) => sql<{ earliest: Instant | null; latest: Instant | null }>`
    select (select min(created_at) from fiat_transactions where ${within(range)}) as earliest,
      (select max(created_at) from fiat_transactions where ${within(range)}) as latest`,
);

/** Earliest and latest creation time of the transactions in a range; null if there are none. */
export async function readCreations(reader: Runner, range: StatisticsRange) {
  const [row] = (await selectCreations(reader, range)).rows;
  return { earliest: row?.earliest ?? null, latest: row?.latest ?? null };
}

/** A query for a merchant's rows up to a limit, from the module that owns them. */
type RowsQuery = (reader: Runner, merchantId: number, limit: number) => Expression<unknown>;

/** Queries of other modules for work pending with the merchant's team. */
export interface PendingWorkQueries {
  pendingReviews: RowsQuery;
  failedWebhooks: RowsQuery;
}

/** Counts pending work of the merchant's team, each kind up to a limit. */
export async function countPendingWork(database: Database, merchantId: number, rows: PendingWorkQueries) {
  const pendingPayments = db(database)
    .selectFrom('fiat_transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('status', '<>', sql.lit('confirmed'))
    .whereRef('amount_received_minor', '>', 'amount_refunded_minor')
    .limit(MAX_COUNTED_PENDING);
  const counted = (matching: Expression<unknown>) => sql`(select count(*) from ${matching} as matching)`;
  const { rows: counts } = await sql<{ crypto_reviews: number; payment_reviews: number; failed_callbacks: number }>`
    select ${counted(rows.pendingReviews(database, merchantId, MAX_COUNTED_PENDING))} as crypto_reviews, ${counted(pendingPayments)} as payment_reviews,
      ${counted(rows.failedWebhooks(database, merchantId, MAX_COUNTED_PENDING))} as failed_callbacks`.execute(
    db(database),
  );
  const [row] = counts;
  if (!row) throw new Error('The count query returned no row');
  return row;
}
