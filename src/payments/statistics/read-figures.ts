import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Runner } from '../../database/engine.ts';
import { DAY, HOUR, type Instant } from '../../shared/time.ts';
import { statement } from '../schema.ts';
import { Figures } from './figures.ts';
import { QUARTER_HOUR, readCreations, readFailureCounts, readGroupSums, type StatisticsRange } from './read.ts';

export const QUARTERS_PER_DAY = DAY / QUARTER_HOUR;
/** Maximum period read by one statement. Limits its rows, and on SQLite the time that it blocks the process. */
const MAX_PART: Instant = 6 * HOUR;

interface StoredRow {
  kind: 'day' | 'quarter' | 'changed' | 'rolled_from' | 'rolled_before';
  start: number;
  figures: string | null;
}

/** Quarter-hours from `from` (inclusive) to `till` (exclusive), and the whole days among them. */
interface QuarterRange {
  merchantId: number;
  from: number;
  till: number;
  fromDay: number;
  tillDay: number;
}

/**
 * Stored figures of a range: of its days, and of single quarter-hours for days that are partly outside it, partly
 * stored or changed. One statement, because changes, progress and figures must be read in one snapshot.
 */
const selectStored = statement((_query, { merchantId, from, till, fromDay, tillDay }: QuarterRange) => {
  const perDay = sql.lit(QUARTERS_PER_DAY);
  return sql<StoredRow>`
    with progress as (
      select rolled_from, rolled_before from statistics_progress where merchant_id = ${merchantId}
    ), matching as (
      select distinct quarter from statistics_changes
      where merchant_id = ${merchantId} and quarter >= ${from} and quarter < ${till}
    )
    select 'day' as kind, stored.day as start, stored.figures from progress, statistics_days as stored
    where stored.merchant_id = ${merchantId} and stored.day >= ${fromDay} and stored.day < ${tillDay}
      and stored.day * ${perDay} >= rolled_from and (stored.day + 1) * ${perDay} <= rolled_before
      and stored.day not in (select quarter / ${perDay} from matching)
    union all
    select 'quarter', stored.quarter, stored.figures from progress, statistics_quarters as stored
    where stored.merchant_id = ${merchantId} and stored.quarter >= ${from} and stored.quarter < ${till}
      and stored.quarter >= rolled_from and stored.quarter < rolled_before
      and stored.quarter not in (select quarter from matching)
      and (stored.quarter / ${perDay} < ${fromDay} or stored.quarter / ${perDay} >= ${tillDay}
        or stored.quarter / ${perDay} * ${perDay} < rolled_from
        or (stored.quarter / ${perDay} + 1) * ${perDay} > rolled_before
        or stored.quarter / ${perDay} in (select quarter / ${perDay} from matching))
    union all select 'changed', quarter, null from matching
    union all select 'rolled_from', rolled_from, null from progress
    union all select 'rolled_before', rolled_before, null from progress`;
});

/**
 * Reads the figures of a range: stored figures, and the transactions of periods whose figures are missing or outdated.
 * A transaction belongs to one period, so it is counted once even if the roll-up runs between two statements.
 */
export async function readFigures(database: Database, range: StatisticsRange): Promise<Figures> {
  const figures = new Figures();
  const [from, till] = [Math.ceil(range.since / QUARTER_HOUR), Math.floor(range.till / QUARTER_HOUR)];
  const { rows } = await selectStored(database, {
    ...{ merchantId: range.merchantId, from, till },
    fromDay: Math.ceil(from / QUARTERS_PER_DAY),
    tillDay: Math.floor(till / QUARTERS_PER_DAY),
  });
  for (const row of rows) if (row.figures !== null) figures.addStored(row.figures);
  for (const part of missingParts(range, { from, till }, rows)) await addUnstored(database, part, figures);
  return figures;
}

/** Parts of a range whose stored figures are missing or outdated, in order. */
function missingParts(
  range: StatisticsRange,
  quarters: Pick<QuarterRange, 'from' | 'till'>,
  rows: readonly StoredRow[],
): StatisticsRange[] {
  const startOf = (kind: StoredRow['kind']) => rows.find((row) => row.kind === kind)?.start ?? 0;
  const from = Math.max(quarters.from, startOf('rolled_from'));
  const before = Math.min(quarters.till, startOf('rolled_before'));
  if (from >= before) return [range];
  const changed = rows
    .filter(({ kind, start }) => kind === 'changed' && start >= from && start < before)
    .map(({ start }): [number, number] => [start * QUARTER_HOUR, (start + 1) * QUARTER_HOUR])
    .sort(([one], [other]) => one - other);
  const parts: StatisticsRange[] = [];
  for (const [since, till] of [
    [range.since, from * QUARTER_HOUR],
    ...changed,
    [before * QUARTER_HOUR, range.till],
  ] as const) {
    const last = parts.at(-1);
    if (last?.till === since) last.till = till;
    else if (since < till) parts.push({ merchantId: range.merchantId, since, till });
  }
  return parts;
}

export async function addUnstored(database: Database, range: StatisticsRange, figures: Figures): Promise<void> {
  for (let { since } = range; since < range.till; ) {
    // Skips periods without transactions.
    const { earliest } = await readCreations(database, { ...range, since });
    if (earliest === null) return;
    const till = Math.min(earliest + MAX_PART, range.till);
    await addTransactions(database, { ...range, since: earliest, till }, () => figures);
    since = till;
    // On SQLite a query blocks the process: other requests run in between.
    if (database.engine === 'sqlite') await yieldToEventLoop();
  }
}

/** Adds the transactions of a range to the figures of their quarter-hour. */
export async function addTransactions(
  reader: Runner,
  range: StatisticsRange,
  figuresOf: (quarter: number) => Figures,
): Promise<void> {
  for (const row of (await readGroupSums(reader, range)).rows) figuresOf(row.quarter).addSums(row);
  for (const row of (await readFailureCounts(reader, range)).rows) figuresOf(row.quarter).addFailures(row);
}
