import { initProperty, readProperty } from '../database/installation.ts';
import type { Environment } from '../system/settings.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open.ts';
import type { PostgresOptions } from '../database/postgres.ts';
import { appliedMigrations, migrate, type MigrateOptions } from './migrate.ts';
import { MovedError, readMove } from './moved.ts';

const MARK = 'environment';

/** Migrates a database of this environment; rejects one of the other environment before changing it. */
export async function migrateFor(
  environment: Environment,
  database: Database,
  options: MigrateOptions = {},
): Promise<string[]> {
  await requireEnvironment(environment, database);
  const applied = await migrate(database, options);
  // A migration detects the environment of an older database.
  if (applied.length > 0) await requireEnvironment(environment, database);
  return applied;
}

/**
 * Opens a database and migrates it. The statement timeout does not apply to migrations, nor to the wait for those of
 * another process: they run on connections of their own.
 */
export async function openMigrated(
  environment: Environment,
  url: string,
  onIdleError: (error: Error) => void,
  options: PostgresOptions = {},
): Promise<{ database: Database; applied: string[] }> {
  const database = openDatabase(url, onIdleError, options);
  // SQLite has no statement timeout, and one connection.
  const unlimited = database.engine === 'sqlite' ? database : openDatabase(url, onIdleError);
  try {
    return { database, applied: await migrateFor(environment, unlimited) };
  } finally {
    if (unlimited !== database) await unlimited.close();
  }
}

/** Rejects a database of the other environment or one that was moved; returns true if it already belongs to this one. */
export async function requireEnvironment(
  environment: Environment,
  database: Pick<Database, 'query' | 'engine'>,
): Promise<boolean> {
  if (!(await appliedMigrations(database)).includes('0035-environment-mark')) return false;
  const move = await readMove(database);
  if (move) throw new MovedError(move);
  const mark = await readProperty(database, MARK);
  if (mark !== null && mark !== environment) {
    throw new OperatorError(
      `PAYLATCH_ENV is ${environment}, but the database belongs to ${mark}. Set DATABASE_URL to a database for ${environment}, or set PAYLATCH_ENV=${mark}.`,
    );
  }
  return mark !== null;
}

/** Assigns a new database to this environment; rejects one of the other environment. */
export async function claimEnvironment(environment: Environment, database: Database): Promise<void> {
  if (await requireEnvironment(environment, database)) return;
  await initProperty(database, MARK, environment);
  await requireEnvironment(environment, database);
}
