import { type Expression, type Kysely, type Selectable, sql } from 'kysely';
import { type Instant, MINUTE } from '../shared/time.ts';
import { claimRows, type UnitOfWork } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

/** Work that a process claimed and did not finish is due again after this long. */
export const CLAIM: Instant = MINUTE;

/** Tables with work, and the column that says when it is due; each has an index on it. */
interface DueColumns {
  callbacks: 'next_attempt_at';
  card_attempts: 'next_check_at';
  coin_payments: 'due_at';
  payment_instructions: 'next_check_at';
  refunds: 'next_check_at';
  sandbox_charges: 'notify_at';
  sandbox_push_payments: 'pays_late_at';
}

/** When the earliest work of a table is due, as a subquery. */
export function earliestDue<Table extends keyof DueColumns>(
  table: Table,
  column: DueColumns[Table],
): (query: Kysely<Tables>) => Expression<Instant | null> {
  return () => sql<Instant | null>`select min(${sql.ref(column)}) from ${sql.table(table)}`;
}

/**
 * Claims some of the work of a table that is due: it is postponed, so that no other process takes it meanwhile, and
 * is due again if this one ends before it is done.
 */
export async function claimDue<Table extends keyof DueColumns>(
  unit: UnitOfWork,
  { table, column, now, limit = 20 }: { table: Table; column: DueColumns[Table]; now: Instant; limit?: number },
): Promise<Selectable<Tables[Table]>[]> {
  // Tables and columns are those of `DueColumns`: which of them it is, the compiler cannot follow.
  const [name, dueAt] = [table as 'card_attempts', column as 'next_check_at'];
  const due = unit.query.selectFrom(name).selectAll().where(dueAt, '<=', now).orderBy(dueAt).limit(limit);
  const rows = await claimRows(unit, due).execute();
  await postpone(unit, { table, column, now, rows });
  return rows as unknown as Selectable<Tables[Table]>[];
}

/** Postpones rows locked with `claimRows`, so that they stay claimed after the transaction ends. */
export async function postpone<Table extends keyof DueColumns>(
  unit: UnitOfWork,
  {
    table,
    column,
    now,
    rows,
  }: { table: Table; column: DueColumns[Table]; now: Instant; rows: readonly { id: number }[] },
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  // Same cast as in `claimDue`.
  const [name, dueAt] = [table as 'card_attempts', column as 'next_check_at'];
  await unit.query
    .updateTable(name)
    .set({ [dueAt]: now + CLAIM })
    .where('id', 'in', ids)
    .execute();
}
