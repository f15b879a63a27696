import { type Expression, type Kysely, type Selectable, sql } from 'kysely';
import { claimRows, type Database, type UnitOfWork } from '../database/database.ts';
import { engineOf, type Runner } from '../database/engine.ts';
import { hasAnyId } from '../database/search.ts';
import { runPrepared } from '../database/statement.ts';
import { type Instant, MINUTE } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Job } from './runner.ts';

/** Time until unfinished work of a crashed process is due again. */
export const CLAIM_DURATION: Instant = MINUTE;

/** A table of work, and its indexed column with the due time. */
interface Queue<Own, Table extends keyof Own & string> {
  table: Table;
  column: keyof Own[Table] & string;
}

/** The earliest due time in a table, as a subquery. */
export function earliestDue(table: string, column: string): () => Expression<Instant | null> {
  return () => sql<Instant | null>`select min(${sql.ref(column)}) from ${sql.table(table)}`;
}

/**
 * A job that claims due rows of a table and works on them. It does so concurrently: a slow acquirer must not let the
 * claims of the other rows lapse.
 */
export function createDueJob<Own, Table extends keyof Own & string>(
  { database, clock }: { database: Database; clock: Clock },
  db: (runner: Runner) => Kysely<Own>,
  {
    name,
    work,
    ...queue
  }: Queue<Own, Table> & {
    name: string;
    limit?: number;
    claimDuration?: Instant;
    work: (row: Selectable<Own[Table]>) => Promise<unknown>;
  },
): Job {
  return {
    name,
    earliestDue: earliestDue(queue.table, queue.column),
    async runOnce() {
      const rows = await database.inTransaction(
        async (unit) => await claimDue(db, unit, { ...queue, now: clock.now() }),
      );
      await Promise.all(rows.map(work));
      return rows.length;
    },
  };
}

/**
 * Claims due rows of a table by postponing them: no other process claims them in the meantime, and they are due
 * again if this process crashes. `db` is that of the module that owns the table (`tables-of.ts`).
 */
export async function claimDue<Own, Table extends keyof Own & string>(
  db: (runner: Runner) => Kysely<Own>,
  unit: UnitOfWork,
  { now, limit = 20, ...queue }: Queue<Own, Table> & { now: Instant; limit?: number; claimDuration?: Instant },
): Promise<Selectable<Own[Table]>[]> {
  const { tables, table, column } = untypedTable(db, unit, queue);
  const due = tables.selectFrom(table).selectAll().where(column, '<=', now).orderBy(column).limit(limit);
  const rows = await claimRows(unit, due).execute();
  await postpone(db, unit, { ...queue, now, rows });
  return rows as unknown as Selectable<Own[Table]>[];
}

/** Postpones rows locked with `claimRows`, so that they stay claimed after the transaction ends. */
export async function postpone<Own, Table extends keyof Own & string>(
  db: (runner: Runner) => Kysely<Own>,
  unit: Runner,
  {
    now,
    rows,
    claimDuration = CLAIM_DURATION,
    ...queue
  }: Queue<Own, Table> & { now: Instant; rows: readonly { id: number }[]; claimDuration?: Instant },
): Promise<void> {
  if (rows.length === 0) return;
  const { tables, table, column } = untypedTable(db, unit, queue);
  const ids = rows.map(({ id }) => id);
  const update = tables
    .updateTable(table)
    .set({ [column]: now + claimDuration })
    .where(hasAnyId(engineOf(unit), 'id', ids));
  await runPrepared(unit, update);
}

/** The callers' types have checked the names; the compiler cannot infer the table here. */
function untypedTable<Own>(
  db: (runner: Runner) => Kysely<Own>,
  unit: Runner,
  queue: { table: string; column: string },
) {
  const tables = db(unit) as unknown as Kysely<{ work: { id: number; due_at: Instant } }>;
  return { tables, table: queue.table as 'work', column: queue.column as 'due_at' };
}
