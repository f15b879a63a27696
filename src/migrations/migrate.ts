/*
 * Map of this module: `migrate.ts` applies the migrations of `list.ts`, which are here and in the `migrations/` folder
 * of each module. `environment.ts` and `cell.ts` assign a database to an environment and a cell. `moved.ts` marks
 * a database that was moved. `describe-tables.ts` reads the resulting schema for backups and moves. Reasons: docs/decisions/databases.md.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { formatId } from '../system/cell.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import { BUSY_TIMEOUT_MS } from '../database/sqlite.ts';
import { isBusy } from '../database/errors.ts';
import { migrations } from './list.ts';

/** Names of all migrations, oldest first. */
export const migrationNames: readonly string[] = Object.keys(migrations('sqlite')).sort();

/**
 * The advisory lock of a migration on PostgreSQL. It is the lock number of Kysely's migrator, which releases up to 0.2
 * use, so that those wait too.
 */
const LOCK = sql.lit(3_853_314_791_062_309_107n);
/** Busy timeout of a migration on SQLite, short so that waiting is reported soon, and the delay between attempts. */
const LOCK_TIMEOUT_MS = 250;
const RETRY_MS = 100;

export type MigrationStep =
  /** Another process is migrating, or is running a long write. */
  { kind: 'waiting' } | { kind: 'begun'; name: string } | { kind: 'done'; name: string; durationMs: number };

export interface MigrateOptions {
  /** The last migration to apply; all by default. */
  through?: string;
  onStep?: ((step: MigrationStep) => void) | undefined;
}

/** Pending migrations of a database; rejects a database newer than this program. */
export async function pendingMigrations(database: Pick<Database, 'query' | 'engine'>): Promise<string[]> {
  const applied = await appliedMigrations(database);
  const unknown = applied.find((name) => !migrationNames.includes(name));
  if (unknown !== undefined) {
    throw new OperatorError(
      `The database is newer than this program: it has the migration ${unknown}. Run that release or a later one.`,
    );
  }
  const missing = migrationNames.find((name) => !applied.includes(name));
  if (missing !== undefined && applied.some((name) => name > missing)) {
    throw new OperatorError(
      `The migration ${missing} is missing, but later ones were applied: the database was modified manually. Restore a backup.`,
    );
  }
  return migrationNames.filter((name) => !applied.includes(name));
}

/** Describes the result of `migrate` in logs and on standard error. */
export function describeApplied({ length: count }: readonly string[]): string {
  return `${count} ${count === 1 ? 'migration' : 'migrations'} applied`;
}

/** Applied migrations of a database, oldest first; none for an empty one. */
export async function appliedMigrations({ query, engine }: Pick<Database, 'query' | 'engine'>): Promise<string[]> {
  const tableQuery =
    engine === 'sqlite'
      ? sql`select 1 from sqlite_master where name = 'kysely_migration'`
      : sql`select 1 where to_regclass('kysely_migration') is not null`;
  if ((await tableQuery.execute(query)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(query);
  return rows.map(({ name }) => name);
}

/**
 * Applies pending migrations; returns their names. Forward only, and all or nothing: if one fails, all are rolled
 * back. If several processes start at once, one migrates and the others wait.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { through, onStep } = options;
  const isWanted = (name: string) => through === undefined || name <= through;
  // Every command calls this, so it takes no lock if nothing is pending.
  if (!(await pendingMigrations(database)).some(isWanted)) return [];
  return await inExclusiveUnit(
    database,
    () => onStep?.({ kind: 'waiting' }),
    async ({ query }) => await migrateWithin(query, database.engine, options),
  );
}

/** Runs a unit of work with exclusive access to the schema; reports once if it must wait. */
export async function inExclusiveUnit<Result>(
  database: Database,
  onWait: () => void,
  work: (unit: UnitOfWork) => Promise<Result>,
): Promise<Result> {
  let hasWaited = false;
  const wait = () => {
    if (!hasWaited) onWait();
    hasWaited = true;
  };
  const setBusyTimeout = async (ms: number) =>
    database.engine === 'sqlite' && (await sql`pragma busy_timeout = ${sql.lit(ms)}`.execute(database.query));
  await setBusyTimeout(LOCK_TIMEOUT_MS);
  try {
    for (;;) {
      try {
        return await database.inTransaction(async (unit) => {
          if (database.engine === 'postgres') await lockPostgres(unit.query, wait);
          return await work(unit);
        });
      } catch (error) {
        if (!isBusy(error)) throw error;
        wait();
        await pause(RETRY_MS);
      }
    }
  } finally {
    await setBusyTimeout(BUSY_TIMEOUT_MS);
  }
}

/** Like `migrate`, inside a unit of work with exclusive access to the schema. */
export async function migrateWithin(
  query: Database['query'],
  engine: Engine,
  { through, onStep }: MigrateOptions = {},
): Promise<string[]> {
  const pending = await pendingMigrations({ query, engine });
  const names = pending.filter((name) => through === undefined || name <= through);
  if (names.length > 0 && !pending.includes('0147-merchant-moves')) await requireNoFrozenMerchant(query);
  const migrationsByName = migrations(engine);
  await sql`create table if not exists kysely_migration (
    name varchar(255) not null primary key,
    timestamp varchar(255) not null
  )`.execute(query);
  for (const name of names) {
    const startedMs = performance.now();
    onStep?.({ kind: 'begun', name });
    try {
      await migrationsByName[name]?.up(query);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(`The migration ${name} failed; all migrations were rolled back. ${reason}`, {
        cause: error,
      });
    }
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
      query,
    );
    onStep?.({ kind: 'done', name, durationMs: performance.now() - startedMs });
  }
  return names;
}

/** The stored rows of a merchant that is being moved have the columns of this release, and no migration changes them. */
async function requireNoFrozenMerchant(query: Database['query']): Promise<void> {
  const { rows } = await sql<{ id: number; cell: string }>`select merchant_id as id, cell from merchant_moves
    where state = 'frozen' limit 1`.execute(query);
  if (!rows[0]) return;
  const { id, cell } = rows[0];
  throw new OperatorError(
    `Merchant ${formatId(id)} is being moved to the cell ${cell}, so the database cannot be migrated. With the former release, finish the move, or cancel it: npx paylatch merchant move`,
  );
}

/** Acquires the migration lock until the transaction ends. */
async function lockPostgres(query: Database['query'], onWait: () => void): Promise<void> {
  const lock = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as free`.execute(query);
  if (lock.rows[0]?.free) return;
  onWait();
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(query);
}
