import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite from 'better-sqlite3';
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
import type { Tables } from './tables.ts';
import { createGroupCommit } from './group-commit.ts';

/** Statements that are kept prepared; more than the service has. */
const MOST_STATEMENTS = 500;

/**
 * The embedded database: one file (`:memory:` for none), write-ahead log, every commit on disk
 * before it is acknowledged. Units that wait for each other are committed together.
 */
export function openSqlite(path: string): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const file = new BetterSqlite(path);
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // Another process (the command line) may hold the write lock for a moment.
  file.pragma('busy_timeout = 5000');
  const query = new Kysely<Tables>({ dialect: new ImmediateSqliteDialect({ database: keepPrepared(file) }) });
  return createDatabase('sqlite', query, { transact: createGroupCommit(query) });
}

/** The database with each statement prepared once: that takes longer than most statements run. */
function keepPrepared(file: BetterSqlite.Database): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    close: () => void file.close(),
    prepare(text) {
      const known = kept.get(text);
      if (known) return known;
      const statement = file.prepare(text);
      const prepared: SqliteStatement = {
        reader: statement.reader,
        all: (parameters) => statement.all(parameters),
        run: (parameters) => statement.run(parameters),
        // One that is read row by row is busy meanwhile, so that it is nobody else's.
        iterate: (parameters) => file.prepare(text).iterate(parameters),
      };
      if (changesSchema(text)) kept.clear();
      else if (kept.size < MOST_STATEMENTS) kept.set(text, prepared);
      return prepared;
    },
  };
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
