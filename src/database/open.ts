import type { Database } from './database.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** Opens the database of a `DATABASE_URL`: `sqlite:PATH` or `postgres://…`. */
export function openDatabase(
  url: string,
  onIdleError: (error: Error) => void,
  options: PostgresOptions = {},
): Database {
  return url.startsWith('sqlite:')
    ? openSqlite(url.slice('sqlite:'.length), options)
    : openPostgres(url, onIdleError, options);
}
