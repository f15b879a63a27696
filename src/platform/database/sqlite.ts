import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, Kysely, SqliteDialect, SqliteDriver } from 'kysely';
import { createDatabase, type Database } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * The embedded database: one file (`:memory:` for none), write-ahead log, every commit on disk
 * before it is acknowledged.
 */
export function openSqlite(path: string): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const file = new BetterSqlite(path);
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // Another process (the command line) may hold the write lock for a moment.
  file.pragma('busy_timeout = 5000');
  return createDatabase('sqlite', new Kysely<Tables>({ dialect: new ImmediateSqliteDialect({ database: file }) }));
}

/**
 * Units take the write lock when they begin. A deferred one takes it at its first write, and fails at
 * once when another process wrote since it began, however long the busy timeout.
 */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: ConstructorParameters<typeof SqliteDialect>[0];

  constructor(config: ConstructorParameters<typeof SqliteDialect>[0]) {
    super(config);
    this.#config = config;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver(this.#config);
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}
