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
import { noTracer, type Tracer } from '../system/tracing.ts';
import { statementLog } from './statement-log.ts';

/** Maximum prepared statements; the service has fewer. */
const MAX_PREPARED_STATEMENTS = 500;

/** Timeout for the write lock of another process. */
export const BUSY_TIMEOUT_MS = 5000;

/**
 * Opens the embedded database: one file (`:memory:` for none), write-ahead log, every commit on disk
 * before it is acknowledged. Concurrent units of work share a commit (`group-commit.ts`). `isExclusive` fails if another
 * process has the file open, even if idle, and prevents that it is opened until this one closes it.
 */
export function openSqlite(
  path: string,
  { tracer = noTracer, isExclusive = false }: { tracer?: Tracer; isExclusive?: boolean } = {},
): Database {
  if (path !== ':memory:') createForOwner(path);
  // Another process (the command line) may briefly hold the write lock.
  const file = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  if (path !== ':memory:') restrictToOwner(path);
  try {
    if (isExclusive) file.exec('pragma locking_mode = EXCLUSIVE');
    file.exec('pragma journal_mode = WAL; pragma synchronous = FULL');
  } catch (error) {
    file.close();
    throw error;
  }
  const query = new Kysely<NoTables>({
    dialect: new ImmediateSqliteDialect({ database: cachePrepared(file) }, () => file.isTransaction),
    ...statementLog(tracer),
  });
  const database = createDatabase('sqlite', query, { transact: createGroupCommit(query, tracer) });
  return {
    ...database,
    async close() {
      await database.close();
      // Kysely closes the file only after a first query.
      if (file.isOpen) file.close();
    },
  };
}

/** Creates the folder and the file with access for the owner only: the database contains secrets. */
function createForOwner(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // An existing file is not opened here: closing it would release the locks of this process's other connections.
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // Another process created it first; otherwise SQLite reports the cause.
  }
}

/** Restricts files of earlier releases to their owner. SQLite creates -wal and -shm with the database's mode. */
function restrictToOwner(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    } catch (error) {
      // Another process that closes the last connection removes -wal and -shm at any moment.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** Prepares each statement once: preparing takes longer than running most statements. */
function cachePrepared(file: DatabaseSync): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    close: () => file.close(),
    prepare(text) {
      const cached = cache.get(text);
      if (cached) return cached;
      const prepared = prepare(file, text);
      if (changesSchema(text)) cache.clear();
      else if (cache.size < MAX_PREPARED_STATEMENTS) cache.set(text, prepared);
      return prepared;
    },
  };
}

function prepare(file: DatabaseSync, text: string): SqliteStatement {
  const statement = file.prepare(text);
  // Reading arrays and naming the columns here takes half the time of reading named rows.
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const all = (parameters: readonly unknown[]) => {
    const rows = statement.all(...(parameters as SQLInputValue[])) as unknown as SQLOutputValue[][];
    return rows.map((values) => toRow(names, values));
  };
  return {
    reader: names.length > 0,
    all,
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    // No caller streams rows: lists are paginated.
    iterate: (parameters) => all(parameters).values(),
  };
}

function toRow(names: readonly string[], values: readonly SQLOutputValue[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index];
  return row;
}

/** True for statements that change the schema: statements prepared earlier may then return outdated columns. */
function changesSchema(text: string): boolean {
  return /^\s*(?:create|alter|drop)\b/i.test(text);
}

/**
 * Transactions take the write lock when they begin. A deferred one takes it at its first write. It then fails
 * immediately if another process has written since it began, regardless of the busy timeout.
 */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: ConstructorParameters<typeof SqliteDialect>[0];
  readonly #isInTransaction: () => boolean;

  constructor(config: ConstructorParameters<typeof SqliteDialect>[0], isInTransaction: () => boolean) {
    super(config);
    this.#config = config;
    this.#isInTransaction = isInTransaction;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver(this.#config, this.#isInTransaction);
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #isInTransaction: () => boolean;

  constructor(config: ConstructorParameters<typeof SqliteDriver>[0], isInTransaction: () => boolean) {
    super(config);
    this.#isInTransaction = isInTransaction;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // After some errors, such as a full disk, SQLite has already rolled back. A second rollback would hide the error.
    if (this.#isInTransaction()) await super.rollbackTransaction(connection);
  }
}
