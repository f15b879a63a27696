import type { NoTables } from './engine.ts';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { createDatabase, type Database } from './database.ts';
import { createGroupCommit } from './group-commit.ts';

/** Statements that are kept prepared; more than the service has. */
const MOST_STATEMENTS = 500;

/** How long a statement waits for the write lock of another process, in milliseconds. */
export const BUSY_TIMEOUT_MS = 5000;

/**
 * The embedded database: one file (`:memory:` for none), write-ahead log, every commit on disk
 * before it is acknowledged. Units that wait for each other are committed together.
 */
export function openSqlite(path: string): Database {
  if (path !== ':memory:') createPrivate(path);
  // Another process (the command line) may hold the write lock for a moment.
  const file = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  if (path !== ':memory:') restrictToOwner(path);
  file.exec('pragma journal_mode = WAL; pragma synchronous = FULL');
  const query = new Kysely<NoTables>({ dialect: new ImmediateSqliteDialect({ database: keepPrepared(file) }) });
  return createDatabase('sqlite', query, { transact: createGroupCommit(query) });
}

/** Creates the folder and the file for their owner alone: the database holds secrets. */
function createPrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // An existing file is not opened here: closing it would release the locks of this process's other connections.
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // Another process was faster, or SQLite reports why it cannot be created.
  }
}

/** Takes files of earlier releases from everybody but their owner. SQLite creates -wal and -shm with the database's mode. */
function restrictToOwner(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(file) && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  }
}

/** The database with each statement prepared once: that takes longer than most statements run. */
function keepPrepared(file: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    close: () => file.close(),
    prepare(text) {
      const known = kept.get(text);
      if (known) return known;
      const prepared = prepare(file, text);
      if (changesSchema(text)) kept.clear();
      else if (kept.size < MOST_STATEMENTS) kept.set(text, prepared);
      return prepared;
    },
  };
}

function prepare(file: DatabaseSync, text: string): SqliteStatement {
  const statement = file.prepare(text);
  // Rows as arrays, named here: in half the time of those that come with names, and plain objects.
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const all = (parameters: readonly unknown[]) => {
    const rows = statement.all(...(parameters as SQLInputValue[])) as unknown as SQLOutputValue[][];
    return rows.map((values) => named(names, values));
  };
  return {
    reader: names.length > 0,
    all,
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    // Nothing reads row by row: lists come in pages.
    iterate: (parameters) => all(parameters).values(),
  };
}

function named(names: readonly string[], values: readonly SQLOutputValue[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index];
  return row;
}

/** After such a statement what was prepared may answer with columns as they were. */
function changesSchema(text: string): boolean {
  return /^\s*(?:create|alter|drop)\b/i.test(text);
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
