import { sql } from 'kysely';
import { claimRows, type Database, type UnitOfWork } from '../../database/database.ts';
import { engineOf } from '../../database/engine.ts';
import { hasAnyId } from '../../database/search.ts';
import type { Job } from '../../jobs/runner.ts';
import { HOUR, type Instant } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import { db } from '../schema.ts';
import { Figures, getOrAdd } from './figures.ts';
import { QUARTER_HOUR, readCreations } from './read.ts';
import { addTransactions, QUARTERS_PER_DAY } from './read-figures.ts';

/** Most links are paid within this time. Later changes are recorded, and their quarter-hours are rolled up again. */
const OPEN_TIME: Instant = HOUR;
/** Maximum quarter-hours rolled up in one unit of work. */
const UNIT_QUARTERS = 24;
/** Maximum changed quarter-hours, and maximum merchants, per round. */
const ROUND_SIZE = 100;
/** Merchants per statement. */
const CLOSE_BATCH_SIZE = 1000;

/** Quarter-hours from `from` (inclusive) to `till` (exclusive). */
interface Quarters {
  from: number;
  till: number;
}

/**
 * Stores statistics figures by quarter-hour and by day. Every minute, it rolls up changed quarter-hours again. Every
 * quarter-hour, it closes and rolls up new ones, and then transactions that were created before the upgrade.
 */
export function createStatisticsJob({ database, clock }: { database: Database; clock: Clock }): Job {
  /** The quarter-hours before `before` are closed; `merchants` still have some to roll up. */
  let closed: { before: number; merchants: number[]; nextTransactionId: string | null } = {
    ...{ before: 0, merchants: [], nextTransactionId: null },
  };

  const rollUpClosed = async (): Promise<number> => {
    const before = Math.floor((clock.now() - OPEN_TIME) / QUARTER_HOUR);
    if (closed.before !== before) {
      const merchants = await merchantsToRollUp(database, before);
      await close(database, merchants, before);
      closed = {
        before,
        merchants,
        nextTransactionId: merchants.length === 0 ? null : await readNextTransactionId(database),
      };
      return merchants.length;
    }
    if (closed.nextTransactionId !== null && !(await haveEnded(database, closed.nextTransactionId))) return 0;
    closed.nextTransactionId = null;
    const batch = closed.merchants.splice(0, ROUND_SIZE);
    const unfinished = new Set(batch);
    try {
      for (const merchantId of batch) {
        const isDone = await database.inTransaction(async (unit) => await rollUpNext(unit, merchantId, before));
        if (isDone) unfinished.delete(merchantId);
      }
    } finally {
      closed.merchants.push(...unfinished);
    }
    return batch.length;
  };

  return {
    name: 'statistics',
    intervalMs: 60_000,
    async runOnce() {
      return (await rollUpChanges(database)) + (await rollUpClosed());
    },
  };
}

/** Merchants with transactions before the cutoff that are not rolled up yet. */
async function merchantsToRollUp(database: Database, cutoff: number): Promise<number[]> {
  const exists = (condition: ReturnType<typeof sql>) =>
    sql`exists (select 1 from fiat_transactions where merchant_id = next.id and ${condition})`;
  const startOf = (quarter: ReturnType<typeof sql>) => sql`${quarter} * ${sql.lit(QUARTER_HOUR)}`;
  // Reads one index entry per merchant.
  const { rows } = await sql<{ id: number }>`
    with recursive next (id) as (
      select min(merchant_id) from fiat_transactions
      union all
      select (select min(merchant_id) from fiat_transactions where merchant_id > next.id) from next
      where next.id is not null
    )
    select next.id from next left join statistics_progress as progress on progress.merchant_id = next.id
    where next.id is not null and (
      ${exists(sql`created_at >= ${startOf(sql`coalesce(progress.rolled_before, 0)`)} and created_at < ${cutoff * QUARTER_HOUR}`)}
      or ${exists(sql`created_at < ${startOf(sql`progress.rolled_from`)}`)}
    )`.execute(db(database));
  return rows.map(({ id }) => id);
}

/** Closes all quarter-hours before `before`: triggers record later changes. */
async function close(database: Database, merchants: readonly number[], before: number): Promise<void> {
  for (let index = 0; index < merchants.length; index += CLOSE_BATCH_SIZE) {
    const values = merchants
      .slice(index, index + CLOSE_BATCH_SIZE)
      .map((merchantId) => sql`(${merchantId}, ${before}, ${before}, ${before})`);
    await database.writeOne(
      async (runner) =>
        await sql`
          insert into statistics_progress (merchant_id, closed_before, rolled_from, rolled_before)
          values ${sql.join(values)}
          on conflict (merchant_id) do update set closed_before = excluded.closed_before
          where statistics_progress.closed_before < excluded.closed_before`.execute(db(runner)),
    );
  }
}

/**
 * The ID of the next database transaction. Those with lower IDs may have written before the quarter-hours were closed,
 * without recording the change. Null on SQLite, which has one writer at a time.
 */
async function readNextTransactionId(database: Database): Promise<string | null> {
  if (database.engine === 'sqlite') return null;
  const { rows } = await sql<{ next: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(db(database));
  return rows[0]?.next ?? null;
}

/** True once all database transactions with lower IDs have ended. */
async function haveEnded(database: Database, next: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) >= ${next}::xid8 as ended`.execute(db(database));
  return rows[0]?.ended ?? false;
}

/** Claims a merchant's roll-up; null if another process has it. */
async function claim(unit: UnitOfWork, merchantId: number) {
  const query = db(unit)
    .selectFrom('statistics_progress')
    .select(['rolled_from', 'rolled_before'])
    .where('merchant_id', '=', merchantId);
  return (await claimRows(unit, query).executeTakeFirst()) ?? null;
}

/**
 * Rolls up a merchant's next quarter-hours, then those before the first stored one. Returns true when none are left.
 */
async function rollUpNext(unit: UnitOfWork, merchantId: number, cutoff: number): Promise<boolean> {
  const progress = await claim(unit, merchantId);
  if (!progress) return true;
  const setProgress = async (set: Partial<typeof progress>) =>
    await db(unit).updateTable('statistics_progress').set(set).where('merchant_id', '=', merchantId).execute();
  const startOfUnit = (quarter: number) => Math.floor(quarter / UNIT_QUARTERS) * UNIT_QUARTERS;

  if (progress.rolled_before < cutoff) {
    const { earliest } = await readCreations(unit, toRange(merchantId, progress.rolled_before, cutoff));
    const from = earliest === null ? cutoff : Math.floor(earliest / QUARTER_HOUR);
    const till = Math.min(startOfUnit(from) + UNIT_QUARTERS, cutoff);
    if (from < till) await storeQuarters(unit, merchantId, [{ from, till }]);
    await setProgress({ rolled_before: till });
    return false;
  }
  const { latest } = await readCreations(unit, toRange(merchantId, 0, progress.rolled_from));
  if (latest === null) {
    if (progress.rolled_from > 0) await setProgress({ rolled_from: 0 });
    return true;
  }
  const till = Math.floor(latest / QUARTER_HOUR) + 1;
  const from = startOfUnit(till - 1);
  await storeQuarters(unit, merchantId, [{ from, till }]);
  await setProgress({ rolled_from: from });
  return false;
}

/** Rolls up quarter-hours with recorded changes; returns their number. */
async function rollUpChanges(database: Database): Promise<number> {
  const changed = await db(database)
    .selectFrom('statistics_changes')
    .select(['merchant_id', 'quarter'])
    .groupBy(['merchant_id', 'quarter'])
    .orderBy('merchant_id')
    .orderBy('quarter')
    .limit(ROUND_SIZE)
    .execute();
  let count = 0;
  for (const [merchantId, rows] of Map.groupBy(changed, ({ merchant_id: id }) => id)) {
    for (let index = 0; index < rows.length; index += UNIT_QUARTERS) {
      const quarters = rows.slice(index, index + UNIT_QUARTERS).map(({ quarter }) => quarter);
      count += await database.inTransaction(async (unit) => await rollUpChanged(unit, merchantId, quarters));
    }
  }
  return count;
}

async function rollUpChanged(unit: UnitOfWork, merchantId: number, quarters: readonly number[]): Promise<number> {
  if (!(await claim(unit, merchantId))) return 0;
  // Read before the transactions, so that a change that commits in the meantime stays recorded.
  const changes = await db(unit)
    .selectFrom('statistics_changes')
    .select(['id', 'quarter'])
    .where('merchant_id', '=', merchantId)
    .where('quarter', 'in', quarters)
    .execute();
  const changed = [...new Set(changes.map(({ quarter }) => quarter))];
  await storeQuarters(
    unit,
    merchantId,
    changed.map((quarter) => ({ from: quarter, till: quarter + 1 })),
  );
  const ids = changes.map(({ id }) => id);
  await db(unit)
    .deleteFrom('statistics_changes')
    .where('merchant_id', '=', merchantId)
    .where(hasAnyId(engineOf(unit), 'id', ids))
    .execute();
  return changed.length;
}

/** Replaces the stored figures of quarter-hours and of their days. The unit of work holds the claim on the merchant. */
async function storeQuarters(unit: UnitOfWork, merchantId: number, ranges: readonly Quarters[]): Promise<void> {
  const days = new Set<number>();
  for (const { from, till } of ranges) {
    const byQuarter = new Map<number, Figures>();
    await addTransactions(unit, toRange(merchantId, from, till), (quarter) =>
      getOrAdd(byQuarter, quarter, () => new Figures()),
    );
    await db(unit)
      .deleteFrom('statistics_quarters')
      .where('merchant_id', '=', merchantId)
      .where('quarter', '>=', from)
      .where('quarter', '<', till)
      .execute();
    const rows = [...byQuarter].map(([quarter, figures]) => ({
      ...{ merchant_id: merchantId, quarter },
      figures: String(figures),
    }));
    if (rows.length > 0) await db(unit).insertInto('statistics_quarters').values(rows).execute();
    for (let quarter = from; quarter < till; quarter += 1) days.add(Math.floor(quarter / QUARTERS_PER_DAY));
  }
  for (const day of days) await storeDay(unit, merchantId, day);
}

async function storeDay(unit: UnitOfWork, merchantId: number, day: number): Promise<void> {
  const quarters = await db(unit)
    .selectFrom('statistics_quarters')
    .select('figures')
    .where('merchant_id', '=', merchantId)
    .where('quarter', '>=', day * QUARTERS_PER_DAY)
    .where('quarter', '<', (day + 1) * QUARTERS_PER_DAY)
    .execute();
  const figures = new Figures();
  for (const quarter of quarters) figures.addStored(quarter.figures);
  await db(unit).deleteFrom('statistics_days').where('merchant_id', '=', merchantId).where('day', '=', day).execute();
  if (quarters.length > 0)
    await db(unit)
      .insertInto('statistics_days')
      .values({ merchant_id: merchantId, day, figures: String(figures) })
      .execute();
}

function toRange(merchantId: number, from: number, till: number) {
  return { merchantId, since: from * QUARTER_HOUR, till: till * QUARTER_HOUR };
}
