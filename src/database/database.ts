import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import { AnnouncementHub, type Announcements } from './announcements.ts';
import { type Engine, engineOf, type Runner, type NoTables } from './engine.ts';
import type { Transact } from './group-commit.ts';

/** Reads and writes that become true together, or not at all. */
export interface UnitOfWork {
  readonly query: Transaction<NoTables>;
  /** Runs `action` once the unit is durable; not when it is rolled back. */
  afterCommit(action: () => void): void;
  /** Tells whoever has subscribed to `topic`, in every process, once the unit is durable; nobody when it is rolled back. */
  announce(topic: string): void;
}

/**
 * The service's memory. What is written together goes through `inUnit`; `query` is for reading, and
 * for a single statement that stands alone and is seldom. Inside a unit only its own `query` may be used: SQLite
 * has one connection.
 */
export interface Database {
  readonly engine: Engine;
  readonly query: Kysely<NoTables>;
  readonly announcements: Announcements;
  /** Begins to hear what other processes announce; resolves when that has been tried. */
  listen(): Promise<void>;
  inUnit<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>;
  /** A single statement that writes, is a unit by itself, and runs often: on SQLite it shares its commit with others. */
  alone<Result>(write: (on: Runner) => Promise<Result>): Promise<Result>;
  /** Reads that all see one moment, however long they take; nobody is kept from writing. */
  inSnapshot<Result>(read: (on: Runner) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Carries announcements between processes that share the database. */
export interface Relay {
  listen(): Promise<void>;
  /** Said by the transaction, so that it is heard when that is durable, and only then. */
  send(transaction: Transaction<NoTables>, topics: Iterable<string>): Promise<void>;
  close(): Promise<void>;
}

/** Without a relay this process is taken to be the only one that announces anything. */
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
    async inUnit(work) {
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
      for (const topic of topics) hub.deliver(topic);
      return result;
    },
    async alone(write) {
      return engine === 'postgres' ? await write({ query }) : await database.inUnit(write);
    },
    async inSnapshot(read) {
      if (engine === 'postgres') {
        const transaction = query.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
        return await transaction.execute(async (snapshot) => await read({ query: snapshot }));
      }
      // Not a unit, which would keep others from writing.
      return await query.connection().execute(async (connection) => {
        await sql`begin`.execute(connection);
        try {
          return await read({ query: connection });
        } finally {
          await sql`rollback`.execute(connection);
        }
      });
    },
    async close() {
      await relay?.close();
      await query.destroy();
    },
  };
  return database;
}

/**
 * Locks the rows that a query finds until the unit ends; rows that refer to them may be written all the
 * same, for keys never change. SQLite has one writer at a time and needs no lock of rows.
 */
export function lockRows<DB, TB extends keyof DB, Row>(
  unit: Runner,
  query: SelectQueryBuilder<DB, TB, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  return engineOf(unit) === 'postgres' ? query.forNoKeyUpdate() : query;
}

/** Like `lockRows`, but rows that another process holds are left to it; of a join, those of the table `of`. */
export function claimRows<DB, TB extends keyof DB & string, Row>(
  unit: Runner,
  query: SelectQueryBuilder<DB, TB, Row>,
  of?: TB,
): SelectQueryBuilder<DB, TB, Row> {
  if (engineOf(unit) !== 'postgres') return query;
  return (of ? query.forNoKeyUpdate(of) : query.forNoKeyUpdate()).skipLocked();
}

/** Answers when the database does; rejects when it does not. */
export async function pingDatabase(database: Database): Promise<void> {
  await sql`select 1`.execute(database.query);
}
