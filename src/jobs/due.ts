import { type Expression, type Kysely, type Selectable, sql } from 'kysely';
import { claimRows, type UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import { type Instant, MINUTE } from '../shared/time.ts';

/** Work that a process claimed and did not finish is due again after this long. */
export const CLAIM: Instant = MINUTE;

/** A table with work, and the column that says when it is due; it needs an index. */
interface Queue<Own, Table extends keyof Own & string> {
  table: Table;
  column: keyof Own[Table] & string;
}

/** When the earliest work of a table is due, as a subquery. */
export function earliestDue(table: string, column: string): () => Expression<Instant | null> {
  return () => sql<Instant | null>`select min(${sql.ref(column)}) from ${sql.table(table)}`;
}

/**
 * Claims some of the due work of a table: it is postponed, so that no other process takes it in the meantime, and is due
 * again if this process ends before it is done. `db` is the module's own (`tables-of.ts`).
 */
export async function claimDue<Own, Table extends keyof Own & string>(
  db: (on: Runner) => Kysely<Own>,
  unit: UnitOfWork,
  { now, limit = 20, ...queue }: Queue<Own, Table> & { now: Instant; limit?: number },
): Promise<Selectable<Own[Table]>[]> {
  const { tables, table, column } = untyped(db, unit, queue);
  const due = tables.selectFrom(table).selectAll().where(column, '<=', now).orderBy(column).limit(limit);
  const rows = await claimRows(unit, due).execute();
  await postpone(db, unit, { ...queue, now, rows });
  return rows as unknown as Selectable<Own[Table]>[];
}

/** Postpones rows locked with `claimRows`, so that they stay claimed after the transaction ends. */
export async function postpone<Own, Table extends keyof Own & string>(
  db: (on: Runner) => Kysely<Own>,
  unit: UnitOfWork,
  { now, rows, ...queue }: Queue<Own, Table> & { now: Instant; rows: readonly { id: number }[] },
): Promise<void> {
  if (rows.length === 0) return;
  const { tables, table, column } = untyped(db, unit, queue);
  const ids = rows.map(({ id }) => id);
  await tables
    .updateTable(table)
    .set({ [column]: now + CLAIM })
    .where('id', 'in', ids)
    .execute();
}

/** The compiler has checked the names; which table it is, it cannot follow here. */
function untyped<Own>(db: (on: Runner) => Kysely<Own>, unit: UnitOfWork, queue: { table: string; column: string }) {
  const tables = db(unit) as unknown as Kysely<{ work: { id: number; due_at: Instant } }>;
  return { tables, table: queue.table as 'work', column: queue.column as 'due_at' };
}
