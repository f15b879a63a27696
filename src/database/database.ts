/*
 * Map of this module: `open.ts` opens SQLite (`sqlite.ts`, `group-commit.ts`) or PostgreSQL (`postgres.ts`,
 * `postgres-relay.ts`, `replica.ts`) behind one interface. Modules declare their tables with `tables-of.ts` and
 * `record.ts`, and frequent statements with `statement.ts` and `combined-statement.ts`. `announcements.ts` notifies
 * processes of commits. `batch.ts` batches and coalesces calls. Reasons: docs/decisions/databases.md.
 */

import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import { AnnouncementHub, type Announcements } from './announcements.ts';
import { type Engine, engineOf, type Runner, type NoTables } from './engine.ts';
import type { Transact } from './group-commit.ts';

/** A database transaction: its reads and writes commit together or not at all. */
export interface UnitOfWork {
  readonly query: Transaction<NoTables>;
  /** Runs `action` after the commit; never after a rollback. */
  afterCommit(action: () => void): void;
  /** Notifies the subscribers of `topic` in every process after the commit; never after a rollback. */
  announce(topic: string): void;
}

/**
 * The database. Writes that belong together go through `inTransaction`. `query` is for reads, and for rare
 * single statements. Inside a unit of work only its own `query` may be used: SQLite has one connection.
 */
export interface Database {
  readonly engine: Engine;
  readonly query: Kysely<NoTables>;
  readonly announcements: Announcements;
  /** Starts receiving the announcements of other processes; resolves after the first attempt. */
  listen(): Promise<void>;
  inTransaction<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>;
  /** Runs a single, frequent write as its own unit of work. On SQLite it shares its commit with others. */
  writeOne<Result>(write: (runner: Runner) => Promise<Result>): Promise<Result>;
  /** Runs reads on one snapshot, however long they take. Writers are not blocked. */
  inSnapshot<Result>(read: (runner: Runner) => Promise<Result>): Promise<Result>;
  /**
   * Runs reads on a replica, if there is one that has every acknowledged write; on the primary otherwise. Statements
   * run one after another. `read` may run twice.
   */
  onReplica<Result>(read: (database: Database) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Carries announcements between processes that share a database. */
export interface Relay {
  listen(): Promise<void>;
  /** Sends from within the transaction, so that the announcements arrive after its commit and only then. */
  send(transaction: Transaction<NoTables>, topics: Iterable<string>): Promise<void>;
  close(): Promise<void>;
}

/** Without a relay, this process is assumed to be the only one that sends announcements. */
export function createDatabase(
  engine: Engine,
  query: Kysely<NoTables>,
  {
    hub = new AnnouncementHub(),
    relay = null,
    transact = async (work) => await query.transaction().execute(work),
  }: { hub?: AnnouncementHub; relay?: Relay | null; transact?: Transact } = {},
): Database {
  const database: Database = {
    engine,
    query,
    announcements: hub,
    async listen() {
      await relay?.listen();
    },
    async inTransaction(work) {
      const actions: (() => void)[] = [];
      const topics = new Set<string>();
      const result = await transact(async (transaction) => {
        const done = await work({
          query: transaction,
          afterCommit: (action) => actions.push(action),
          announce: (topic) => topics.add(topic),
        });
        await relay?.send(transaction, topics);
        return done;
      });
      for (const action of actions) action();
      for (const topic of topics) hub.dispatch(topic);
      return result;
    },
    async writeOne(write) {
      return engine === 'postgres' ? await write({ query }) : await database.inTransaction(write);
    },
    async inSnapshot(read) {
      if (engine === 'postgres') {
        const transaction = query.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
        return await transaction.execute(async (snapshot) => await read({ query: snapshot }));
      }
      // Not a unit of work, which would block writers.
      return await query.connection().execute(async (connection) => {
        await sql`begin`.execute(connection);
        try {
          return await read({ query: connection });
        } finally {
          await sql`rollback`.execute(connection);
        }
      });
    },
    onReplica: (read) => read(database),
    async close() {
      await relay?.close();
      await query.destroy();
    },
  };
  return database;
}

/**
 * Locks the rows of a query until the transaction ends. Rows that reference them can still be written, because
 * keys never change. SQLite has one writer at a time and needs no row locks.
 */
export function lockRows<DB, TB extends keyof DB, Row>(
  unit: Runner,
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return engineOf(unit) === 'postgres' ? query.forNoKeyUpdate() : query;
}

/** Like `lockRows`, but skips rows locked by other transactions. In a join, locks the rows of table `of`. */
export function claimRows<DB, TB extends keyof DB & string, Row>(
  unit: Runner,
  query: SelectQueryBuilder<DB, TB, Row>,
  of?: TB,
): SelectQueryBuilder<DB, TB, Row> {
  if (engineOf(unit) !== 'postgres') return query;
  return (of ? query.forNoKeyUpdate(of) : query.forNoKeyUpdate()).skipLocked();
}

/** Resolves if the database responds and accepts writes; rejects if not. */
export async function pingDatabase({ engine, query, writeOne }: Database): Promise<void> {
  // Locks no row. A standby rejects it, and its connection is replaced.
  if (engine === 'postgres') await sql`select name from installation where false for update`.execute(query);
  // Writes a page, because the disk may be full or read-only. Shares a commit with other writes.
  else await writeOne(async (runner) => await sql`update installation set name = name`.execute(runner.query));
}
