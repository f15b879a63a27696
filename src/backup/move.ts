import { sql } from 'kysely';
import type { Database, UnitOfWork } from '../database/database.ts';
import { migrateFor } from '../migrations/environment.ts';
import { appliedMigrations, inExclusiveUnit, migrateWithin, migrationNames } from '../migrations/migrate.ts';
import type { MigrationStep } from '../migrations/migrate.ts';
import {
  type DatabaseMove,
  deleteMove,
  hasArrived,
  MovedError,
  readMove,
  writeArrival,
  writeMove,
} from '../migrations/moved.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Environment } from '../system/settings.ts';
import { backedUpTables, type OnRows, writeLines } from './backup.ts';
import { readParts, type RowCounts } from './file.ts';
import { dropEmptyTables, insertRows, requireEmpty } from './restore.ts';

export interface DatabaseMoveOptions {
  /** Open for this process only, so that it does not change. */
  source: Database;
  target: Database;
  environment: Environment;
  now: Instant;
  onRows?: OnRows;
  onStep?: (step: MigrationStep) => void;
  /** Runs in the transaction that fills the target. */
  onCopied?: (unit: UnitOfWork) => Promise<void>;
  signal?: AbortSignal;
}

/**
 * Moves a whole database into an empty one, without a file. The source keeps its data, but is marked as moved before
 * the target is committed: at no time both can be started. `rows` is null if an interrupted move had already arrived.
 */
export async function moveDatabase(
  options: DatabaseMoveOptions,
): Promise<{ move: DatabaseMove; rows: RowCounts | null }> {
  const { source, target, environment, now, onStep, signal } = options;
  const earlier = await readMove(source);
  if (earlier?.state === 'moved') throw new MovedError(earlier);
  if (earlier && (await settle(source, target, earlier))) return { move: earlier, rows: null };
  const move: DatabaseMove = { state: 'moving', id: formatInstant(now), to: await nameOf(target) };
  await requireEmpty(target, TARGET);
  if ((await appliedMigrations(source)).length === 0)
    throw new OperatorError('The database is empty: there is nothing to move.');
  await migrateFor(environment, source, { onStep });
  let isMarked = false;
  let rows: RowCounts = {};
  try {
    await inExclusiveUnit(
      target,
      () => onStep?.({ kind: 'waiting' }),
      async (unit) => {
        rows = await copy(options, unit);
        await options.onCopied?.(unit);
        await writeArrival(unit, move);
        signal?.throwIfAborted();
        isMarked = true;
        await writeMove(source, move);
      },
    );
  } catch (error) {
    // The connection may have broken during the commit. If it stays broken, the mark remains: the next run decides.
    if (!isMarked || !(await settle(source, target, move).catch(() => false))) throw error;
  }
  await writeMove(source, { ...move, state: 'moved' });
  return { move, rows };
}

const TARGET = { name: 'The target database', advice: 'Create an empty database for it.' };

/** Copies and counts all rows. */
async function copy({ source, target, now, onRows, signal }: DatabaseMoveOptions, { query }: UnitOfWork) {
  const migration = migrationNames.at(-1) ?? '';
  const tables = await backedUpTables(migration);
  await dropEmptyTables({ query, engine: target.engine }, TARGET);
  await migrateWithin(query, target.engine);
  const counts: RowCounts = {};
  await source.inSnapshot(async (snapshot) => {
    const { engine } = source;
    const lines = splitLines(writeLines({ query: snapshot.query, engine, migration, tables, counts, now }));
    const parts = readParts('The copy', lines);
    await insertRows({ query, engine: target.engine }, { name: 'The copy', parts, tables, onRows, signal });
  });
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(query);
    if (rows[0]?.count !== counts[name])
      throw new OperatorError(`${name} has ${rows[0]?.count} instead of ${counts[name]} rows; nothing was changed.`);
  }
  return counts;
}

async function* splitLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield* text.split('\n').slice(0, -1);
}

/**
 * Finds out whether an interrupted move was committed, and marks the source accordingly. Waits for a transaction whose
 * connection has broken.
 */
async function settle(source: Database, target: Database, move: DatabaseMove): Promise<boolean> {
  if ((await nameOf(target)) !== move.to)
    throw new OperatorError(`An interrupted move to the database ${move.to} must be finished first, with that target.`);
  const isThere = await inExclusiveUnit(
    target,
    () => undefined,
    async ({ query }) => await hasArrived({ query, engine: target.engine }, move),
  );
  if (isThere) await writeMove(source, { ...move, state: 'moved' });
  else await deleteMove(source);
  return isThere;
}

async function nameOf({ query }: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(query);
  return rows[0]?.name ?? '';
}
